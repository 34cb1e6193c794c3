/** What a feature could give away: y as numbers, or one class (label) against all else. */
import { type Labels, rowNumbers } from '../../core/labels.js';
import { groupsOf, patientIdsOf, type SideData } from '../../core/sideData.js';
import { rankedColumn } from '../ranks.js';

export interface Target {
  /** The class or label that is told from the rest; empty where y is one list of numbers or of two classes. */
  readonly name: string;
  /** 1 for the rows of the class and 0 for all others, or the numbers of a regression. */
  readonly values: Float64Array;
  /** The values are 0 and 1. */
  readonly classes: boolean;
  /** Mid-ranks of the values. */
  readonly ranks: Float64Array;
}

/** y as targets, without those that are the same in all rows. A class among two is told by the other. */
export function targetsOf(y: Labels): Target[] {
  if (y.task === 'regression') return [target('', y.numbers, false)].filter(varies);
  const { classes, codes, indicators, task } = y;
  const one = (at: number, found: (row: number) => boolean) =>
    target(classes.length > 2 || task === 'multilabel' ? String(classes[at]) : '', indicatorOf(y.length, found), true);
  const made = Array.from({ length: classes.length }, (_, at) =>
    task === 'multilabel'
      ? one(at, (row) => indicators[row * classes.length + at] === 1)
      : one(at, (row) => codes[row] === at),
  );
  return (task === 'binary' ? made.slice(1) : made).filter(varies);
}

const target = (name: string, values: Float64Array, classes: boolean): Target => ({
  name,
  values,
  classes,
  get ranks() {
    return rankedColumn({ values }).ranks;
  },
});

const indicatorOf = (n: number, found: (row: number) => boolean) =>
  new Float64Array(n).map((_, row) => (found(row) ? 1 : 0));

const varies = ({ values }: Target) => values.some((value) => value !== values[0]);

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
  const order = rankedColumn({ values: Float64Array.from(codes) }).order;
  return { unit: count < n ? 'patient' : 'row', codes, count, order };
}
