import type { ScoreTable } from './scoreTable.js';

/** Weight k counts as the row k times, weight 0 as no row. */
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
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
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
