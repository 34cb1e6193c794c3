import { describe, expect, it } from 'vitest';
import { addProducts } from '../../src/estimators/logisticLoss.js';

describe('addProducts', () => {
  // Numbers of rows with every remainder of four. Expected: the sums by definition.
  it.each([1, 2, 3, 4, 5, 9])('sums the weighted products of %i rows into its corner', (n) => {
    const width = 2;
    const data = Float64Array.from({ length: n * width }, (_, at) => ((at * 7) % 5) - 1);
    const weights = Float64Array.from({ length: n }, (_, row) => row + 1);
    const size = 5;
    const into = new Float64Array(size * size);
    addProducts({ into, size, row: 2, column: 1 }, { data, n, width }, weights, true);
    const cell = (row: number, column: number) => (column === width ? 1 : data[row * width + column]);
    for (let i = 0; i <= width; i++) {
      for (let j = 0; j <= i; j++) {
        const sum = weights.reduce((total, weight, row) => total + weight * cell(row, i) * cell(row, j), 0);
        expect(into[(2 + i) * size + 1 + j]).toBeCloseTo(sum, 12);
      }
    }
  });
});
