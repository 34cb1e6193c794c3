import type { Metric } from './metric.js';
import type { ScoreTable } from './scoreTable.js';

/** Parts of a table: resampling asks for the same rows a thousand times. */
const known = new WeakMap<ArrayLike<number>, { readonly yTrue: unknown; readonly parts: Float64Array[][] }>();

/** One of several targets as a table of its own. */
export function targetTable(table: ScoreTable, target: number): ScoreTable {
  const { yTrue, yPred, length, classes } = table;
  let kept = known.get(yPred);
  if (kept?.yTrue !== yTrue) {
    kept = { yTrue, parts: [] };
    known.set(yPred, kept);
  }
  kept.parts[target] ??= [yTrue, yPred].map((values) =>
    Float64Array.from({ length }, (_, row) => values[row * classes.length + target]),
  );
  const [truth, prediction] = kept.parts[target];
  return { ...table, classes: [], yTrue: truth, yPred: prediction };
}

type Parts = Required<Pick<Metric, 'compute' | 'influence'>>;

/** The mean of a metric over the targets, of which a table without `classes` has one. As scikit-learn's `uniform_average`. */
export function overTargets({ compute, influence }: Parts): Parts & { readonly weighted: true } {
  const tables = (table: ScoreTable) => table.classes.map((_, target) => targetTable(table, target));
  const average: Metric['compute'] = (table) => {
    let sum = 0;
    for (const part of tables(table)) {
      const value = compute(part);
      if (typeof value !== 'number') return value;
      sum += value;
    }
    return sum / table.classes.length;
  };
  return {
    weighted: true,
    compute: (table) => (table.classes.length > 0 ? average(table) : compute(table)),
    influence(table, estimate) {
      const width = table.classes.length;
      if (width === 0) return influence(table, estimate);
      const out = new Float64Array(table.length);
      // Each is centred as far from its own value as all are from theirs.
      const away = estimate - (average(table) as number);
      for (const part of tables(table)) {
        const own = influence(part, (compute(part) as number) + away);
        for (let row = 0; row < out.length; row++) out[row] += own[row] / width;
      }
      return out;
    },
  };
}
