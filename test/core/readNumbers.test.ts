/**
 * What is missing is never 0: every function that reads numbers of a caller or a model reads them through `readNumbers`,
 * and says by name and row what is none. The right value is the refusal, or for 64-bit integers the value of the number.
 */
import { describe, expect, it } from 'vitest';
import { blandAltman } from '../../src/clinical/agreement/blandAltman.js';
import { calibrationCurve } from '../../src/clinical/calibration/calibrationCurve.js';
import { ClinicalMetrics } from '../../src/clinical/clinicalMetrics.js';
import { chooseThreshold } from '../../src/clinical/decisions/chooseThreshold.js';
import { decisionCurve } from '../../src/clinical/decisions/decisionCurve.js';
import { netBenefit } from '../../src/clinical/decisions/netBenefit.js';
import { betaCalibration, isotonicRegression, plattScaling } from '../../src/clinical/decisions/recalibration.js';

import { delongTest } from '../../src/clinical/roc/delongTest.js';
import { partialAuc } from '../../src/clinical/roc/partialAuc.js';
import { rocAt } from '../../src/clinical/roc/rocAt.js';
import { AdapterError, CVKitError } from '../../src/core/errors.js';
import { numberOf, readNumbers } from '../../src/core/readNumbers.js';
import { labelsOf } from '../../src/data/labels.js';
import { rowsOf } from '../../src/data/rows.js';
import { groupsOf } from '../../src/data/sideData.js';
import { DummyClassifier } from '../../src/estimators/dummyClassifier.js';
import { DummyRegressor } from '../../src/estimators/dummyRegressor.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { checkPredictions } from '../../src/runner/checkPredictions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { adjustPValues } from '../../src/stats/adjustPValues.js';
import { conformalIntervals } from '../../src/stats/conformalIntervals.js';
import { conformalSets } from '../../src/stats/conformalSets.js';
import { randomEffects } from '../../src/stats/randomEffects.js';
import { subgroupTable } from '../../src/stats/subgroupTable.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { evaluate } from '../../src/validator/evaluate.js';

const n = 40;
const y = Array.from({ length: n }, (_, row) => row % 2);
const p = y.map((label, row) => (label ? 0.3 : 0.1) + row / 80);
const ones = y.map(() => 1);
const X = p.map((value, row) => [value, row % 7]);

type Numbers = ArrayLike<number>;
const labels = p.map((value) => (value > 0.5 ? 1 : 0));
const data = (sampleWeight: Numbers) => ({ X, y, sampleWeight });
const model = () => new LogisticRegression();
const runner = () => new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 2 }), verbose: 0 });
const validator = (more: object = {}) =>
  new CVKitValidator({ returnConfidenceIntervals: false, checkLeakage: false, ...more });
const halves = { XTrain: X, yTrain: y, XTest: X, yTest: y };

/** Weights, by the name that the error gives them. */
const WEIGHTS: Readonly<Record<string, (weights: Numbers) => unknown>> = {
  'scoreTable ': (sampleWeight) => scoreTable({ yTrue: y, yProba: p, sampleWeight }),
  'evaluate ': (sampleWeight) => evaluate({ yTrue: y, yProba: p, sampleWeight, returnConfidenceIntervals: false }),
  'run ': (sampleWeight) => runner().run({ model, data: data(sampleWeight) }),
  'validate ': (sampleWeight) => validator({ nSplits: 2 }).validate({ model, ...data(sampleWeight), verbose: 0 }),
  'fitValidate ': (sampleWeight) =>
    validator().fitValidate({ model, ...halves, sampleWeight, sampleWeightTest: ones, verbose: 0 }),
  'fitValidate, test ': (sampleWeightTest) =>
    validator().fitValidate({ model, ...halves, sampleWeight: ones, sampleWeightTest, verbose: 0 }),
  'ClinicalMetrics ': (sampleWeight) => new ClinicalMetrics().calculateAll(y, labels, { sampleWeight }),
  'calibrationCurve ': (sampleWeight) => calibrationCurve(y, p, { sampleWeight }),
  'decisionCurve ': (sampleWeight) => decisionCurve(y, p, { thresholds: [0.3], sampleWeight }),
  'netBenefit ': (sampleWeight) => netBenefit(y, p, { threshold: 0.3, sampleWeight }),
  'chooseThreshold ': (sampleWeight) => chooseThreshold(y, p, 'youden', { sampleWeight }),
  'delongTest ': (sampleWeight) => delongTest(y, p, labels, { sampleWeight }),
  'rocAt ': (sampleWeight) => rocAt(y, p, { specificity: 0.5 }, { nBootstrap: 100, sampleWeight }),
  'plattScaling ': (sampleWeight) => plattScaling(y, p, { sampleWeight }),
  'LogisticRegression ': (sampleWeight) => new LogisticRegression().fit(X, y, sampleWeight),
  'DummyClassifier ': (sampleWeight) => new DummyClassifier().fit(X, y, sampleWeight),
  'DummyRegressor ': (sampleWeight) => new DummyRegressor().fit(X, p, sampleWeight),
  'StandardScaler ': (sampleWeight) => new StandardScaler().fit(X, y, sampleWeight),
};

const one = (values: Numbers) => Array.from(values).slice(0, 5);
const VALUES: Readonly<Record<string, (values: Numbers) => unknown>> = {
  'scoreTable yProba': (yProba) => scoreTable({ yTrue: y, yProba }),
  'evaluate yProba': (yProba) => evaluate({ yTrue: y, yProba, returnConfidenceIntervals: false }),
  'evaluate yProba of two columns': (yProba) =>
    evaluate({
      yTrue: y,
      yProba: Array.from(yProba, (each) => [1 - Number(each), each]),
      returnConfidenceIntervals: false,
    }),
  'multilabel yProba': (yProba) =>
    scoreTable({ yTrue: y.map((each) => [each, 1]), yProba: Array.from(yProba, (each) => [0.5, each]) }),
  'ClinicalMetrics yProba': (yProba) => new ClinicalMetrics().calculateAll(y, labels, { yProba }),
  'calibrationCurve yProba': (yProba) => calibrationCurve(y, yProba),
  'netBenefit yProba': (yProba) => netBenefit(y, yProba, { threshold: 0.3 }),
  'decisionCurve yProba': (yProba) => decisionCurve(y, yProba, { thresholds: [0.3] }),
  'chooseThreshold yProba': (yProba) => chooseThreshold(y, yProba, 'youden'),
  'delongTest scores': (scores) => delongTest(y, scores, p),
  'delongTest other scores': (scores) => delongTest(y, p, scores),
  'rocAt scores': (scores) => rocAt(y, scores, { specificity: 0.5 }, { nBootstrap: 100 }),
  'partialAuc scores': (scores) => partialAuc(y, scores, { from: 0.5, to: 1, nBootstrap: 100 }),
  'plattScaling yProba': (yProba) => plattScaling(y, yProba),
  'plattScaling apply': (values) => plattScaling(y, p).apply(one(values)),
  'betaCalibration apply': (values) => betaCalibration(y, p).apply(one(values)),
  'isotonicRegression apply': (values) => isotonicRegression(y, p).apply(one(values)),
  'conformalIntervals newPred': (values) => conformalIntervals(p, p, one(values)),
  'conformalIntervals folds': (folds) => conformalIntervals(p, p, [one(ones), one(ones)], { folds }),
  'conformalSets newProba': (values) => conformalSets(y, p, one(values)),
  'blandAltman a': (values) => blandAltman(values, p),
  'randomEffects estimates': (values) => randomEffects(one(values), one(ones)),
  'randomEffects variances': (values) => randomEffects(one(ones), one(values)),
  'a prediction': (values) => checkPredictions({ values: values as number[] }, labelsOf(p), -1, undefined),
  'a probability': (values) =>
    checkPredictions({ probabilities: { data: values as Float64Array, shape: [n, 1] } }, labelsOf(y), 1, undefined),
};

/** None of these is a number. */
const NONE: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['an empty text', ''],
  ['a blank', ' '],
  ['a tab', '\t'],
  ['a number as text', '1'],
  ['false', false],
  ['true', true],
  ['an empty list', []],
  ['a list', [1, 1]],
  ['a date', new Date(0)],
  ['a bigint beyond 2^53', 2n ** 53n + 1n],
];
const with3 = (values: Numbers, value: unknown) =>
  Array.from(values, (each, row) => (row === 3 ? value : each)) as number[];

const outcomeOf = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return error;
  }
};

describe('numberOf', () => {
  it('is a number as it is, or a bigint that a number holds exactly', () => {
    expect([2.5, -0, 7n, -(2n ** 53n) + 1n].map(numberOf)).toEqual([2.5, -0, 7, -Number.MAX_SAFE_INTEGER]);
    for (const [, value] of NONE) expect(numberOf(value)).toBeNaN();
  });

  it.each(NONE)('reads no list with %s, and names the row', (_, value) => {
    expect(() => readNumbers([1, 2, 3, value], 'scores')).toThrow(/^scores row 3 must be a finite number\. Got /);
  });
});

describe.each([
  ...Object.entries(WEIGHTS).map(([name, work]) => [`${name}sampleWeight`, work, ones] as const),
  ...Object.entries(VALUES).map(([name, work]) => [name, work, name.endsWith('folds') ? y : p] as const),
])('%s', (_, work, good) => {
  it('takes numbers, and refuses what is none in row 3 by name', async () => {
    expect(await outcomeOf(() => work(good))).not.toBeInstanceOf(Error);
    for (const [what, value] of NONE) {
      const error = await outcomeOf(() => work(with3(good, value)));
      expect(error, what).toBeInstanceOf(CVKitError);
      expect((error as Error).message, what).toMatch(/ 3\b/);
    }
  });

  it('reads 64-bit integers as the numbers that they are, or refuses them in a sentence', async () => {
    const big = BigInt64Array.from(y, (label, row) => BigInt(label || row % 4 === 0 ? 1 : 0));
    const found = await outcomeOf(() => work(big as unknown as Numbers));
    if (found instanceof Error) expect(found).toBeInstanceOf(CVKitError);
    if (good === ones) expect(found).not.toBeInstanceOf(Error);
  });
});

describe('64-bit integers', () => {
  it('weigh as the numbers that they are', () => {
    const weights = y.map((_, row) => 1 + (row % 3));
    const big = BigInt64Array.from(weights, BigInt) as unknown as Numbers;
    const brier = (sampleWeight: Numbers) => calibrationCurve(y, p, { sampleWeight }).brier;
    expect(brier(big)).toEqual(brier(weights));
    const scores = y.map((label, row) => 3 * label + (row % 5));
    const bigScores = BigInt64Array.from(scores, BigInt) as unknown as Numbers;
    expect(delongTest(y, bigScores, p)).toEqual(delongTest(y, scores, p));
  });

  it('name groups as numbers, or as text where a number would join two of them', () => {
    expect(groupsOf([7n, 9n, 7n] as unknown as number[], 3).ids).toEqual([7, 9]);
    const long = [2n ** 53n, 2n ** 53n + 1n] as unknown as number[];
    expect(groupsOf(long, 2).ids).toEqual(['9007199254740992', '9007199254740993']);
  });

  it('are labels and cells only where two of them do not become one number', async () => {
    expect(labelsOf([0n, 1n, 1n]).classes).toEqual([0, 1]);
    expect(() => labelsOf([0n, 2n ** 53n + 1n])).toThrow(/y row 1 must be .* Got a bigint beyond 2\^53/);
    await expect(rowsOf([[1n], [2n ** 53n + 1n]], 'X').toDense()).rejects.toThrow('X row 1 column 0 must be a number');
  });

  it('group the rows of a table of subgroups', async () => {
    const results = await runner().run({ model, data: { X, y }, metrics: ['accuracy'] });
    const by = { sex: BigInt64Array.from(y, (_, row) => BigInt(row % 4 < 2 ? 1 : 2)) as unknown as Numbers };
    const { rows } = subgroupTable(results, { by, metrics: ['accuracy'], minCell: 2, nBootstrap: 100 });
    expect(rows.map(({ by: { sex }, n: size }) => [sex, size])).toEqual([
      [1, 20],
      [2, 20],
    ]);
  });
});

it('p-values are numbers or null', () => {
  for (const [, value] of NONE) {
    if (value === null) continue;
    expect(() => adjustPValues([value as number, 0.04, 0.5])).toThrow(/^p-value 0 must be a number from 0 to 1/);
  }
});

it('a model error names the model, not the caller', () => {
  const predict = () =>
    checkPredictions({ values: [1, null as unknown as number] }, labelsOf([0.5, 1.5]), -1, undefined);
  expect(predict).toThrow(AdapterError);
});
