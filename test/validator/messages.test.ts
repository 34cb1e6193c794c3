/** The sentences of this room, reviewed in one file of snapshots; other tests assert codes and evidence. */
import { expect, it } from 'vitest';
import { StandardScaler } from '../../src/preprocessing/index.js';
import { readData } from '../../src/runner/readData.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { evaluate } from '../../src/validator/evaluate.js';
import { nestedDesign } from '../../src/validator/furtherDesigns.js';
import { recommendCv } from '../../src/validator/recommendCv.js';
import { reproduce } from '../../src/validator/reproduce.js';
import type { ValidatorOptions } from '../../src/validator/validatorOptions.js';
import { texts } from '../helpers/messages.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

const { X, y } = blobs(60);
const { adapter } = spyAdapter();
const call = { model: () => new NearestMean(), X, y, adapter, verbose: 0 } as const;
const sets = { XTrain: X, yTrain: y, XTest: X, yTest: y };
const { X: _, y: __, ...unsplit } = call;
/** What a saved model looks like from outside. */
const keptModel = () => ({
  predict: async () => ({ predictions: y, probabilities: null }),
  save: async () => undefined,
  describe: () => ({ task: 'binary', classes: [0, 1], positiveLabel: 1 }),
});
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
const savedSets = { adapter: undefined, XTrain: undefined, yTrain: undefined };
const reasonOf = (score: object | undefined) => (score as { reason?: string } | undefined)?.reason;
const ordinalOf = (size: number) => Array.from({ length: size }, (_, row) => row);
const ordinal = ordinalOf(60);
const thrice = y.map((_, row) => row % 3);
const bootstrap = (estimator: string) =>
  ({ method: 'bootstrap', bootstrapValidationEstimator: estimator, bootstrapValidationIterations: 20 }) as object;

/** What is advised for 240 rows, or refused. */
const n = 240;
const rows = Array.from({ length: n }, (_, row) => [Math.sin(7 * row), Math.cos(3 * row)]);
const column = <T>(of: (row: number) => T) => rows.map((_, row) => of(row));
const cases = column((row) => ((row * 0.618034) % 1 < 0.3 ? 'case' : 'control'));
const families = column((row) => `P${row >> 2}`);
const wards = column((row) => row % 5);
const oneRare = column((row) => (row === 5 ? 'rare' : cases[row]));
const grid = column((row) => [row % 16, row >> 4]);
const blocks = column((row) => [1000 * ((row >> 2) % 8), 500 * (row >> 5)]);
const clumps = column((row) => [100 * (row % 6) + Math.sin(row), 100 * ((row * 5) % 7) + Math.cos(row)]);
const shortened = (size: number, input: object) =>
  Object.fromEntries(Object.entries(input).map(([name, values]) => [name, values.slice(0, size)]));
const warned = (input: object) => async () =>
  (await recommendCv({ X: rows, y: cases, ...input })).warnings.join('\n') || 'no warning';
const untimed = (missing: number) =>
  warned(shortened(60, { X: rows, y: cases, timestamps: column((row) => (row < missing ? null : row)) }));
const rationale = (input: object) => async () =>
  (await recommendCv({ X: rows, y: cases, ...input })).rationale.slice(0, 3).join('\n');
const label = (is: (row: number) => unknown) => column((row) => String(is(row)));

it.each<[string, Record<string, () => unknown>]>([
  [
    'advice',
    {
      'one patient who moves': warned({ coordinates: grid, groups: column((row) => Math.max(1, row)) }),
      'patients who move': warned({ coordinates: blocks, groups: column((row) => `P${row % 60}`) }),
      'hardly more than one row per patient': rationale({ groups: column((row) => Math.max(1, row)) }),
      'one row without a time': untimed(1),
      'rows without a time': untimed(2),
      'no times': untimed(60),
      'times of 59 rows': rationale(
        shortened(60, { X: rows, y: cases, timestamps: column((row) => (row < 1 ? null : row)) }),
      ),
      'a level above the rows': rationale({ hierarchy: { ward: wards } }),
      'a class of one row': warned({ y: oneRare }),
      'a class of one row of few': warned(shortened(60, { X: rows, y: oneRare })),
      'a class of one row in time': warned({ y: oneRare, timestamps: ordinalOf(n) }),
      // 1.96 / 2 / sqrt(3) = .566, of two .693, of 19 .225, of 60 .127.
      'a class of three rows': warned({ y: label((row) => row % 90 === 0) }),
      'a class of two patients': warned({ y: label((row) => row < 8), groups: families }),
      'a class of 19 rows': warned({ y: label((row) => row < 19) }),
      'a class of 20 rows': warned({ y: label((row) => row < 20) }),
      'a class of one patient': warned({ y: label((row) => (row < 4 ? 'c' : row % 2)), groups: families }),
      'a label of one row': warned({ y: column((row) => [row % 2, Number(row === 3)]) }),
      'a patient of half of the rows': warned({ groups: families.map((id, row) => (row < 130 ? 'P0' : id)) }),
      'integers as classes': warned({ y: column((row) => row % 7) }),
      'one time': warned({ timestamps: rows.map(() => 1) }),
      'few times': warned({ timestamps: column((row) => row % 12) }),
      'times of no account': warned({ timestamps: ordinalOf(n), design: 'iid' }),
      'times and places': warned({ timestamps: ordinalOf(n), coordinates: grid }),
      'one time and places': warned({ timestamps: rows.map(() => 1), coordinates: grid }),
      'places in blocks': warned({ coordinates: blocks }),
      'places in clumps': warned({ coordinates: clumps }),
      'places in degrees': warned({ coordinates: grid }),
      'another site without sites': warned({ design: 'deployment' }),
      'columns by their names': warned({
        X: rows.map(([a, b], row) => ({ patient_id: row, visitDate: a, lat: b, lon: a, hospital: 1, age: b })),
        patientIds: families,
      }),
      'three rows': warned(shortened(3, { X: rows, y: ['a', 'b', 'c'] })),
      'one row': warned(shortened(1, { X: rows, y: [0.5] })),
      'classes of one row each': warned(shortened(4, { X: rows, y: ['a', 'b', 'c', 'd'] })),
      'one class of several rows': warned(shortened(6, { X: rows, y: ['a', 'b', 'c', 'c', 'c', 'c'] })),
      'classes that are patients': warned({ groups: cases.map((each) => `of ${each}`) }),
      'one patient': warned({ groups: rows.map(() => 1) }),
      'one class': warned({ y: rows.map(() => 1) }),
      'later rows without times': warned({ design: 'prospective' }),
      'labels before their rows': warned({ timestamps: ordinalOf(n), labelEndTimes: column((row) => row - 2) }),
      'an unknown option': warned({ group: families }),
    },
  ],
  [
    'folds and methods',
    {
      'a cv that is none': made({ cv: 1 }),
      'a cv that is a word': made({ cv: 'stratified' }),
      'a cv that is no word of ours': made({ cv: 'x' }),
      'a learning rate': refused({}, { learningRate: 0.1 }),
      'a cv beside a method without folds': made({ cv: 4, method: 'bootstrap' }),
      'nSplits beside a splitter': made({ cv: new KFold(), nSplits: 7 }),
      'two numbers of folds': made({ cv: 4, nSplits: 3 }),
      'a cv beside a test set': tested({ cv: 4 }),
      'an option that a method does not use': refused({ method: 'loocv', nSplits: 7 }),
      'one option twice': refused({ method: 'kfold', nSplits: 6, splitterOptions: { n_splits: 4 } }),
      'a window without a size': refused({ method: 'rolling_window_cv' }),
      'an option that the splitter has not': refused({ method: 'kfold', splitterOptions: { windowSize: 4 } }),
      'an unknown method': refused({ method: 'rolling_windows' }),
      'a method of sites': refused({ method: 'leave_one_site_out' }),
      'labels of evaluate by another name': () => evaluate({ y } as never),
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
      'a test row without a patient': tested({}, { groups: y, testGroups: y.with(3, Number.NaN) }),
      'test patients alone, of another length': tested({}, { testPatientIds: [1] }),
      'test weights alone, one below 0': tested({}, { sampleWeightTest: y.with(3, -1) }),
      'labels of another length': tested({}, { yTrain: [0, 1] }),
      'no training rows': tested({}, { XTrain: undefined }),
      'training of a saved model': tested({}, { ...savedSets, model: keptModel(), epochs: 3 }),
      'test labels of another length': tested({}, { yTest: [0] }),
      'patients of another length': tested({}, { groups: [1], testGroups: y }),
      'test patients of another length': tested({}, { groups: y, testGroups: [1] }),
      'test weights of another length': tested({}, { sampleWeight: y.map(() => 1), sampleWeightTest: [1] }),
      'further targets of another length': tested({}, { auxiliary: { age: [61] } }),
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
      'nested_cv of a subclass with a constructor of its own': nested(
        {},
        {
          cv: new (class extends KFold {
            constructor() {
              super({ shuffle: true });
            }
          })(),
        },
      ),
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
    'results',
    {
      'clinical of numbers': async () => (await evaluate({ yTrue: [0.5, 1.5, 2.5], yPred: [1, 2, 3] })).clinical(),
      'clinical with an unknown option': async () =>
        (await evaluate({ yTrue: y, yPred: y })).clinical({ prevalenc: 1 } as never),
      'reproduce without what is a hash': async () => {
        const { manifest } = await validated({}, { adapter: undefined, preprocessing: new StandardScaler() });
        return reproduce(manifest, { model: call.model, X, y });
      },
      ...Object.fromEntries(
        [undefined, null, 3, [], { validate: 1, CVKitValidator: {} }, { validate: {} }, { a: {}, b: {} }].map(
          (options) => [`reproduce of options ${JSON.stringify(options)}`, () => reproduce({ options }, { X, y })],
        ),
      ),
      'reproduce of nothing': () => reproduce(null as never, {}),
      'reproduce with a number': async () => reproduce((await validated({})).manifest, 3 as never),
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
        'repeats without folds': { yPred: y, repeat: y },
        'repeats without patients': { yPred: y, fold: y, repeat: y.map((_, row) => row % 2) },
        'one fold in a repeat': { yPred: y, fold: y, repeat: y, patientIds: y.map((_, row) => row) },
        'repeat of another length': { yPred: y, fold: y, repeat: [0, 1] },
        'corrected_t without folds': { yPred: y, ciMethod: 'corrected_t' },
        nested_cv: { yPred: y, ciMethod: 'nested_cv', fold: y },
        'a metric of another task': { yPred: y, metrics: ['r2'] },
        'no metric': { yPred: y, metrics: [] },
        'a method for a metric that is not computed': { yPred: y, ciMethod: { acuracy: 'wilson' } },
        'a model that is none': { yPred: y, model: 1 },
        'a model without rows': { model: keptModel() },
        'a model with predictions': { model: keptModel(), X, yPred: y },
        'rows without a model': { X, yPred: y },
        'a label that the model does not know': { model: keptModel(), X, yTrue: y.map((label) => label + 1) },
      }).map(([what, input]) => [what, () => evaluate({ yTrue: y, ...input } as never)]),
    ),
  ],
])('%s', async (_, rows) => expect(await texts(rows)).toMatchSnapshot());
