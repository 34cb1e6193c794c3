/**
 * Rows of weight 0 are as if they were not there, whatever is made of predictions: each public function gives the same with
 * such rows as without them, to 1e-12. Folds and predictions are given, so that nothing else differs.
 */
import { describe, expect, it } from 'vitest';
import { calibrationCurve } from '../../src/clinical/calibration/calibrationCurve.js';
import { classReport } from '../../src/clinical/classes/classReport.js';
import { ClinicalMetrics } from '../../src/clinical/clinicalMetrics.js';
import { chooseThreshold } from '../../src/clinical/decisions/chooseThreshold.js';
import { decisionCurve } from '../../src/clinical/decisions/decisionCurve.js';
import { netBenefit } from '../../src/clinical/decisions/netBenefit.js';
import { betaCalibration, isotonicRegression, plattScaling } from '../../src/clinical/decisions/recalibration.js';

import { delongTest } from '../../src/clinical/roc/delongTest.js';
import { partialAuc } from '../../src/clinical/roc/partialAuc.js';
import { rocAt } from '../../src/clinical/roc/rocAt.js';
import { randomSource } from '../../src/core/random.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { acrossSites } from '../../src/stats/acrossSites.js';
import { bbcCV } from '../../src/stats/bbcCV.js';
import { compareModels } from '../../src/stats/compareModels.js';
import { identityConfounding } from '../../src/stats/identityConfounding.js';
import { labelPermutationGap } from '../../src/stats/labelPermutationGap.js';
import { leakageInflation } from '../../src/stats/leakageInflation.js';
import { learningCurve } from '../../src/stats/learningCurve.js';
import { permutationTest } from '../../src/stats/permutationTest.js';
import { subgroupTable } from '../../src/stats/subgroupTable.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { evaluate } from '../../src/validator/evaluate.js';
import type { ValidationResult } from '../../src/validator/validationResult.js';

/**
 * Eighty patients of one to three rows in five folds. Every fourth patient has weight 0 throughout, every ninth row besides;
 * the other rows have weight 1 or 2.
 */
const random = randomSource(5);
const all = Array.from({ length: 80 }, (_, patient) => {
  const label = Number(random.random() < 0.45);
  return Array.from({ length: 1 + (patient % 3) }, (_, visit) => {
    const signal = (scale: number) => 1 / (1 + Math.exp(scale * (1 - 2 * label) + 3 * (random.random() - 0.5)));
    return { patient, label, visit, fold: patient % 5, site: patient % 3, a: signal(0.6), b: signal(0.4) };
  });
})
  .flat()
  .map((row, at) => ({ ...row, weight: row.patient % 4 === 1 || at % 9 === 4 ? 0 : 1 + (at % 2) }));

type Row = (typeof all)[number];

type Given = Awaited<ReturnType<typeof given>>;

const cvOf = (rows: readonly Row[]) => new PredefinedSplit({ testFold: rows.map(({ fold }) => fold) });

const resultsOf = (rows: readonly Row[], key: 'a' | 'b') =>
  new UniversalCVRunner({ cvSplitter: cvOf(rows), verbose: 0 }).run({
    model: () => ({
      fit: (_X: number[][], _y: number[], _weight?: number[]) => undefined,
      predictProba: (X: number[][]) => X.map(([p]) => p),
      predict: (X: number[][]) => X.map(([p]) => (p > 0.5 ? 1 : 0)),
    }),
    data: {
      X: rows.map((row) => [row[key]]),
      y: rows.map(({ label }) => label),
      groups: rows.map(({ patient }) => patient),
      sampleWeight: rows.map(({ weight }) => weight),
    },
    metrics: ['roc_auc', 'accuracy', 'brier'],
  });

async function given(rows: readonly Row[]) {
  return {
    rows,
    y: rows.map(({ label }) => label),
    yPred: rows.map(({ a }) => Number(a > 0.5)),
    a: rows.map(({ a }) => a),
    b: rows.map(({ b }) => b),
    X: rows.map(({ a, b }) => [a, b]),
    groups: rows.map(({ patient }) => patient),
    sites: rows.map(({ site }) => site),
    sex: rows.map(({ patient }) => (patient % 2 ? 'F' : 'M')),
    sampleWeight: rows.map(({ weight }) => weight),
    fold: rows.map(({ fold }) => fold),
    /** Results of the scores a and b, which nobody trained. */
    ofA: await resultsOf(rows, 'a'),
    ofB: await resultsOf(rows, 'b'),
  };
}

const checksOf = ({ leakageReport }: Pick<ValidationResult, 'leakageReport'>) =>
  leakageReport?.checks.map(({ code, status, evidence }) => ({ code, status, evidence }));

const METHODS = ['analytic', 'bootstrap', 'corrected_t', 'oof_bootstrap'] as const;

/** Everything that a validation says of its scores; times and fingerprints of the data differ, as they should. */
async function validated(data: Given, options: object) {
  const result = await new CVKitValidator({
    cv: cvOf(data.rows),
    metrics: ['roc_auc', 'accuracy', 'brier', 'sensitivity'],
    checkLeakage: false,
    checkBalance: false,
    randomState: 3,
    ...options,
  }).validate({
    model: () => new LogisticRegression(),
    X: data.X,
    y: data.y,
    groups: data.groups,
    sampleWeight: data.sampleWeight,
    verbose: 0,
  });
  const { text: _, ...clinical } = result.clinical();
  return { scores: result.scores, intervals: result.confidenceIntervals, baseline: result.baseline, clinical };
}

const clustered = ({ sampleWeight, groups }: Given) => ({ sampleWeight, groups });
const alone = ({ sampleWeight }: Given) => ({ sampleWeight });

const TRAINED = { model: () => new LogisticRegression(), metric: 'roc_auc', randomState: 1 } as const;

const permuted = ({ X, y, rows, groups, sampleWeight }: Given) =>
  ({ ...TRAINED, X, y, cv: cvOf(rows), nPermutations: 19, groups, sampleWeight }) as const;

const FUNCTIONS: Record<string, (data: Given) => unknown> = {
  'compareModels, area under the curve': ({ ofA, ofB }) => compareModels(ofA, ofB, { nPermutations: 199 }).toJSON(),
  'compareModels, accuracy': ({ ofA, ofB }) =>
    compareModels(ofA, ofB, { metric: 'accuracy', nPermutations: 199 }).toJSON(),
  'compareModels, several results': async ({ ofA, ofB }) =>
    (await compareModels({ results: { ofA, ofB }, metric: 'brier', nPermutations: 199 })).comparisons,
  bbcCV: ({ ofA, ofB }) => bbcCV([ofA, ofB], { metric: 'roc_auc', nBootstrap: 200 }),
  subgroupTable: ({ ofA, sex }) => subgroupTable(ofA, { by: { sex } }).summary(),
  acrossSites: ({ ofA, sites }) => ({ ...acrossSites(ofA, { sites, metric: 'accuracy' }), fingerprint: '' }),
  'ClinicalMetrics of patients': (data) =>
    new ClinicalMetrics().calculateAll(data.y, data.yPred, { yProba: data.a, ...clustered(data) }),
  'ClinicalMetrics of rows, resampled': (data) =>
    new ClinicalMetrics({ nBootstrap: 200 }).calculateAll(data.y, data.yPred, { yProba: data.a, ...alone(data) }),
  'ClinicalMetrics, report': (data) => {
    const clinical = new ClinicalMetrics({ proportionMethod: 'clopper_pearson' });
    return clinical.formatReport(clinical.calculateAll(data.y, data.yPred, clustered(data)));
  },
  calibrationCurve: (data) => calibrationCurve(data.y, data.a, { nBootstrap: 100, ...clustered(data) }),
  'calibrationCurve, bins of equal numbers': (data) =>
    calibrationCurve(data.y, data.a, { binning: 'quantile', ...alone(data) }),
  classReport: (data) => classReport(data.y, data.yPred, clustered(data)),
  chooseThreshold: (data) => [
    chooseThreshold(data.y, data.a, 'youden', alone(data)),
    chooseThreshold(data.y, data.a, { sensitivity: 0.8 }, alone(data)),
  ],
  decisionCurve: (data) => decisionCurve(data.y, data.a, { thresholds: [0.2, 0.5], ...clustered(data) }),
  netBenefit: (data) => netBenefit(data.y, data.a, { threshold: 0.3, ...clustered(data) }),
  plattScaling: (data) => plattScaling(data.y, data.a, alone(data)).toJSON(),
  isotonicRegression: (data) => isotonicRegression(data.y, data.a, alone(data)).toJSON(),
  betaCalibration: (data) => betaCalibration(data.y, data.a, alone(data)).toJSON(),
  delongTest: (data) => delongTest(data.y, data.a, data.b, clustered(data)),
  rocAt: (data) => rocAt(data.y, data.a, { specificity: 0.8 }, { nBootstrap: 200, ...clustered(data) }),
  partialAuc: (data) => partialAuc(data.y, data.a, { from: 0.7, to: 1, nBootstrap: 200, ...clustered(data) }),
  evaluate: async (data) => {
    const { y: yTrue, yPred, a: yProba, fold } = data;
    const result = await evaluate({ yTrue, yPred, yProba, fold, ...clustered(data), randomState: 1 });
    return [result.scores, result.confidenceIntervals, result.baseline, result.balance, checksOf(result)];
  },
  ...Object.fromEntries(
    METHODS.map((ciMethod) => [`validate, ${ciMethod}`, (data: Given) => validated(data, { ciMethod })]),
  ),
  'validate, checks of the folds': async (data) => {
    const { X, y, groups, sampleWeight, rows } = data;
    const validator = new CVKitValidator({ cv: cvOf(rows), metrics: ['brier'], randomState: 3 });
    const model = () => new LogisticRegression();
    const result = await validator.validate({ model, X, y, groups, sampleWeight, verbose: 0 });
    return [result.balance, checksOf(result)];
  },
  'validate, further fits': (data) => validated(data, { ciMethod: 'analytic', ciRefits: 20 }),
  permutationTest: (data) => permutationTest(permuted(data)),
  'permutationTest of rows': (data) => permutationTest({ ...permuted(data), groups: undefined }),
  ...Object.fromEntries(
    (['within', 'between'] as const).map((scheme) => [
      `permutationTest, ${scheme}`,
      (data: Given) => {
        const y = data.rows.map(({ label, visit }) => (visit === 1 ? 1 - label : label));
        return permutationTest({ ...permuted(data), y, scheme });
      },
    ]),
  ),
  labelPermutationGap: (data) => labelPermutationGap(permuted(data)),
  identityConfounding: (data) => identityConfounding(permuted(data)),
  leakageInflation: ({ X, y, rows, groups, sampleWeight }) => {
    const naive = new PredefinedSplit({ testFold: rows.map(({ visit, patient }) => (visit + patient) % 4) });
    return leakageInflation({ ...TRAINED, data: { X, y }, groups, sampleWeight, guarded: cvOf(rows), naive });
  },
  learningCurve: ({ X, y, rows, groups, sampleWeight }) =>
    learningCurve({ ...TRAINED, X, y, cv: cvOf(rows), sizes: [0.5], groups, sampleWeight }),
};

/** Numbers to twelve digits; what tells of time, and functions, left out. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, each) => {
      if (['seconds', 'foldFingerprint'].includes(key)) return undefined;
      if (ArrayBuffer.isView(each)) return Array.from(each as Float64Array);
      return typeof each === 'number' ? Number(each.toPrecision(11)) : each;
    }),
  );

describe('rows of weight 0', async () => {
  const [full, counting] = [await given(all), await given(all.filter(({ weight }) => weight > 0))];

  it.each(Object.keys(FUNCTIONS))('change nothing in %s', async (name) => {
    expect(plain(await FUNCTIONS[name](full))).toEqual(plain(await FUNCTIONS[name](counting)));
  });
});
