/** Writes api-schema.json: what a program may know about the package without reading its types. */

/** Classes that a reader looks for first; the others follow in the order of src/index.ts, errors last. */
const FIRST = ['CVKitValidator', 'UniversalCVRunner', 'ValidationResult', 'CVResults'];
const FAMILIES = ['iid', 'grouped', 'temporal', 'spatial', 'multilabel'];

export function apiSchema({ api, tables, pkg, examples }) {
  const rows = parameterRows(tables);
  const splitterNames = new Set(tables.splitters.map(({ name }) => name));
  const classes = api.classes.filter(({ name }) => !splitterNames.has(name));
  return {
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
    datasets: api.functions.filter(isDataset).map((each) => ({
      name: each.name,
      import: importOf(each),
      description: each.description,
    })),
    examples: examples.map(({ title, code }) => ({ title, code })),
  };
}

export const INSTALL = 'npm i cvkit @tensorflow/tfjs @tensorflow/tfjs-backend-wasm';

const importOf = ({ name, from = 'cvkit', typeOnly = false }) =>
  `import ${typeOnly ? 'type ' : ''}{ ${name} } from '${from}'`;

const repositoryOf = ({ repository }) => (typeof repository === 'string' ? repository : (repository?.url ?? ''));

export function inReadingOrder(classes) {
  const rank = ({ name }) => {
    const at = FIRST.indexOf(name);
    return at >= 0 ? at : FIRST.length + (name.endsWith('Error') ? 1 : 0);
  };
  return [...classes].sort((a, b) => rank(a) - rank(b));
}

function classRow(each, rows) {
  const { name, aliases, typeOnly, description, params, methods, hooks } = each;
  return {
    name,
    ...(aliases.length > 0 ? { aliases } : {}),
    import: importOf(each),
    description,
    // What is exported as a type alone is made by the package, never by its users.
    constructor: { params: typeOnly ? [] : params.flatMap(rows.of) },
    methods: methods.map((method) => methodRow(method, rows, hooks)),
  };
}

function methodRow({ name, description, params, returns }, rows, hooks) {
  return {
    name,
    spec_name: rows.spelled(name),
    description: description || (hooks ? 'Hook of CVCallback; the runner calls it.' : ''),
    ...(params.some(takesOptions) ? { keyword_only: true } : {}),
    params: params.flatMap(rows.of),
    returns,
  };
}

const isDataset = ({ name }) => /^(load(?!Refitted)|generate)[A-Z]/.test(name);

const splitterRow = ({ name, description, options }, api, rows) => {
  const { aliases } = api.classes.find((each) => each.name === name);
  return {
    name,
    ...(aliases.length > 0 ? { aliases } : {}),
    import: importOf({ name }),
    description,
    params: rows.of({ name: 'options', table: options.owner }),
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
