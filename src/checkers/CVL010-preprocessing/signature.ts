/** What scaling over given rows leaves in the columns: a mean of 0 and an SD of 1, a range from 0 to 1, components. */

import { sortedQuantile } from '../../core/sortedQuantile.js';
import { gather } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import { decimalStep } from '../features/decimalStep.js';
import type { Column } from '../features/features.js';

export type Signature = 'standardize' | 'minmax' | 'robust' | 'pca';

/** Columns that bear one signature over all rows. */
export interface Trace {
  readonly signature: Signature;
  readonly columns: readonly Column[];
  /** Some of them are rounded. */
  readonly rounded: boolean;
  /** Whether all of them bear it over these rows, too. */
  borneBy(rows: Int32Array): boolean;
}

/** So many columns must bear a trace, or all where there are fewer: one may have it by chance. */
const LEAST_COLUMNS = 3;

/** A range from 0 to 1, or a median of 0 and quartiles 1 apart, is no rare thing: three columns and half of all must. */
const SHARE = 0.5;

/** How far a statistic may be from 0 or 1; single precision is less exact. */
const SAME = { double: 1e-9, single: 1e-5 };

/** Values rounded to fewer decimals could be anything. */
const LEAST_DECIMALS = 2;

/** Rounded values that are measured from 0 to 1 hit both ends by chance when there are more rows than steps. */
const PER_STEP = 0.5;

/** Standard errors that rounding may have moved a statistic by. */
const ERRORS = 5;

/** Columns that scaling could have left a trace in: numbers of at least three values. */
export const scalable = (columns: readonly Column[]): Column[] =>
  columns.filter(({ kind, dates, values }) => kind === 'number' && !dates && hasThreeValues(values));

function hasThreeValues(values: Float64Array): boolean {
  let [first, second] = [Number.NaN, Number.NaN];
  for (const value of values) {
    if (Number.isNaN(value) || value === first || value === second) continue;
    if (!Number.isNaN(second)) return true;
    if (Number.isNaN(first)) first = value;
    else second = value;
  }
  return false;
}

/** The signature that columns enough bear over all rows. */
export function traceOf(columns: readonly Column[]): Trace | undefined {
  const known = columns.map((column) => ({ column, exactness: exactnessOf(column.values) }));
  const least = Math.min(LEAST_COLUMNS, columns.length);
  const most = Math.max(LEAST_COLUMNS, SHARE * columns.length);
  for (const [signature, bears, needed] of [
    ['standardize', isStandardized, least],
    ['minmax', isMinMax, most],
    ['robust', isRobust, most],
    ['pca', isCentred, LEAST_COLUMNS],
  ] as const) {
    const bearers = known.filter(({ column, exactness }) => bears(column.values, exactness));
    const borne = (lists: readonly Float64Array[]) =>
      bearers.every(({ exactness }, at) => bears(lists[at], exactness)) &&
      (signature !== 'pca' ||
        areComponents(
          lists,
          bearers.map(({ exactness }) => exactness.precision),
        ));
    if (bearers.length === 0 || bearers.length < needed || !borne(bearers.map(({ column }) => column.values))) continue;
    return {
      signature,
      columns: bearers.map(({ column }) => column),
      rounded: bearers.some(({ exactness }) => exactness.precision.step > 0),
      borneBy: (rows) => borne(bearers.map(({ column }) => gather(column.values, rows))),
    };
  }
  return undefined;
}

/** How exact values are. */
interface Precision {
  readonly same: number;
  /** What they are rounded to: .01 for two decimals, 0 for none. */
  readonly step: number;
}

/** The precision of a column, looked at only when its statistics are near what they should be. */
interface Exactness {
  readonly precision: Precision;
}

function exactnessOf(values: Float64Array): Exactness {
  let precision: Precision | undefined;
  return {
    get precision() {
      precision ??= precisionOf(values);
      return precision;
    },
  };
}

function precisionOf(values: Float64Array): Precision {
  const isSingle = values.every((value) => !(Math.fround(value) !== value));
  const same = isSingle ? SAME.single : SAME.double;
  const step = decimalStep(values);
  return { same, step: step > ROUGHEST.step ? Infinity : step };
}

type Bears = (values: Float64Array, exactness: Exactness) => boolean;

function moments(values: Float64Array) {
  let [n, sum, squares] = [0, 0, 0];
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row])) continue;
    n++;
    sum += values[row];
  }
  const mean = sum / n;
  for (let row = 0; row < values.length; row++) {
    const from = values[row] - mean;
    if (!Number.isNaN(from)) squares += from * from;
  }
  return { n, mean, squares };
}

/** By so much the sum of n values over the root of n may be off: rounding is uniform, with a variance of step^2 / 12. */
const noiseOf = (step: number) => (ERRORS * step) / Math.sqrt(12);

/** The coarsest precision that bears a trace. */
const ROUGHEST: Precision = { same: SAME.single, step: 10 ** -LEAST_DECIMALS };

const offBy = ({ same, step }: Precision, n: number) => same + noiseOf(step) / Math.sqrt(n);

const near = (value: number, goal: number, same: number) => Math.abs(value - goal) <= same;

/** SD 1 with either divisor. */
const isStandardized: Bears = (values, exactness) => {
  const { n, mean, squares } = moments(values);
  if (!near(mean, 0, offBy(ROUGHEST, n))) return false;
  const { step } = exactness.precision;
  const off = offBy(exactness.precision, n);
  if (!(step < 1) || !near(mean, 0, off)) return false;
  return near(squares / n, 1, 2 * off) || near(squares / (n - 1), 1, 2 * off);
};

const isCentred: Bears = (values, exactness) => {
  const { n, mean, squares } = moments(values);
  const sd = Math.sqrt(squares / n);
  const within = ({ same, step }: Precision) => near(mean, 0, offBy({ same: same * sd, step }, n));
  return within(ROUGHEST) && exactness.precision.step < 1 && within(exactness.precision);
};

/** One row alone at either end: what is measured has that, while scores from 0 to 1 may have an end in many rows. */
const isMinMax: Bears = (values, exactness) => {
  const { order } = columnRanks({ values });
  const at = (place: number) => values[order.at(place) as number];
  const [low, high] = [at(0), at(-1)];
  if (!near(low, 0, SAME.single) || !near(high, 1, SAME.single) || at(1) === low || at(-2) === high) return false;
  const { same, step } = exactness.precision;
  return step * values.length <= PER_STEP && near(low, 0, same) && near(high, 1, same);
};

const isRobust: Bears = (values, exactness) => {
  const { order } = columnRanks({ values });
  const [below, above] = [values[order[(order.length - 1) >> 1]], values[order[order.length >> 1]]];
  if (!(below <= ROUGHEST.step && above >= -ROUGHEST.step)) return false;
  const { same, step } = exactness.precision;
  if (!(step * values.length <= PER_STEP)) return false;
  const sorted = gather(values, order);
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => sortedQuantile(sorted, share));
  return near(middle, 0, same + step) && near(high - low, 1, same + 2 * step);
};

/** Uncorrelated columns of falling variance. */
function areComponents(columns: readonly Float64Array[], precisions: readonly Precision[]): boolean {
  const sizes = columns.map((values) => Math.sqrt(moments(values).squares));
  const noise = precisions.map(({ step }, at) => noiseOf(step) / sizes[at]);
  const same = Math.max(...precisions.map((precision) => precision.same));
  if (sizes.some((size, at) => !(size > 0 && size <= (sizes[at - 1] ?? Infinity) * (1 + same + noise[at]))))
    return false;
  return columns.every((a, i) =>
    columns.slice(0, i).every((b, j) => {
      let sum = 0;
      for (let row = 0; row < a.length; row++) sum += (a[row] / sizes[i]) * (b[row] / sizes[j]);
      // Small components hold the rounding errors of large ones.
      return Math.abs(sum) <= (100 * same) / Math.min(1, sizes[i] / sizes[j]) + noise[i] + noise[j];
    }),
  );
}
