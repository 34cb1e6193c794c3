/**
 * The checks on real tables: as they are, and with plants. Nobody tunes to these tables: what they show is a reason to take
 * a mechanism away. The folder holds CSV files and `tables.mjs`, which says how `readTable` takes each, which class is
 * positive and whether each row is a patient of its own.
 *
 * node bench/leakage/tables.mjs folder [--only name,name] [--seed 20261128] [--json]
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { DataLeakageChecker, KFold, randomSource, StratifiedGroupKFold, StratifiedKFold } from 'cvkit';
import { readTable } from 'cvkit/node';

/** A whole number below a bound, and all of them in a random order. */
const below = (random, bound) => Math.floor(bound * random.random());
const shuffled = (random, n) =>
  Array.from({ length: n }, (_, row) => [random.random(), row])
    .sort((a, b) => a[0] - b[0])
    .map(([, row]) => row);

const TOLD = ['failed', 'needs_review', 'error'];
/** Rows that stand twice, fewer in a table of less than twice as many. */
const TWICE = 40;

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
  const made = own.map((row) => {
    const apart = (other) => columns.reduce((sum, c) => sum + (unit[c][row] - unit[c][other]) ** 2, 0);
    const near = own
      .filter((other) => other !== row)
      .sort((a, b) => apart(a) - apart(b))
      .slice(0, 5);
    return { row, other: near[below(random, near.length)], share: random.random() };
  });
  const longer = withRows(
    table,
    made.map(({ row }) => row),
  );
  made.forEach(({ row, other, share }, at) => {
    for (const column of columns) {
      longer.X[column][y.length + at] = X[column][row] + share * (X[column][other] - X[column][row]);
    }
  });
  return longer;
}

/** Columns of numbers with 20 different values or more, and none missing. */
const fineColumns = (table) =>
  numeric(table).filter((column) => table.X[column].every(isNumber) && new Set(table.X[column]).size >= 20);

/** By name: where it can be made, the table with it, and the checks of which one must tell. */
export const PLANTS = {
  'rows twice': {
    codes: ['CVL002'],
    of: (table, random) => {
      const count = Math.min(TWICE, table.y.length >> 1);
      return withRows(table, shuffled(random, table.y.length).slice(0, count));
    },
  },
  oversampling: {
    codes: ['CVL002'],
    of: (table) =>
      withRows(
        table,
        [...table.y.keys()].filter((row) => table.y[row] === table.pos),
      ),
  },
  'z-scaling over all rows': {
    codes: ['CVL010'],
    applies: (table) => numeric(table).length >= 3,
    of: (table) => mapColumns(table, numeric(table), scaled),
  },
  'patients on both sides': {
    codes: ['CVL001'],
    applies: ({ groups }) => groups !== undefined && new Set(groups).size < groups.length,
    of: (table, random) => ({ ...table, cv: new KFold({ shuffle: true, randomState: below(random, 1e6) }) }),
  },
  'y with 1 % errors': {
    codes: ['CVL009'],
    of: (table, random) => {
      const copy = table.y.map((label) => Number(label === table.pos));
      const wrong = shuffled(random, copy.length).slice(0, Math.max(1, Math.round(copy.length / 100)));
      for (const row of wrong) copy[row] = 1 - copy[row];
      return { ...table, X: { ...table.X, copied: copy } };
    },
  },
  'SMOTE over all rows': {
    codes: ['CVL010'],
    applies: (table) => fineColumns(table).length >= 3 && table.y.filter((label) => label === table.pos).length > 10,
    of: (table, random) => interpolated(filled(table), random),
  },
};

/** What every table shows as it is and with each plant that can be made of it. */
export async function* results(folder, { only, seed = 20261128 } = {}) {
  const { tables } = await import(pathToFileURL(resolve(folder, 'tables.mjs')).href);
  for (const described of tables) {
    if (only && !only.split(',').includes(described.name)) continue;
    const table = await tableOf(folder, described);
    const clean = await checksOf(table, seed);
    const told = Object.values(clean).filter(({ status }) => TOLD.includes(status));
    const plants = {};
    for (const [name, { codes, applies = () => true, of }] of Object.entries(PLANTS)) {
      if (!applies(table)) continue;
      const random = randomSource(seed);
      const checks = await checksOf(of(table, random), seed);
      const statuses = codes.map((code) => checks[code].status);
      plants[name] = { found: statuses.some((status) => TOLD.includes(status)), statuses };
    }
    yield { name: table.name, rows: table.y.length, told, plants };
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, seed: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const { only, seed } = values;
  const all = [];
  for await (const result of results(positionals[0] ?? '.', { only, ...(seed ? { seed: Number(seed) } : {}) })) {
    all.push(result);
    if (values.json) continue;
    console.log(`${result.name} (${result.rows} rows)`);
    for (const { code, type, status, message } of result.told)
      console.log(`  as it is: ${code} ${type} ${status}: ${message}`);
    for (const [plant, { found, statuses }] of Object.entries(result.plants)) {
      console.log(`  ${plant}: ${found ? 'found' : `NOT FOUND (${statuses.join(', ')})`}`);
    }
  }
  if (values.json) console.log(JSON.stringify(all, null, 2));
  else {
    for (const plant of Object.keys(PLANTS)) {
      const made = all.filter(({ plants }) => plants[plant]);
      console.log(`${plant}: ${made.filter(({ plants }) => plants[plant].found).length} of ${made.length}`);
    }
    console.log(`clean: ${all.filter(({ told }) => told.length > 0).length} of ${all.length} tables told`);
  }
}
