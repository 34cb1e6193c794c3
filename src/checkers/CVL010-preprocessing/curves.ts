import { lowerBound } from '../../core/lowerBound.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import { sortedQuantile } from '../../core/quantiles.js';
import type { Change, StepFit } from './task.js';

const raised = (size: number, power: number) =>
  power === 0 ? Math.log1p(size) : Math.expm1(power * Math.log1p(size)) / power;

const yeoJohnsonAt = (value: number, power: number) => (value >= 0 ? raised(value, power) : -raised(-value, 2 - power));

/** Powers from -5 to 5 are tried, and further out from whichever end is best. */
const REACH = 5;
const FARTHEST = 80;
/** Where the likelihood is flat, a power is known no better than this. */
const EXACT = 1e-9;
const LOST = 1e-20;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

function bestPower(known: Float64Array): number {
  const slopes = known.reduce((sum, value) => sum + Math.sign(value) * Math.log1p(Math.abs(value)), 0);
  return leastAt((power) => {
    let [count, mean, squares] = [0, 0, 0];
    for (const value of known) {
      const bent = yeoJohnsonAt(value, power);
      const from = bent - mean;
      mean += from / ++count;
      squares += from * (bent - mean);
    }
    // Nothing but rounding errors is left of the values: no likelihood.
    if (!(squares / count > LOST * mean ** 2)) return Infinity;
    return (count / 2) * Math.log(squares / count) - (power - 1) * slopes;
  });
}

function leastAt(f: (x: number) => number): number {
  let [low, high] = [-REACH, REACH];
  const grid = Array.from({ length: 2 * REACH + 1 }, (_, at) => low + at);
  const values = grid.map(f);
  const best = values.reduce((a, v, at) => (v < values[a] || Number.isNaN(values[a]) ? at : a), 0);
  const atEnd = best === 0 || best === grid.length - 1;
  [low, high] = atEnd
    ? [Math.min(grid[best], Math.sign(grid[best]) * FARTHEST), Math.max(grid[best], Math.sign(grid[best]) * FARTHEST)]
    : [grid[best - 1], grid[best + 1]];
  let [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [atLeft, atRight] = [f(left), f(right)];
  while (high - low > EXACT * Math.max(1, Math.abs(low))) {
    if (atLeft <= atRight || Number.isNaN(atRight)) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - GOLDEN * (high - low);
      atLeft = f(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + GOLDEN * (high - low);
      atRight = f(right);
    }
  }
  return (low + high) / 2;
}

/** A constant column is left as it is (power 1), as by scikit-learn. Yeo & Johnson 2000, Biometrika 87:954. */
export const yeoJohnson: StepFit = ({ known }) => {
  if (known.length === 0) return () => Number.NaN;
  const power = known.every((value) => value === known[0]) ? 1 : bestPower(known);
  return (value) => yeoJohnsonAt(value, power);
};

/** Numbers of quantiles, and how far from 0 and 1 a share must be to have a normal score: those of scikit-learn. */
const QUANTILES = 1000;
const EDGE = 1e-7;
export const EXTREME_SCORE = normalQuantile(1 - EDGE);

/** Shares of the values below, as scikit-learn's `QuantileTransformer` has them for up to 10,000 rows. */
export const quantileTransform =
  (normal: boolean): StepFit =>
  ({ known, rows, count, found }) => {
    const sorted = known.slice().sort();
    const last = Math.min(QUANTILES, count) - 1;
    // Where values repeat, a quantile that is off by a rounding error makes a difference: numpy's rounding, or none.
    const rounded = Float64Array.from({ length: last + 1 }, (_, at) =>
      sortedQuantile(sorted, at < last ? (at * (1 / last) * 100) / 100 : 1),
    );
    const versions = [rounded, ...(sorted.length === last + 1 ? [sorted] : [])].map((each) =>
      transformed(each, normal),
    );
    const distances = versions.map((version) =>
      rows.reduce(
        (most, row, i) => Math.max(most, Math.abs(version(known[i], row) - (found?.values[row] ?? 0)) || 0),
        0,
      ),
    );
    return versions[distances.indexOf(Math.min(...distances))];
  };

function transformed(quantiles: Float64Array, normal: boolean): Change {
  const last = quantiles.length - 1;
  const share = (value: number): number => {
    if (Number.isNaN(value) || Number.isNaN(quantiles[0])) return Number.NaN;
    if (normal ? value - EDGE < quantiles[0] : value <= quantiles[0]) return 0;
    if (normal ? value + EDGE > quantiles[last] : value >= quantiles[last]) return 1;
    const above = lowerBound(quantiles, value);
    let beyond = above;
    while (quantiles[beyond] === value) beyond++;
    if (beyond > above) return (above + beyond - 1) / 2 / last;
    const part = (value - quantiles[above - 1]) / (quantiles[above] - quantiles[above - 1]);
    return (above - 1 + part) / last;
  };
  return normal ? (value) => normalQuantile(Math.min(1 - EDGE, Math.max(EDGE, share(value)))) : share;
}
