/**
 * The checks on real tables: as they are, and with plants. What they show is a reason to take a mechanism away, and none to
 * add one. The folder holds CSV files and `tables.mjs`, which says how `readTable` takes each, which class is
 * positive and whether each row is a patient of its own.
 *
 * node bench/leakage/tables.mjs folder [--only name,name] [--seed 20261128] [--json] [--write]
 *
 * `--write` puts what all tables show into the data file.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { DataLeakageChecker, KFold, randomSource, StratifiedGroupKFold, StratifiedKFold } from 'cvkit';
import { readTable } from 'cvkit/node';
import { writeParts } from './dataFile.mjs';

/** A whole number below a bound, and all of them in a random order. */
const below = (random, bound) => Math.floor(bound * random.random());
const shuffled = (random, n) =>
  Array.from({ length: n }, (_, row) => [random.random(), row])
    .sort((a, b) => a[0] - b[0])
    .map(([, row]) => row);

const FINDINGS = ['failed', 'needs_review', 'error'];
/** Rows that stand twice, fewer in a table of less than twice as many. */
const TWICE = 40;
const SEED = '20261128';

/** A table as columns of plain lists, with folds that keep patients whole. */
export async function tableOf(folder, { name, read, indep, pos }) {
  const { X, y, groups, hierarchy } = await readTable(join(folder, `${name}.csv`), read);
  const ids = groups && Array.from(groups);
  return {
    name,
    X: Object.fromEntries(Object.entries(X).map(([column, values]) => [column, Array.from(values)])),
    y: Array.from(y),
    pos,
    ...(ids ? { groups: ids } : {}),
    ...(hierarchy ? { hierarchy } : {}),
    ...(indep ? { independentRows: true } : {}),
  };
}

/** The results of the checks on a table, by code. */
export async function checksOf({ X, y, cv, groups, hierarchy, independentRows }, seed) {
  const repeated = groups !== undefined && new Set(groups).size < groups.length;
  const folds = repeated
    ? new StratifiedGroupKFold({ randomState: seed })
    : new StratifiedKFold({ shuffle: true, randomState: seed });
  const report = await new DataLeakageChecker({ verbose: false }).check(X, y, {
    cv: cv ?? folds,
    ...(groups ? { groups } : {}),
    ...(hierarchy ? { hierarchy } : {}),
    ...(independentRows ? { independentRows } : {}),
  });
  return Object.fromEntries(report.checks.map((check) => [check.code, check]));
}

/** The table with some rows once more; each copy is called another patient. */
function withRows({ X, y, groups, hierarchy, ...rest }, copies) {
  const rows = [...y.keys(), ...copies];
  const taken = (values) => rows.map((row) => values[row]);
  const ids = groups && rows.map((row, at) => (at < y.length ? `${groups[row]}` : `copy ${at}`));
  return {
    ...rest,
    X: Object.fromEntries(Object.entries(X).map(([column, values]) => [column, taken(values)])),
    y: taken(y),
    ...(ids ? { groups: ids } : {}),
    ...(hierarchy
      ? { hierarchy: Object.fromEntries(Object.entries(hierarchy).map(([level, of]) => [level, taken(of)])) }
      : {}),
  };
}

const numeric = ({ X }) =>
  Object.keys(X).filter((column) => X[column].every((value) => value === null || typeof value === 'number'));
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const mapColumns = (table, columns, change) => ({
  ...table,
  X: { ...table.X, ...Object.fromEntries(columns.map((column) => [column, change(table.X[column])])) },
});

function scaled(values) {
  const known = values.filter(isNumber);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const sd = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length);
  return values.map((value) => (isNumber(value) && sd > 0 ? (value - mean) / sd : value));
}

/** Missing numbers as the median of the column, which SMOTE needs. */
const filled = (table) =>
  mapColumns(table, numeric(table), (values) => {
    const known = values.filter(isNumber).sort((a, b) => a - b);
    return values.map((value) => (isNumber(value) ? value : known[known.length >> 1]));
  });

/** Rows of the positive class between two neighbours of it, as many as it has. */
function interpolated(table, random) {
  const { X, y, pos } = table;
  const columns = numeric(table);
  const own = [...y.keys()].filter((row) => y[row] === pos);
  const unit = Object.fromEntries(columns.map((column) => [column, scaled(X[column])]));
  const pairs = own.map((row) => {
    const distance = (other) => columns.reduce((sum, c) => sum + (unit[c][row] - unit[c][other]) ** 2, 0);
    const near = own
      .filter((other) => other !== row)
      .sort((a, b) => distance(a) - distance(b))
      .slice(0, 5);
    return { row, other: near[below(random, near.length)], share: random.random() };
  });
  const longer = withRows(
    table,
    pairs.map(({ row }) => row),
  );
  pairs.forEach(({ row, other, share }, at) => {
    for (const column of columns) {
      longer.X[column][y.length + at] = X[column][row] + share * (X[column][other] - X[column][row]);
    }
  });
  return longer;
}

/** Columns of numbers with 20 different values or more, and none missing. */
const fineColumns = (table) =>
  numeric(table).filter((column) => table.X[column].every(isNumber) && new Set(table.X[column]).size >= 20);

/** By name: where it can be put in, the table with it, and the check that must find it. */
export const PLANTS = {
  'rows twice': {
    code: 'CVL002',
    of: (table, random) => {
      const count = Math.min(TWICE, table.y.length >> 1);
      return withRows(table, shuffled(random, table.y.length).slice(0, count));
    },
  },
  oversampling: {
    code: 'CVL002',
    of: (table) =>
      withRows(
        table,
        [...table.y.keys()].filter((row) => table.y[row] === table.pos),
      ),
  },
  'z-scaling over all rows': {
    code: 'CVL010',
    applies: (table) => numeric(table).length >= 3,
    of: (table) => mapColumns(table, numeric(table), scaled),
  },
  'patients on both sides': {
    code: 'CVL001',
    applies: ({ groups }) => groups !== undefined && new Set(groups).size < groups.length,
    of: (table, random) => ({ ...table, cv: new KFold({ shuffle: true, randomState: below(random, 1e6) }) }),
  },
  'y with 1 % errors': {
    code: 'CVL009',
    of: (table, random) => {
      const copy = table.y.map((label) => Number(label === table.pos));
      const wrong = shuffled(random, copy.length).slice(0, Math.max(1, Math.round(copy.length / 100)));
      for (const row of wrong) copy[row] = 1 - copy[row];
      return { ...table, X: { ...table.X, copied: copy } };
    },
  },
  'SMOTE over all rows': {
    code: 'CVL010',
    applies: (table) => fineColumns(table).length >= 3 && table.y.filter((label) => label === table.pos).length > 10,
    of: (table, random) => interpolated(filled(table), random),
  },
};

/** How many rows agree in all features with a row of another patient: of them no one can say that they are copies. */
function agreeing({ X, y, groups }) {
  const patients = new Map();
  const keys = y.map((_, row) => JSON.stringify(Object.values(X).map((values) => values[row])));
  for (const [row, key] of keys.entries()) {
    patients.set(key, (patients.get(key) ?? new Set()).add(groups ? groups[row] : row));
  }
  return keys.filter((key) => patients.get(key).size > 1).length;
}

/** Rows of the data file: every table as it is, and each plant that can be put into it. */
export async function* results(folder, { only, seed = SEED } = {}) {
  const { tables } = await import(pathToFileURL(resolve(folder, 'tables.mjs')).href);
  for (const described of tables) {
    if (only && !only.split(',').includes(described.name)) continue;
    const table = await tableOf(folder, described);
    const { name } = table;
    const findings = Object.values(await checksOf(table, seed)).filter(({ status }) => FINDINGS.includes(status));
    const plants = [];
    for (const [plant, { code, applies = () => true, of }] of Object.entries(PLANTS)) {
      if (!applies(table)) continue;
      const { status } = (await checksOf(of(table, randomSource(seed)), seed))[code];
      plants.push({ table: name, plant, check: code, found: FINDINGS.includes(status), status });
    }
    const features = Object.keys(table.X).length;
    yield { table: { table: name, rows: table.y.length, features, agreeing: agreeing(table), findings }, plants };
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const flag = { type: 'boolean', default: false };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, seed: { type: 'string', default: SEED }, json: flag, write: flag },
  });
  const { only, json, write } = values;
  const seed = Number(values.seed);
  const all = [];
  for await (const result of results(positionals[0] ?? '.', { only, seed })) {
    all.push(result);
    if (json) continue;
    const { table, plants } = result;
    console.log(`${table.table} (${table.rows} rows)`);
    for (const { code, type, status, message } of table.findings)
      console.log(`  as it is: ${code} ${type} ${status}: ${message}`);
    for (const { plant, found, status } of plants)
      console.log(`  ${plant}: ${found ? 'found' : `NOT FOUND (${status})`}`);
  }
  const plants = all.flatMap((each) => each.plants);
  if (json) console.log(JSON.stringify(all, null, 2));
  else {
    for (const name of Object.keys(PLANTS)) {
      const alike = plants.filter(({ plant }) => plant === name);
      console.log(`${name}: ${alike.filter(({ found }) => found).length} of ${alike.length}`);
    }
    console.log(
      `as they are: findings in ${all.filter(({ table }) => table.findings.length > 0).length} of ${all.length} tables`,
    );
  }
  if (write && !only) {
    const records = all.map(({ table: { findings, ...facts } }) => ({
      ...facts,
      findings: findings.map(({ code, status, message }) => `${code} ${status}: ${message}`),
    }));
    writeParts({ tables: { seed, records }, plants: { seed, records: plants } });
  }
}
