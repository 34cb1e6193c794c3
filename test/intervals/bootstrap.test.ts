import { describe, expect, it } from 'vitest';
import { studentTQuantile, wilson } from '../../src/core/incompleteBeta.js';
import { randomSource } from '../../src/core/random.js';
import { analytic, bootstrap, oofBootstrap } from '../../src/intervals/bootstrap.js';
import type { IntervalFold, IntervalInput } from '../../src/intervals/interval.js';
import { SharedDraws } from '../../src/intervals/sharedDraws.js';
import { precision, sensitivity } from '../../src/metrics/definitions/binary.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { mse } from '../../src/metrics/definitions/regression.js';
import { type Metric, score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { type ScoreTable, scoreTable } from '../../src/metrics/scoreTable.js';
import reference from '../reference/foldIntervals.json' with { type: 'json' };
import drawn from '../reference/intervals.json' with { type: 'json' };

const aucOf = metricRegistry.get('roc_auc');

const inputOf = (metric: Metric, folds: Omit<IntervalFold, 'score'>[], more: Partial<IntervalInput> = {}) => ({
  metric,
  folds: folds.map((fold) => ({ ...fold, score: score(metric, fold.table as ScoreTable) })),
  level: 0.95,
  unit: 'patient',
  nBootstrap: 2000,
  random: randomSource(5),
  ...more,
});

const foldsOf = (each: (typeof reference.cases | typeof drawn.oofBootstrap)[number]) =>
  each.folds.map(({ yTrue, yProba, weight, units, repeat }) => ({
    table: scoreTable({ yTrue, yProba, classes: [0, 1], ...(weight ? { sampleWeight: weight } : {}) }),
    units: Int32Array.from(units),
    nTrain: 60,
    repeat,
  }));

/** `perFold` rows per fold, each a patient, whose scores rise with the truth. */
function simpleFolds(perFold: number, folds = 5, positiveEvery = 2) {
  return Array.from({ length: folds }, (_, fold) => {
    const yTrue = Array.from({ length: perFold }, (_, row) => (row % positiveEvery === 0 ? 1 : 0));
    const yProba = yTrue.map((y, row) => 0.5 + (y - 0.5) * 0.3 + 0.3 * Math.sin(7 * row + fold));
    return {
      table: scoreTable({ yTrue, yProba, classes: [0, 1] }),
      units: Int32Array.from({ length: perFold }, (_, row) => fold * perFold + row),
      nTrain: (folds - 1) * perFold,
      repeat: 0,
    };
  });
}

/** Limits on the logit scale, as half the distance between them. */
const half = ({ lower, upper }: { lower: number | null; upper: number | null }) => {
  const logit = (x: number | null) => Math.log((x as number) / (1 - (x as number)));
  return (logit(upper) - logit(lower)) / 2;
};

describe('bootstrap', () => {
  it.each(reference.cases)('equals the same resamples drawn by numpy: $name', (each) => {
    const { seed, nBootstrap } = reference;
    for (const { metric, bootstrap: expected } of each.expected) {
      const more = { nBootstrap, draws: new SharedDraws(seed, nBootstrap) };
      const found = bootstrap(inputOf(metricRegistry.get(metric), foldsOf(each), more));
      expect(found, metric).toMatchObject({ method: 'bootstrap', estimand: 'predictions', unit: 'patient' });
      expect(found.estimate, metric).toBeCloseTo(expected.estimate, 10);
      expect(found.lower, metric).toBeCloseTo(expected.lower, 9);
      expect(found.upper, metric).toBeCloseTo(expected.upper, 9);
      const moved = `${expected.linear} of 100 resamples left a fold without a value; what they give is approximated`;
      if (expected.linear > 0) expect(found.note).toContain(moved);
      else expect(found.note).not.toContain('resamples');
    }
  });

  it('resamples: every metric follows `nBootstrap` and the seed', () => {
    const folds = simpleFolds(60);
    for (const name of ['roc_auc', 'accuracy', 'sensitivity', 'brier', 'f1', 'mcc', 'average_precision']) {
      const metric = metricRegistry.get(name);
      const [a, again, seed, more] = [
        [200, 1],
        [200, 1],
        [200, 2],
        [300, 1],
      ].map(([nBootstrap, state]) => bootstrap(inputOf(metric, folds, { nBootstrap, random: randomSource(state) })));
      expect(again).toEqual(a);
      expect(seed.lower, name).not.toBe(a.lower);
      expect(more.lower, name).not.toBe(a.lower);
    }
  });

  it.each([
    ['sensitivity', 'specificity'],
    ['precision', 'npv'],
    ['roc_auc', 'roc_auc'],
  ])('of %s is exactly that of %s where the labels are swapped', (name, mirror) => {
    const draws = new SharedDraws(3, 300);
    const folds = simpleFolds(40, 5, 3);
    const swapped = folds.map((fold) => ({
      ...fold,
      table: {
        ...fold.table,
        positive: 1 - fold.table.positive,
        yProba: fold.table.yProba?.map((p) => 1 - p) as Float64Array,
      },
    }));
    for (const method of [bootstrap, analytic, oofBootstrap]) {
      const [a, b] = [
        method(inputOf(metricRegistry.get(name), folds, { draws, nBootstrap: 300 })),
        method(inputOf(metricRegistry.get(mirror), swapped, { draws, nBootstrap: 300 })),
      ];
      expect([b.estimate, b.lower, b.upper]).toEqual([a.estimate, a.lower, a.upper]);
    }
  });

  it('repeats rows for a metric that does not read weights: the limits of the same metric that does', () => {
    const { influence: _, weighted: __, ...plain } = metricRegistry.get('brier');
    const blind: Metric = { ...plain, compute: ({ weight: _weight, ...table }) => plain.compute(table) };
    const folds = simpleFolds(30);
    const of = (metric: Metric) =>
      bootstrap(inputOf(metric, folds, { draws: new SharedDraws(4, 200), nBootstrap: 200 }));
    const { influence: ___, ...weighted } = metricRegistry.get('brier');
    const [rows, weights] = [of(blind), of(weighted)];
    expect(rows.lower).toBeCloseTo(weights.lower as number, 12);
    expect(rows.upper).toBeCloseTo(weights.upper as number, 12);
    expect(rows.note).not.toContain('end of its range');
  });

  it('of 500,000 units computes what resamples approach, says so, and draws them when asked', { tags: 'slow' }, () => {
    const n = 500_000;
    const yTrue = Int32Array.from({ length: n }, (_, row) => row % 2);
    const yPred = yTrue.map((y, row) => (row % 7 === 0 ? 1 - y : y));
    const table = { ...scoreTable({ yTrue: [0, 1], yPred: [0, 1] }), length: n, yTrue, yPred };
    const fold = { table, units: Int32Array.from({ length: n }, (_, row) => row), nTrain: n, repeat: 0 };
    const of = (closedForm: boolean, folds = [fold]) =>
      bootstrap(
        inputOf(metricRegistry.get('accuracy'), folds, { closedForm, draws: new SharedDraws(1, 100), nBootstrap: 100 }),
      );
    const [found, resampled] = [of(true), of(false)];
    expect(found.method).toBe('analytic');
    expect(found.standardError).toBeCloseTo(
      Math.sqrt(((found.estimate as number) * (1 - (found.estimate as number))) / n),
      8,
    );
    expect(found.note).toContain('100 resamples approach it with a random error of 7.1 %; they are drawn where');
    expect(resampled).toMatchObject({ method: 'bootstrap', estimate: found.estimate });
    expect(resampled.note).not.toContain('approach');
    const ratio = (resampled.standardError as number) / (found.standardError as number);
    expect(Math.abs(ratio - 1)).toBeLessThan(4 * 0.071);
    const fewer = { ...fold, table: { ...table, length: n - 1 }, units: fold.units.subarray(1) };
    expect(of(true, [fewer]).method).toBe('bootstrap');
  });

  it('does not change when all weights are multiplied by a constant', () => {
    const [each] = reference.cases.filter(({ folds }) => folds[0].weight);
    const scaled = foldsOf(each).map((fold) => ({
      ...fold,
      table: { ...fold.table, weight: fold.table.weight?.map((w) => 7 * w) as Float64Array },
    }));
    const [a, b] = [foldsOf(each), scaled].map((folds) => bootstrap(inputOf(aucOf, folds)));
    expect(b.lower).toBeCloseTo(a.lower as number, 12);
    expect(b.upper).toBeCloseTo(a.upper as number, 12);
  });

  it('comes near to the sum of squared influences, and to the out-of-fold bootstrap (6 %)', () => {
    const folds = simpleFolds(80);
    const found = bootstrap(inputOf(aucOf, folds));
    for (const other of [analytic, oofBootstrap]) {
      expect(half(found) / half(other(inputOf(aucOf, folds)))).toBeGreaterThan(0.94);
      expect(half(found) / half(other(inputOf(aucOf, folds)))).toBeLessThan(1.06);
    }
  });

  it('gives null limits and the reason where nothing can be said', () => {
    const input = inputOf(aucOf, simpleFolds(60));
    const [{ table: _, ...first }, ...others] = input.folds;
    const failed = { ...first, score: { value: null, reason: 'fold failed' } };
    expect(bootstrap({ ...input, folds: [failed, ...others] })).toMatchObject({
      lower: null,
      upper: null,
      reason: '1 of 5 folds failed',
    });
    expect(bootstrap(inputOf(accuracy, simpleFolds(60), { sampling: 'case_control' }))).toMatchObject({
      lower: null,
      sampling: 'case_control',
      reason: 'accuracy depends on the prevalence, which case-control sampling does not estimate',
    });
    expect(bootstrap(inputOf(aucOf, simpleFolds(1, 5)))).toMatchObject({ estimate: null, lower: null });
  });
});

describe('analytic', () => {
  it.each(reference.cases)('is the sum of squared influences, as numpy has it: $name', (each) => {
    for (const { metric, analytic: expected } of each.expected) {
      const found = analytic(inputOf(metricRegistry.get(metric), foldsOf(each)));
      expect(found, metric).toMatchObject({ method: 'analytic', estimand: 'predictions', unit: 'patient' });
      expect(found.estimate, metric).toBeCloseTo(expected.estimate, 10);
      expect(found.lower, metric).toBeCloseTo(expected.lower, 9);
      expect(found.upper, metric).toBeCloseTo(expected.upper, 9);
    }
  });

  it('draws nothing', () => {
    const of = (nBootstrap: number) =>
      analytic(inputOf(metricRegistry.get('accuracy'), foldsOf(reference.cases[0]), { nBootstrap }));
    expect(of(100)).toEqual(of(900));
  });

  it('has no limits for a metric without influence function, with the reason', () => {
    const { influence: _, ...metric } = metricRegistry.get('brier');
    expect(analytic(inputOf(metric, foldsOf(reference.cases[0])))).toMatchObject({
      lower: null,
      reason: 'brier has no influence function; use bootstrap',
    });
  });
});

/** Tables whose rows are all units of their own. */
function tested(metric: Metric, tables: ScoreTable[], more: Partial<IntervalInput> = {}) {
  let next = 0;
  const folds = tables.map((table) => ({
    ...{ table, nTrain: 50, repeat: 0 },
    units: Int32Array.from({ length: table.length }, () => next++),
  }));
  return inputOf(metric, folds, { unit: 'row', nBootstrap: 400, random: randomSource(3), ...more });
}

/** n rows of which the first `wrong` are predicted wrong; truth alternates. */
const rowsWith = (n: number, wrong: number) => {
  const yTrue = Array.from({ length: n }, (_, row) => row % 2);
  return scoreTable({ yTrue, yPred: yTrue.map((y, row) => (row < wrong ? 1 - y : y)), classes: [0, 1] });
};

describe('oofBootstrap', () => {
  it.each(drawn.oofBootstrap)('equals the same resamples drawn by numpy and scored by scikit-learn', (each) => {
    for (const { metric: name, estimate, lower, upper } of each.expected) {
      const metric = metricRegistry.get(name);
      const { nBootstrap, seed, level } = each;
      const found = oofBootstrap(inputOf(metric, foldsOf(each), { nBootstrap, level, random: randomSource(seed) }));
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
    const { lower, upper } = oofBootstrap(tested(accuracy, [rowsWith(n, 40)], { nBootstrap: 5000 }));
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
    const base = tested(accuracy, [table], { unit: 'patient', nBootstrap: 3000 });
    const patients = oofBootstrap({ ...base, folds: [{ ...base.folds[0], units }] });
    const lone = oofBootstrap(tested(accuracy, [rows], { nBootstrap: 3000 }));
    expect(patients.nUnits).toBe(40);
    expect(patients.lower).toBeCloseTo(lone.lower as number, 10);
    expect(patients.upper).toBeCloseTo(lone.upper as number, 10);
  });

  it('does not change when all weights are multiplied', () => {
    const weight = Float64Array.from({ length: 60 }, (_, row) => 0.5 + (row % 7));
    for (const metric of [accuracy, sensitivity]) {
      const one = oofBootstrap(tested(metric, [{ ...rowsWith(60, 9), weight }]));
      const ten = oofBootstrap(tested(metric, [{ ...rowsWith(60, 9), weight: weight.map((w) => 10 * w) }]));
      expect(ten.lower).toBeCloseTo(one.lower as number, 11);
      expect(ten.upper).toBeCloseTo(one.upper as number, 11);
    }
  });

  it('at the bound is the Wilson interval of the units that count, never of width 0', () => {
    const all = oofBootstrap(tested(accuracy, [rowsWith(30, 0)]));
    expect([all.lower, all.upper]).toEqual(wilson(1, 30, 0.95));
    expect(all.note).toContain("Wilson's limits from 30 rows.");
    const positives = oofBootstrap(tested(sensitivity, [rowsWith(30, 0)]));
    expect([positives.lower, positives.upper]).toEqual(wilson(1, 15, 0.95));
    const none = oofBootstrap(tested(accuracy, [rowsWith(30, 30)]));
    expect([none.lower, none.upper]).toEqual(wilson(0, 30, 0.95));
  });

  it('at the bound of an unbounded metric has no limits', () => {
    const values = Array.from({ length: 20 }, (_, row) => row + 0.5);
    const found = oofBootstrap(tested(mse, [scoreTable({ yTrue: values, yPred: values, task: 'regression' })]));
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
    const some = oofBootstrap(tested(precision, [predicting(1)]));
    expect(some.lower).not.toBeNull();
    expect(some.note).toMatch(/^\d+ of 400 resamples left the metric undefined and were dropped\.$/);
    const fragile: Metric = {
      ...accuracy,
      compute: (table) => (table.weight?.[0] === 1 || !table.weight ? 0.5 : { reason: 'no' }),
    };
    const most = oofBootstrap(tested(fragile, [rowsWith(20, 3)]));
    expect(most).toMatchObject({ estimate: 0.5, lower: null, upper: null });
    expect(most.reason).toMatch(/^\d+ of 400 resamples leave accuracy undefined$/);
  });

  it('counts folds without a value, in the data and in resamples', () => {
    const yProba = Array.from({ length: 12 }, (_, row) => ((7 * row) % 12) / 12);
    const fold = (positives: number) =>
      scoreTable({ yTrue: yProba.map((_, row) => (row < positives ? 1 : 0)), yProba, classes: [0, 1] });
    const found = oofBootstrap(tested(rocAuc, [fold(6), fold(5), fold(0)]));
    expect(found.note).toMatch(/^2 of 3 folds have a value \(no positive rows\); the others are left out\./);
    const thin = oofBootstrap(tested(rocAuc, [fold(6), fold(1)]));
    expect(thin.note).toMatch(
      /\d+ of 400 resamples left a fold without a value; it counted with the other folds alone\./,
    );
    expect(oofBootstrap(tested(rocAuc, [fold(0)]))).toMatchObject({
      estimate: null,
      lower: null,
      reason: 'no positive rows',
    });
  });

  it('gives no limits below ten units or after a failed fold, but the estimate', () => {
    expect(oofBootstrap(tested(accuracy, [rowsWith(8, 2)]))).toMatchObject({
      estimate: 0.75,
      lower: null,
      reason: 'only 8 rows, fewer than 10',
    });
    const base = tested(accuracy, [rowsWith(30, 3), rowsWith(30, 3)]);
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
    const run = () => oofBootstrap(tested(accuracy, [{ ...table, weight }], { random: randomSource(9) }));
    expect(run()).toEqual(run());
    expect(weight.every((w) => w === 2)).toBe(true);
  });
});
