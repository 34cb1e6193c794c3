import type { Labels } from './labels.js';

/** What a model predicts that knows the labels alone, of these rows: shares of classes or labels, or the mean. */
export function priorOf(
  y: Pick<Labels, 'length' | 'task' | 'classes' | 'codes' | 'numbers' | 'indicators'>,
  weight?: ArrayLike<number>,
  rows?: Int32Array,
): Float64Array {
  const width = y.task === 'regression' ? y.classes.length || 1 : y.classes.length;
  const sums = new Float64Array(width);
  let total = 0;
  const count = (row: number) => {
    const w = weight ? weight[row] : 1;
    total += w;
    if (y.task === 'regression') for (let j = 0; j < width; j++) sums[j] += w * y.numbers[row * width + j];
    else if (y.task === 'multilabel') for (let j = 0; j < width; j++) sums[j] += w * y.indicators[row * width + j];
    else sums[y.codes[row]] += w;
  };
  if (rows) rows.forEach(count);
  else for (let row = 0; row < y.length; row++) count(row);
  return sums.map((sum) => sum / total);
}
