/** A case of the suite as plain columns, side data and folds, for rules in other languages. */
import { KFold } from 'cvkit';

/** Rules see no more folds than this of a case: leaving one out gives a thousand. */
const FOLDS = 10;

/**
 * `{ code, columns, shape?, y, side, folds, processed? }` of a case of `scenario`. Pictures and signals have one column
 * per value, and the `shape` of one of them. Missing is null, a date its milliseconds.
 */
export function caseFor({ check }, { X, y, processed, splitIndices, ...rest }) {
  const { groups, timestamps, coordinates, hierarchy } = rest;
  const { rows, names, shape } = tableOf(X);
  const columns = Object.fromEntries(names.map((name, at) => [name, rows.map((row) => plain(row[at]))]));
  return {
    code: check,
    columns,
    ...(shape ? { shape } : {}),
    y: y == null ? null : Array.from(y, plain),
    side: { groups: one(groups), timestamps: one(timestamps), coordinates: one(coordinates), ...levelsOf(hierarchy) },
    folds: splitIndices ? [pairOf(splitIndices)] : foldsOf(X, y, rest),
    ...(processed ? { processed: tableOf(processed).rows.map((row) => Array.from(row, plain)) } : {}),
  };
}

function foldsOf(X, y, { cv = new KFold(), groups, timestamps, coordinates, hierarchy }) {
  const side = Object.entries({ groups, timestamps, coordinates, hierarchy }).filter(([, values]) => values != null);
  const found = [];
  for (const fold of cv.split(X, y ?? null, Object.fromEntries(side))) {
    found.push(pairOf(fold));
    if (found.length === FOLDS) break;
  }
  return found;
}

const pairOf = (fold) => [Array.from(fold.train ?? fold[0]), Array.from(fold.test ?? fold[1])];

/** Rows of flat values, whatever X is: arrays, records, nested arrays, typed rows, or `{ data, shape }`. */
function tableOf(X) {
  if (X.data && X.shape) {
    const [n, ...shape] = X.shape;
    const size = shape.reduce((product, length) => product * length, 1);
    const rows = Array.from({ length: n }, (_, row) => X.data.subarray(row * size, (row + 1) * size));
    return { rows, names: numbered(size), ...(shape.length > 1 ? { shape } : {}) };
  }
  const [first] = X;
  if (!Array.isArray(first) && !ArrayBuffer.isView(first)) {
    if (typeof first !== 'object' || first === null) return { rows: Array.from(X, (value) => [value]), names: ['0'] };
    const names = [...new Set(X.flatMap((row) => Object.keys(row)))];
    return { rows: X.map((row) => names.map((name) => row[name])), names };
  }
  const shape = shapeOf(first);
  const rows = shape.length > 1 ? X.map((row) => row.flat(Infinity)) : X;
  return { rows, names: numbered(rows[0].length), ...(shape.length > 1 ? { shape } : {}) };
}

const shapeOf = (value) =>
  Array.isArray(value) ? [value.length, ...shapeOf(value[0])] : ArrayBuffer.isView(value) ? [value.length] : [];
const numbered = (length) => Array.from({ length }, (_, at) => String(at));

/** Values that JSON holds, and that stay what they are. */
function plain(value) {
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, plain);
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') return String(value);
  return value === undefined || Number.isNaN(value) ? null : value;
}

function one(values) {
  if (values == null) return null;
  return Array.from(values, (value) => plain(typeof value === 'string' && isTime(value) ? new Date(value) : value));
}

const isTime = (text) => /^\d{4}-\d\d-\d\d([T ]|$)/.test(text);

/** The widest level, and what it holds: what a check of nested groups is asked about. */
function levelsOf(hierarchy) {
  const levels = Object.values(hierarchy ?? {});
  return { top: one(levels[0]), patients: one(levels[1] ?? levels[0]) };
}
