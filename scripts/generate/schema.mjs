/** Writes api-schema.json: what a program may know about the package without reading its types. */

/** Classes that a reader looks for first; the others follow in the order of src/index.ts, errors last. */
const FIRST = ['CVKitValidator', 'UniversalCVRunner', 'ValidationResult', 'CVResults'];
const FAMILIES = ['iid', 'grouped', 'temporal', 'spatial', 'multilabel'];

export function apiSchema({ api, tables, pkg, checks, examples }) {
  const rows = parameterRows(tables);
  const splitterNames = new Set(tables.splitters.map(({ name }) => name));
  const classes = api.classes.filter(({ name }) => !splitterNames.has(name));
  return {
    $schema: './docs/api-schema.schema.json',
    name: pkg.name,
    version: pkg.version,
    description: pkg.description,
    install: INSTALL,
    repository: repositoryOf(pkg),
    npm: `https://www.npmjs.com/package/${pkg.name}`,
    node_requires: pkg.engines.node,
    pypi: '',
    python_requires: '',
    classes: inReadingOrder(classes).map((each) => classRow(each, rows)),
    splitters: Object.fromEntries(
      FAMILIES.map((family) => [
        family,
        tables.splitters.filter((each) => each.family === family).map((each) => splitterRow(each, api, rows)),
      ]),
    ),
    split: api.classes
      .find(({ name }) => name === 'KFold')
      .methods.filter(({ name }) => SPLITTER_METHODS.includes(name))
      .map((method) => methodRow(method, rows)),
    datasets: api.functions.filter(isDataset).map((each) => ({
      name: each.name,
      spec_name: rows.spelled(each.name),
      import: importOf(each),
      description: each.description,
      params: each.params.flatMap(rows.of),
      returns: each.returns,
    })),
    functions: api.functions.filter((each) => !isDataset(each)).map((each) => functionRow(each, rows)),
    types: [
      ...api.interfaces
        .filter(({ properties }) => properties.length > 0)
        .map(({ properties, ...each }) => ({
          ...typeRow(each),
          fields: properties.map((field) => fieldRow(field, rows)),
        })),
      ...api.aliases.map(({ type, ...each }) => ({ ...typeRow(each), type })),
    ],
    metrics: tables.metrics.map(metricRow),
    ci_methods: api.intervalMethods.map(({ name, description }) => ({ name, description })),
    checks,
    examples: examples.map(({ title, code }) => ({ title, code })),
  };
}

/** What every splitter can do, which the reference gives once. */
export const SPLITTER_METHODS = ['split', 'getNSplits'];

const typeRow = (each) => ({
  name: each.name,
  import: importOf({ ...each, typeOnly: true }),
  description: each.description,
});

const functionRow = (each, rows) => ({
  name: each.name,
  spec_name: rows.spelled(each.name),
  import: importOf(each),
  description: each.description,
  ...callOf(each.params, rows),
  returns: each.returns,
});

const fieldRow = ({ name, type, optional, description }, rows) => ({
  name,
  spec_name: rows.spelled(name),
  type,
  ...(optional ? { optional: true } : {}),
  ...(description ? { description } : {}),
});

/** An unbounded end of a range is null, which JSON has. */
const metricRow = ({ name, description, direction, target, range, tasks, needs, combine }) => ({
  name,
  description,
  direction,
  ...(target === undefined ? {} : { target }),
  range: range.map((limit) => (Number.isFinite(limit) ? limit : null)),
  tasks,
  needs,
  combine,
});

export const INSTALL = 'npm i cvkit @tensorflow/tfjs @tensorflow/tfjs-backend-wasm';

const importOf = ({ name, from = 'cvkit', typeOnly = false }) =>
  `import ${typeOnly ? 'type ' : ''}{ ${name} } from '${from}'`;

/** The address that a browser opens. */
const repositoryOf = ({ repository }) => repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

export function inReadingOrder(classes) {
  const rank = ({ name }) => {
    const at = FIRST.indexOf(name);
    return at >= 0 ? at : FIRST.length + (name.endsWith('Error') ? 1 : 0);
  };
  return [...classes].sort((a, b) => rank(a) - rank(b));
}

function classRow(each, rows) {
  const { name, aliases, typeOnly, description, params, fields, methods, hooks } = each;
  return {
    name,
    ...(aliases.length > 0 ? { aliases } : {}),
    import: importOf(each),
    description,
    // What is exported as a type alone is made by the package, never by its users.
    constructor: { params: typeOnly ? [] : callOf(params, rows, { marked: true }).params },
    ...(fields.length > 0 ? { fields: fields.map((field) => fieldRow(field, rows)) } : {}),
    methods: methods.map((method) => methodRow(method, rows, hooks)),
  };
}

function methodRow({ name, description, params, returns }, rows, hooks) {
  return {
    name,
    spec_name: rows.spelled(name),
    description: description || (hooks ? 'Hook of CVCallback; the runner calls it.' : ''),
    ...callOf(params, rows),
    returns,
  };
}

/**
 * Parameters of a call. `keyword_only`: all are properties of one object. `keyword` at a parameter: a property of the object
 * that is the last argument, which is what constructors always say.
 */
function callOf(params, rows, { marked = false } = {}) {
  if (!marked && params.length > 0 && params.every(takesOptions))
    return { keyword_only: true, params: params.flatMap(rows.of) };
  return {
    params: params.flatMap((each) =>
      takesOptions(each) ? rows.of(each).map((row) => ({ ...row, keyword: true })) : rows.of(each),
    ),
  };
}

const isDataset = ({ name }) => /^(load(?!Refitted|Model)|generate)[A-Z]/.test(name);

const splitterRow = ({ name, description, options }, api, rows) => {
  const { aliases } = api.classes.find((each) => each.name === name);
  return {
    name,
    ...(aliases.length > 0 ? { aliases } : {}),
    import: importOf({ name }),
    description,
    params: rows.of({ name: 'options', table: options.owner }).map((row) => ({ ...row, keyword: true })),
  };
};

const takesOptions = ({ table, parts }) => table !== undefined || parts !== undefined;

/** Rows of a parameter: itself, or what its options object may hold. */
function parameterRows({ tables, snakeCase }) {
  const row = ({ name, type, optional, description, ...more }) => ({
    name,
    spec_name: snakeCase(name),
    type,
    ...(optional ? {} : { required: true }),
    ...('default' in more ? { default: more.default } : {}),
    ...(description ? { description } : {}),
  });
  return {
    spelled: snakeCase,
    of({ table, parts, ...itself }) {
      if (parts) return parts.map(row);
      if (table === undefined) return [row(itself)];
      const known = tables.get(table);
      if (!known) throw new Error(`scripts/generate/tables.mjs must list the option table of ${table}`);
      return known.rows();
    },
  };
}
