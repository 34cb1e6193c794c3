import { expect, it } from 'vitest';
import { cholesky, solveWith } from '../../../src/checkers/features/cholesky.js';

// A = [[4, 2], [2, 5]] = L L' with L = [[2, 0], [1, 2]]; A x = [8, 9] has x = [22/16, 20/16].
it('factors and solves', () => {
  const lower = cholesky(Float64Array.of(4, 0, 2, 5), 2);
  expect([lower[0], lower[2], lower[3]]).toEqual([2, 1, 2]);
  expect([...solveWith(lower, Float64Array.of(8, 9))]).toEqual([1.375, 1.25]);
});
