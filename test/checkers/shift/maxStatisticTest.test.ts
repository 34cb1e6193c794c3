import { describe, expect, it } from 'vitest';
import type { FoldUnits, TestShares } from '../../../src/checkers/shift/foldUnits.js';
import { maxStatisticTest } from '../../../src/checkers/shift/maxStatisticTest.js';
import { type UnitTable, unitTable } from '../../../src/checkers/shift/unitTable.js';
import { randomSource } from '../../../src/core/random.js';
import { rowNumbers } from '../../../src/data/labels.js';
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
  ])('equals numpy: %s', (_, units, folds, seed, expected) => {
    const { z, pValue, permutations } = test(units, folds, seed);
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
  it('has the exact p within three Monte Carlo standard errors', () => {
    const values = Array.from({ length: 12 }, (_, unit) => [unit - 5.5]);
    const shares = values.map((_, unit) => Number(unit >= 8));
    const exact = 2 / 495;
    const { pValue, pOf, z } = test(values, [shares], 11);
    expect(Math.abs(pValue - exact)).toBeLessThan(3 * Math.sqrt((exact * (1 - exact)) / 999) + 1 / 1000);
    expect(pOf(Math.abs(z[0]))).toBe(pValue);
    expect(pOf(0)).toBe(1);
  });

  it('is the same for many classes by what differs as by every number, and far faster', () => {
    const [count, width] = [4000, 380];
    const random = randomSource(3);
    const classes = Int32Array.from({ length: count }, (_, unit) => Math.floor((unit / count) * width));
    const moved = classes.map((code) => (random.random() < 0.5 ? Math.floor(random.random() * width) : code));
    const variables = Array.from({ length: width }, (_, code) => ({
      name: `class ${code}`,
      share: true as const,
      values: Float64Array.from(moved, (each) => Number(each === code)),
    }));
    const units = { codes: rowNumbers(count), count } as FoldUnits;
    const { sparse, ...dense } = unitTable(variables, units);
    expect(sparse).toBeDefined();
    const folds = [0, 1, 2, 3].map((fold) => sharesOf(Array.from(classes, (_, unit) => Number(unit % 4 === fold))));
    folds.push(sharesOf(Array.from(classes, (_, unit) => Number(unit < 1000))));
    const timed = (table: UnitTable, permutations: number) => {
      const started = performance.now();
      const found = maxStatisticTest(table, folds, randomSource(1), { alpha: 0.01, permutations });
      return { ...found, pOf: [2, 3, 4, 5].map(found.pOf), ms: performance.now() - started };
    };
    const [{ ms: slow, ...expected }, { ms: fast, ...found }] = [dense, { ...dense, sparse }].map((each) =>
      timed(each, 99),
    );
    expect(found).toEqual(expected);
    expect(fast).toBeLessThan(slow / 2);
  });

  it('changes neither table nor folds', () => {
    const table = tableOf(reference.units);
    const folds: TestShares[] = reference.folds.map(sharesOf);
    const before = JSON.stringify([table, folds]);
    maxStatisticTest(table, folds, randomSource(1), { alpha: 0.01 });
    expect(JSON.stringify([table, folds])).toBe(before);
  });
});
