/** llms.txt: what an assistant needs to write code with cvkit, and nothing else. */
import { codeBlock } from './markdown.mjs';
import { INSTALL } from './schema.mjs';

/** Title of the example that the short reference shows. */
const SHOWN = 'Cross-validate a TensorFlow.js network';

export function llms({ schema, tables, api, checks, examples }) {
  const names = (rows) => rows.map(({ name }) => name).join(', ');
  const from = (entry, rows) => names(rows.filter((each) => each.from === entry && !each.name.endsWith('FromJSON')));
  return `# cvkit

> ${schema.description} ESM, Node ${schema.node_requires}. More: docs/llms-full.txt, api-schema.small.json, api-schema.json. Python's names (\`fit_validate\`): import from 'cvkit/snake'.

${codeBlock(INSTALL, 'sh')}

## Calls

\`a=1\` is a default, \`a?\` may be left out. \`X\`: arrays, records, columns, tensor or data frame, images \`{ data, shape: [n, height, width, 1] }\`. Calls are async, but for \`checkClassBalance\`, \`calculateAll\`, \`formatReport\`, \`generate...\` and \`summary\`.

- \`new CVKitValidator({ ${defaults(tables, 'CVKitValidator', VALIDATOR)} })\`
  - \`.validate({ model, X, y, patientIds?, timestamps?, cv?, verbose?, ...options of run })\` gives \`summary() toMarkdown() toHTML() toJSON()\`, \`estimates\`, \`confidenceIntervals.roc_auc.lower\`, \`leakageReport\`, \`overallStatus\`
  - \`method\`: patient_grouped_kfold, temporal, or a splitter in snake_case; not set, patients stay whole
  - \`.fitValidate({ model, XTrain, yTrain, XTest, yTest, patientIds?, testPatientIds? })\`
- \`new UniversalCVRunner({ cvSplitter, ${defaults(tables, 'UniversalCVRunner', ['verbose'])} })\`: the fold loop alone
  - \`.run({ model, data: [X, y, groups] or { X, y, timestamps, ... }, preprocessing?, ${defaults(tables, 'run', RUN)} })\` gives \`scores meanScores summary()\` without intervals, and \`outOfFold\` (columns \`row yTrue yProba\`, in the order of the folds, not of \`y\`)
  - \`.runWithHyperparameterTuning({ modelFn: (params) => model, paramGrid: { C: [0.1, 1] }, data, ${defaults(tables, 'runWithHyperparameterTuning', ['scoring', 'nTrials', 'innerCv'])} })\` is nested; gives \`bestParams outerEstimate.estimate\`
- \`new DataLeakageChecker()\`: \`.check(X, y, { groups?, timestamps?, cv? })\`, \`.checkCvSplits(XTrain, XTest, { patientIdsTrain?, patientIdsTest? })\` give \`hasLeakage severity leakageTypes summary()\`
- \`new BalanceChecker()\`: \`.checkClassBalance(y) .checkCvBalance(X, y, splitter, { groups? })\`
- \`new ClinicalMetrics({ ${defaults(tables, 'ClinicalMetrics', ['confidenceLevel', 'prevalence'])} })\`: \`.calculateAll(yTrue, yPred, { yProba?, groups? })\`, intervals by name (sensitivity, ppv, rocAuc, ...); \`.formatReport(metrics)\`
- \`recommendCv({ X, y, groups?, timestamps? })\`: \`splitter rationale warnings code\`. \`evaluate({ yTrue, yProba, patientIds? })\`: predictions that exist
- Data \`{ X, y, groups }\` (temporal: with gaps, \`tabular()\`): ${schema.datasets.map(({ name }) => `${name}()`).join(', ')}
- cvkit/preprocessing: tabular, ${from(
    'cvkit/preprocessing',
    api.classes.filter(({ name }) => STEPS.includes(name)),
  )}, ... cvkit/estimators: ${from('cvkit/estimators', api.classes)}. cvkit/stats: ${from(
    'cvkit/stats',
    api.functions.filter(
      ({ name }, at, all) => STATS.includes(name) && all.findIndex((each) => each.name === name) === at,
    ),
  )}, ...

## Models, folds, calibration

${MODELS.map((each) => `- ${each}`).join('\n')}

## ${SHOWN}

${codeBlock(examples.find(({ title }) => title === SHOWN).code)}

## Patterns

${codeBlock(PATTERNS)}

## Rules

${RULES.map((rule) => `- ${rule}`).join('\n')}

## Names

- Splitters: ${names(Object.values(schema.splitters).flat())}
- Metrics: ${names(tables.metrics)}
- \`ciMethod\`: ${names(api.intervalMethods)}
- Checks: ${checks.map(({ type }) => type).join(', ')}
`;
}

/** Steps of a preparation that most programs need. */
const STEPS = [
  'StandardScaler',
  'SimpleImputer',
  'OneHotEncoder',
  'ColumnTransformer',
  'Pipeline',

  'SMOTE',
];

/** Statistics that most studies need. */
const STATS = ['compareModels', 'permutationTest', 'learningCurve', 'leakageInflation', 'subgroupTable', 'sampleSize'];

/** Options that most calls need; the others are in the full reference. */
const VALIDATOR = [
  'method',
  'nSplits',
  'randomState',
  'metrics',
  'ciMethod',
  'ciLevel',
  'checkLeakage',
  'independentRows',
];
const RUN = ['epochs', 'batchSize', 'optimizer', 'lossFn', 'metrics', 'callbacks', 'validation', 'threshold', 'refit'];

function defaults({ tables }, owner, names) {
  const { shape } = tables.get(owner);
  return names
    .map((name) => {
      if (!shape[name]) throw new Error(`${owner} has no option '${name}'`);
      const { defaultValue: value } = shape[name];
      const nothing = value === undefined || value === null || value === false || Array.isArray(value);
      return nothing ? `${name}?` : `${name}=${JSON.stringify(value).replaceAll('"', "'")}`;
    })
    .join(', ');
}

export const PATTERNS = `await validator.validate({ model, X, y, patientIds, cv: new GroupKFold({ nSplits: 10 }) });
await runner.run({ ...job, validation: 0.2, callbacks: [new EarlyStopping({ patience: 3 })] });
for (const [train, test] of new KFold({ shuffle: true, randomState: 1 }).split(X, y)) {} // row numbers`;

/** How a model is made, of what kind it may be, and what else is written by hand. */
const MODELS = [
  '`model`: a factory of objects, `() => ({ fit(X, y) {}, predict(X) {} })`. `fit` gets n rows (lists of features) and n labels; `predict` gives n labels or numbers, `predictProba(X)` n lists of a probability per class, ascending, or n numbers P(positive). Sync or async',
  'Network: `({ inputShape }) => tf.sequential(...)`, not compiled; two classes: 1 unit, sigmoid, `binaryCrossentropy`; several: softmax, `sparseCategoricalCrossentropy`',
  "ONNX (`npm i onnxruntime-node`): `import { onnxModel, OnnxEmbedding } from 'cvkit/adapters/onnx'`. `model: onnxModel('net.onnx', { gives: 'probabilities', classes? })` (or `'logits'`, `'labels'`) predicts untrained; `preprocessing: [new OnnxEmbedding('net.onnx', { output: 'features' })]` makes features",
  "Adapter: `registerAdapter({ name: 'mine', capabilities: { trains: true, epochs: false, probabilities: true, saves: false }, matches: (model) => model instanceof Mine, build: async (source, ctx) => source(ctx), async fit(model, { X, y }) { /* await X.toArrays(), y.toArray() */ return { epochs: [] }; }, async predict(model, X) { return { probabilities: { data: new Float64Array(X.length * 2), shape: [X.length, 2] } }; } })`, or `{ values }`; then `model: () => new Mine()`",
  'Own folds: `cv: new PredefinedSplit({ folds: [{ train: [0, 1], test: [2, 3] }] })`, or an object with `split(X, y, data)`, pairs `[train, test]` of row numbers, and `getNSplits()`',
  "Calibration: `calibrationCurve(yTrue, yProba, { groups? })` gives `slope.estimate intercept.estimate brier.estimate ece bins`; `yTrue yProba` are in `outOfFold`. Option `recalibrate: 'platt'` (`'isotonic'`, `'beta'`): inside each fold",
];

/** What an assistant that writes code with cvkit has to know. */
const RULES = [
  'Pass `patientIds` (or `groups`) when a patient can have several rows, else `independentRows: true`; never put ids into `X`.',
  '`model` makes a new model each time. Scaling, filling and selection go into `preprocessing`, never on all rows before the split.',
  "Never tune, stop early or choose a threshold on outer test folds: use `validation: 0.2`, `threshold: 'youden'`, the nested search.",
  'An undefined score is `{ value: null, reason }`, not 0. Read `estimand` and `note` of an interval before you quote it.',
  "`overallStatus` 'needs_review' or 'not_fully_verified' is no pass. Never write that a result is compliant or leakage-free.",
  'Two strings as classes need `positiveLabel` in the call, unless known (benign/malignant). Give splitters a `randomState`.',
  'Errors are `CVKitError`s with a `code`. Unknown options are refused.',
];
