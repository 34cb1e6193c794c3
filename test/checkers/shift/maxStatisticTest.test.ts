import { describe, expect, it } from 'vitest';
import type { TestShares } from '../../../src/checkers/shift/foldUnits.js';
import { maxStatisticTest } from '../../../src/checkers/shift/maxStatisticTest.js';
import { randomSource } from '../../../src/core/random.js';
import reference from '../../reference/shift.json' with { type: 'json' };
import { sharesOf, tableOf } from './tables.js';

const test = (units: number[][], folds: number[][], seed: number) =>
  maxStatisticTest(tableOf(units), folds.map(sharesOf), randomSource(seed), { alpha: 0.01 });

describe('maxStatisticTest', () => {
  // numpy's shuffles are those of cvkit's integer seeds, so that even the permutation's p is the same number.
  it.each([
    ['a shifted variable', reference.units, reference.folds, 5, reference.shifted],
    ['none', reference.calmUnits, reference.folds, 6, reference.calm],
    ['folds that tear units', reference.units, reference.tornShares, 7, reference.torn],
  ])('equals numpy: %s', async (_, units, folds, seed, expected) => {
    const { z, pValue, permutations } = await test(units, folds, seed);
    expected.z.flat().forEach((score, at) => {
      expect(z[at]).toBeCloseTo(score, 9);
    });
    expect({ pValue, permutations }).toEqual({ pValue: expected.pValue, permutations: expected.permutations });
  });

  it('stops once p > alpha is certain, and draws all permutations otherwise', () => {
    expect(reference.shifted.permutations).toBe(999);
    expect(reference.calm.permutations).toBeLessThan(999);
  });

  // Four of 12 units are tested, and hold the four largest values: of the 495 choices, that one and its mirror image
  // (the four smallest) have the largest |z|, so that the exact p is 2 / 495.
  it('has the exact p within three Monte Carlo standard errors', async () => {
    const values = Array.from({ length: 12 }, (_, unit) => [unit - 5.5]);
    const shares = values.map((_, unit) => Number(unit >= 8));
    const exact = 2 / 495;
    const { pValue, pOf, z } = await test(values, [shares], 11);
    expect(Math.abs(pValue - exact)).toBeLessThan(3 * Math.sqrt((exact * (1 - exact)) / 999) + 1 / 1000);
    expect(pOf(Math.abs(z[0]))).toBe(pValue);
    expect(pOf(0)).toBe(1);
  });

  it('shares the error rate out by weights: a variable of weight 0 does not count', async () => {
    const [table, folds] = [tableOf(reference.units), reference.folds.map(sharesOf)];
    const weights = Float64Array.from(table.variables, (_, at) => Number(at > 0));
    const { pValue } = await maxStatisticTest(table, folds, randomSource(1), { alpha: 0.01, weights });
    const rest = tableOf(reference.units.map((unit) => unit.slice(1)));
    expect(pValue).toBe((await maxStatisticTest(rest, folds, randomSource(1), { alpha: 0.01 })).pValue);
  });

  it('changes neither table nor folds', async () => {
    const table = tableOf(reference.units);
    const folds: TestShares[] = reference.folds.map(sharesOf);
    const before = JSON.stringify([table, folds]);
    await maxStatisticTest(table, folds, randomSource(1), { alpha: 0.01 });
    expect(JSON.stringify([table, folds])).toBe(before);
  });
});
