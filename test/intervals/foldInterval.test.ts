import { describe, expect, it } from 'vitest';
import { studentTQuantile } from '../../src/core/incompleteBeta.js';
import { randomSource } from '../../src/core/random.js';
import { foldInterval, heterogeneityWarning, refitLimits } from '../../src/intervals/foldInterval.js';
import type { Halves, Interval, IntervalInput } from '../../src/intervals/interval.js';
import { influenceVariance, isInfluential, unitBlocks } from '../../src/intervals/unitBlocks.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const auc = metricRegistry.get('roc_auc');
const logit = (x: number | null) => Math.log((x as number) / (1 - (x as number)));

/** Folds of 24 patients, one in `positiveEvery` of them positive, and an interval of standard error .05 with 40 df. */
function intervalOf(more: Partial<IntervalInput> = {}, { folds = 5, positiveEvery = 2 } = {}) {
  const given = Array.from({ length: folds }, (_, fold) => {
    const yTrue = Array.from({ length: 24 }, (__, row) => (row % positiveEvery === 0 ? 1 : 0));
    const yProba = yTrue.map((y, row) => 0.5 + (y - 0.5) * 0.3 + 0.3 * Math.sin(7 * row + fold));
    const table = scoreTable({ yTrue, yProba, classes: [0, 1] });
    const units = Int32Array.from({ length: 24 }, (__, row) => 24 * fold + row);
    return { table, units, nTrain: 24 * (folds - 1), repeat: 0, score: score(auc, table) };
  });
  const facts = { level: 0.95, unit: 'patient', nBootstrap: 100, random: randomSource(1) };
  return foldInterval({ metric: auc, folds: given, ...facts, ...more }, 'analytic', () => ({
    variance: 0.05 ** 2,
    df: 40,
    notes: ['Of the spread.'],
  }));
}

const refits = (sd: number, count = 3) => ({ values: [0.7 - sd, 0.7, 0.7 + sd], count });
const MODELS = 'What another training set would change is not in the interval.';

describe('foldInterval', () => {
  it('is about the models of these folds, by the standard error of their test rows', () => {
    const found = intervalOf();
    expect(found).toMatchObject({ estimand: 'predictions', note: `${MODELS} Of the spread.` });
    const p = found.estimate as number;
    expect(logit(found.upper) - logit(p)).toBeCloseTo((studentTQuantile(0.975, 40) * 0.05) / (p * (1 - p)), 10);
  });

  it('does not speak of training where nothing is trained', () => {
    const found = intervalOf({ fixedModel: true, refits: refits(0.1) });
    expect(found).toMatchObject({ estimand: 'predictions', note: expect.not.stringContaining('another training set') });
    expect(found.note).toContain('The refits were not used: nothing is trained.');
  });

  it.each<[string, IntervalInput['design']]>([
    ['in time', { timeOrdered: true }],
    ['in time', { keepsTies: true }],
    ['apart in space', { separated: true }],
  ])('says that neighbours are alike: folds %s', (where, design) => {
    expect(intervalOf({ design: design ?? {} }).note).toContain(
      `The folds are ${where}, where neighbours are alike, but patients count as independent.`,
    );
  });

  it('is about the procedure with refits, and takes the larger standard error', () => {
    const half = ({ estimate, upper }: ReturnType<typeof intervalOf>) => logit(upper) - logit(estimate);
    const [plain, small, large] = [
      intervalOf(),
      intervalOf({ refits: refits(1e-6) }),
      intervalOf({ refits: refits(0.1) }),
    ];
    expect(small).toMatchObject({ estimand: 'procedure', lower: plain.lower, upper: plain.upper });
    expect(small.note).toBe(
      'The standard error of 3 refits on resampled patients, times sqrt(.632), is smaller than that of the test rows. Of the spread.',
    );
    expect(large.note).toContain('is larger than that of the test rows and was used.');
    // The standard deviation of .6, .7 and .8 is .1.
    expect(half(large) / half(plain)).toBeCloseTo((0.1 * Math.sqrt(0.632)) / 0.05, 10);
  });

  it.each<[string, Partial<IntervalInput>, { folds?: number; positiveEvery?: number }]>([
    ['5 of 8 refits left the metric undefined', { refits: refits(0.1, 8) }, {}],
    ['one split says nothing about other training sets', {}, { folds: 1 }],
    ['the folds are no random parts of the data', { design: { timeOrdered: true } }, {}],
    ['the folds leave out every patient in turn', { design: { exhaustive: true } }, {}],
    ['only 15 patients of class 1, fewer than 20', {}, { positiveEvery: 8 }],
  ])('stays about these predictions where refits cannot serve: %s', (why, more, shape) => {
    const found = intervalOf({ refits: refits(0.1), ...more }, shape);
    const { refits: _, ...without } = more;
    expect(found).toMatchObject({ estimand: 'predictions', lower: intervalOf(without, shape).lower });
    expect(found.note).toContain(`The refits were not used: ${why}.`);
  });

  const half = (seed: number, signal = 0.3) => {
    const yTrue = Array.from({ length: 60 }, (_, row) => row % 2);
    const yProba = yTrue.map((y, row) => 0.5 + (y - 0.5) * signal + 0.3 * Math.sin(7 * row + 3 * seed));
    return {
      table: scoreTable({ yTrue, yProba, classes: [0, 1] }),
      units: Int32Array.from({ length: 60 }, (_, row) => 2 * row + (seed % 2)),
    };
  };
  /** @param signal of the model of the first half */
  const halvesOf = (count: number, failed = 0, signal = 0.3): Halves => ({
    kind: 'crossed',
    sampling: 'cohort',
    halvings: Array.from({ length: count }, (_, at) => {
      const a = half(2 * at, signal);
      return [at < failed ? { units: a.units, error: 'it did not converge' } : a, half(2 * at + 1)] as const;
    }),
  });

  it('is about the procedure with halves, and says what they are and what they add', () => {
    const found = intervalOf({ halves: halvesOf(6, 0, -0.3), noHalves: 'not said' });
    expect(found.estimand).toBe('procedure');
    expect(found.note).toContain(
      'What another training set would change is in the interval: 12 models of half of the patients estimate it.',
    );
    const { trainingShare = 0, standardError = 0, df = 0 } = found;
    expect(trainingShare).toBeGreaterThan(0.1);
    expect(standardError ** 2 * (1 - trainingShare)).toBeCloseTo(0.05 ** 2, 12);
    expect(df).not.toBeCloseTo(40, 3);
    const p = found.estimate as number;
    expect(logit(found.upper) - logit(p)).toBeCloseTo(
      (studentTQuantile(0.975, df) * standardError) / (p * (1 - p)),
      10,
    );
  });

  it('says of one given test set how the variance of training is taken to fall', () => {
    const { kind, sampling, halvings } = halvesOf(6, 0, -0.3);
    expect(kind).toBe('crossed');
    const single = halvings.map(([a, b]) => [a, { ...b, units: a.units }] as const);
    const found = intervalOf({ halves: { kind: 'test_set', sampling, halvings: single } });
    expect(found.note).toContain(
      '12 models of half of the training patients estimate it. Its variance is taken to halve with twice the patients; where it falls less, as for trees, the limits hold less often than 95 %.',
    );
    expect(intervalOf({ halves: halvesOf(6, 0, -0.3) }).note).not.toContain('taken to halve');
  });

  it('says that halves that show no effect of training may miss a small one', () => {
    const found = intervalOf({ halves: halvesOf(6) });
    expect(found).toMatchObject({ estimand: 'procedure', trainingShare: 0 });
    expect(found.note).toContain(
      '12 models of half of the patients estimate it. Scores of these models differ no more than by chance, so nothing is added: an effect can be missed, and the limits may hold less often than 95 %.',
    );
  });

  it('tells how many halvings could not be used', () => {
    expect(intervalOf({ halves: halvesOf(8, 2) }).note).toContain(
      'Of 8 halvings, 2 with a model that failed (it did not converge) could not be used.',
    );
    const few = intervalOf({ halves: halvesOf(6, 2) });
    expect(few).toMatchObject({ estimand: 'predictions', lower: intervalOf().lower });
    expect(few.note).toContain(
      'is not in the interval: of 6 halvings, 2 with a model that failed (it did not converge) could not be used, which leaves fewer than 5.',
    );
  });

  it.each<[string, Partial<IntervalInput>, { folds?: number; positiveEvery?: number }]>([
    ['the folds are no random parts of the data', { design: { timeOrdered: true } }, {}],
    ['the folds leave out every patient in turn', { design: { exhaustive: true } }, {}],
    ['only 15 patients of class 1, fewer than 20', {}, { positiveEvery: 8 }],
    ['\u0060ciFits: 5\u0060 estimates it', { halves: undefined, noHalves: '\u0060ciFits: 5\u0060 estimates it' }, {}],
  ])('stays about these models where halves cannot serve, and says why: %s', (why, more, shape) => {
    const found = intervalOf({ halves: halvesOf(6), ...more }, shape);
    expect(found).toMatchObject({ estimand: 'predictions', lower: intervalOf({ design: more.design }, shape).lower });
    expect(found.note).toContain(`What another training set would change is not in the interval: ${why}.`);
  });

  it('says where few units are called a class, of counts that this moves', () => {
    const noteOf = (name: string, moved: number) => {
      const folds = Array.from({ length: 5 }, (_, fold) => {
        const yTrue = Array.from({ length: 24 }, (__, row) => row % 2);
        const yProba = yTrue.map((y, row) => 0.3 + 0.1 * y + moved * Number(row < 4));
        const table = scoreTable({ yTrue, yProba, classes: [0, 1] });
        const units = Int32Array.from({ length: 24 }, (__, row) => 24 * fold + row);
        return { table, units, nTrain: 96, repeat: 0, score: score(metricRegistry.get(name), table) };
      });
      return intervalOf({ metric: metricRegistry.get(name), folds }).note ?? '';
    };
    // Four rows of each of five folds are called 1 where they are moved: 20.
    const said = 'Only 0 patients are called 1, fewer than 20: the limits may hold less often than 95 %.';
    for (const name of ['sensitivity', 'balanced_accuracy']) {
      expect(noteOf(name, 0)).toContain(said);
      expect(noteOf(name, 0.5)).not.toContain('are called');
    }
    for (const name of ['accuracy', 'roc_auc', 'brier']) expect(noteOf(name, 0)).not.toContain('are called');
  });

  it('has width at the bound of the range: Wilson for the patients of the smaller class', () => {
    const found = foldInterval(
      {
        ...{ metric: auc, level: 0.95, unit: 'patient', nBootstrap: 100, random: randomSource(1) },
        folds: [0, 1].map((fold) => {
          const yTrue = Array.from({ length: 50 }, (_, row) => (row < 25 ? 1 : 0));
          const table = scoreTable({ yTrue, yProba: yTrue.map((y) => 0.1 + 0.8 * y) });
          const units = Int32Array.from({ length: 50 }, (_, row) => 50 * fold + row);
          return { table, units, nTrain: 50, repeat: 0, score: score(auc, table) };
        }),
      },
      'analytic',
      () => ({ variance: 0, df: 99, notes: [] }),
    );
    // 50 patients in either class; Wilson at a share of 1: n / (n + z^2)
    expect(found).toMatchObject({
      estimate: 1,
      upper: 1,
      lower: expect.closeTo(50 / (50 + 1.959963984540054 ** 2), 10),
    });
    expect(found.note).toContain("Wilson's limits from 50 patients.");
  });
});

describe('refitLimits', () => {
  const limitsFrom = (more: Partial<IntervalInput>) => {
    const yTrue = Array.from({ length: 20 }, (_, row) => row % 2);
    const table = scoreTable({ yTrue, yPred: yTrue.map((_, row) => Number(row % 3 === 0)) });
    const folds = [
      { table, score: { value: 0.5 }, units: Int32Array.from(yTrue, (_, row) => row), nTrain: 20, repeat: 0 },
    ];
    const facts = { metric: metricRegistry.get('accuracy'), level: 0.95, unit: 'row', nBootstrap: 100 };
    return refitLimits({ ...facts, folds, random: randomSource(1), refits: refits(0.1), ...more }, 0.7);
  };

  it('lie symmetrically on the logit scale with t for n - 1 (hand calculation)', () => {
    const { lower = null, upper = null, note } = limitsFrom({ refits: refits(0.1, 6) });
    const half = (studentTQuantile(0.975, 19) * 0.1 * Math.sqrt(0.632)) / (0.7 * 0.3);
    expect(logit(upper) - logit(0.7)).toBeCloseTo(half, 12);
    expect(logit(0.7) - logit(lower)).toBeCloseTo(half, 12);
    expect(note).toBe(
      'Standard error of 6 refits on resampled rows, times sqrt(.632). 3 of 6 refits left the metric undefined and were dropped.',
    );
  });

  it.each<[string, Partial<IntervalInput>]>([
    ['19 of 20 refits left the metric undefined', { refits: { values: [0.6], count: 20 } }],
    ['4 of 7 refits left the metric undefined', { refits: refits(0.1, 7) }],
    ['accuracy depends on the prevalence, which case-control sampling does not estimate', { sampling: 'case_control' }],
  ])('are null with the reason where refits say too little: %s', (reason, more) => {
    expect(limitsFrom(more)).toEqual({ lower: null, upper: null, reason });
  });
});

describe('heterogeneity of folds', () => {
  const accuracy = metricRegistry.get('accuracy');
  const design = { partition: true };

  /** Folds of 50 rows of which so many are right. */
  const foldsWith = (right: readonly number[], rows = 50) =>
    right.map((hits, fold) => {
      const yTrue = Array.from({ length: rows }, (_, row) => row % 2);
      const table = scoreTable({ yTrue, yPred: yTrue.map((y, row) => (row < hits ? y : 1 - y)), classes: [0, 1] });
      const units = Int32Array.from({ length: rows }, (_, row) => 100 * fold + row);
      return { table, units, nTrain: 200, repeat: 0, score: score(accuracy, table) };
    });
  const qOf = (
    folds: IntervalInput['folds'],
    variance: number,
    df: number,
    more: Partial<IntervalInput> = { design },
  ) => {
    const facts = { metric: accuracy, level: 0.95, unit: 'row', nBootstrap: 100, random: randomSource(1) };
    return foldInterval({ ...facts, folds, ...more }, 'analytic', () => ({ variance, df, notes: [] })).heterogeneity;
  };

  it('is Cochran’s Q, by F (hand calculation; scipy.stats.f.sf)', () => {
    // Values .8 .8 .8 .8 .4, mean .72; sum of squares 4 x .0064 + .1024 = .128; K V = 5 x .0008 = .004.
    const found = qOf(foldsWith([40, 40, 40, 40, 20]), 0.0008, 249);
    expect(found).toMatchObject({ q: expect.closeTo(32, 10), df: 4 });
    // python3 -c "from scipy.stats import f; print(f.sf(8, 4, 249))"
    expect(found?.pValue).toBeCloseTo(4.4065083847115255e-6, 12);
  });

  it('weighs folds by their units: the mean of unequal folds is that of all rows', () => {
    // Values .8 (50 rows) and .5 (10); mean .75; Q = (50 x .0025 + 10 x .0625) / (60 V).
    const folds = [...foldsWith([40]), ...foldsWith([40, 5], 10).slice(1)];
    expect(qOf(folds, 0.003, 59)).toMatchObject({ q: expect.closeTo(0.75 / 0.18, 10), largest: 1 });
  });

  it('of a repeated design is that of the first repeat', () => {
    const first = foldsWith([40, 40, 40, 40, 20]);
    const later = foldsWith([20, 30, 35, 25, 10]).map((fold) => ({ ...fold, repeat: 1 }));
    const alone = qOf(first, 0.0008, 249);
    expect(alone?.df).toBe(4);
    expect(qOf([...first, ...later], 0.0008, 249)).toEqual(alone);
    // A fold without a value in another repeat does not stand in the way either.
    const lost = later.map((fold) => ({ ...fold, score: { value: null, reason: 'no rows' } as const }));
    expect(qOf([...first, ...lost], 0.0008, 249)).toEqual(alone);
  });

  it('is not judged where folds overlap, lack a value, or rest on fewer than five units', () => {
    const folds = foldsWith([40, 20]);
    expect(qOf(folds, 0.001, 99, {})).toBeUndefined();
    expect(qOf(folds.slice(0, 1), 0.001, 99)).toBeUndefined();
    expect(qOf(foldsWith([2, 4, 2], 4), 0.001, 99)).toBeUndefined();
    const none = { ...folds[0], score: { value: null, reason: 'no rows' } } as const;
    expect(qOf([none, folds[1]], 0.001, 99)).toBeUndefined();
  });

  it.each(['roc_auc', 'accuracy', 'sensitivity'])('of one model in all folds is small by chance alone: %s', (name) => {
    const metric = metricRegistry.get(name);
    if (!isInfluential(metric)) throw new Error('no influence');
    const random = randomSource(11);
    const runs = 400;
    let alarms = 0;
    for (let run = 0; run < runs; run++) {
      const folds = Array.from({ length: 5 }, (_, fold) => {
        const yTrue = Array.from({ length: 60 }, () => (random.random() < 0.4 ? 1 : 0));
        const yProba = yTrue.map((y) => (0.3 * y + random.random()) / 1.3);
        const table = scoreTable({ yTrue, yProba, classes: [0, 1] });
        const units = Int32Array.from({ length: 60 }, (__, row) => 60 * fold + row);
        return { table, units, nTrain: 240, repeat: 0, score: score(metric, table) };
      });
      const { variance, df } = influenceVariance({ metric }, unitBlocks({ metric, folds }));
      const found = qOf(folds, variance, df, { design, metric });
      if (found && found.pValue < 0.01) alarms++;
    }
    // Expected 4 of 400 at a level of .01; 12 lie four standard errors above.
    expect(alarms).toBeLessThanOrEqual(12);
  });

  it('gives one sentence about all scores, with its limits', () => {
    const of = (pValue: number, estimand = 'predictions') =>
      ({ heterogeneity: { q: 1, df: 4, pValue }, estimand }) as Interval;
    expect(heterogeneityWarning({ a: of(0.2), b: {} as Interval })).toEqual([]);
    expect(heterogeneityWarning({ a: of(0.002), b: of(0.2), c: of(0.009) })).toEqual([
      "The folds differ more than their test rows explain in a (p = 0.002), c (p = 0.009), by Cochran's Q: other training sets may change the result by more than the intervals show. The absence of this warning proves nothing: folds share training rows.",
    ]);
    expect(heterogeneityWarning({ a: of(7.7e-57) })[0]).toContain('in a (p < .001), by');
    // An interval about the procedure has what other training sets change, unless halves do not show it.
    const procedure = of(0.002, 'procedure');
    expect(heterogeneityWarning({ a: procedure })).toEqual([]);
    expect(heterogeneityWarning({ a: { ...procedure, trainingShare: 0 } })[0]).toContain('in a (p = 0.002), by');
    expect(heterogeneityWarning({ a: procedure, b: of(0.004) })[0]).toContain('explain in b (p = 0.004), by');
  });
});
