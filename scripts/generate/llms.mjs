/** llms.txt: what an assistant needs to write code with cvkit, and nothing else. */
import { codeBlock } from './markdown.mjs';
import { INSTALL } from './schema.mjs';

/** Title of the example that the short reference shows. */
const SHOWN = 'Cross-validate a TensorFlow.js network';

export function llms({ schema, tables, api, examples }) {
  const names = (rows) => rows.map(({ name }) => name).join(', ');
  const from = (entry, rows) => names(rows.filter((each) => each.from === entry && !each.name.endsWith('FromJSON')));
  return `# cvkit

> ${schema.description} ESM, Node ${schema.node_requires}. More: docs/llms-full.txt, api-schema.json. Python's names (\`fit_validate\`): import from 'cvkit/snake'.

${codeBlock(INSTALL, 'sh')}

## Calls

\`a=1\` is a default, \`a?\` may be left out. \`X\`: arrays, records, columns, tensor or data frame. \`model\`: a factory.

- \`new CVKitValidator({ ${defaults(tables, 'CVKitValidator', VALIDATOR)} })\`
  - \`.validate({ model, X, y, patientIds?, timestamps?, cv?, preprocessing?, verbose? })\` gives \`summary() toMarkdown() toJSON() await toHTML()\`, \`estimates\`, \`confidenceIntervals.roc_auc.lower\`, \`leakageReport\`, \`overallStatus\`, \`outOfFold\`
  - \`method\`: patient_grouped_kfold, temporal, or a splitter in snake_case; not set, patients stay whole
  - \`.fitValidate({ model, XTrain, yTrain, XTest, yTest, patientIds?, testPatientIds? })\`
- \`new UniversalCVRunner({ cvSplitter, verbose=1 })\`: the fold loop alone
  - \`.run({ model, data: [X, y, groups], preprocessing?, ${defaults(tables, 'run', RUN)} })\` gives \`scores meanScores outOfFold histories summary()\`
  - \`.runWithHyperparameterTuning({ modelFn, paramGrid, data, scoring='accuracy', nTrials=10 })\` gives \`bestParams outerEstimate\`
- \`new DataLeakageChecker()\`: \`.check(X, y, { groups?, timestamps?, cv? })\`, \`.checkCvSplits(XTrain, XTest, { patientIdsTrain?, patientIdsTest? })\` give \`hasLeakage severity leakageTypes summary()\`; \`${methods(api, 'DataLeakageChecker', /^check[FPNH]\w*[^g]$/)}\`
- \`new BalanceChecker()\`: \`.checkClassBalance(y) .checkCvBalance(X, y, splitter, { groups? })\`
- \`new ClinicalMetrics({ confidenceLevel=0.95, prevalence? })\`: \`.calculateAll(yTrue, yPred, { yProba?, groups? })\`, intervals by name (sensitivity, ppv, rocAuc, ...); \`.formatReport(metrics)\`
- \`await recommendCv({ X, y, groups?, timestamps? })\`: a design with reasons. \`await evaluate({ yTrue, yProba, patientIds? })\`: predictions that exist
- Data \`{ X, y, groups }\`: ${schema.datasets.map(({ name }) => (name.startsWith('load') ? `await ${name}()` : `${name}()`)).join(', ')}
- cvkit/preprocessing: tabular, ${from(
    'cvkit/preprocessing',
    api.classes.filter(({ name }) => STEPS.includes(name)),
  )}, ... cvkit/estimators: ${from('cvkit/estimators', api.classes)}. cvkit/stats: ${from(
    'cvkit/stats',
    api.functions.filter(
      ({ name }, at, all) => STATS.includes(name) && all.findIndex((each) => each.name === name) === at,
    ),
  )}, ...

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
`;
}

/** Steps of a preparation that most programs need. */
const STEPS = [
  'StandardScaler',
  'SimpleImputer',
  'OneHotEncoder',
  'ColumnTransformer',
  'Pipeline',
  'PCA',
  'SelectKBest',
  'SMOTE',
];

/** Statistics that most studies need. */
const STATS = [
  'compareModels',
  'permutationTest',
  'learningCurve',
  'leakageInflation',
  'acrossSites',
  'subgroupTable',
  'sampleSize',
  'bbcCV',
  'conformalSets',
];

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
  'compliance',
];
const RUN = [
  'epochs',
  'batchSize',
  'optimizer',
  'lossFn',
  'metrics',
  'callbacks',
  'validation',
  'threshold',
  'refit',
  'signal',
];

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

const methods = ({ classes }, owner, pattern) =>
  classes
    .find(({ name }) => name === owner)
    .methods.filter(({ name }) => pattern.test(name))
    .map(
      ({ name, params }) =>
        `.${name}(${params
          .filter(({ table }) => !table)
          .map((each) => each.name)
          .join(', ')})`,
    )
    .join(' ');

export const PATTERNS = `await validator.validate({ model, X, y, patientIds, cv: new GroupKFold({ nSplits: 10 }) });
await runner.run({ ...job, validation: 0.2, callbacks: [new EarlyStopping({ patience: 3 })] });
for (const [train, test] of new KFold({ shuffle: true, randomState: 1 }).split(X, y)) {} // row numbers`;

/** What an assistant that writes code with cvkit has to know. */
const RULES = [
  'Pass `patientIds` (or `groups`) when a patient can have several rows, else `independentRows: true`; never put ids into `X`.',
  '`model` makes a new model each time. Scaling, filling and selection go into `preprocessing`, never on all rows before the split.',
  'Never tune, stop early or choose a threshold on outer test folds: use `validation: 0.2`, `threshold`, the nested search.',
  'An undefined score is `{ value: null, reason }`, not 0. Read `estimand` and `note` of an interval before you quote it.',
  "`overallStatus: 'not_fully_verified'` is no pass. Never write that a result is compliant or leakage-free.",
  'Two strings as classes need `positiveLabel`, unless known (benign/malignant). Give splitters a `randomState`.',
  'Errors are `CVKitError`s: a `code` and one sentence. Unknown options are refused.',
];
