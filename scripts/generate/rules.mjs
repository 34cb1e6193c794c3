/** What an assistant that writes code with cvkit has to know; for .cursorrules, the Copilot file and llms.txt. */
import { INSTALL } from './schema.mjs';

export const RULES = [
  'Use `CVKitValidator.validate` for numbers that somebody will read: it adds checks, intervals and a report. Use `UniversalCVRunner.run` for the fold loop alone. Never write a fold loop of your own.',
  'Always pass `patientIds` (or `groups`) when a patient can have more than one row. Never put the id of a patient into `X`.',
  '`model` is a factory `() => model` that makes a new model each time. Never share a model or an optimizer between folds.',
  'Learn every scaling, imputation and selection step inside the fold: by the option `preprocessing` (`tabular()` of `cvkit/preprocessing` for records with gaps and text). Never on all rows before the split.',
  'Never tune, stop early, pick a checkpoint or choose a threshold on the outer test folds. Pass `validation: 0.2`, which cuts rows off the training rows, and let `EarlyStopping` watch `val_loss`.',
  'Before you quote an interval, read its `estimand`, `unit`, `nUnits` and `note`. `lower` and `upper` may be null; then `reason` says why.',
  'A score is `{ value }` or `{ value: null, reason }`. Never turn null into 0.',
  "`overallStatus: 'not_fully_verified'` is not a pass: some checks were not made. Before you trust a score read `leakageReport.summary()`; with data alone use `new DataLeakageChecker().check(X, y, { groups, cv })`. A check with status `not_evaluated` or `error` has not passed. Never write that a result is compliant or leakage-free.",
  'Two strings as classes need `positiveLabel`, unless they are a known pair such as benign/malignant.',
  'Give splitters a `randomState` (their default is fresh folds each time); runner and validator have 42. Do not seed `Math.random`.',
  'Errors are `CVKitError`s with a stable `code` and one sentence that says what must hold. Show the sentence; do not catch all.',
  'Options that do not exist, or that the method cannot use, are refused. Use the names below and no others.',
];

/** The same text for every assistant, so that they cannot disagree. */
export function rulesDocument({ schema, tables, api }) {
  const names = (rows) => rows.map(({ name }) => `\`${name}\``).join(', ');
  const options = (owner) => names(tables.tables.get(owner).rows());
  return `# Rules for code that uses cvkit

cvkit ${schema.version}: ${schema.description} ESM only, Node ${schema.node_requires}.
Install: \`${INSTALL}\`. Reference: \`llms.txt\`, \`docs/llms-full.txt\`, \`api-schema.json\`.

## Rules

${RULES.map((rule) => `- ${rule}`).join('\n')}

## Names

- Options of \`new CVKitValidator({ ... })\`: ${options('CVKitValidator')}.
- Options of \`new UniversalCVRunner({ ... })\`: ${options('UniversalCVRunner')}.
- Options of \`run({ ... })\`: ${options('run')}.
- \`validate({ ... })\` takes \`model\`, \`X\`, \`y\`, \`patientIds\` or \`groups\`, \`timestamps\`, \`cv\`, and the options of the runner and of \`run\`.
- Splitters: ${names(Object.values(schema.splitters).flat())}.
- Metrics: ${names(tables.metrics)}.
- Interval methods (\`ciMethod\`): ${names(api.intervalMethods)}.
- Callbacks: hooks ${names(api.interfaces.find(({ name }) => name === 'CVCallback').members.filter(({ signature }) => signature.includes('(')))}; built in: ${names(api.classes.filter(({ hooks }) => hooks))}.
- Data sets: ${names(schema.datasets)}.
- Errors: ${names(api.classes.filter(({ name }) => name.endsWith('Error')))}.
`;
}
