import { expect, it } from 'vitest';
import { permutation, randomSource } from '../../../src/core/random.js';
import { labelsOf } from '../../../src/data/labels.js';
import { leastCorrelatedPermutation } from '../../../src/stats/permutationTest.js';

/** Pearson's correlation of two columns, from its definition. */
function correlation(a: number[], b: number[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [p, q] = [a.map((value) => value - mean(a)), b.map((value) => value - mean(b))];
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, at) => sum + value * y[at], 0);
  return dot(p, q) / Math.sqrt(dot(p, p) * dot(q, q));
}

it.each([
  ['two classes', Array.from({ length: 60 }, (_, row) => Number(row % 3 === 0)), 0.05],
  ['a number', Array.from({ length: 60 }, (_, row) => Math.exp(Math.sin(row * 5)) + 0.001 * row), 0.03],
])('moves labels so that they have little to do with the true ones: %s', (_name, y, most) => {
  const random = randomSource(1);
  const draw = () => permutation(random, y.length);
  const moved = (order: Int32Array) =>
    Math.abs(
      correlation(
        y,
        Array.from(order, (row) => y[row]),
      ),
    );
  const chosen = Array.from({ length: 20 }, () => moved(leastCorrelatedPermutation(labelsOf(y), draw)));
  expect(Math.max(...chosen)).toBeLessThan(most);
  // Random moves: a correlation of 1 / sqrt(59) = .13 on average in square.
  expect(Math.max(...Array.from({ length: 20 }, () => moved(draw())))).toBeGreaterThan(0.13);
});
