/** llms.txt (concise) and docs/llms-full.txt (every public name). */
import { codeBlock, optionLines, ticks } from './markdown.mjs';
import { checkTable, errorTable, intervalTable, metricTable } from './pieces.mjs';
import { RULES } from './rules.mjs';
import { INSTALL, inReadingOrder } from './schema.mjs';

/** Titles of the examples that the short reference shows. */
const SHOWN = ['Cross-validate a TensorFlow.js network'];

export function llms({ schema, tables, api, checks, examples }) {
  return `# cvkit

> ${schema.description} Version ${schema.version}, ESM, Node ${schema.node_requires}. Every public method: docs/llms-full.txt; machine-readable: api-schema.json.

${codeBlock(INSTALL, 'sh')}

## Two doors

- \`new CVKitValidator(options).validate({ model, X, y, patientIds })\`: folds, checks on those folds, scores with intervals, a report. \`fitValidate\` tests once on a given test set.
- \`new UniversalCVRunner({ cvSplitter }).run({ model, data: [X, y, groups], epochs, ... })\`: the fold loop alone.

\`model\` is a factory of a TensorFlow.js network, of an object with \`fit\`/\`train\` and \`predict\`, or of what \`registerAdapter\` made known. \`X\` is arrays, records, columns, a tensor, a data frame or a row source.

${examples
  .filter(({ title }) => SHOWN.includes(title))
  .map(({ title, code }) => `### ${title}\n\n${codeBlock(code)}`)
  .join('\n\n')}

## Common patterns

${codeBlock(PATTERNS)}

## Rules

${RULES.map((rule) => `- ${rule}`).join('\n')}

## Names

- Splitters: ${Object.values(schema.splitters)
    .flat()
    .map(({ name }) => name)
    .join(', ')}.
- Metrics: ${tables.metrics.map(({ name }) => name).join(', ')}.
- \`ciMethod\`: ${api.intervalMethods.map(({ name }) => name).join(', ')}.
- Checks: ${checks.map(({ code, type }) => `${code} ${type}`).join(', ')}; one whose input is missing reports \`not_evaluated\`.
`;
}

const PATTERNS = `await validator.validate({ model, X, y, patientIds });                  // patients stay whole
await validator.validate({ model, X, y, cv: new KFold({ nSplits: 10 }) }); // folds of your own
new CVKitValidator({ metrics: ['roc_auc', 'brier'], ciMethod: 'corrected_t', ciLevel: 0.9 });
await runner.run({ ...job, validation: 0.2, callbacks: [new EarlyStopping({ patience: 3 })] });
await new DataLeakageChecker().check(X, y, { groups: patientIds, cv }); // no model needed
await runner.run({ ...job, folds: [2] });                               // fold 2 alone, same numbers
await runner.run({ ...job, signal: AbortSignal.timeout(60_000), onFoldError: 'record' });
result.summary(); result.toMarkdown(); await result.toHTML(); result.toJSON();
result.outOfFold; // columns row, fold, yTrue, yPred, yProba, ...: every score follows from it`;

/** Types that a user writes or reads member by member. */
const TYPES = [
  'Fold',
  'FoldPlan',
  'CVCallback',
  'FoldContext',
  'EpochContext',
  'RunnerEvents',
  'FrameworkAdapter',
  'Batch',
  'FitOptions',
  'FitHooks',
  'Predictions',
  'OutOfFold',
  'FoldDetails',
  'Interval',
  'CheckResult',
  'Metric',
  'ScoreTable',
];

export function llmsFull({ schema, tables, api, checks, examples }) {
  const interfaceOf = (name) => api.interfaces.find((each) => each.name === name);
  const splitterNames = new Set(tables.splitters.map(({ name }) => name));
  const classes = inReadingOrder(api.classes.filter(({ name }) => !splitterNames.has(name)));
  const functionsOf = (entry) =>
    api.functions
      .filter(({ from }) => from === entry)
      .map((each) => functionText(each, tables))
      .join('\n');
  return `# cvkit ${schema.version}: full reference

> ${schema.description} ESM, Node ${schema.node_requires}. The short reference is llms.txt.

${codeBlock(INSTALL, 'sh')}

Everything below comes from \`import { ... } from 'cvkit'\`, unless another entry is named. An option reads \`name: type = default\`; one without a default is required, one with \`?\` may be left out. Every option is also accepted in snake_case (\`n_splits\`). Options that do not exist or cannot have an effect are refused with the nearest name.

## Classes

${classes
  .filter(({ name }) => !name.endsWith('Error'))
  .map((each) => classText(each, tables))
  .join('\n\n')}

### Options of the tfjs adapter, in \`adapterOptions\`

${optionLines(tables.tfjsOptions.rows())}

## Errors

All are \`CVKitError\`s: \`code\` is stable, \`message\` is one sentence, \`cause\` is kept.

${errorTable(api)}

## Splitters

Every splitter has:

${interfaceOf('Splitter')
  .members.filter(({ signature }) => signature.includes('('))
  .map(({ signature, description }) => `- \`${signature}\`: ${description}`)
  .join('\n')}

\`data\` may hold:

${optionLines(tables.tables.get('split').rows())}

${tables.splitters.map((each) => splitterText(each, schema)).join('\n\n')}

## Functions

${functionsOf('cvkit')}

## Functions of cvkit/stats

\`import { ... } from 'cvkit/stats'\`

${functionsOf('cvkit/stats')}

## Functions of cvkit/node

\`import { ... } from 'cvkit/node'\`

${functionsOf('cvkit/node')}

## Metrics

${metricTable(tables)}

Defaults: ${Object.entries(tables.defaultMetricsByTask)
    .map(([task, names]) => `${task}: ${ticks(names)}`)
    .join('; ')}.

## Interval methods

${intervalTable(api)}

## Checks

${checkTable(checks)}

## Types

${codeBlock(TYPES.map((name) => typeText(interfaceOf(name))).join('\n\n'), 'ts')}

## Examples

${examples.map(({ title, text, code }) => `### ${title}\n\n${text}\n\n${codeBlock(code)}`).join('\n\n')}
`;
}

function classText({ name, aliases, typeOnly, description, params, fields, methods, hooks }, tables) {
  const also = aliases.length > 0 ? ` (also \`${aliases.join('`, `')}\`)` : '';
  const head = typeOnly ? `### ${name}` : `### new ${name}(${parameters(params, tables)})${also}`;
  const own = hooks ? [] : methods.map((method) => methodText(method, tables));
  const ofHooks = hooks ? [`Hooks: ${ticks(methods.map((method) => method.name))}.`] : [];
  const options = typeOnly ? '' : optionsText(params, tables);
  return [head, description, options, hooks ? '' : fieldLines(fields), ...ofHooks, ...own].filter(Boolean).join('\n\n');
}

const fieldLines = (fields) =>
  fields
    .map(({ name, type, description }) => `- \`.${name}: ${type}\`${description ? `: ${description}` : ''}`)
    .join('\n');

/** An interface with one line per member. */
function typeText({ name, generics, extended, members }) {
  const lines = members.map(({ signature, description }) => {
    const note = description ? ` // ${description}` : '';
    return `  ${signature.replace(/^readonly /, '')};${note}`;
  });
  return [`interface ${name}${generics}${extended} {`, ...lines, '}'].join('\n');
}

function methodText({ name, description, params, returns }, tables) {
  const head = `#### ${name}(${parameters(params, tables)}): ${returns}`;
  return [head, description, optionsText(params, tables)].filter(Boolean).join('\n\n');
}

function functionText({ name, description, params, returns }, tables) {
  const options = optionsText(params, tables);
  return `- \`${name}(${parameters(params, tables)}): ${returns}\`: ${description}${options ? `\n${options.replace(/^/gm, '  ')}` : ''}`;
}

function splitterText({ name, description, options }, { splitters }) {
  const { aliases = [] } = Object.values(splitters)
    .flat()
    .find((each) => each.name === name);
  const also = aliases.length > 0 ? ` (also \`${aliases.join('`, `')}\`)` : '';
  return `### new ${name}({ ${Object.keys(options.shape).join(', ')} })${also}\n\n${description}\n\n${optionLines(options.rows())}`;
}

function parameters(params, tables) {
  return params
    .map(({ name, type, optional, rest, table, parts }) => {
      if (table) return `{ ${shortList(tables.tables.get(table))} }`;
      if (parts) return `{ ${parts.map((part) => part.name).join(', ')} }`;
      return `${rest ? '...' : ''}${name}${optional ? '?' : ''}: ${type}`;
    })
    .join(', ');
}

/** Required options by name; the rest as dots when there are many. */
function shortList({ shape }) {
  const names = Object.keys(shape);
  if (names.length <= 8) return names.join(', ');
  return [...names.filter((name) => shape[name].presence === 'required'), '...'].join(', ');
}

/** Options with type, default and description. Those that another table has just so are named alone. */
function optionsText(params, { tables }) {
  return params
    .flatMap(({ table, parts }) => {
      if (parts) return optionLines(parts.map((part) => ({ ...part, required: !part.optional })));
      if (!table) return [];
      const { shape, rows } = tables.get(table);
      const shared = ['run', 'UniversalCVRunner']
        .filter((owner) => owner !== table && table.toLowerCase().endsWith('validate'))
        .flatMap((owner) => Object.entries(tables.get(owner).shape).filter(([name, option]) => shape[name] === option))
        .map(([name]) => name);
      const own = rows().filter(({ name }) => !shared.includes(name));
      const as = shared.length > 0 ? `\n- as in \`run\` and UniversalCVRunner: ${ticks(shared)}` : '';
      return optionLines(own) + as;
    })
    .join('\n');
}
