/** What a feature could give away: y as numbers, or one class (label) against all else. */
import { tally } from '../../data/encode.js';
import { type Labels, printable, rowNumbers } from '../../data/labels.js';
import { groupsOf, patientIdsOf, type SideData } from '../../data/sideData.js';
import { columnRanks } from '../features/columnRanks.js';

export interface Target {
  /** The class or label that is told from the rest; empty where y is one list of numbers or of two classes. */
  readonly name: string;
  /** 1 for the rows of the class and 0 for all others, or the numbers of a regression. */
  readonly values: Float64Array;
  /** The values are 0 and 1. */
  readonly classes: boolean;
  /** Share of the rows on the rarer side of a class; 0 for numbers. */
  readonly share: number;
  /** Mid-ranks of the values. */
  readonly ranks: Float64Array;
}

/** All targets of y. They are made one by one: of thousands of classes they would be gigabytes. */
export interface Targets extends Iterable<Target> {
  readonly count: number;
  /** {@link Target.share} of each class; empty for a regression. */
  readonly shares: readonly number[];
}

/** y as targets, without those that are the same in all rows. A class among two is told by the other. */
export function targetsOf(y: Labels): Targets {
  const { classes, codes, indicators, numbers, task, length } = y;
  if (task === 'regression') {
    const made = numbers.some((value) => value !== numbers[0]) ? [target('', numbers, false, 0)] : [];
    return { count: made.length, shares: [], [Symbol.iterator]: () => made.values() };
  }
  const width = classes.length;
  const several = task === 'multilabel';
  const shown = printable(classes, several ? undefined : length);
  const has = several
    ? (row: number, code: number) => indicators[row * width + code]
    : (row: number, code: number) => Number(codes[row] === code);
  const rows = several ? columnSums(indicators, width) : tally(codes, width);
  const told = [...classes.keys()].filter(
    (code) => rows[code] > 0 && rows[code] < length && !(task === 'binary' && code === 0),
  );
  const shares = told.map((code) => Math.min(rows[code] / length, 1 - rows[code] / length));
  return {
    count: told.length,
    shares,
    *[Symbol.iterator]() {
      for (const [at, code] of told.entries()) {
        const values = new Float64Array(length);
        for (let row = 0; row < length; row++) values[row] = has(row, code);
        yield target(width > 2 || several ? String(shown[code]) : '', values, true, shares[at]);
      }
    },
  };
}

const target = (name: string, values: Float64Array, classes: boolean, share: number): Target => ({
  name,
  values,
  classes,
  share,
  get ranks() {
    return columnRanks({ values }).ranks;
  },
});

function columnSums(values: Uint8Array, width: number): Int32Array {
  const sums = new Int32Array(width);
  for (let at = 0; at < values.length; at++) sums[at % width] += values[at];
  return sums;
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

export function independentOf(data: SideData, n: number): Independent {
  const ids = patientIdsOf(data);
  if (!ids) return { unit: 'row', codes: rowNumbers(n), count: n, order: rowNumbers(n) };
  const { codes, count } = groupsOf(ids, n);
  const order = columnRanks({ values: Float64Array.from(codes) }).order;
  return { unit: count < n ? 'patient' : 'row', codes, count, order };
}
