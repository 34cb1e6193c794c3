import { describe, expect, it } from 'vitest';
import { studentTQuantile, wilson } from '../../src/core/incompleteBeta.js';
import { randomSource } from '../../src/core/random.js';
import { oofBootstrap } from '../../src/intervals/bootstrap.js';
import type { IntervalFold, IntervalInput } from '../../src/intervals/interval.js';
import { precision, sensitivity } from '../../src/metrics/definitions/binary.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { mse } from '../../src/metrics/definitions/regression.js';
import { type Metric, score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { type ScoreTable, scoreTable } from '../../src/metrics/scoreTable.js';

import reference from '../reference/intervals.json' with { type: 'json' };

function input(metric: Metric, tables: ScoreTable[], more: Partial<IntervalInput> = {}): IntervalInput {
  let next = 0;
  const folds = tables.map((table) => ({
    score: score(metric, table),
    table,
    units: Int32Array.from({ length: table.length }, () => next++),
    nTrain: 50,
    repeat: 0,
  }));
  return { metric, folds, level: 0.95, unit: 'row', nBootstrap: 400, random: randomSource(3), ...more };
}

/** n rows of which the first `wrong` are predicted wrong; truth alternates. */
const rowsWith = (n: number, wrong: number) => {
  const yTrue = Array.from({ length: n }, (_, row) => row % 2);
  return scoreTable({ yTrue, yPred: yTrue.map((y, row) => (row < wrong ? 1 - y : y)), classes: [0, 1] });
};

describe('oofBootstrap', () => {
  it.each(reference.oofBootstrap)('equals the same resamples drawn by numpy and scored by scikit-learn', (each) => {
    for (const { metric: name, estimate, lower, upper } of each.expected) {
      const metric = metricRegistry.get(name);
      const folds: IntervalFold[] = each.folds.map(({ yTrue, yProba, weight, units, repeat }) => {
        const table = scoreTable({ yTrue, yProba, classes: [0, 1], ...(weight ? { sampleWeight: weight } : {}) });
        return { score: score(metric, table), table, units: Int32Array.from(units), nTrain: 30, repeat };
      });
      const { nBootstrap, seed, level } = each;
      const found = oofBootstrap({ metric, folds, level, unit: 'patient', nBootstrap, random: randomSource(seed) });
      expect(found).toMatchObject({
        method: 'oof_bootstrap',
        estimand: 'predictions',
        unit: 'patient',
        nUnits: each.nUnits,
      });
      expect(found.estimate, name).toBeCloseTo(estimate, 12);
      expect(found.lower, name).toBeCloseTo(lower, 12);
      expect(found.upper, name).toBeCloseTo(upper, 12);
    }
  });

  it('of a share has the standard error sqrt(p (1 - p) / n), on the logit scale (hand calculation, 2 %)', () => {
    const n = 200;
    const p = 0.8;
    const { lower, upper } = oofBootstrap(input(accuracy, [rowsWith(n, 40)], { nBootstrap: 5000 }));
    const logit = (x: number | null) => Math.log((x as number) / (1 - (x as number)));
    const half = studentTQuantile(0.975, n - 1) / Math.sqrt(n * p * (1 - p));
    expect((logit(upper) - logit(lower)) / 2 / half).toBeCloseTo(1, 1.4);
    expect((logit(upper) + logit(lower)) / 2).toBeCloseTo(logit(p), 10);
  });

  it('draws whole patients: ten equal rows of a patient are worth one', () => {
    const rows = rowsWith(40, 8);
    const tenfold = (codes: ArrayLike<number>) =>
      Int32Array.from({ length: 400 }, (_, row) => codes[Math.floor(row / 10)]);
    const table = { ...rows, length: 400, yTrue: tenfold(rows.yTrue), yPred: tenfold(rows.yPred) };
    const units = Int32Array.from({ length: 400 }, (_, row) => Math.floor(row / 10));
    const base = input(accuracy, [table], { unit: 'patient', nBootstrap: 3000 });
    const patients = oofBootstrap({ ...base, folds: [{ ...base.folds[0], units }] });
    const lone = oofBootstrap(input(accuracy, [rows], { nBootstrap: 3000 }));
    expect(patients.nUnits).toBe(40);
    expect(patients.lower).toBeCloseTo(lone.lower as number, 10);
    expect(patients.upper).toBeCloseTo(lone.upper as number, 10);
  });

  it('does not change when all weights are multiplied', () => {
    const weight = Float64Array.from({ length: 60 }, (_, row) => 0.5 + (row % 7));
    for (const metric of [accuracy, sensitivity]) {
      const one = oofBootstrap(input(metric, [{ ...rowsWith(60, 9), weight }]));
      const ten = oofBootstrap(input(metric, [{ ...rowsWith(60, 9), weight: weight.map((w) => 10 * w) }]));
      expect(ten.lower).toBeCloseTo(one.lower as number, 11);
      expect(ten.upper).toBeCloseTo(one.upper as number, 11);
    }
  });

  it('at the bound is the Wilson interval of the units that count, never of width 0', () => {
    const all = oofBootstrap(input(accuracy, [rowsWith(30, 0)]));
    expect([all.lower, all.upper]).toEqual(wilson(1, 30, 0.95));
    expect(all.note).toContain("Wilson's limits from 30 rows.");
    const positives = oofBootstrap(input(sensitivity, [rowsWith(30, 0)]));
    expect([positives.lower, positives.upper]).toEqual(wilson(1, 15, 0.95));
    const none = oofBootstrap(input(accuracy, [rowsWith(30, 30)]));
    expect([none.lower, none.upper]).toEqual(wilson(0, 30, 0.95));
  });

  it('at the bound of an unbounded metric has no limits', () => {
    const values = Array.from({ length: 20 }, (_, row) => row + 0.5);
    const found = oofBootstrap(input(mse, [scoreTable({ yTrue: values, yPred: values, task: 'regression' })]));
    expect(found).toMatchObject({
      estimate: 0,
      lower: null,
      upper: null,
      reason: 'the estimate, 0.000, has no spread',
    });
  });

  it('drops and counts resamples that leave the metric undefined', () => {
    const yTrue = Array.from({ length: 20 }, (_, row) => (row < 3 ? 1 : 0));
    const predicting = (n: number) =>
      scoreTable({ yTrue, yPred: yTrue.map((_, row) => (row >= 20 - n || row === 0 ? 1 : 0)) });
    const some = oofBootstrap(input(precision, [predicting(1)]));
    expect(some.lower).not.toBeNull();
    expect(some.note).toMatch(/^\d+ of 400 resamples left the metric undefined and were dropped\.$/);
    const fragile: Metric = {
      ...accuracy,
      compute: (table) => (table.weight?.[0] === 1 || !table.weight ? 0.5 : { reason: 'no' }),
    };
    const most = oofBootstrap(input(fragile, [rowsWith(20, 3)]));
    expect(most).toMatchObject({ estimate: 0.5, lower: null, upper: null });
    expect(most.reason).toMatch(/^\d+ of 400 resamples leave accuracy undefined$/);
  });

  it('counts folds without a value, in the data and in resamples', () => {
    const yProba = Array.from({ length: 12 }, (_, row) => ((7 * row) % 12) / 12);
    const fold = (positives: number) =>
      scoreTable({ yTrue: yProba.map((_, row) => (row < positives ? 1 : 0)), yProba, classes: [0, 1] });
    const found = oofBootstrap(input(rocAuc, [fold(6), fold(5), fold(0)]));
    expect(found.note).toMatch(/^2 of 3 folds have a value \(no positive rows\); the others are left out\./);
    const thin = oofBootstrap(input(rocAuc, [fold(6), fold(1)]));
    expect(thin.note).toMatch(
      /\d+ of 400 resamples left a fold without a value; it counted with the other folds alone\./,
    );
    expect(oofBootstrap(input(rocAuc, [fold(0)]))).toMatchObject({
      estimate: null,
      lower: null,
      reason: 'no positive rows',
    });
  });

  it('gives no limits below ten units or after a failed fold, but the estimate', () => {
    expect(oofBootstrap(input(accuracy, [rowsWith(8, 2)]))).toMatchObject({
      estimate: 0.75,
      lower: null,
      reason: 'only 8 rows, fewer than 10',
    });
    const base = input(accuracy, [rowsWith(30, 3), rowsWith(30, 3)]);
    const { table: _, ...failed } = base.folds[1];
    expect(oofBootstrap({ ...base, folds: [base.folds[0], failed] })).toMatchObject({
      estimate: 0.9,
      lower: null,
      reason: '1 of 2 folds failed',
    });
  });

  it('is the same for the same seed and leaves the tables alone', () => {
    const table = rowsWith(40, 7);
    const weight = new Float64Array(40).fill(2);
    const run = () => oofBootstrap(input(accuracy, [{ ...table, weight }], { random: randomSource(9) }));
    expect(run()).toEqual(run());
    expect(weight.every((w) => w === 2)).toBe(true);
  });
});
