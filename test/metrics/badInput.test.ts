/**
 * Every function that reads predictions or plans for them, with every bad input: a typed error in one sentence, or an
 * answer that says why it lacks what it lacks. NaN, Infinity and 0 never stand in for a value that there is not.
 */
import { describe, expect, it } from 'vitest';
import { calibrationCurve } from '../../src/clinical/calibration/calibrationCurve.js';
import { ClinicalMetrics } from '../../src/clinical/clinicalMetrics.js';
import { chooseThreshold } from '../../src/clinical/decisions/chooseThreshold.js';
import { decisionCurve } from '../../src/clinical/decisions/decisionCurve.js';
import { netBenefit } from '../../src/clinical/decisions/netBenefit.js';
import { betaCalibration, isotonicRegression, plattScaling } from '../../src/clinical/decisions/recalibration.js';

import { delongTest } from '../../src/clinical/roc/delongTest.js';
import { sampleSize } from '../../src/clinical/sampleSize.js';
import { CVKitError } from '../../src/core/errors.js';
import { conformalIntervals } from '../../src/stats/conformalIntervals.js';
import { conformalSets } from '../../src/stats/conformalSets.js';
import { expectedAucWidth } from '../../src/stats/expectedAucWidth.js';
import { validationSampleSize } from '../../src/stats/validationSampleSize.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { ANSWERED, type Input, LEVELS, PREVALENCES, REFUSED, REFUSED_BESIDE } from '../helpers/badInputs.js';
import { numbersIn } from '../helpers/numbersIn.js';
import { Given } from '../stats/given.js';

const only = (input: Input, ...names: (keyof Input)[]): object =>
  Object.fromEntries(names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]));
const halves = (values: readonly number[]) => values.map((value) => value / 2 + 0.1);

/** Beside the two arguments, what each function takes of an input. */
type Work = (input: Input) => unknown;
const clinical =
  (more: object = {}): Work =>
  (input) => {
    const { y, p, level = 0.95, prevalence = null } = input;
    const metrics = new ClinicalMetrics({ confidenceLevel: level, prevalence, ...more });
    const labels = p.map((value) => (value > 0.5 ? 1 : 0));
    const found = metrics.calculateAll(y, labels, { yProba: p, ...only(input, 'groups', 'sampleWeight') });
    return { found, text: metrics.formatReport(found) };
  };
const sided = (input: Input) => only(input, 'groups', 'sampleWeight', 'level');
const atPrevalence = (input: Input) => only(input, 'groups', 'sampleWeight', 'level', 'prevalence');

const INTERVALS: Readonly<Record<string, Work>> = {
  'ClinicalMetrics.calculateAll': clinical(),
  'ClinicalMetrics.calculateAll, exact': clinical({ proportionMethod: 'clopper_pearson', aucScale: 'logit' }),
  'ClinicalMetrics.calculateAll, resampled': clinical({ nBootstrap: 100, treatmentEffect: 0.2 }),
  delongTest: (input) =>
    delongTest(
      input.y,
      input.p,
      input.p.map((value) => value * value),
      sided(input),
    ),
  'delongTest of equal scores': (input) => delongTest(input.y, input.p, input.p, sided(input)),
  netBenefit: (input) => netBenefit(input.y, input.p, { threshold: 0.3, ...atPrevalence(input) }),
  'netBenefit near 1': (input) => netBenefit(input.y, input.p, { threshold: 1 - 1e-16, ...atPrevalence(input) }),
  decisionCurve: (input) => decisionCurve(input.y, input.p, { thresholds: [0, 0.2, 0.99], ...atPrevalence(input) }),
  calibrationCurve: (input) => calibrationCurve(input.y, input.p, { nPoints: 5, ...sided(input) }),
  'calibrationCurve, quantile bins': (input) =>
    calibrationCurve(input.y, input.p, { nPoints: 3, binning: 'quantile', ...sided(input) }),
};

/** What has no level, and patients only where the guarantee speaks of them. */
const applied = (fit: { apply(values: readonly number[]): Float64Array; toJSON(): unknown }) => ({
  fit: fit.toJSON(),
  values: fit.apply([0, 1e-12, 0.3, 1]),
});
const ROWS: Readonly<Record<string, Work>> = {
  'chooseThreshold by Youden': (input) => chooseThreshold(input.y, input.p, 'youden', only(input, 'sampleWeight')),
  'chooseThreshold for sensitivity': (input) =>
    chooseThreshold(input.y, input.p, { sensitivity: 0.9 }, only(input, 'sampleWeight')),
  'chooseThreshold for specificity': (input) =>
    chooseThreshold(input.y, input.p, { specificity: 0.9 }, only(input, 'sampleWeight')),
  'chooseThreshold by cost': (input) =>
    chooseThreshold(input.y, input.p, { cost: { falsePositive: 1, falseNegative: 5 } }, only(input, 'sampleWeight')),
  plattScaling: (input) => applied(plattScaling(input.y, input.p, only(input, 'sampleWeight'))),
  isotonicRegression: (input) => applied(isotonicRegression(input.y, input.p, only(input, 'sampleWeight'))),
  betaCalibration: (input) => applied(betaCalibration(input.y, input.p, only(input, 'sampleWeight'))),
};
const PATIENTS: Readonly<Record<string, Work>> = {
  'chooseThreshold with a guarantee': (input) =>
    chooseThreshold(input.y, input.p, { guaranteedSensitivity: 0.8 }, only(input, 'groups')),
  conformalSets: (input) => conformalSets(input.y, input.p, [0, 0.3, 1], { classes: [0, 1], ...only(input, 'groups') }),
  'conformalSets per class': (input) =>
    conformalSets(input.y, input.p, [0, 0.3, 1], { classes: [0, 1], perClass: true, ...only(input, 'groups') }),
  conformalIntervals: (input) => conformalIntervals(halves(input.y), input.p, [0, 0.3, 1], only(input, 'groups')),
};
const ALL = { ...INTERVALS, ...ROWS, ...PATIENTS };

/** "X must ... . Got ... .", with a way out as a further sentence or none. */
const SENTENCE = /^[^\n]+ must [^\n]+\. Got [^\n]+\.$/;

async function outcome(work: () => unknown): Promise<{ answer: unknown } | { message: string }> {
  try {
    return { answer: await work() };
  } catch (error) {
    expect(error).toBeInstanceOf(CVKitError);
    return { message: (error as Error).message };
  }
}

/** Nulls that are facts: nothing is known of training, no patients were given. */
const FACTS = ['nTrain', 'patients'];

/** Paths of the nulls with no reason beside or above them. */
function unexplained(value: unknown, path = '', known = false): string[] {
  if (value === null) return known ? [] : [path];
  if (typeof value !== 'object' || ArrayBuffer.isView(value)) return [];
  const at = value as Record<string, unknown>;
  const reason = at.reason ?? at.curveReason ?? (at.difference as { reason?: string } | undefined)?.reason;
  const said = typeof reason === 'string' && reason.length > 3;
  const empty = at.n === 0 || at.positives === 0 || at.negatives === 0;
  return Object.entries(at).flatMap(([key, inner]) =>
    unexplained(inner, `${path}.${key}`, known || said || (inner === null && (empty || FACTS.includes(key)))),
  );
}

/** What may be printed: every number finite, every gap with its reason, in the object and in its text. */
function expectSound(answer: unknown, of = ''): void {
  expect(answer, of).toBeDefined();
  expect(
    numbersIn(answer).filter((value) => !Number.isFinite(value)),
    `numbers that are none, ${of}`,
  ).toEqual([]);
  expect(unexplained(answer), `null without a reason, ${of}`).toEqual([]);
  expect(JSON.stringify(answer), of).not.toMatch(/NaN|Infinity/);
}

describe.each(Object.entries(ALL))('%s', (name, work) => {
  const refused = {
    ...REFUSED,
    ...(name in PATIENTS ? { 'a missing patient': REFUSED_BESIDE['a missing patient'] } : REFUSED_BESIDE),
  };

  it('refuses every bad input', { tags: 'slow' }, async () => {
    for (const [bad, input] of Object.entries(refused)) {
      if (name.startsWith('delongTest') && /above 1|below 0/.test(bad)) continue; // scores need be no probabilities
      if (name in ROWS && input.groups) continue;
      if (name === 'conformalIntervals' && /probability|classes/.test(bad)) continue;
      expect(await outcome(() => work(input)), bad).toEqual({ message: expect.stringMatching(SENTENCE) });
    }
  });

  it('answers or refuses every unusual input', { timeout: 60_000 }, async () => {
    for (const [bad, input] of Object.entries(ANSWERED)) {
      const result = await outcome(() => work(input));
      if ('answer' in result) {
        expectSound(result.answer, bad);
        continue;
      }
      expect(result.message, bad).toMatch(SENTENCE);
      expect(name in INTERVALS || bad === 'nothing bad', `${name} has an answer to everything, ${bad}`).toBe(false);
    }
  });
});

describe('options out of range', () => {
  it.each(Object.entries(LEVELS))('%s is refused by whatever has a level', async (_, input) => {
    for (const work of Object.values(INTERVALS)) {
      expect(await outcome(() => work(input))).toEqual({ message: expect.stringMatching(SENTENCE) });
    }
  });

  it.each(Object.entries(PREVALENCES))('%s is refused by whatever has one', async (_, input) => {
    for (const name of ['ClinicalMetrics.calculateAll', 'netBenefit', 'decisionCurve']) {
      expect(await outcome(() => INTERVALS[name](input))).toEqual({ message: expect.stringMatching(SENTENCE) });
    }
  });

  const plans: Readonly<Record<string, (given: object) => unknown>> = {
    expectedAucWidth: (given) => expectedAucWidth({ nPositive: 20, nNegative: 60, ...given }),
    sampleSize: (given) => sampleSize({ prevalence: 0.2, parameters: 10, r2CoxSnell: 0.1, ...given }),
    'sampleSize from C': (given) => sampleSize({ prevalence: 0.2, parameters: 10, cStatistic: 0.8, ...given }),
    validationSampleSize: (given) => validationSampleSize({ prevalence: 0.2, cStatistic: 0.8, ...given }),
  };
  const BAD = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '0.3'];
  const options = {
    expectedAucWidth: ['nPositive', 'nNegative', 'auc', 'level'],
    sampleSize: ['prevalence', 'parameters', 'r2CoxSnell', 'shrinkage', 'optimism', 'margin', 'meanAbsoluteError'],
    'sampleSize from C': ['cStatistic'],
    validationSampleSize: ['prevalence', 'cStatistic', 'oeWidth', 'slopeWidth', 'cWidth', 'level', 'linearPredictor'],
  };
  it.each(Object.entries(options))('%s refuses or answers soundly at the ends of every option', async (name, of) => {
    for (const option of of) {
      for (const value of BAD) {
        const result = await outcome(() => plans[name]({ [option]: value }));
        const open = value === 1.5 && ['oeWidth', 'slopeWidth'].includes(option); // wide, but a width
        if (open) expectSound((result as { answer: unknown }).answer);
        else expect(result, `${option} ${value}`).toEqual({ message: expect.stringMatching(SENTENCE) });
      }
      const leftOut = await outcome(() => plans[name]({ [option]: undefined }));
      if ('answer' in leftOut) {
        expect(await outcome(() => plans[name]({ [option]: null })), `${option} null`).toEqual(leftOut);
      } else {
        expect(await outcome(() => plans[name]({ [option]: null }))).toEqual({
          message: expect.stringMatching(SENTENCE),
        });
      }
      for (const value of [1e-300, 1e-12, 1 - 1e-16, 1, 1e6, 1e15, Number.MAX_VALUE]) {
        const result = await outcome(() => plans[name]({ [option]: value }));
        if ('message' in result) expect(result.message, `${option} ${value}`).toMatch(SENTENCE);
        else expectSound(result.answer);
      }
    }
  });

  it('a C statistic or a prevalence at the end of its range leaves no number that is none', async () => {
    for (const cStatistic of [0.5 + 1e-15, 1 - 1e-15]) {
      for (const prevalence of [1e-300, 1e-9, 1 - 1e-15]) {
        for (const plan of [plans['sampleSize from C'], plans.validationSampleSize]) {
          const result = await outcome(() => plan({ cStatistic, prevalence }));
          if ('message' in result) expect(result.message).toMatch(SENTENCE);
          else expectSound(result.answer);
        }
      }
    }
  });
});

/**
 * What has no value, by the definitions: a share of no rows or 0/0, a ratio with 0 below the line alone (unbounded), ranks
 * of one class, a fit without a maximum. All else has one, and a 0 among it is a true one: with no true positive the
 * sensitivity is 0, the NNS 1 / (prevalence x 0).
 */
const NEEDS_BOTH = ['balancedAccuracy', 'youden', 'mcc', 'lrPositive', 'lrNegative', 'diagnosticOddsRatio', 'nnt'];
const FROM_J = ['numberNeededToDiagnose', 'numberNeededToPredict'];
const RANKS = ['rocAuc', 'averagePrecision', 'calibrationIntercept', 'calibrationSlope'];
const UNDEFINED: readonly (readonly [inputs: readonly string[], names: readonly string[]])[] = [
  [['nothing bad'], []],
  [['positive rows alone'], ['specificity', 'kappa', ...NEEDS_BOTH, ...FROM_J, ...RANKS]],
  [['negative rows alone'], ['sensitivity', 'f1', 'kappa', ...NEEDS_BOTH, 'nns', ...FROM_J, ...RANKS]],
  // One cell alone: nothing is predicted negative, and chance agrees with the truth in all rows.
  [
    ['true positives alone', 'one row'],
    ['specificity', 'npv', 'kappa', ...NEEDS_BOTH, ...FROM_J, ...RANKS],
  ],
  // J = 0 and no positive predictions: PPV and LR+ are 0/0.
  [
    ['equal probabilities', 'probabilities of 0 alone', 'negative predictions alone'],
    ['ppv', 'mcc', 'lrPositive', 'diagnosticOddsRatio', 'nnt', 'nns', ...FROM_J, 'calibrationSlope'],
  ],
  [
    ['probabilities of 1 alone', 'positive predictions alone'],
    ['npv', 'mcc', 'lrNegative', 'diagnosticOddsRatio', 'nnt', ...FROM_J, 'calibrationSlope'],
  ],
  // No false positive: LR+ and the odds ratio divide by 0. The slope of separable classes has no maximum.
  [
    ['probabilities that are the outcome', 'separable classes', 'two rows'],
    ['lrPositive', 'diagnosticOddsRatio', 'calibrationSlope'],
  ],
  [['no false positives'], ['lrPositive', 'diagnosticOddsRatio']],
  [['no false negatives'], ['diagnosticOddsRatio']],
  // No true negative: LR- divides by a specificity of 0; the cells are laid so that all positives score lower.
  [['no true negatives'], ['lrNegative', 'calibrationSlope']],
  [
    ['probabilities that are the opposite', 'false predictions alone'],
    ['lrNegative', 'nns', 'calibrationSlope'],
  ],
  [['no true positives'], ['nns', 'calibrationSlope']],
];

describe('a value that there is not', () => {
  it.each(UNDEFINED.flatMap(([inputs, names]) => inputs.map((input) => [input, names] as const)))(
    'is null in ClinicalMetrics on %s, and no other value is',
    (input, names) => {
      const { found, text } = clinical()(ANSWERED[input]) as { found: object; text: string };
      const missing = Object.entries(found).flatMap(([key, value]) => (value.estimate === null ? [key] : []));
      expect(missing.sort()).toEqual([...names].sort());
      expect(text.match(/No value: /g) ?? []).toHaveLength(
        new Set(Object.values(found).flatMap(({ estimate, reason }) => (estimate === null ? [reason] : []))).size,
      );
    },
  );

  it('is null elsewhere, too', () => {
    const { y, p } = ANSWERED['positive rows alone'];
    expect(delongTest(y, p, p)).toMatchObject({ z: null, aucA: { estimate: null }, difference: { estimate: null } });
    expect(calibrationCurve(y, p)).toMatchObject({ slope: { estimate: null }, scaledBrier: { estimate: null } });
    expect(chooseThreshold(y, p, { cost: { falsePositive: 1, falseNegative: 1 } })).toMatchObject({
      specificity: null,
    });
    expect(netBenefit(y, p, { threshold: 0.5, prevalence: 0.1 })).toMatchObject({ estimate: null });
  });
});

/** The one feature is the probability; the folds see to it that a fold lacks what the data lack. */
const VALIDATED: Readonly<Record<string, Work>> = Object.fromEntries(
  (
    ['bootstrap', 'analytic', 'oof_bootstrap', 'corrected_t', 'cvauc', 'wilson', 'clopper_pearson', 'delong'] as const
  ).map((ciMethod) => [
    ciMethod,
    async ({ y, p, groups, sampleWeight, level = 0.95 }) => {
      const validator = new CVKitValidator({
        method: groups ? 'patient_grouped_kfold' : 'kfold',
        nSplits: Math.max(2, Math.min(4, new Set(groups ?? y.keys()).size)),
        ciLevel: level,
        ciMethod,
        ...(ciMethod.endsWith('bootstrap') ? { nBootstrap: 100 } : {}),
      });
      const task = y.every((label) => label === y[0]) ? {} : { task: 'binary' as const };
      const X = p.map((value) => [value]);
      const beside = { ...(groups ? { groups } : {}), ...(sampleWeight ? { sampleWeight } : {}) };
      return validator.validate({ model: () => new Given(), X, y, verbose: 0, ...task, ...beside });
    },
  ]),
);

/** One class or one patient, in all rows or in those that a fold trains on: nothing to validate. */
const UNTRAINABLE = [
  'positive rows alone',
  'negative rows alone',
  'true positives alone',
  'one positive row',
  'one row',
  'two rows',
  'one patient',
  'two patients of one class each',
  'ten patients, one of them positive',
];

describe.each(Object.entries(VALIDATED))('CVKitValidator.validate by %s', (_, work) => {
  const refused = { ...REFUSED, ...REFUSED_BESIDE, ...LEVELS };
  it('refuses every bad input', { tags: 'slow' }, async () => {
    for (const [bad, input] of Object.entries(refused)) {
      if (bad === 'three classes') continue; // a task of its own
      const message = expect.stringMatching(/^[^\n]+\. Got [^\n]+\.$/);
      expect(await outcome(() => work(input)), bad).toEqual({ message });
    }
  });

  it('answers or refuses every unusual input', { timeout: 120_000 }, async () => {
    for (const [name, input] of Object.entries(ANSWERED)) {
      const result = await outcome(() => work(input));
      if ('message' in result) {
        expect(UNTRAINABLE).toContain(name);
        expect(result.message, name).toMatch(SENTENCE);
        continue;
      }
      const whole = result.answer as Awaited<ReturnType<CVKitValidator['validate']>>;
      const { scores, confidenceIntervals, averages, meanScores, stdScores } = whole;
      expectSound({ scores, confidenceIntervals }, name);
      expect(numbersIn([averages, meanScores, stdScores]).every(Number.isFinite), name).toBe(true);
      const text = whole.summary() + whole.toMarkdown() + JSON.stringify(whole.toJSON());
      expect(text, name).not.toMatch(/NaN|Infinity|undefined %/);
    }
  });
});
