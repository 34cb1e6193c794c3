/** What scaling leaves in the columns: a mean of 0 and an SD of 1, a range, a median of 0, components. */

import { power } from '../../core/numbers.js';
import { sortedQuantile } from '../../core/quantiles.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { gather } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { decimalStep } from '../features/decimalStep.js';
import { isSinglePrecision, medianOf, moments, SAME } from './columnStatistics.js';
import { EXTREME_SCORE } from './curves.js';

/** Steps whose trace is looked for, as `checkPreprocessing` names them; `minmax` is what `quantile:uniform` leaves, too. */
export type Signature =
  | 'standardize'
  | 'minmax'
  | 'minmax:-1..1'
  | 'maxabs'
  | 'robust'
  | 'mad'
  | 'quantile:normal'
  | 'pca';

export interface Trace {
  readonly signature: Signature;
  readonly columns: readonly Column[];
  readonly rounded: boolean;
  holdsFor(rows: Int32Array): boolean;
}

/** So many columns must bear a trace, or all where there are fewer: one may have it by chance. */
export const LEAST_COLUMNS = 3;

/** A range from 0 to 1, or a median of 0 and quartiles 1 apart, is common: three columns and half of all must. */
const SHARE = 0.5;

/** Rounded values that are measured from 0 to 1 hit both ends by chance when there are more rows than steps. */
const PER_STEP = 0.5;

/** Standard errors that rounding may have moved a statistic by. */
const ERRORS = 5;

interface Precision {
  readonly same: number;
  /** What they are rounded to: .01 for two decimals, 0 for none, infinite for fewer decimals, which could be anything. */
  readonly step: number;
}

/** The coarsest precision that bears a trace: two decimals. */
const ROUGHEST: Precision = { same: SAME.single, step: power(10, -2) };

function precisionOf(values: Float64Array): Precision {
  const step = decimalStep(values);
  return { same: isSinglePrecision(values) ? SAME.single : SAME.double, step: step > ROUGHEST.step ? Infinity : step };
}

/** Columns that scaling could have left a trace in: numbers of at least three values. */
export const scalable = (columns: readonly Column[]): Column[] =>
  columns.filter((column) => column.kind === 'number' && !column.dates && columnRanks(column).distinct >= 3);

export async function traceOf(columns: readonly Column[]): Promise<Trace | undefined> {
  const known = columns.map((column) => {
    let precision: Precision | undefined;
    return { column, precision: () => (precision ??= precisionOf(column.values)) };
  });
  const least = Math.min(LEAST_COLUMNS, columns.length);
  const most = Math.max(LEAST_COLUMNS, SHARE * columns.length);
  for (const [signature, { matches, rare }] of Object.entries(TRACES) as [Signature, Mark][]) {
    const isPCA = signature === 'pca';
    const needed = isPCA ? LEAST_COLUMNS : rare ? least : most;
    const matching: typeof known = [];
    for (const each of known) {
      await yieldToPage();
      if (matches(each.column.values, each.precision)) matching.push(each);
    }
    const precisions = matching.map(({ precision }) => precision());
    const holds = (lists: readonly Float64Array[]) =>
      matching.every(({ precision }, at) => matches(lists[at], precision)) &&
      (!isPCA || areComponents(lists, precisions));
    if (matching.length === 0 || matching.length < needed || !holds(matching.map(({ column }) => column.values)))
      continue;
    return {
      signature,
      columns: matching.map(({ column }) => column),
      rounded: precisions.some(({ step }) => step > 0),
      holdsFor: (rows) => holds(matching.map(({ column }) => gather(column.values, rows))),
    };
  }
  return undefined;
}

/** The precision is that of all rows, worked out where the statistics are near what they should be. */
type Matches = (values: Float64Array, precision: () => Precision) => boolean;

/** By so much the sum of n values over the root of n may be off: rounding is uniform, with a variance of step^2 / 12. */
const noiseOf = (step: number) => (ERRORS * step) / Math.sqrt(12);

const offBy = ({ same, step }: Precision, n: number) => same + noiseOf(step) / Math.sqrt(n);

const near = (value: number, goal: number, same: number) => Math.abs(value - goal) <= same;

/** SD 1 with either divisor. */
const isStandardized: Matches = (values, precision) => {
  const { n, mean, squares } = moments(values);
  if (!near(mean, 0, offBy(ROUGHEST, n))) return false;
  const off = offBy(precision(), n);
  if (!(precision().step < 1) || !near(mean, 0, off)) return false;
  return near(squares / n, 1, 2 * off) || near(squares / (n - 1), 1, 2 * off);
};

const isCentred: Matches = (values, precision) => {
  const { n, mean, squares } = moments(values);
  const sd = Math.sqrt(squares / n);
  const within = ({ same, step }: Precision) => near(mean, 0, offBy({ same: same * sd, step }, n));
  return within(ROUGHEST) && precision().step < 1 && within(precision());
};

/** One row alone at either end: what is measured has that, while scores from 0 to 1 may have an end in many rows. */
const isRange =
  (from: number, to: number): Matches =>
  (values, precision) => {
    const { low, second, beforeLast, high } = endsOf(values);
    const ends = (same: number) => near(low, from, same) && near(high, to, same);
    if (!ends(SAME.single) || second === low || beforeLast === high) return false;
    const { same, step } = precision();
    return step * values.length <= PER_STEP && ends(same);
  };

/** A range from 0 to 1 that was fitted to training rows ends at 1 as well: it begins close to 0. */
const NEAR_ZERO = { below: -0.5, above: 0.01 };

/** The value farthest from 0 is 1 away, in one row alone. */
const isLargest: Matches = (values, precision) => {
  const { low, second, beforeLast, high } = endsOf(values);
  if (low > NEAR_ZERO.below && low < NEAR_ZERO.above) return false;
  const size = Math.max(-low, high);
  if (!near(size, 1, SAME.single) || (size === high ? beforeLast === high : second === low)) return false;
  const { same, step } = precision();
  return step * values.length <= PER_STEP && near(size, 1, same);
};

function endsOf(values: Float64Array) {
  const { order } = columnRanks({ values });
  const [low, second, beforeLast, high] = [0, 1, -2, -1].map((place) => values[order.at(place) as number]);
  return { low, second, beforeLast, high };
}

/** What makes a median distance the SD of a normal distribution, as scipy and as R write it; 1 for none. */
const MAD_TIMES = [1, 1.482602218505602, 1.4826];

const isByMedian =
  (spread: (sorted: Float64Array) => number, goals: readonly number[]): Matches =>
  (values, precision) => {
    const { order } = columnRanks({ values });
    const [below, above] = [values[order[(order.length - 1) >> 1]], values[order[order.length >> 1]]];
    if (!(below <= ROUGHEST.step && above >= -ROUGHEST.step)) return false;
    const { same, step } = precision();
    if (!(step * values.length <= PER_STEP)) return false;
    const sorted = gather(values, order);
    if (!near(sortedQuantile(sorted, 0.5), 0, same + step)) return false;
    const size = spread(sorted);
    return goals.some((goal) => near(size, goal, same + 2 * step));
  };

const quartiles = (sorted: Float64Array) => sortedQuantile(sorted, 0.75) - sortedQuantile(sorted, 0.25);
/** Of values whose median is 0. */
const medianSize = (sorted: Float64Array) => medianOf(sorted.map(Math.abs));

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

interface Mark {
  readonly matches: Matches;
  readonly words: string;
  /** Hardly ever so by chance: a few columns are enough. */
  readonly rare?: true;
}

/**
 * The first that fits counts. Every scaling that `checkPreprocessing` makes again stands here, by its name or its
 * family's.
 */
export const TRACES: Readonly<Record<Signature, Mark>> = {
  standardize: { matches: isStandardized, words: 'a mean of 0 and an SD of 1', rare: true },
  minmax: { matches: isRange(0, 1), words: 'a range from 0 to 1' },
  'minmax:-1..1': { matches: isRange(-1, 1), words: 'a range from -1 to 1' },
  'quantile:normal': {
    matches: isRange(-EXTREME_SCORE, EXTREME_SCORE),
    words: 'a range from -5.2 to 5.2, as ranks made normal have,',
    rare: true,
  },
  maxabs: { matches: isLargest, words: 'a largest size of 1' },
  robust: { matches: isByMedian(quartiles, [1]), words: 'a median of 0 and quartiles 1 apart' },
  mad: {
    matches: isByMedian(
      medianSize,
      MAD_TIMES.map((times) => 1 / times),
    ),
    words: 'a median of 0 and a median distance from it of 1 (or 1 / 1.4826)',
  },
  pca: {
    matches: isCentred,
    words: 'a mean of 0, no correlation and falling variances, as principal components have,',
  },
};
