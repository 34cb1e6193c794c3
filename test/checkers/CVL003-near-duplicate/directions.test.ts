import { describe, expect, it } from 'vitest';
import { projectOntoPcs } from '../../../src/checkers/CVL003-near-duplicate/directions.js';
import { squaredDistance } from '../../../src/checkers/CVL003-near-duplicate/pairsWithin.js';
import { randomSource } from '../../../src/core/random.js';
import { normal } from './normal.js';

const random = randomSource(2);

/** Rows whose column k has the standard deviation of `sds[k]`. */
const rowsOf = (n: number, sds: readonly number[]) =>
  Float32Array.from({ length: n * sds.length }, (_, at) => sds[at % sds.length] * normal(random));

describe('projectOntoPcs', () => {
  it('gives distances that are never above the true ones, and equal ones with all directions', () => {
    const data = rowsOf(60, [5, 1, 1, 0.1, 3]);
    for (const count of [1, 3, 5]) {
      const shadow = projectOntoPcs(data, 5, count, random);
      for (let i = 1; i < 60; i++) {
        const truth = squaredDistance(data, 5, i, i - 1);
        let below = 0;
        for (let k = 0; k < count; k++) below += (shadow.data[i * count + k] - shadow.data[(i - 1) * count + k]) ** 2;
        expect(below).toBeLessThanOrEqual(truth * (1 + 1e-12));
        if (count === 5) expect(below).toBeCloseTo(truth, 9);
      }
    }
  });

  it('finds the widest direction', () => {
    // Of the variance 100 + 4 x 1, the first principal component has 100.
    const data = rowsOf(500, [1, 1, 10, 1, 1]);
    const first = projectOntoPcs(data, 5, 1, random).data;
    const squares = first.reduce((sum, value) => sum + value * value, 0) / 500;
    const truth = data.reduce((sum, value, at) => sum + (at % 5 === 2 ? value * value : 0), 0) / 500;
    expect(squares / truth).toBeGreaterThan(0.99);
  });

  it('bounds by zero where rows do not differ', () => {
    expect(projectOntoPcs(new Float32Array(12), 3, 2, random).data.every((value) => value === 0)).toBe(true);
  });
});
