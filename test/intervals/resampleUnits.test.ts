import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { estimateByUnits, resampleCells, resampleUnits } from '../../src/intervals/resampleUnits.js';
import { SharedDraws } from '../../src/intervals/sharedDraws.js';
import { precision } from '../../src/metrics/definitions/binary.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { averagePrecision, rocAuc } from '../../src/metrics/definitions/ranking.js';
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

describe('resampleCells', () => {
  const mixed = (n: number) => {
    const yTrue = Array.from({ length: n }, (_, row) => row % 2);
    return {
      table: scoreTable({ yTrue, yPred: yTrue.map((y, row) => (row % 5 === 0 ? 1 - y : y)), classes: [0, 1] }),
      units: Int32Array.from({ length: n }, (_, row) => Math.floor(row / 2)),
    };
  };

  it('is exactly what resampling the rows gives, over blocks and repeats', () => {
    const input = { metric: accuracy, nBootstrap: 300, random: randomSource(9) };
    for (const repeats of [[[mixed(60)]], [[mixed(60), mixed(40)], [mixed(80)]]]) {
      const of = () => ({ ...input, draws: new SharedDraws(9, 300) });
      const { weighted: _, ...byRows } = accuracy;
      const expected = resampleUnits({ ...of(), metric: byRows }, repeats) as { variance: number };
      const found = resampleCells(of(), repeats) as { variance: number };
      expect(found.variance).toBeCloseTo(expected.variance, 15);
      expect(found.variance).toBe((resampleUnits(of(), repeats) as typeof found).variance);
    }
  });

  it('leaves other metrics, lone inputs and resamples without a value to resampleUnits', () => {
    const input = { metric: accuracy, nBootstrap: 100, random: randomSource(9), draws: new SharedDraws(9, 100) };
    expect(resampleCells({ ...input, metric: rocAuc }, [[mixed(60)]])).toBeUndefined();
    expect(resampleCells({ ...input, draws: undefined }, [[mixed(60)]])).toBeUndefined();
    const lone = rows(12, 0);
    const one = {
      ...lone,
      table: { ...lone.table, yTrue: lone.table.yPred, yPred: Int32Array.of(1, ...new Array(11).fill(0)) },
    };
    // The only row that is called positive is not drawn in a third of the resamples.
    expect(resampleCells({ ...input, metric: precision }, [[one]])).toBeUndefined();
  });
});

describe('estimateByUnits', () => {
  it('is the same in any order of the rows for metrics of ranks, whatever their weights', () => {
    const yTrue = [0, 1, 0, 1, 1, 0, 0, 1];
    const yProba = [0.3, 0.9, 0.3, 0.3, 0.1, 0.8, 0.2, 0.2];
    for (const sampleWeight of [undefined, [1, 2, 1, 3, 0.5, 1, 1, 0.3]]) {
      const table = scoreTable({ yTrue, yProba, classes: [0, 1], ...(sampleWeight ? { sampleWeight } : {}) });
      const units = Int32Array.of(0, 0, 1, 2, 3, 3, 4, 4);
      for (const metric of [rocAuc, averagePrecision]) {
        const estimate = estimateByUnits(metric, [[{ table, units }]]);
        for (const times of [
          [1, 1, 1, 1, 1],
          [2, 0, 1, 1, 1],
          [0, 3, 0, 1, 1],
        ]) {
          const weight = Float64Array.from(units, (unit, row) => times[unit] * (sampleWeight?.[row] ?? 1));
          expect(estimate(Int32Array.from(times)).value).toBeCloseTo(
            metric.compute({ ...table, weight }) as number,
            14,
          );
        }
      }
    }
  });

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
