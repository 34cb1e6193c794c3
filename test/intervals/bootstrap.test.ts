import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { analytic, bootstrap, oofBootstrap } from '../../src/intervals/bootstrap.js';
import type { IntervalFold, IntervalInput } from '../../src/intervals/interval.js';
import { SharedDraws } from '../../src/intervals/unitDraws.js';
import { type Metric, score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { type ScoreTable, scoreTable } from '../../src/metrics/scoreTable.js';
import reference from '../reference/foldIntervals.json' with { type: 'json' };

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

const foldsOf = (each: (typeof reference.cases)[number]) =>
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
    const [found, drawn] = [of(true), of(false)];
    expect(found.method).toBe('analytic');
    expect(found.standardError).toBeCloseTo(
      Math.sqrt(((found.estimate as number) * (1 - (found.estimate as number))) / n),
      8,
    );
    expect(found.note).toContain('100 resamples approach it with a random error of 7.1 %; they are drawn where');
    expect(drawn).toMatchObject({ method: 'bootstrap', estimate: found.estimate });
    expect(drawn.note).not.toContain('approach');
    const ratio = (drawn.standardError as number) / (found.standardError as number);
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
    const accuracy = metricRegistry.get('accuracy');
    expect(bootstrap(inputOf(accuracy, simpleFolds(60), { sampling: 'case_control' }))).toMatchObject({
      lower: null,
      sampling: 'case_control',
      reason: 'accuracy depends on the prevalence, which case-control sampling does not estimate',
    });
    expect(bootstrap(inputOf(aucOf, simpleFolds(1, 5)))).toMatchObject({ estimate: null, lower: null });
  });
});
