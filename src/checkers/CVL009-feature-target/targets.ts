import { rowsByCode, rowsPerCode, tally } from '../../data/encode.js';
import { type Labels, printable, rowNumbers } from '../../data/labels.js';
import { patientIdsOf, type SideData } from '../../data/sideData.js';
import { targetColumns, targetName } from '../../data/targets.js';
import { columnRanks } from '../features/columnRanks.js';
import { patientCodes } from '../patientCodes.js';

/** Chance that anything is to be looked at by luck, over all tests. */
export const REVIEW_CHANCE = 0.01;
/** Fewer units say nothing of numbers y: of a curve, or of a value that they repeat. */
export const LEAST_UNITS = 30;

export interface Target {
  /** The class or label against the rest, the times of y, or one of several targets; empty where y is one list of numbers or of two classes. */
  readonly name: string;
  /** 1 for the rows of the class and 0 for all others, or numbers. Made on each access: thousands of classes would fill gigabytes. */
  readonly values: Float64Array;
  readonly rows: Int32Array;
  readonly classes: boolean;
  /** Share of the rows on the rarer side of a class; 0 for numbers. */
  readonly share: number;
  readonly ranks: Float64Array;
}

export function screenTargets(y: Labels, followUp?: Float64Array): Target[] {
  const { classes, codes, indicators, numbers, task, length } = y;
  const vary = (values: Float64Array) => values.some((value) => value !== values[0]);
  const nameOf = (target: number) => (classes.length > 0 ? targetName(target, classes) : followUp ? FOLLOW_UP : '');
  if (task === 'regression') {
    return targetColumns({ numbers, length }).flatMap((values, target) =>
      vary(values) ? [ofNumbers(values, nameOf(target))] : [],
    );
  }
  const times = followUp && vary(followUp) ? [ofNumbers(followUp, FOLLOW_UP)] : [];
  const width = classes.length;
  const several = task === 'multilabel';
  const rowsOf = several
    ? classes.map((_, label) => rowNumbers(length).filter((row) => indicators[row * width + label] === 1))
    : rowsPerCode(codes, tally(codes, width));
  const shown = printable(classes);
  const ofClasses = rowsOf.flatMap((rows, code) => {
    if (rows.length === 0 || rows.length === length || (task === 'binary' && code === 0)) return [];
    return [classTarget(width > 2 || several ? String(shown[code]) : '', rows, length)];
  });
  return [...ofClasses, ...times];
}

/** The times of outcomes by time, as messages name them. */
export const FOLLOW_UP = 'the time of y';

const ofNumbers = (values: Float64Array, name: string): Target => ({
  name,
  values,
  rows: new Int32Array(),
  classes: false,
  share: 0,
  get ranks() {
    return columnRanks({ values }).ranks;
  },
});

export const classTarget = (name: string, rows: Int32Array, length: number): Target => ({
  name,
  rows,
  classes: true,
  share: Math.min(rows.length / length, 1 - rows.length / length),
  get values() {
    const values = new Float64Array(length);
    for (const row of rows) values[row] = 1;
    return values;
  },
  get ranks() {
    return columnRanks({ values: this.values }).ranks;
  },
});

/** What counts as independent: patients where they are known, else rows. */
export interface Independent {
  readonly unit: 'patient' | 'row';
  readonly codes: Int32Array;
  readonly count: number;
  readonly sizes: Int32Array;
  readonly order: Int32Array;
  /** A zero for each unit, for sums of the units of one class; who uses it leaves zeros. */
  readonly room: Float64Array;
}

export function independentOf(data: SideData, n: number): Independent {
  const ids = patientIdsOf(data);
  const { codes, count } = ids ? patientCodes(ids, n) : { codes: rowNumbers(n), count: n };
  const order = rowsByCode({ classes: { length: count }, codes });
  const unit = count < n ? 'patient' : 'row';
  return { unit, codes, count, sizes: tally(codes, count), order, room: new Float64Array(count) };
}
