import { describe, expect, it } from 'vitest';
import { autocorrelation, nearestNeighbours } from '../../../src/checkers/CVL006-spatial-proximity/spatialProximity.js';
import { randomSource } from '../../../src/core/random.js';

describe('nearestNeighbours', () => {
  it('gives eight in order, of equally near ones those of lower number, and fewer where there are fewer', () => {
    // Nine places on a line, and one far away.
    const { neighbours, k } = nearestNeighbours({ values: Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 100), width: 1 });
    expect(k).toBe(8);
    expect([...neighbours.subarray(0, 8)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect([...neighbours.subarray(4 * 8, 5 * 8)]).toEqual([3, 5, 2, 6, 1, 7, 0, 8]);
    expect([...neighbours.subarray(9 * 8)]).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    const few = nearestNeighbours({ values: Float64Array.of(0, 3, 4), width: 1 });
    expect(few).toEqual({ neighbours: Int32Array.of(1, 2, 2, 0, 1, 0), k: 2 });
  });
});

describe('autocorrelation', () => {
  it('is the weighted mean product with the neighbours', async () => {
    // Places 0, 3, 4 with values a, b, c; the nearest neighbour counts 2, the next 1, of 9 in all:
    // 0: 2ab + ac, 3: 2bc + ab, 4: 2bc + ac. With a = -3, b = 1, c = 2: (-6 - 6) + (4 - 3) + (4 - 6) = -13, over 9.
    const graph = nearestNeighbours({ values: Float64Array.of(0, 3, 4), width: 1 });
    const variable = { name: 'v', values: Float64Array.of(-3, 1, 2) };
    const found = await autocorrelation([variable], graph, randomSource(1), { alpha: 0.5, permutations: 9 });
    expect(found.coefficient).toBeCloseTo(-13 / 9, 12);
  });

  it('finds the variable that follows the places, and none among noise', async () => {
    const random = randomSource(3);
    const noise = () => ({ name: 'noise', values: Float64Array.from({ length: 100 }, () => random.random() - 0.5) });
    const line = { values: Float64Array.from({ length: 100 }, (_, i) => i), width: 1 };
    const graph = nearestNeighbours(line);
    const trend = { name: 'trend', values: Float64Array.from({ length: 100 }, (_, i) => Math.sin(i / 9)) };
    const settings = { alpha: 0.01, permutations: 199 };
    const found = await autocorrelation([noise(), trend, noise()], graph, random, settings);
    expect(found.variable.name).toBe('trend');
    expect(found.pValue).toBe(1 / 200);
    expect((await autocorrelation([noise(), noise()], graph, random, settings)).pValue).toBeGreaterThan(0.01);
  });

  it('has p-values that are no smaller than they should be', async () => {
    // 400 tests of noise at level .05: 20 expected, 32 is 2.75 standard errors more.
    const random = randomSource(5);
    let fired = 0;
    for (let trial = 0; trial < 400; trial++) {
      const at = { values: Float64Array.from({ length: 60 }, () => random.random()), width: 2 };
      const variables = ['a', 'b'].map((name) => ({
        name,
        values: Float64Array.from({ length: 30 }, () => Math.exp(3 * random.random())),
      }));
      const centred = variables.map(({ name, values }) => {
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        return { name, values: values.map((value) => value - mean) };
      });
      const { pValue } = await autocorrelation(centred, nearestNeighbours(at), random, {
        alpha: 0.05,
        permutations: 99,
      });
      if (pValue <= 0.05) fired++;
    }
    expect(fired).toBeLessThanOrEqual(32);
    expect(fired).toBeGreaterThanOrEqual(8);
  });
});
