import { type Metric, undefinedBecause } from './metric.js';
import type { ScoreTable } from './scoreTable.js';

/** What a row adds above and below the line of a ratio. */
export interface Terms {
  readonly part: (row: number) => number;
  /** 1 for every row when left out: the ratio is a mean. */
  readonly whole?: (row: number) => number;
}

/**
 * A metric that is a ratio of weighted sums over rows, sum w a / sum w b: means of losses, proportions, F1. Its
 * influence function is that of a ratio, w (a - value b) / sum w b. Undefined, for the reason `empty`, when nothing is
 * below the line.
 *
 * Source of the influence: Särndal, Swensson & Wretman 1992, Model Assisted Survey Sampling, section 5.6.
 */
export function ratioOfSums(
  terms: (table: ScoreTable) => Terms,
  empty = 'no rows',
): Required<Pick<Metric, 'compute' | 'influence'>> {
  const sums = (table: ScoreTable): { part: number; whole: number } => {
    const { part, whole } = terms(table);
    let [above, below] = [0, 0];
    for (let row = 0; row < table.length; row++) {
      const w = table.weight ? table.weight[row] : 1;
      if (w === 0) continue;
      above += w * part(row);
      below += whole ? w * whole(row) : w;
    }
    return { part: above, whole: below };
  };
  return {
    compute(table) {
      const { part, whole } = sums(table);
      return whole > 0 ? part / whole : undefinedBecause(empty);
    },
    influence(table, value) {
      const { part, whole } = terms(table);
      const below = sums(table).whole;
      return Float64Array.from({ length: table.length }, (_, row) => {
        const w = table.weight ? table.weight[row] : 1;
        return w === 0 ? 0 : (w * (part(row) - value * (whole ? whole(row) : 1))) / below;
      });
    },
  };
}
