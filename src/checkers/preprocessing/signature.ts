/** What scaling over given rows leaves in the columns: a mean of 0 and an SD of 1, a range from 0 to 1, components. */
import type { Column } from '../features.js';

export type Signature = 'standardize' | 'minmax' | 'robust' | 'pca';

/** Columns that a range from 0 to 1, or a median of 0 and quartiles 1 apart, must be seen in: one alone is no evidence. */
const LEAST_COLUMNS = 3;

/** How far a statistic may be from 0 or 1; single precision is less exact. */
const SAME = { double: 1e-9, single: 1e-5 };

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

/** The signature that all columns bear over `rows`. */
export function signatureOf(columns: readonly Column[], rows: Int32Array): Signature | undefined {
  if (columns.length === 0) return undefined;
  const same = columns.every(({ values }) => rows.every((row) => !(Math.fround(values[row]) !== values[row])))
    ? SAME.single
    : SAME.double;
  const borne = (bears: Bears) => columns.every(({ values }) => bears(values, rows, same));
  if (borne(isStandardized)) return 'standardize';
  if (columns.length < LEAST_COLUMNS) return undefined;
  if (borne(isMinMax)) return 'minmax';
  if (borne(isRobust)) return 'robust';
  return borne(isCentred) && areComponents(columns, rows, same) ? 'pca' : undefined;
}

/**
 * Columns of which one row alone has the least or the largest value: measured values have, while scores from 0 to 1 may
 * have both ends in many rows.
 */
export const withLoneEnds = (columns: readonly Column[]): number =>
  columns.filter(({ values }) => [0, 1].some((end) => values.reduce((n, v) => n + Number(v === end), 0) === 1)).length;

type Bears = (values: Float64Array, rows: Int32Array, same: number) => boolean;

function moments(values: Float64Array, rows: Int32Array) {
  let [n, sum] = [0, 0];
  for (const row of rows) {
    if (Number.isNaN(values[row])) continue;
    n++;
    sum += values[row];
  }
  const mean = sum / n;
  let squares = 0;
  for (const row of rows) if (!Number.isNaN(values[row])) squares += (values[row] - mean) ** 2;
  return { n, mean, squares };
}

const near = (value: number, goal: number, same: number) => Math.abs(value - goal) <= same;

/** SD 1 with either divisor. */
const isStandardized: Bears = (values, rows, same) => {
  const { n, mean, squares } = moments(values, rows);
  return near(mean, 0, same) && (near(squares / n, 1, 2 * same) || near(squares / (n - 1), 1, 2 * same));
};

const isCentred: Bears = (values, rows, same) => {
  const { n, mean, squares } = moments(values, rows);
  return Math.abs(mean) <= same * Math.sqrt(squares / n);
};

const isMinMax: Bears = (values, rows, same) => {
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    if (values[row] < low) low = values[row];
    if (values[row] > high) high = values[row];
  }
  return near(low, 0, same) && near(high, 1, same);
};

/** Whole numbers may have a median of 0 and quartiles 1 apart by themselves. */
const isRobust: Bears = (values, rows, same) => {
  const sorted = Float64Array.from(rows, (row) => values[row])
    .filter((value) => !Number.isNaN(value))
    .sort();
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const low = sorted[Math.floor(place)];
    return low + (place - Math.floor(place)) * (sorted[Math.ceil(place)] - low);
  };
  return near(at(0.5), 0, same) && near(at(0.75) - at(0.25), 1, same) && !sorted.every(Number.isInteger);
};

/** Uncorrelated columns of falling variance. */
function areComponents(columns: readonly Column[], rows: Int32Array, same: number): boolean {
  const sizes = columns.map(({ values }) => Math.sqrt(moments(values, rows).squares));
  if (sizes.some((size, at) => !(size > 0 && size <= (sizes[at - 1] ?? Infinity) * (1 + same)))) return false;
  return columns.every(({ values: a }, i) =>
    columns.slice(0, i).every(({ values: b }, j) => {
      let sum = 0;
      for (const row of rows) sum += (a[row] / sizes[i]) * (b[row] / sizes[j]);
      // Small components hold the rounding errors of large ones.
      return Math.abs(sum) * Math.min(1, sizes[i] / sizes[j]) <= 100 * same;
    }),
  );
}
