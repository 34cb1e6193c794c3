/** What a feature could give away: y as numbers, or one class (label) against all else. */
import { tally } from '../../data/encode.js';
import { type Labels, printable, rowNumbers } from '../../data/labels.js';
import { groupsOf, patientIdsOf, type SideData } from '../../data/sideData.js';
import { columnRanks } from '../features/columnRanks.js';

/** Chance that anything is to be looked at by luck, over all tests. */
export const REVIEW_CHANCE = 0.01;

export interface Target {
  /** The class or label against the rest; empty where y is one list of numbers or of two classes. */
  readonly name: string;
  /** 1 for the rows of the class and 0 for all others, made on each access; or the numbers of a regression. */
  readonly values: Float64Array;
  /** Rows of the class, ascending; none of a regression. */
  readonly rows: Int32Array;
  /** The values are 0 and 1. */
  readonly classes: boolean;
  /** Share of the rows on the rarer side of a class; 0 for numbers. */
  readonly share: number;
  /** Mid-ranks of the values. */
  readonly ranks: Float64Array;
}

/** All targets of y, each class by its rows: a number for every row would be gigabytes for thousands of classes. */
export interface Targets extends Iterable<Target> {
  readonly count: number;
  /** {@link Target.share} of each class; empty for a regression. */
  readonly shares: readonly number[];
}

/** y as targets, without those that are the same in all rows. One of two classes stands for both. */
export function screenTargets(y: Labels): Targets {
  const { classes, codes, indicators, numbers, task, length } = y;
  if (task === 'regression') {
    const targets = numbers.some((value) => value !== numbers[0]) ? [ofNumbers(numbers)] : [];
    return { count: targets.length, shares: [], [Symbol.iterator]: () => targets.values() };
  }
  const width = classes.length;
  const several = task === 'multilabel';
  const shown = printable(classes);
  const rowsOf = several ? labelRows(indicators, width, length) : classRows(codes, width);
  const varying = [...classes.keys()].filter(
    (code) => rowsOf[code].length > 0 && rowsOf[code].length < length && !(task === 'binary' && code === 0),
  );
  const shares = varying.map((code) => Math.min(rowsOf[code].length / length, 1 - rowsOf[code].length / length));
  const targets = varying.map((code, at) =>
    classTarget(width > 2 || several ? String(shown[code]) : '', rowsOf[code], length, shares[at]),
  );
  return { count: targets.length, shares, [Symbol.iterator]: () => targets.values() };
}

const ofNumbers = (values: Float64Array): Target => ({
  name: '',
  values,
  rows: new Int32Array(),
  classes: false,
  share: 0,
  get ranks() {
    return columnRanks({ values }).ranks;
  },
});

/** A class by its rows. */
export const classTarget = (
  name: string,
  rows: Int32Array,
  length: number,
  share = Math.min(rows.length / length, 1 - rows.length / length),
): Target => ({
  name,
  rows,
  classes: true,
  share,
  get values() {
    const values = new Float64Array(length);
    for (const row of rows) values[row] = 1;
    return values;
  },
  get ranks() {
    return columnRanks({ values: this.values }).ranks;
  },
});

/** Rows of each class, ascending. */
function classRows(codes: Int32Array, width: number): Int32Array[] {
  const rows = Array.from(tally(codes, width), (count) => new Int32Array(count));
  const filled = new Int32Array(width);
  for (let row = 0; row < codes.length; row++) rows[codes[row]][filled[codes[row]]++] = row;
  return rows;
}

function labelRows(indicators: Uint8Array, width: number, length: number): Int32Array[] {
  return Array.from({ length: width }, (_, label) =>
    rowNumbers(length).filter((row) => indicators[row * width + label] === 1),
  );
}

/** What counts as independent: patients where they are known, else rows. */
export interface Independent {
  readonly unit: 'patient' | 'row';
  /** Unit of each row, from 0. */
  readonly codes: Int32Array;
  readonly count: number;
  /** Rows, those of one unit together. */
  readonly order: Int32Array;
}

/** Each row is a unit of its own. */
export const byRows = ({ count, codes }: Independent): boolean => count === codes.length;

export function independentOf(data: SideData, n: number): Independent {
  const ids = patientIdsOf(data);
  if (!ids) return { unit: 'row', codes: rowNumbers(n), count: n, order: rowNumbers(n) };
  const { codes, count } = groupsOf(ids, n);
  const order = columnRanks({ values: Float64Array.from(codes) }).order;
  return { unit: count < n ? 'patient' : 'row', codes, count, order };
}
