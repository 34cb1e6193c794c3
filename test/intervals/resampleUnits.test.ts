import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { estimateByUnits, resampleUnits } from '../../src/intervals/resampleUnits.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const rows = (n: number, wrong: number) => {
  const yTrue = Array.from({ length: n }, (_, row) => row % 2);
  return {
    table: scoreTable({ yTrue, yPred: yTrue.map((y, row) => (row < wrong ? 1 - y : y)), classes: [0, 1] }),
    units: Int32Array.from({ length: n }, (_, row) => row),
  };
};

describe('resampleUnits', () => {
  it('gives the variance of a share, p (1 - p) / n, within 6 %', () => {
    const found = resampleUnits({ metric: accuracy, nBootstrap: 4000, random: randomSource(1) }, [[rows(100, 20)]]);
    expect('variance' in found && found.variance / ((0.8 * 0.2) / 100)).toBeGreaterThan(0.94);
    expect('variance' in found && found.variance / ((0.8 * 0.2) / 100)).toBeLessThan(1.06);
  });

  it('draws whole units: five rows of each of 20 patients vary as 20 rows', () => {
    const table = rows(100, 20).table;
    const perPatient = { table, units: Int32Array.from({ length: 100 }, (_, row) => Math.floor(row / 5)) };
    const found = resampleUnits({ metric: accuracy, nBootstrap: 4000, random: randomSource(2) }, [[perPatient]]);
    // Rows 0 ... 19 are wrong: four patients wholly wrong, so p (1 - p) / 20.
    expect('variance' in found && found.variance / ((0.8 * 0.2) / 20)).toBeGreaterThan(0.94);
    expect('variance' in found && found.variance / ((0.8 * 0.2) / 20)).toBeLessThan(1.06);
  });

  it('refuses when most resamples have no value, and counts those that it drops', () => {
    const lone = {
      table: scoreTable({ yTrue: [1, 0, 0, 0, 0, 0], yProba: [0.6, 0.1, 0.2, 0.3, 0.4, 0.5], classes: [0, 1] }),
      units: Int32Array.of(0, 1, 2, 3, 4, 5),
    };
    const of = (n: number) => resampleUnits({ metric: rocAuc, nBootstrap: 200, random: randomSource(n) }, [[lone]]);
    // The lone positive is not drawn in (5/6)^6 = 33 % of the resamples.
    const found = of(3);
    expect('notes' in found && found.notes[0]).toMatch(/^\d+ of 200 resamples left the metric undefined/);
    const rare = {
      table: scoreTable({ yTrue: [1, 0], yProba: [0.6, 0.1], classes: [0, 1] }),
      units: Int32Array.of(0, 1),
    };
    // Both are drawn in half of the resamples; a third, unused unit makes it fewer.
    const wide = { ...rare, units: Int32Array.of(0, 5) };
    expect(resampleUnits({ metric: rocAuc, nBootstrap: 200, random: randomSource(4) }, [[wide]])).toMatchObject({
      reason: expect.stringMatching(/^\d+ of 200 resamples leave roc_auc undefined$/),
    });
  });
});

describe('estimateByUnits', () => {
  it('counts the rows of a unit as often as asked, times their own weight, and leaves the data as they are', () => {
    const yTrue = [1, 1, 0, 0];
    const table = scoreTable({ yTrue, yPred: [1, 0, 0, 1], classes: [0, 1], sampleWeight: [1, 2, 1, 3] });
    const estimate = estimateByUnits(accuracy, [[{ table, units: Int32Array.of(0, 0, 1, 2) }]]);
    // Right: rows 0 and 2. Twice unit 0, once unit 1: (2 x 1 + 1) / (2 x (1 + 2) + 1) = 3/7.
    expect(estimate(Int32Array.of(2, 1, 0)).value).toBeCloseTo(3 / 7, 12);
    expect(estimate(Int32Array.of(1, 1, 1)).value).toBeCloseTo(2 / 7, 12);
    expect(estimate(Int32Array.of(0, 0, 0))).toMatchObject({ value: null, reason: 'every weight is 0' });
    expect(Array.from(table.weight as Float64Array)).toEqual([1, 2, 1, 3]);
  });
});
