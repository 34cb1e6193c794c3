import { type Metric, undefinedBecause } from './metric.js';
import type { ScoreTable } from './scoreTable.js';

export interface Terms {
  readonly part: (row: number) => number;
  /** 1 for every row when left out: the ratio is a mean. */
  readonly whole?: (row: number) => number;
}

interface Columns {
  readonly yTrue: ArrayLike<number>;
  readonly yProba: Float64Array | undefined;
  readonly part: Float64Array;
  readonly whole: Float64Array | undefined;
}

/**
 * A metric that is a ratio of weighted sums over rows, sum w a / sum w b: means of losses, proportions, F1. Its
 * influence function is that of a ratio, w (a - value b) / sum w b. Undefined, for the reason `empty`, when nothing is
 * below the line.
 * Source of the influence: Särndal, Swensson & Wretman 1992, Model Assisted Survey Sampling, section 5.6.
 */
export function ratioOfSums(
  terms: (table: ScoreTable) => Terms,
  empty = 'no rows',
): Required<Pick<Metric, 'weighted' | 'compute' | 'influence'>> {
  /** The terms of a fixed table: resampling needs the same rows a thousand times under other weights. */
  const known = new WeakMap<ArrayLike<number>, Columns>();
  const columnsOf = (table: ScoreTable): Columns => {
    const { yTrue, yPred, yProba, length } = table;
    const kept = known.get(yPred);
    if (kept?.yTrue === yTrue && kept.yProba === yProba) return kept;
    const { part, whole } = terms(table);
    // Written out: a `map` takes twice the time.
    const column = (at: (row: number) => number) => {
      const values = new Float64Array(length);
      for (let row = 0; row < length; row++) values[row] = at(row);
      return values;
    };
    const found = { yTrue, yProba, part: column(part), whole: whole && column(whole) };
    known.set(yPred, found);
    return found;
  };
  /** Without columns, for a table that is read once. */
  const sumsOnce = (table: ScoreTable, { part, whole } = terms(table)) => {
    const { length, weight } = table;
    let [above, below] = [0, 0];
    for (let row = 0; row < length; row++) {
      const w = weight ? weight[row] : 1;
      if (!w) continue;
      above += w * part(row);
      below += whole ? w * whole(row) : w;
    }
    return { above, below };
  };
  const sums = (table: ScoreTable, { part, whole }: Columns) => {
    const { length, weight } = table;
    let [above, below] = [0, 0];
    for (let row = 0; row < length; row++) {
      const w = weight ? weight[row] : 1;
      above += w * part[row];
      below += whole ? w * whole[row] : w;
    }
    // A test in every row is slow: it runs only where a term of a row of weight 0 is not finite.
    return Number.isNaN(above + below) ? sumsOnce(table) : { above, below };
  };
  return {
    weighted: true,
    compute(table) {
      const { above, below } = table.fixed ? sums(table, columnsOf(table)) : sumsOnce(table);
      return below > 0 ? above / below : undefinedBecause(empty);
    },
    influence(table, value) {
      const { length, weight } = table;
      const found = terms(table);
      const { below } = sumsOnce(table, found);
      const out = new Float64Array(length);
      for (let row = 0; row < length; row++) {
        const w = weight ? weight[row] : 1;
        if (w) out[row] = (w * (found.part(row) - value * (found.whole ? found.whole(row) : 1))) / below;
      }
      return out;
    },
  };
}

export function weightedMean({ length, weight }: ScoreTable, valueAt: (row: number) => number): number {
  let sum = 0;
  let total = 0;
  for (let row = 0; row < length; row++) {
    const w = weight ? weight[row] : 1;
    if (w === 0) continue;
    sum += w * valueAt(row);
    total += w;
  }
  return sum / total;
}

/**
 * Exactly 0 when all values are equal: the mean of equal numbers may be off by one rounding, and 0/0 must not become a
 * quotient of rounding errors.
 */
export function weightedVariance(table: ScoreTable, valueAt: (row: number) => number): number {
  const { length, weight } = table;
  let [min, max] = [Infinity, -Infinity];
  for (let row = 0; row < length; row++) {
    if (weight && weight[row] === 0) continue;
    const value = valueAt(row);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min === max) return 0;
  const mean = weightedMean(table, valueAt);
  return weightedMean(table, (row) => (valueAt(row) - mean) ** 2);
}
