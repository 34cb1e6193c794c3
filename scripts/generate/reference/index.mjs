/** docs/reference: a page for each public name, the index that the site makes its sidebar of, types and errors. */
import { inReadingOrder } from '../schema.mjs';
import {
  adapterFacts,
  datasetExample,
  intervalExample,
  metricExample,
  metricFacts,
  splitterExample,
  splitterFacts,
  transformerExample,
} from './families.mjs';
import { guidesByName } from './guides.mjs';
import { knownOutputs, outputsOf } from './outputs.mjs';
import { page } from './page.mjs';
import { completed } from './programs.mjs';
import { typePages } from './types.mjs';
import { brief, safe } from './words.mjs';

/** Title and guide by folder, in the order of the index. */
const FOLDERS = {
  classes: ['Classes'],
  functions: ['Functions'],
  splitters: ['Splitters', 'splitters.md'],
  metrics: ['Metrics', 'metrics.md'],
  intervals: ['Interval methods', 'intervals.md'],
  callbacks: ['Callbacks', 'callbacks.md'],
  adapters: ['Adapters', 'extending.md'],
  transformers: ['Transformers', 'preprocessing.md'],
  estimators: ['Estimators', 'estimators.md'],
  tuning: ['Tuning', 'tuning.md'],
  stats: ['Statistics'],
  plots: ['Plots', 'plots.md'],
  datasets: ['Data sets', 'datasets.md'],
  node: ['Files and executors'],
  testing: ['Conformance suites', 'extending.md'],
};

const BY_ENTRY = {
  'cvkit/preprocessing': 'transformers',
  'cvkit/estimators': 'estimators',
  'cvkit/tuning': 'tuning',
  'cvkit/stats': 'stats',
  'cvkit/plot': 'plots',
  'cvkit/table': 'node',
  'cvkit/node': 'node',
  'cvkit/bullmq': 'node',
  'cvkit/testing': 'testing',
  'cvkit/adapters/onnx': 'adapters',
  'cvkit/adapters/tfjs': 'adapters',
  'cvkit/adapters/estimator': 'adapters',
};

/** What is run on what nobody has at hand. Each with what it needs. */
const NEEDS = {
  slurm: 'a cluster with SLURM',
  bullmq: 'a Redis server',
  loadDiabeticReadmission: 'access to the network, or the file at `path`',
};

/** Text by path of all pages. With `isAgain` all programs are run, else those that no page has; with `isCheck` none. */
export function reference(all, { guides: texts, isCheck, isAgain }) {
  const { tables, checks, codes } = all;
  const api = joined(all.api);
  const items = itemsOf(api, tables);
  const types = typePages(api, all.api.aliases);
  const places = placesOf(
    items,
    types,
    checks,
    api.classes.filter(isError).map(({ name }) => name),
  );
  const froms = new Map([...api.classes, ...api.functions, ...api.values].map(({ name, from }) => [name, from]));
  for (const item of items) {
    if (!item.example) continue;
    item.code = completed(item.example, froms, item.name);
  }
  const known = isAgain ? new Map() : knownOutputs('docs/reference');
  const runnable = items.filter(({ name, code }) => code && !(name in NEEDS));
  const fresh = runnable.map(({ code }) => code).filter((code) => !known.has(code));
  const outputs = isCheck || fresh.length === 0 ? known : new Map([...known, ...outputsOf([...new Set(fresh)])]);
  for (const item of runnable) item.program = { code: item.code, output: outputs.get(item.code) };
  const ran = items.filter((item) => isCheck || !runnable.includes(item) || outputs.has(item.code));
  for (const item of items.filter(({ name }) => name in NEEDS)) {
    item.program = { code: item.code.replace(/^import/, `// This needs ${NEEDS[item.name]}.\nimport`), output: '' };
  }
  const context = {
    places,
    tables,
    codes,
    interfaces: new Map(api.interfaces.map((each) => [each.name, each])),
    guides: guidesByName(texts, items, (folder) => FOLDERS[folder][1]),
  };
  return {
    ...Object.fromEntries(ran.map((item) => [`docs/reference/${places.get(item.name)}`, page(item, context)])),
    ...types.pages(places),
    'docs/reference/index.md': indexPage(items, types, checks, places),
  };
}

/** All entries as one. */
const joined = ({ more, ...api }) => ({
  ...api,
  classes: [...api.classes, ...more.classes],
  functions: [...api.functions, ...more.functions],
  values: [...api.values, ...more.values],
  interfaces: [...api.interfaces, ...more.interfaces],
});

const isError = ({ name }) => /Error$/.test(name);
const isDataset = (name) => /^(load(?!Refitted|Model|Network)|generate)[A-Z]/.test(name);

function itemsOf(api, tables) {
  const splitters = new Map(tables.splitters.map((each) => [each.name, each]));
  const classes = inReadingOrder(api.classes.filter((each) => !isError(each))).map((each) => {
    const splitter = splitters.get(each.name);
    const folder = splitter ? 'splitters' : each.hooks && !each.typeOnly ? 'callbacks' : folderOf(each, 'classes');
    const template = folder === 'transformers' && !each.typeOnly ? transformerExample(each.name) : undefined;
    return {
      ...each,
      folder,
      isClass: true,
      methods: splitter ? each.methods.filter(({ name }) => !SHARED.includes(name)) : each.methods,
      calls: each.typeOnly ? [] : [{ name: each.name, params: each.params }],
      facts: splitter && splitterFacts(splitter, tables),
      example: splitter ? splitterExample(splitter) : (each.doc.examples[0] ?? template),
    };
  });
  const functions = byName(api.functions).map(([first, ...others]) => ({
    ...first,
    folder: isDataset(first.name) ? 'datasets' : folderOf(first, 'functions'),
    calls: [first, ...others].map((each, at) => ({ ...each, description: at === 0 ? '' : each.description })),
    example:
      first.doc.examples[0] ??
      (isDataset(first.name) ? datasetExample(first.name, first.name.startsWith('load')) : undefined),
  }));
  const values = api.values.map((each) => ({
    ...each,
    folder: folderOf(each, 'functions'),
    facts: each.name in tables.adapters ? adapterFacts(tables.adapters[each.name], tables) : [],
    example: each.doc.examples[0],
  }));
  const metrics = tables.metrics.map((metric) => {
    const doc = api.metricDocs[camel(metric.name)] ?? NO_DOC;
    return {
      name: metric.name,
      folder: 'metrics',
      doc: { ...doc, paragraphs: [metric.description, ...doc.paragraphs] },
      description: metric.description,
      facts: metricFacts(metric),
      example: metricExample(metric),
    };
  });
  const intervals = api.intervalMethods.map((method) => ({
    ...method,
    folder: 'intervals',
    facts: [`In the validator: \`ciMethod: '${method.name}'\`.`],
    example: intervalExample(method),
  }));
  // `Tabular` is what `tabular` gives: one folder cannot have both where case does not count.
  const lower = new Set(functions.map(({ name }) => name.toLowerCase()));
  const placed = classes.map((each) => (lower.has(each.name.toLowerCase()) ? { ...each, folder: 'classes' } : each));
  return [...placed, ...functions, ...values, ...metrics, ...intervals];
}

/** Signatures of one name together: overloads with options of their own. */
const byName = (functions) =>
  [...new Set(functions.map(({ name }) => name))].map((name) => functions.filter((each) => each.name === name));

/** What every splitter has for runs, not for people. */
const SHARED = ['reseed', 'redraw', 'resized', 'toJSON'];

const NO_DOC = { paragraphs: [], throws: [], examples: [] };
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const folderOf = ({ from }, usual) => BY_ENTRY[from] ?? usual;

/** Path below docs/reference by name. */
function placesOf(items, types, checks, errors) {
  const places = new Map();
  for (const { code } of checks) places.set(code, `../checks/${code}.md`);
  for (const [name, path] of types.places) places.set(name, path);
  for (const name of errors) places.set(name, `errors.md#${name.toLowerCase()}`);
  for (const { name, folder } of items) places.set(name, `${folder}/${name}.md`);
  return places;
}

function indexPage(items, types, checks, places) {
  const group = (title, lines) => `## ${title}\n\n${lines.join('\n')}`;
  const sentence = (text) => safe(brief(text));
  const groups = Object.entries(FOLDERS).map(([folder, [title]]) =>
    group(
      title,
      items
        .filter((each) => each.folder === folder)
        .map(({ name, description }) => `- [${name}](${places.get(name)}): ${sentence(description)}`),
    ),
  );
  return `# Reference

Every public name, a page each: how it is called, its options with their defaults, what it gives, its errors, an example that
runs as printed, and its source. Options are accepted in snake_case, too (\`n_splits\` for \`nSplits\`), and Python's spelling of
all names is in [\`cvkit/snake\`](../migration.md). [Guides](../README.md) explain when to use what.

${groups.join('\n\n')}

${group(
  'Checks',
  checks.map(({ code, type, description }) => `- [${code} ${type}](../checks/${code}.md): ${sentence(description)}`),
)}

${group('Types', types.index)}

${group('Errors', ['- [Errors and their codes](errors.md): what every error means, and the code that a program can react to.'])}
`;
}
