import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { bootstrap } from '../../../src/metrics/intervals/bootstrap.js';
import type { IntervalFold, IntervalInput } from '../../../src/metrics/intervals/interval.js';
import { oofBootstrap } from '../../../src/metrics/intervals/oofBootstrap.js';
import { type Metric, score } from '../../../src/metrics/metric.js';
import { metricRegistry } from '../../../src/metrics/registry.js';
import { type ScoreTable, scoreTable } from '../../../src/metrics/scoreTable.js';
import reference from '../../reference/calibratedBootstrap.json' with { type: 'json' };

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

describe('bootstrap', () => {
  it.each(reference.cases)('follows the published steps with $name', (each) => {
    for (const { metric, estimate, lower, upper } of each.expected) {
      const found = bootstrap(inputOf(metricRegistry.get(metric), foldsOf(each)));
      expect(found, metric).toMatchObject({ method: 'bootstrap', estimand: 'procedure', unit: 'patient' });
      expect(found.estimate, metric).toBeCloseTo(estimate, 10);
      expect(found.lower, metric).toBeCloseTo(lower, 9);
      expect(found.upper, metric).toBeCloseTo(upper, 9);
    }
  });

  it('resamples patients where a metric has no influence function: the same standard error within 6 %', () => {
    const { influence: _, ...plain } = metricRegistry.get('brier');
    const logit = (x: number | null) => Math.log((x as number) / (1 - (x as number)));
    const width = ({ lower, upper }: { lower: number | null; upper: number | null }) => logit(upper) - logit(lower);
    const folds = simpleFolds(60);
    const closed = bootstrap(inputOf(metricRegistry.get('brier'), folds));
    const drawn = bootstrap(inputOf(plain, folds));
    expect(drawn.estimate).toBe(closed.estimate);
    expect(width(drawn) / width(closed)).toBeGreaterThan(0.94);
    expect(width(drawn) / width(closed)).toBeLessThan(1.06);
  });

  it('takes the larger of its standard error and that of refits, and says which', () => {
    const [each] = reference.cases;
    const brier = metricRegistry.get('brier');
    const of = (more: Partial<IntervalInput>) => bootstrap(inputOf(brier, foldsOf(each), more));
    const logit = (x: number | null) => Math.log((x as number) / (1 - (x as number)));
    const half = ({ estimate, upper }: ReturnType<typeof of>) => logit(upper) - logit(estimate);
    const refits = (sd: number) => ({ values: [0.2 - sd, 0.2, 0.2 + sd], count: 3 });
    const plain = of({});
    const small = of({ refits: refits(1e-6) });
    expect([small.lower, small.upper]).toEqual([plain.lower, plain.upper]);
    expect(small.note).toContain('The standard error of 3 refits on resampled patients, times sqrt(.632), is smaller.');
    const [large, larger] = [of({ refits: refits(0.1) }), of({ refits: refits(0.15) })];
    expect(large.note).toContain('is larger and was used.');
    expect(half(large)).toBeGreaterThan(half(plain));
    // The same t and scale: half widths are as the standard errors.
    expect(half(larger) / half(large)).toBeCloseTo(1.5, 10);
    const few = of({ refits: { ...refits(0.1), count: 8 } });
    expect([few.lower, few.upper]).toEqual([plain.lower, plain.upper]);
    expect(few.note).toContain('The refits were not used: 5 of 8 refits left the metric undefined.');
    const timed = of({ refits: refits(0.1), design: { timeOrdered: true } });
    expect(timed).toMatchObject({
      estimand: 'predictions',
      note: expect.stringContaining('The refits were not used.'),
    });
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

  it('has width at the bound of the range: Wilson, with the constant in the effective number', () => {
    const perfect = simpleFolds(20).map((fold) => ({
      ...fold,
      table: scoreTable({
        yTrue: Array.from(fold.table.yTrue),
        yProba: Array.from(fold.table.yTrue, (y) => 0.1 + 0.8 * y),
      }),
    }));
    const found = bootstrap(inputOf(aucOf, perfect));
    expect(found).toMatchObject({ estimate: 1, upper: 1, estimand: 'procedure' });
    // 50 patients in either class over 1.2 squared; Wilson at a share of 1: n / (n + z^2)
    const n = 50 / 1.44;
    expect(found.lower).toBeCloseTo(n / (n + 1.959963984540054 ** 2), 10);
    expect(found.note).toContain('34.7 effective patients');
  });

  it.each<[string, number, Partial<IntervalInput>]>([
    ['One split says nothing about other training sets', 1, {}],
    ['The folds are in time, where neighbours are alike', 5, { design: { timeOrdered: true } }],
    ['The folds are apart in space, where neighbours are alike', 5, { design: { apart: true } }],
    ['The folds leave out every patient in turn', 5, { design: { exhaustive: true } }],
  ])('speaks of these predictions alone: %s', (why, folds, more) => {
    const found = bootstrap(inputOf(aucOf, simpleFolds(60, folds), more));
    expect(found.estimand).toBe('predictions');
    expect(found.note).toContain(`${why}: the interval is about these predictions alone.`);
    expect(found.lower).toBeLessThan(found.estimate as number);
  });

  it('speaks of these predictions alone with fewer than 20 patients in a class', () => {
    const found = bootstrap(inputOf(aucOf, simpleFolds(18, 5, 6)));
    expect(found.estimand).toBe('predictions');
    expect(found.note).toContain('Only 15 patients of class 1, fewer than 20');
    expect(bootstrap(inputOf(aucOf, simpleFolds(24, 5, 6))).estimand).toBe('procedure');
  });

  it('is narrower than nothing known: the factor is named, and larger for the procedure', () => {
    const found = bootstrap(inputOf(aucOf, simpleFolds(60)));
    expect(found).toMatchObject({
      factor: 1.2,
      note: expect.stringContaining('times a factor calibrated by simulation'),
    });
    const lone = bootstrap(inputOf(aucOf, simpleFolds(60), { design: { timeOrdered: true } }));
    expect((found.upper as number) - (found.lower as number)).toBeGreaterThan(
      (lone.upper as number) - (lone.lower as number),
    );
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
      reason: 'accuracy depends on the prevalence, which case-control sampling does not tell',
    });
    expect(bootstrap(inputOf(aucOf, simpleFolds(1, 5)))).toMatchObject({ estimate: null, lower: null });
  });

  it('holds about the width of the out-of-fold bootstrap times the constant', () => {
    const folds = simpleFolds(80);
    const logit = (x: number | null) => Math.log((x as number) / (1 - (x as number)));
    const [ours, theirs] = [bootstrap, oofBootstrap].map((method) => method(inputOf(aucOf, folds)));
    const ratio = (logit(ours.upper) - logit(ours.lower)) / (logit(theirs.upper) - logit(theirs.lower));
    expect(ratio / 1.2).toBeGreaterThan(0.94);
    expect(ratio / 1.2).toBeLessThan(1.06);
  });
});
