/** How strongly a category goes with y. */
import { sum } from '../../core/numbers.js';
import type { Association } from './association.js';
import type { ClassColumn } from './classColumn.js';
import { levelArea } from './levelArea.js';
import { levelCounts } from './levelProxies.js';
import type { Target } from './targets.js';

/**
 * The area under the ROC curve of a class, each patient (row) judged by the others at its level; the correlation ratio with
 * the ranks of numbers. There is no test of either. Rows without a value are left out.
 */
export function levelAssociation(column: ClassColumn, target: Target): Association {
  if (!target.classes) return { auc: null, r: correlationRatio(column, target.ranks), p: null };
  const area = levelArea(levelCounts(column, target));
  return { auc: area === undefined ? null : Math.max(0.5, area), r: null, p: null };
}

/**
 * The share of the spread of y that lies between the levels, less what as many levels give by chance, as a root: of two
 * levels the size of the correlation. The rows of a patient at a level count as one, by their mean. 0 where y or the
 * category does not vary, or no level has two patients.
 *
 * Source: Kelley 1935, Proceedings of the National Academy of Sciences 21:554 (epsilon squared).
 *
 * @param y a number for each row
 */
export function correlationRatio(column: ClassColumn, y: Float64Array): number {
  const { of, level, rows } = column.cells();
  const values = new Float64Array(level.length);
  of.forEach((cell, row) => {
    if (cell >= 0) values[cell] += y[row] / rows[cell];
  });
  const levels = column.starts.length - 1;
  const [sums, counts] = [new Float64Array(levels), new Int32Array(levels)];
  level.forEach((at, cell) => {
    sums[at] += values[cell];
    counts[at]++;
  });
  const mean = sum(values) / values.length;
  const within = values.reduce(
    (squares, value, cell) => squares + (value - sums[level[cell]] / counts[level[cell]]) ** 2,
    0,
  );
  const all = values.reduce((squares, value) => squares + (value - mean) ** 2, 0);
  if (levels < 2 || values.length <= levels || !(all > 0)) return 0;
  return Math.sqrt(Math.max(0, 1 - within / (values.length - levels) / (all / (values.length - 1))));
}
