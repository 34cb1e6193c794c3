/** The sentences of this room, reviewed in one file of snapshots; other tests assert codes and evidence. */
import { expect, it } from 'vitest';
import { readData } from '../../src/runner/readData.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { evaluate } from '../../src/validator/evaluate.js';
import { nestedDesign } from '../../src/validator/furtherDesigns.js';
import type { ValidatorOptions } from '../../src/validator/validatorOptions.js';
import { texts } from '../helpers/messages.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

const { X, y } = blobs(60);
const { adapter } = spyAdapter();
const call = { model: () => new NearestMean(), X, y, adapter, verbose: 0 } as const;
const sets = { XTrain: X, yTrain: y, XTest: X, yTest: y };
const { X: _, y: __, ...unsplit } = call;
const lean = { checkLeakage: false, checkBalance: false, metrics: ['accuracy'] };
const made = (options: object) => () => new CVKitValidator(options);
const validated = (options: ValidatorOptions, more: object = {}) =>
  new CVKitValidator({ ...lean, ...options }).validate({ ...call, ...more });
const refused = (options: object, more?: object) => () => validated(options, more);
const tested = (options: object, more?: object) => () =>
  new CVKitValidator(options).fitValidate({ ...unsplit, ...sets, ...more } as never);
const nested = (options: object, more?: object) => refused({ ciMethod: 'nested_cv', ...options }, more);
const checkedBy = (assess: () => unknown) => async () => {
  const result = await validated({ checkLeakage: true, nBootstrap: 100 }, { leakageChecker: { assess } });
  return result.checks[0].message;
};
const reasonOf = (score: object | undefined) => (score as { reason?: string } | undefined)?.reason;
const ordinal = y.map((_, row) => row);
const thrice = y.map((_, row) => row % 3);
const bootstrap = (estimator: string) =>
  ({ method: 'bootstrap', bootstrapValidationEstimator: estimator, bootstrapValidationIterations: 20 }) as object;

it.each<[string, Record<string, () => unknown>]>([
  [
    'folds and methods',
    {
      'a cv that is none': made({ cv: 1 }),
      'a cv beside a method without folds': made({ cv: 4, method: 'bootstrap' }),
      'nSplits beside a splitter': made({ cv: new KFold(), nSplits: 7 }),
      'two numbers of folds': made({ cv: 4, nSplits: 3 }),
      'a cv beside a test set': tested({ cv: 4 }),
      'an option that a method does not use': refused({ method: 'loocv', nSplits: 7 }),
      'one option twice': refused({ method: 'kfold', nSplits: 6, splitterOptions: { n_splits: 4 } }),
      'a window without a size': refused({ method: 'rolling_window_cv' }),
      'an option that the splitter has not': refused({ method: 'kfold', splitterOptions: { windowSize: 4 } }),
      'an unknown method': refused({ method: 'rolling_windows' }),
      'a misspelt method': refused({ method: 'stratifed_kfold' }),
      'folds that are given as lists': made({ cv: [[[0, 1], [2]]] }),
      'a number of folds twice': made({ method: 'kfold', cv: 4, splitterOptions: { nSplits: 3 } }),
      'a cv that a method does not use': refused({ cv: new KFold({ nSplits: 3 }), method: 'loocv' }, { cv: 4 }),
      'nSplits beside a cv of the call': refused({ nSplits: 3 }, { cv: new KFold() }),
      'nSplits beside a test set': tested({ nSplits: 3 }),
      'stratified folds on a continuous y': refused(
        { method: 'stratified_kfold', metrics: undefined },
        { y: X.map(([a]) => a) },
      ),
    },
  ],
  [
    'options',
    {
      'a level outside (0, 1)': refused({ ciLevel: 95 }),
      'interval options without intervals': refused({ returnConfidenceIntervals: false, nBootstrap: 500 }),
      'an unknown method of intervals': refused({ ciMethod: 'wald' as never }),
      'an interval of a metric that is not computed': refused({
        ciMethod: { auc: 'corrected_t' },
        metrics: ['roc_auc'],
      }),
      'patients and groups that differ': refused({}, { groups: ordinal, patientIds: ordinal.map((row) => row + 1) }),
      'an unknown option of the constructor': made({ cv_level: 0.9 }),
      'an option of the call in the constructor': made({ verbose: 0 }),
      'an unknown option': refused({}, { patientId: y }),
      'folds under the name of the runner': made({ cvSplitter: y }),
      'an option of checks that are off': refused({}, { revealIds: true }),
      'a design beside checks that are off': tested({ checkLeakage: false }, { design: 'prospective' }),
      'a distance without coordinates': refused({ checkLeakage: true }, { spatialThreshold: 2 }),
      'embeddings of other rows': refused({ checkLeakage: true }, { embeddings: X.slice(1) }),
      'an unknown guideline': made({ compliance: 'EMA' }),
      'a guideline that is no name': made({ compliance: ['FDA'] }),
      'a checklist that is nearly known': made({ checklists: ['CLAIM', 'STARD'] }),
      'an unknown checklist': made({ checklists: ['CONSORT-something'] }),
      'a checklist twice': made({ checklists: ['CLAIM', 'claim'] }),
      'a checklist that is no name': made({ checklists: [7] }),
      'a checklist that is no list': made({ checklists: 'CLAIM' }),
      'evidence without checks of leakage': made({ compliance: 'FDA', checkLeakage: false }),
      'evidence without checks of balance': made({ checklists: ['CLAIM'], check_balance: false }),
    },
  ],
  [
    'test sets',
    {
      'test columns in another order': tested(
        {},
        { XTrain: X.map(([a, b]) => ({ a, b })), XTest: X.map(([a, b]) => ({ b, a })) },
      ),
      'a class that training never saw': tested({}, { yTest: y.with(3, 2) }),
      'test labels of another kind': tested({}, { yTest: y.map(String) }),
      'weights of one set alone': tested({}, { sampleWeight: y.map(() => 1) }),
      'a training set of one class': tested({}, { yTrain: y.map(() => 1) }),
    },
  ],
  [
    'ciFits',
    {
      ...Object.fromEntries(
        [1, 2.5, -1, 'all', Number.NaN, 500_001].map((ciFits) => [`the number ${ciFits}`, made({ ciFits })]),
      ),
      'another method of intervals': refused({ ciFits: 5, ciMethod: 'corrected_t' }),
      'another method of the one score': refused({ ciFits: 5, ciMethod: { accuracy: 'wilson' } }),
      'beside refits': refused({ ciFits: 5, ciRefits: 20 }),
      'without intervals': refused({ ciFits: 5, returnConfidenceIntervals: false }),
      'another estimate': refused({ ...bootstrap('.632'), ciFits: 5 }),
      'some of the folds': refused({ ciFits: 5 }, { folds: [0, 1] }),
    },
  ],
  [
    'intervals',
    {
      'wilson of no share': refused({ ciMethod: 'wilson', metrics: ['roc_auc'] }),
      'resamples of a method that has none': refused({ ciMethod: 'wilson', nBootstrap: 500 }),
      'corrected_t of single rows': refused({ ciMethod: 'corrected_t', method: 'loocv' }),
      'corrected_t in time': refused({ ciMethod: 'corrected_t', method: 'temporal' }),
      'nested_cv of no loss': nested({ metrics: ['roc_auc', 'f1'] }),
      'nested_cv of single rows': nested({ method: 'loocv' }),
      'nested_cv of one split': nested({ method: 'holdout' }),
      'nested_cv of random splits': nested({ method: 'monte_carlo' }),
      'nested_cv of two folds': nested({ nSplits: 2 }),
      'nested_cv of inner folds': nested({}, { cv: new NestedCV() }),
      'nested_cv without a seed': nested({}, { cv: new KFold() }),
      'nested_cv of given folds': nested({ method: 'predefined_split', splitterOptions: { testFold: thrice } }),
      'nested_cv of folds of one row': nested({ nestedCvRepeats: 1 }, { cv: new KFold({ nSplits: 60 }) }),
      'nested_cv of folds of one patient': () => {
        const groups = ordinal.map((row) => row % 3);
        return nestedDesign(new GroupKFold({ nSplits: 3 }), readData([X, y, groups], {}), { repeats: 2, seed: 1 });
      },
      'nested_cv in time': nested({ method: 'temporal' }, { timestamps: ordinal }),
      'nested_cv in space': nested(
        { method: 'spatial_block_cv' },
        { coordinates: ordinal.map((at) => [at % 8, at >> 3]) },
      ),
      'repeats without nested_cv': refused({ nestedCvRepeats: 5 }),
      'refits of another method': refused({ ciRefits: 20, ciMethod: 'corrected_t' }),
      'refits of single rows': refused({ ciRefits: 20, method: 'loocv' }),
      'refits without intervals': made({ ciRefits: 20, returnConfidenceIntervals: false }),
      'too few refits': made({ ciRefits: 19 }),
      'no repeats': made({ nestedCvRepeats: 0 }),
      'a failed further fit': async () => {
        let fits = 0;
        const fit: typeof adapter.fit = async (...parts) => {
          if (++fits === 9) throw new Error('diverged');
          return adapter.fit(...parts);
        };
        const result = await validated({ ciMethod: 'nested_cv', nestedCvRepeats: 1 }, { adapter: { ...adapter, fit } });
        return result.confidenceIntervals.accuracy.reason;
      },
    },
  ],
  [
    'estimates',
    {
      'an apparent estimate': async () => (await validated(bootstrap('.632+'))).confidenceIntervals.accuracy.note,
      'no interval': async () => (await validated(bootstrap('.632+'))).confidenceIntervals.accuracy.reason,
      'a method of intervals': refused({ ...bootstrap('.632'), ciMethod: 'wilson' }),
      'inner folds of a bootstrap': refused(
        {},
        {
          cv: new NestedCV({ outerCv: new BootstrapValidation({ nIterations: 3, estimator: '.632', randomState: 1 }) }),
        },
      ),
      'a bootstrap of a scoring function': async () => {
        const result = await validated({ ...bootstrap('.632'), metrics: undefined }, { scoring: { mine: () => 1 } });
        return result.bootstrapEstimates?.mine.reason;
      },
      'a baseline of a scoring function': async () =>
        reasonOf((await validated({ metrics: undefined }, { scoring: { mine: () => 1 } })).baseline?.mine),
      'a baseline of one class': async () => reasonOf((await validated({ metrics: ['mcc'] })).baseline?.mcc),
    },
  ],
  [
    'checks',
    {
      'a checker that crashes': checkedBy(() => Promise.reject(new Error('boom'))),
      'a checker that gives an unknown status': checkedBy(() => [{ status: 'fine' }]),
      'a checker that gives no code': checkedBy(() => [{ status: 'passed' }]),
      'a checker that gives nothing': checkedBy(() => null),
      'a verdict of patients on both sides': async () => {
        const patientIds = ordinal.map((row) => row >> 1);
        return (await validated({ method: 'kfold', nBootstrap: 100, checkLeakage: true }, { patientIds })).verdict.text;
      },
    },
  ],
  [
    'evaluate',
    Object.fromEntries(
      Object.entries({
        'neither labels nor probabilities': {},
        'yPred of another length': { yPred: [0] },
        'NaN as a probability': { yProba: y.map(() => Number.NaN) },
        'a probability above 1': { yProba: y.map(() => 2) },
        'no truth': { yTrue: y.with(0, undefined as never), yPred: y },
        'an unknown label': { yPred: y.with(0, 7) },
        'shares as labels': { yPred: y.map((label) => label / 2 + 0.2) },
        'an unknown label of several': { yTrue: ['a', 'b', 'c'], yPred: ['a', 'b', 'd'] },
        'two strings': { yTrue: ['ill', 'well'], yPred: ['ill', 'well'] },
        'columns in another order': { yPred: y, yProba: y.map((label) => [label, 1 - label]) },
        'three columns for two classes': { yProba: y.map((label) => [label, 1 - label, 0]) },
        'classes without one': { yTrue: ['a', 'b', 'c'], yPred: ['a', 'b', 'c'], classes: ['a', 'b'] },
        'classes in regression': { yTrue: [0.5, 1.5], yPred: [1, 2], classes: [0, 1] },
        'ids of another length': { yPred: y, patientIds: [1] },
        'yProba of another length': { yProba: [0.5] },
        'fold of another length': { yPred: y, fold: [0, 1] },
        'one column of the other class': { yPred: y, yProba: y.map((label) => 0.7 - 0.4 * label) },
        'resamples that no method draws': { yPred: y, metrics: ['accuracy'], ciMethod: 'analytic', nBootstrap: 500 },
        'one fold': { yPred: y, fold: y.map(() => 1) },
        'corrected_t without folds': { yPred: y, ciMethod: 'corrected_t' },
        nested_cv: { yPred: y, ciMethod: 'nested_cv', fold: y },
        'a metric of another task': { yPred: y, metrics: ['r2'] },
        'a model': { yPred: y, model: 1 },
      }).map(([what, input]) => [what, () => evaluate({ yTrue: y, ...input } as never)]),
    ),
  ],
])('%s', async (_, rows) => expect(await texts(rows)).toMatchSnapshot());
