/** One view over every kind of `y`. */

import { InvalidDataError, kindOf, phrase, sentence, show } from '../core/errors.js';
import { oneOf } from '../core/options.js';
import { nest, product, takeDense } from './dense.js';
import { encode, encodeIntegers, type Label, tally } from './encode.js';
import { labelValues } from './labelValues.js';
import { mapRows } from './lists.js';
import { type TimedFacts, type TimedLabel, timedColumns } from './timedLabels.js';

export type { Label } from './encode.js';
export type { TimedLabel } from './timedLabels.js';
export type Task = 'binary' | 'multiclass' | 'multilabel' | 'regression' | 'survival';
/** What the `task` option accepts: `classification` leaves binary or multiclass to the number of classes. */
export type TaskOption = Task | 'classification';
/** The option `task`: what `y` is, where its values do not say it. */
export const taskOption = () =>
  oneOf('binary', 'multiclass', 'multilabel', 'regression', 'survival', 'classification')
    .optional()
    .describe('Overrides the task read from y.');

/** Every kind of `y`. */
// biome-ignore lint/suspicious/noExplicitAny: columns of data frames are recognised by shape
export type LabelsInput = ArrayLike<any> | object;

/** `y` as it was read: the task, its classes and the code of each row. */
export interface Labels {
  readonly length: number;
  readonly task: Task;
  /** Why that task: one clause for the summary. */
  readonly why: string;
  /** Three different integers or more, read as classes although no `task` was given: they may be a measurement. */
  readonly guessed?: boolean;
  /** Masks: shape of the mask of one row, for example `[64, 64]`. Undefined for any other `y`. */
  readonly shape?: readonly number[];
  /**
   * Classes in ascending order (multilabel: the label columns 0 ... L-1; masks: the pixels). Survival: the times at which
   * survival is predicted, once they are known. Regression: places 0 ... k-1 of several targets; empty for one.
   */
  readonly classes: readonly Label[];
  /** Binary: index of the positive class in `classes`, once it is known (see `withPositive`). Survival: the cause of interest. */
  readonly positive?: number;
  /** Binary and multiclass: index into `classes` per row. Survival: events, 0 for censored. Empty otherwise. */
  readonly codes: Int32Array;
  /** Regression: the numbers, of several targets row-major `[n, classes.length]`. Survival: the times. Empty otherwise. */
  readonly numbers: Float64Array;
  /** Multilabel and masks: 0/1, row-major `[n, classes.length]`. Empty otherwise. */
  readonly indicators: Uint8Array;
  /** Survival, once it is known. */
  readonly timed?: TimedFacts;
  /** Masks in a run. */
  readonly masks?: MaskFacts;
  /** A number that the rows of one patient share: of masks in a run, and where `aggregate` is. */
  readonly patients?: Int32Array;
  /** Of a run that scores patients beside rows: what makes one prediction of those of a patient. */
  readonly aggregate?: Aggregate;
  take(indices: Int32Array): Labels;
  /** A fresh list of labels as the caller wrote them: labels, numbers, rows of 0/1, (nested) masks, { time, event }. */
  toArray(): (Label | number[] | TimedLabel)[];
}

/** From the predictions of the rows of one patient to one of the patient. */
export type Aggregate = 'mean' | 'max' | ((rows: number[]) => number);

/** What distances between masks need. */
export interface MaskFacts {
  /** Classes, each a channel: the last axis of the masks. 1 where they have no such axis. */
  readonly channels: number;
  /** Row-major `[n, axes]`: the distance between neighbours along each axis. */
  readonly spacing: Float64Array;
  /** How far a surface may be off, in the unit of the spacing. */
  readonly tolerance: number;
}

/** At most this many distinct integers are read as classes rather than as a measurement. */
const MAX_CLASSES = 20;

/** The view over `y`. Throws {@link InvalidDataError} for NaN, Infinity, missing or mixed values. */
export function labelsOf(y: unknown, { task, name = 'y' }: { task?: TaskOption; name?: string } = {}): Labels {
  if (isLabels(y)) {
    if (fits(y.task, task)) return y;
    if (task !== 'multilabel') return labelsOf(y.toArray(), { task, name });
    const got = phrase(`one class per row (read as ${y.task}: ${y.why})`);
    throw new InvalidDataError(sentence(name, 'have several labels per row', got, "Pass `task: 'multilabel'`."));
  }
  const outcomes = task === undefined || task === 'survival' ? timedColumns(y, task !== undefined, name) : undefined;
  if (outcomes) {
    const why = task ? 'as `task` says' : `${name} has a time and an event per row`;
    return labelsFrom({ ...NONE, task: 'survival', why, classes: [], ...outcomes });
  }
  const { values, shape } = labelValues(y, name);
  if (values.length === 0) throw new InvalidDataError(sentence(name, 'have at least one value', phrase('none')));
  const width = product(shape);
  if (shape.length > 1 && width > 1) return maskLabels(values, shape, task, name);
  return width === 1 ? flatLabels(values, task, name) : wideLabels(values as ArrayLike<number>, width, task, name);
}

const fits = (found: Task, task: TaskOption | undefined): boolean =>
  task === undefined || task === found || (task === 'classification' && (found === 'binary' || found === 'multiclass'));

export const isLabels = (y: unknown): y is Labels =>
  typeof y === 'object' && y !== null && 'indicators' in y && typeof (y as Labels).toArray === 'function';

function flatLabels(values: ArrayLike<unknown>, task: TaskOption | undefined, name: string): Labels {
  const kind = labelKind(values, name);
  if (task === 'multilabel') {
    throw new InvalidDataError(sentence(`${name} of a multilabel task`, 'be rows of 0 and 1', phrase('single values')));
  }
  if (task === 'regression' && kind !== 'number') {
    throw new InvalidDataError(sentence(`${name} of a regression`, 'be numbers', kindOf(values[0])));
  }
  const table = task === 'regression' ? undefined : classesIn(values as ArrayLike<Label>, kind, task !== undefined);
  if (!table) {
    const why = task ? 'as `task` says' : `${name} has numbers that are not at most ${MAX_CLASSES} distinct integers`;
    const numbers = Float64Array.from(values as number[]);
    return labelsFrom({ ...NONE, task: 'regression', why, classes: [], numbers });
  }
  const { classes, codes } = table;
  const several = classes.length > 2;
  if (task === 'binary' && several) {
    const subject = `${name} of a binary task`;
    throw new InvalidDataError(sentence(subject, 'have two classes', phrase(String(classes.length))));
  }
  const why = task ? 'as `task` says' : `${name} has ${classes.length} distinct ${KINDS[kind]}`;
  const found = task === 'multiclass' || several ? 'multiclass' : 'binary';
  const guessed = task === undefined && several && kind === 'number';
  return labelsFrom({ ...NONE, task: found, why, guessed, classes, codes });
}

const KINDS = { number: 'integers', string: 'strings', boolean: 'booleans' };
export const writtenShape = (shape: readonly number[] | undefined) =>
  shape ? `masks of ${shape.join(' x ')}` : 'one list of 0 and 1 per row';

/** Fewer classes than this are never taken for ids by their number alone. */
const LEAST_IDS = 5;
/** More texts are not named where the rows of each are not known. */
const MOST_NAMED = 10;
/** Rows of a class, on average, up to which it may be a patient. */
const ROWS_OF_ONE = 5;
/** Rows of a text from which it is a class whatever it says: fewer may be those of one patient. */
const LEAST_ROWS = 3;
/** Numbers of records, dates and telephones: four digits in a row, or six in all. */
const LIKE_ID = /\d{4}|(?:\d\D*){6}/;

/** Classes as messages print them, known once their rows are counted: a fold may hold one row of a class, or none. */
const PRINTED = new WeakMap<readonly Label[], readonly Label[]>();

/** Decides how messages print these classes, by the rows that each has in all of `y`. */
export function countClasses<T extends readonly Label[]>(classes: T, rows: () => ArrayLike<number>): T {
  if (!PRINTED.has(classes)) PRINTED.set(Object.freeze(classes), printed(classes, rows()));
  return classes;
}

function printed(classes: readonly Label[], rows?: ArrayLike<number>): readonly Label[] {
  const isText = typeof classes[0] === 'string';
  const n = rows ? Array.from(rows).reduce((sum, each) => sum + each, 0) : Infinity;
  const isList =
    (isText && classes.length > (rows ? MAX_CLASSES : MOST_NAMED)) ||
    (classes.length >= LEAST_IDS && ROWS_OF_ONE * classes.length >= n);
  // One letter is no name, two texts are an event and its absence, and a text without rows was named as a class by the author.
  const isRare = (label: Label, code: number) =>
    isText &&
    classes.length > 2 &&
    rows !== undefined &&
    rows[code] > 0 &&
    rows[code] < LEAST_ROWS &&
    String(label).length > 1;
  const isOne = (label: Label, code: number) => isList || isRare(label, code) || LIKE_ID.test(String(label));
  return classes.some(isOne) ? classes.map((label, code) => (isOne(label, code) ? `number ${code}` : label)) : classes;
}

/** `number 7` in the place of what may be names or ids of patients. This decides for all that is printed. */
export const printable = (classes: readonly Label[]): readonly Label[] => PRINTED.get(classes) ?? printed(classes);

export function classText(classes: readonly Label[], code: number): string {
  const text = printable(classes)[code];
  return text === classes[code] ? show(text) : String(text);
}

export function listed(classes: readonly Label[], codes: readonly number[] = [...classes.keys()]): string {
  const names = codes.slice(0, 6).map((code) => classText(classes, code));
  if (codes.length > 6 && names.every((name, at) => name === `number ${codes[at]}`)) {
    return `(${codes.length} different ${typeof classes[0] === 'string' ? 'texts' : 'values'})`;
  }
  return names.join(', ') + (codes.length > 6 ? ` and ${codes.length - 6} more` : '');
}

type Kind = keyof typeof KINDS;

function labelKind(values: ArrayLike<unknown>, name: string): Kind {
  const kind = typeof values[0] as Kind;
  if (isIntegerArray(values)) return kind;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    const fits = typeof value === kind && (kind === 'number' ? Number.isFinite(value) : kind in KINDS);
    if (!fits) throw badLabel(value, row, kind, name);
  }
  return kind;
}

/** Typed arrays that can hold whole numbers alone, and so need no look for NaN or fractions. */
const isIntegerArray = (values: unknown) =>
  ArrayBuffer.isView(values) && !(values instanceof Float64Array || values instanceof Float32Array);

function badLabel(value: unknown, row: number, kind: Kind, name: string): InvalidDataError {
  const where = `${name} row ${row}`;
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const must = 'be a finite number';
    return new InvalidDataError(sentence(where, must, value, 'Leave that row out.'), { code: 'not_finite' });
  }
  if (value === null || !((typeof value) in KINDS)) {
    return new InvalidDataError(sentence(where, 'be a number, a string or a boolean', kindOf(value)));
  }
  return new InvalidDataError(sentence(where, `be a ${kind}, as row 0 is`, kindOf(value)));
}

/** Undefined for numbers that look like a measurement, where no `task` says that they are classes. */
function classesIn(values: ArrayLike<Label>, kind: Kind, named: boolean): ReturnType<typeof encode<Label>> | undefined {
  if (kind !== 'number' || named) return encode(values);
  const table = encodeIntegers(values);
  if (table) return table.classes.length <= MAX_CLASSES ? table : undefined;
  return areFewIntegers(values as ArrayLike<number>) ? encode(values) : undefined;
}

function areFewIntegers(values: ArrayLike<number>): boolean {
  const distinct = new Set<number>();
  return Array.prototype.every.call(values, (v) => Number.isInteger(v) && distinct.add(v).size <= MAX_CLASSES);
}

function wideLabels(values: ArrayLike<number>, width: number, task: TaskOption | undefined, name: string): Labels {
  const n = values.length / width;
  const classes = Array.from({ length: width }, (_, column) => column);
  const numeric = task === 'regression' || (task === undefined && areOtherNumbers(values));
  let everyRowOne = true;
  for (let row = 0; row < n; row++) {
    let sum = 0;
    for (let column = 0; column < width; column++) {
      const value = values[row * width + column] as number | boolean;
      const fits = numeric ? Number.isFinite(value) : [0, 1, true, false].includes(value);
      if (!fits) {
        const must = numeric ? 'be a finite number' : 'be 0 or 1 (one-hot or multilabel)';
        const mayBeTime = width === 2 && column === 0 && typeof value === 'number';
        const way = mayBeTime ? "Rows of a time and an event need task: 'survival'." : undefined;
        throw new InvalidDataError(sentence(`${name} row ${row} column ${column}`, must, kindOf(value), way));
      }
      sum += Number(value);
    }
    if (sum !== 1) everyRowOne = false;
  }
  if (numeric) {
    const why = `${name} has ${width} columns of numbers`;
    return labelsFrom({ ...NONE, task: 'regression', why, classes, numbers: Float64Array.from(values) });
  }
  if (task === 'multilabel' || (task === undefined && !everyRowOne)) {
    const why = task ? 'as `task` says' : `${name} has ${width} columns of 0 and 1 that do not sum to 1 in every row`;
    return labelsFrom({ ...NONE, task: 'multilabel', why, classes, indicators: Uint8Array.from(values, Number) });
  }
  if (!everyRowOne || (task === 'binary' && width > 2)) {
    const subject = `${name} of a ${task} task`;
    throw new InvalidDataError(sentence(subject, 'be one value per row', phrase(`${width} columns of 0 and 1`)));
  }
  const codes = new Int32Array(n);
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < width; column++) if (Number(values[row * width + column]) === 1) codes[row] = column;
  }
  const found = task === 'multiclass' || width > 2 ? 'multiclass' : 'binary';
  const why = task ? 'as `task` says' : `${name} is one-hot with ${width} columns`;
  return labelsFrom({ ...NONE, task: found, why, classes, codes });
}

/** Most are neither 0 nor 1: a few are more likely a mistake in rows of these. */
const areOtherNumbers = (values: ArrayLike<unknown>) =>
  2 * Array.prototype.filter.call(values, (value) => value !== 0 && value !== 1 && typeof value === 'number').length >
  values.length;

function maskLabels(
  values: ArrayLike<unknown>,
  shape: readonly number[],
  task: TaskOption | undefined,
  name: string,
): Labels {
  if (task !== undefined && task !== 'multilabel') {
    const got = phrase(writtenShape(shape));
    throw new InvalidDataError(sentence(`${name} of a ${task} task`, 'be one value per row', got));
  }
  const pixels = new Uint8Array(values.length);
  for (let i = 0; i < pixels.length; i++) {
    const value = values[i];
    if (value !== 0 && value !== 1) throw badPixel(value, i, shape, name);
    pixels[i] = value;
  }
  const classes = Array.from({ length: product(shape) }, (_, pixel) => pixel);
  const why = `${name} is ${writtenShape(shape)}`;
  return labelsFrom({ ...NONE, task: 'multilabel', why, shape, classes, indicators: pixels });
}

function badPixel(value: unknown, at: number, shape: readonly number[], name: string): InvalidDataError {
  const place: number[] = [];
  for (const size of [...shape].reverse()) {
    place.unshift(at % size);
    at = Math.floor(at / size);
  }
  const must = 'be 0 or 1 (a mask; one channel per class)';
  return new InvalidDataError(sentence(`${name} row ${at} at [${place.join(', ')}]`, must, kindOf(value)));
}

export type LabelValues = Omit<Labels, 'length' | 'positive' | 'take' | 'toArray'>;

const NONE = { codes: new Int32Array(0), numbers: new Float64Array(0), indicators: new Uint8Array(0) };

export function labelsFrom(values: LabelValues): Labels {
  const { task, why, shape, classes, codes, numbers, indicators, timed, masks, patients, aggregate } = values;
  const facts = { ...NONE, task, why, shape, classes, aggregate };
  const view = (
    length: number,
    taken: (rows: Int32Array) => Partial<LabelValues>,
    toArray: Labels['toArray'],
  ): Labels => ({
    ...values,
    length,
    take: (rows) => labelsFrom({ ...facts, ...taken(rows), ...(patients && { patients: gather(patients, rows) }) }),
    toArray,
  });
  if (task === 'regression') {
    const content = { data: numbers, shape: [numbers.length / (classes.length || 1), classes.length || 1] };
    const taken = (rows: Int32Array) => ({ numbers: takeDense(content, rows).data as Float64Array });
    const rowsOfMany = () => nest(content) as number[][];
    return view(content.shape[0], taken, () => (classes.length > 0 ? rowsOfMany() : Array.from(numbers)));
  }
  if (task === 'survival') {
    const taken = (rows: Int32Array) => ({ numbers: gather(numbers, rows), codes: gather(codes, rows), timed });
    return view(codes.length, taken, () => Array.from(numbers, (time, row) => ({ time, event: codes[row] })));
  }
  if (task !== 'multilabel') {
    countClasses(classes, () => tally(codes, classes.length));
    const taken = (rows: Int32Array) => ({ codes: gather(codes, rows) });
    return view(codes.length, taken, () => mapRows(codes.length, codes, (code) => classes[code] as Label));
  }
  const width = classes.length;
  const length = indicators.length / width;
  const taken = (rows: Int32Array) => {
    const taken = <T>(data: T) =>
      takeDense({ data: data as Uint8Array, shape: [length, (data as Uint8Array).length / length] }, rows).data as T;
    return { indicators: taken(indicators), ...(masks && { masks: { ...masks, spacing: taken(masks.spacing) } }) };
  };
  return view(length, taken, () => nest({ data: indicators, shape: [length, ...(shape ?? [width])] }) as number[][]);
}

export function rowNumbers(n: number): Int32Array {
  const rows = new Int32Array(n);
  for (let row = 0; row < n; row++) rows[row] = row;
  return rows;
}

/** Whether no value is smaller than the one before it. Without a branch: random values would take twice the time. */
export function isAscending(values: Int32Array | Float64Array): boolean {
  let falls = 0;
  for (let i = 1; i < values.length; i++) falls |= Number(values[i] < values[i - 1]);
  return falls === 0;
}

export function concat<T extends Int32Array | Float32Array | Float64Array>(parts: readonly T[]): T {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const out = new (parts[0].constructor as { new (n: number): T })(length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function gather<T extends Int32Array | Float64Array>(values: T, indices: Int32Array): T {
  const out = new (values.constructor as { new (n: number): T })(indices.length);
  for (let i = 0; i < indices.length; i++) out[i] = values[indices[i]];
  return out;
}

/** Up to `count` of the rows, evenly spread. */
export function spread(rows: Int32Array, count: number): Int32Array {
  if (rows.length <= count) return rows;
  return Int32Array.from({ length: count }, (_, at) => rows[Math.floor((at * rows.length) / count)]);
}
