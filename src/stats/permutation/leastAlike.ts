import { mean } from '../../core/numbers.js';
import type { Labels } from '../../data/labels.js';

/** Of so many random moves the least alike is taken: its correlation with the true labels is about 50 times smaller. */
const CANDIDATES = 50;

/**
 * Of several moves of the labels the one whose labels have least to do with the true ones. By accident moved labels agree
 * with the true ones a little, so that a model which finds the disease does better than chance on them, too, although it
 * recognises nobody. Rows of weight 0 do not count.
 *
 * Source: rerandomisation, Morgan & Rubin 2012, Annals of Statistics 40:1263.
 */
export function leastAlike(labels: Labels, draw: () => Int32Array, weight?: ArrayLike<number> | null): Int32Array {
  const columns = columnsOf(labels, weight);
  let best = draw();
  let least = likeness(columns, best);
  for (let candidate = 1; candidate < CANDIDATES; candidate++) {
    const order = draw();
    const found = likeness(columns, order);
    if (found < least) [best, least] = [order, found];
  }
  return best;
}

/** Labels as columns of numbers around 0: one per class or label, one for a regression. */
function columnsOf(
  { task, classes, codes, numbers, indicators, length }: Labels,
  weight: ArrayLike<number> | null | undefined,
): Float64Array[] {
  const counts = (row: number) => !weight || weight[row] > 0;
  const width = classes.length;
  const values =
    task === 'regression'
      ? [numbers]
      : Array.from({ length: width }, (_, column) =>
          Float64Array.from({ length }, (_each, row) =>
            task === 'multilabel' ? indicators[row * width + column] : Number(codes[row] === column),
          ),
        );
  return values.map((column) => {
    const counting = column.filter((_, row) => counts(row));
    const centre = mean(counting);
    const scale = counting.reduce((most, value) => Math.max(most, Math.abs(value - centre)), 0) || 1;
    return column.map((value, row) => (counts(row) ? (value - centre) / scale : 0));
  });
}

/** Sum of the squared covariances between the columns and the moved columns, from means of 0. */
function likeness(columns: readonly Float64Array[], order: Int32Array): number {
  let total = 0;
  for (const column of columns) {
    for (const other of columns) {
      let sum = 0;
      for (let row = 0; row < order.length; row++) sum += column[row] * other[order[row]];
      total += sum ** 2;
    }
  }
  return total;
}
