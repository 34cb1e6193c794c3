/** What filling of missing cells, and coding by the label, over given rows leave: a value that is a mean of the other rows. */
import { lowerBound } from '../../core/lowerBound.js';
import { gather, type Labels } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { decimalStep } from '../features/decimalStep.js';
import { targetOf } from './labelSteps.js';
import { isSingle, SAME } from './precision.js';

/** Steps whose trace is looked for, as `checkPreprocessing` names them. */
export type Filling = 'impute:mean' | 'impute:median' | 'impute:class-mean' | 'target:mean';

/** A column with the value that fills it; of codes by the label there is no one value. */
export interface FilledColumn {
  readonly column: Column;
  readonly value: number | null;
  /** Rows that hold it, or codes. */
  readonly rows: number;
}

export interface FillingTrace {
  readonly filling: Filling;
  readonly found: readonly FilledColumn[];
  /** Whether all of them are so over these rows, too. */
  borneBy(rows: Int32Array): boolean;
}

/** So many rows must hold another value. */
const LEAST_OTHERS = 8;
/** A value that no other repeats need be there twice only; else so many times as often as any other, and thrice. */
const TIMES = 2;
/** A rounded mean must have two decimals more than the others. */
const FINER = 1 / 50;
/** Of values of no more than three decimals. */
const SHORT = 1e-3;
/** Columns of fewer levels, or of more than a quarter of the rows, say nothing of codes by the label or of a middle. */
const LEAST_LEVELS = 3;
const ROWS_PER_LEVEL = 4;
/** A value that repeats alone is in the middle by chance in some columns: two must have it there, and nearly all that have one. */
const LEAST_BALANCED = 2;
const SHARE_BALANCED = 0.8;

/** The first trace that is found: a mean of all rows is not taken for that of a class. */
export function fillingOf(given: readonly Column[], y: Labels | undefined): FillingTrace | undefined {
  // What was filled in repeats.
  const columns = given.filter((column) => columnRanks(column).distinct < columnRanks(column).order.length);
  const target = targetOf(y);
  const all = seenIn(
    Int32Array.from({ length: columns[0]?.values.length ?? 0 }, (_, row) => row),
    y,
  );
  const looks: readonly [Filling, Look][] = [
    ['target:mean', ({ values }, { rows }) => (target ? coded(values, target, rows) : undefined)],
    ['impute:mean', (column, { rows }) => filledByMean(valuesAt(column, rows))],
    ['impute:class-mean', filledByClass],
    ['impute:median', (column, { rows }) => filledByMedian(valuesAt(column, rows), true)],
    ['impute:median', (column, { rows }) => filledByMedian(valuesAt(column, rows), false)],
  ];
  for (const [at, [filling, look]] of looks.entries()) {
    const found = columns.flatMap((column) => {
      const filled = look(column, all);
      return filled ? [{ column, ...filled }] : [];
    });
    const isWeak = at === looks.length - 1;
    if (found.length < (isWeak ? LEAST_BALANCED : 1)) continue;
    if (isWeak && found.length < SHARE_BALANCED * columns.filter(repeatsOne).length) continue;
    const borneBy = (rows: Int32Array) => {
      const seen = seenIn(rows, y);
      return found.every(({ column }) => look(column, seen) !== undefined);
    };
    return { filling, found, borneBy };
  }
  return undefined;
}

/** Rows that are looked at, and the same by class. */
interface Seen {
  readonly rows: Int32Array;
  readonly byClass: readonly Int32Array[];
}

function seenIn(rows: Int32Array, y: Labels | undefined): Seen {
  const codes = y?.codes ?? new Int32Array();
  const classes = codes.length > 0 ? (y?.classes ?? []) : [];
  return { rows, byClass: classes.map((_, code) => rows.filter((row) => codes[row] === code)) };
}

type Filled = Pick<FilledColumn, 'value' | 'rows'> | undefined;
type Look = (column: Column, seen: Seen) => Filled;

/** All rows are the column itself, which may be sorted already. */
const valuesAt = ({ values }: Column, rows: Int32Array) =>
  rows.length === values.length ? values : gather(values, rows);

/** A mean does not change when missing cells are filled with it: a value that is the mean of all is that of the others. */
function filledByMean(values: Float64Array): Filled {
  let [n, sum, size] = [0, 0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    n++;
    sum += value;
    size = Math.max(size, Math.abs(value));
  }
  const mean = sum / n;
  let [nearest, count] = [Infinity, 0];
  for (const value of values) {
    if (value === nearest) count++;
    else if (Math.abs(value - mean) < Math.abs(nearest - mean)) [nearest, count] = [value, 1];
  }
  const apart = Math.abs(nearest - mean);
  const own = decimalStep(Float64Array.of(nearest));
  const could = apart <= Math.max(own / 2, SAME.single * size);
  if (!could || count < 2 || n - count < LEAST_OTHERS) return undefined;
  // As fine as the others, it is a value like any other: seen in the first rows, mostly.
  if (own >= SHORT && values.some((value) => value !== nearest && !isMultiple(value, own / FINER))) return undefined;
  const others = values.filter((value) => value !== nearest);
  const exact = (isSingle(values) ? SAME.single : SAME.double) * size;
  const step = decimalStep(others);
  if (step > 0) {
    const isOffGrid = own < step * FINER;
    return isOffGrid && apart <= Math.max(own / 2, exact) ? { value: nearest, rows: count } : undefined;
  }
  return apart <= exact && isCommonest(count, others) ? { value: nearest, rows: count } : undefined;
}

const isMultiple = (value: number, step: number) =>
  Number.isNaN(value) || Math.abs(value / step - Math.round(value / step)) < 1e-9;

/** The others hardly repeat, so that a value that does is no measurement. */
function isCommonest(count: number, others: Float64Array): boolean {
  const next = mostRepeats(others);
  return next === 1 ? count >= 2 : count >= 3 && count >= TIMES * next;
}

/** One value is there thrice or more, and no other twice. */
function repeatsOne({ values }: Pick<Column, 'values'>): boolean {
  const { order } = columnRanks({ values });
  let [runs, run, most] = [0, 1, 1];
  for (let at = 1; at < order.length; at++) {
    run = values[order[at]] === values[order[at - 1]] ? run + 1 : 1;
    if (run === 2) runs++;
    most = Math.max(most, run);
  }
  return runs === 1 && most >= 3;
}

function mostRepeats(values: Float64Array): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  let [most, run] = [0, 0];
  for (let at = 0; at < sorted.length; at++) {
    run = at > 0 && sorted[at] === sorted[at - 1] ? run + 1 : 1;
    most = Math.max(most, run);
  }
  return most;
}

/**
 * A value with as many rows below as above. `between`: it lies half way between its neighbours, which no measurement does
 * again and again; else it is among values that never repeat, which a single column may have by chance.
 */
function filledByMedian(values: Float64Array, between: boolean): Filled {
  const { order } = columnRanks({ values });
  const value = values[order[order.length >> 1]];
  // Changes of many are 0, which is in their middle.
  if (value === 0 || values[order[(order.length - 1) >> 1]] !== value) return undefined;
  const sorted = gather(values, order);
  const first = lowerBound(sorted, value);
  let last = first;
  while (sorted[last + 1] === value) last++;
  const rows = last - first + 1;
  if (rows < 2 || first !== order.length - 1 - last || first * 2 < LEAST_OTHERS) return undefined;
  if (!between) return repeatsOne({ values }) ? { value, rows } : undefined;
  const [below, above] = [sorted[first - 1], sorted[last + 1]];
  const exact = (isSingle(values) ? SAME.single : SAME.double) * Math.abs(value);
  if (Math.abs((below + above) / 2 - value) > exact) return undefined;
  const others = values.filter((each) => each !== value);
  const step = decimalStep(others);
  if (new Set(others).size < LEAST_LEVELS) return undefined;
  const isNoMeasurement = step > 0 ? decimalStep(Float64Array.of(value)) < step : isCommonest(rows, others);
  return isNoMeasurement ? { value, rows } : undefined;
}

/** Some class has a value that is the mean of its other rows. */
function filledByClass(column: Column, { byClass }: Seen): Filled {
  for (const ofClass of byClass) {
    const filled = filledByMean(gather(column.values, ofClass));
    if (filled) return filled;
  }
  return undefined;
}

/** Each level is the mean of the label in its own rows. */
function coded(values: Float64Array, target: ArrayLike<number>, rows: Int32Array): Filled {
  const sums = new Map<number, { count: number; sum: number }>();
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    const value = values[row];
    if (Number.isNaN(value)) continue;
    const level = sums.get(value);
    if (level) {
      level.count++;
      level.sum += target[row];
    } else if ((sums.size + 1) * ROWS_PER_LEVEL > rows.length) return undefined;
    else sums.set(value, { count: 1, sum: target[row] });
  }
  if (sums.size < LEAST_LEVELS || sums.size * ROWS_PER_LEVEL > rows.length) return undefined;
  // Of two classes, either may be the one that counts.
  const isBinary = Array.from(rows).every((row) => target[row] === 0 || target[row] === 1);
  const is = (flipped: boolean) =>
    Array.from(sums).every(([value, { count, sum }]) => {
      const mean = flipped ? 1 - sum / count : sum / count;
      return Math.abs(mean - value) <= SAME.single * Math.max(1, Math.abs(mean));
    });
  return is(false) || (isBinary && is(true)) ? { value: null, rows: rows.length } : undefined;
}
