import { hasReason } from '../../core/hasReason.js';
import { studentTQuantile } from '../../core/incompleteBeta.js';
import { lowerBound } from '../../core/lowerBound.js';
import { sum } from '../../core/numbers.js';
import { weightedQuantile } from '../../core/quantiles.js';
import { gather, rowNumbers } from '../../data/labels.js';
import { tooFewUnits } from '../../intervals/interval.js';
import { unitVariance } from '../../intervals/unitVariance.js';
import { type Score, type Undefined, undefinedBecause } from '../../metrics/metric.js';
import type { BinaryRows } from '../binaryRows.js';

/** A place on the flexible curve; the band is pointwise. */
export interface CurvePoint {
  readonly predicted: number;
  /** Smoothed share with the outcome, from 0 to 1. */
  readonly observed: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

export interface FlexibleCurve {
  /** Evenly spaced from the smallest to the largest probability; empty when there is no curve. */
  readonly curve: readonly CurvePoint[];
  /** Why the curve or its band is missing. */
  readonly curveReason?: string;
  /** Mean distance of the curve from the diagonal over the rows, then the median and the 90th percentile. */
  readonly ici: Score;
  readonly e50: Score;
  readonly e90: Score;
}

/** With more different probabilities the fit at the rows is interpolated between as many quantiles of them. */
const MAX_FITS = 500;

/**
 * By local quadratic regression. The band is that of a linear smoother with the residuals of whole patients summed,
 * Student's t, cut to [0, 1].
 * Source: Austin & Steyerberg 2019, Statistics in Medicine 38:4051 (curve, ICI, E50, E90); Van Calster et al. 2016,
 * Journal of Clinical Epidemiology 74:167; variance, Huber 1967.
 */
export function flexibleCurve(rows: BinaryRows, span: number, nPoints: number): FlexibleCurve {
  const { y, units, unit, nUnits, level } = rows;
  const missing = (reason: string): FlexibleCurve => {
    const none = { value: null, reason };
    return { curve: [], curveReason: reason, ici: none, e50: none, e90: none };
  };
  const lacking = [1, 0].find((side) => !y.includes(side));
  if (lacking !== undefined) return missing(`no ${lacking === 1 ? 'positive' : 'negative'} rows`);
  const smooth = smoothed(rows, span);
  if (hasReason(smooth)) return missing(smooth.reason);
  const { fitAt, heightOf, knots, fitted } = smooth;

  const few = tooFewUnits(nUnits, unit);
  let gap = few;
  const curve: CurvePoint[] = [];
  const [low, high] = [knots[0], knots[knots.length - 1]];
  for (let i = 0; i < nPoints; i++) {
    const predicted = i === nPoints - 1 ? high : low + (i * (high - low)) / (nPoints - 1);
    const local = fitAt(predicted);
    if (hasReason(local)) return missing(local.reason);
    const influence = new Float64Array(y.length);
    local.values.forEach((each, i) => {
      influence[local.rows[i]] = each * (y[local.rows[i]] - fitted[local.rows[i]]);
    });
    const { variance, df } = unitVariance(influence, units);
    const varies = variance > 1e-24;
    if (!varies) gap ??= 'the outcomes near some probabilities do not differ';
    const half = few === undefined && varies ? studentTQuantile((1 + level) / 2, df) * Math.sqrt(variance) : null;
    const value = heightOf(local);
    const limit = (side: number) => (half === null ? null : within(value + side * half));
    curve.push({ predicted, observed: within(value), lower: limit(-1), upper: limit(1) });
  }

  const { ici, e50, e90 } = distancesOf(rows, fitted);
  const distances = { ici: { value: ici }, e50: { value: e50 }, e90: { value: e90 } };
  return { curve, ...(gap === undefined ? {} : { curveReason: gap }), ...distances };
}

export type Distances = Readonly<Record<'ici' | 'e50' | 'e90', number>>;

export function curveDistances(rows: Pick<BinaryRows, 'table' | 'y'>, span: number): Distances | Undefined {
  const smooth = smoothed(rows, span);
  return hasReason(smooth) ? smooth : distancesOf(rows, smooth.fitted);
}

function smoothed({ table, y }: Pick<BinaryRows, 'table' | 'y'>, span: number) {
  const { yProba, weight } = table;
  const fitAt = localQuadratic(yProba, span, weight);
  const heightOf = ({ rows, values }: LocalWeights) => {
    let height = 0;
    for (let i = 0; i < values.length; i++) height += values[i] * y[rows[i]];
    return height;
  };
  const knots = Float64Array.from(new Set(yProba)).sort();
  const places = knots.length <= MAX_FITS ? knots : quantilesOf(knots, MAX_FITS);
  const heights = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) {
    const local = fitAt(places[i]);
    if (hasReason(local)) return local;
    heights[i] = heightOf(local);
  }
  return { fitAt, heightOf, knots, fitted: interpolate(yProba, places, heights) };
}

function distancesOf({ table, y }: Pick<BinaryRows, 'table' | 'y'>, fitted: Float64Array): Distances {
  const copies = inSmallestUnits(table.weight, y.length);
  const distance = fitted.map((value, row) => Math.abs(value - table.yProba[row]));
  const quantile = weightedQuantile(distance, copies);
  const ici = distance.reduce((total, each, row) => total + copies[row] * each, 0) / sum(copies);
  return { ici, e50: quantile(0.5), e90: quantile(0.9) };
}

const within = (share: number) => Math.min(1, Math.max(0, share));

const quantilesOf = (sorted: Float64Array, count: number) =>
  Float64Array.from({ length: count }, (_, i) => sorted[Math.round((i * (sorted.length - 1)) / (count - 1))]);

function interpolate(x: Float64Array, places: Float64Array, heights: Float64Array): Float64Array {
  return x.map((each) => {
    const right = lowerBound(places, each);
    if (places[right] === each) return heights[right];
    const share = (each - places[right - 1]) / (places[right] - places[right - 1]);
    return heights[right - 1] + share * (heights[right] - heights[right - 1]);
  });
}

export interface LocalWeights {
  readonly rows: Int32Array;
  readonly values: Float64Array;
}

/** Spread of the squared term, relative to that of the linear one squared, below which a parabola is undetermined. */
const DEGENERATE = 1e-12;

/**
 * Local quadratic regression in one variable: at each place a parabola is fitted to the nearest share `span` of the
 * rows by least squares with tricube weights (1 - (d / h)^3)^3, h being the distance of the farthest of them. This is
 * `loess` of R with `surface = "direct"`, `degree = 2`. As there, the number of nearest rows is rounded down; with
 * weights it is counted in units of the smallest weight, so that weight k counts as the row k times.
 *
 * Source: Cleveland & Devlin 1988, Journal of the American Statistical Association 83:596.
 *
 * @returns the weights of the rows in the fit at a place, which hold until the next place, or a reason
 */
export function localQuadratic(
  x: ArrayLike<number>,
  span: number,
  weight?: ArrayLike<number>,
): (at: number) => LocalWeights | Undefined {
  const order = rowNumbers(x.length).sort((a, b) => x[a] - x[b]);
  const sorted = Float64Array.from(order, (row) => x[row]);
  const copies = inSmallestUnits(weight, x.length);
  const mass = gather(copies, order);
  const near = Math.floor(sum(mass) * span + 1e-5);
  // One room for all places: hundreds of them have thousands of rows.
  const [shift, kernel, values] = [0, 0, 0].map(() => new Float64Array(x.length));
  const parabola = parabolaAtZero(shift, kernel, values);
  return (at) => {
    const { from, to, width } = neighbours(sorted, mass, near, at);
    const n = to - from;
    let [total, moment] = [0, 0];
    for (let i = 0; i < n; i++) {
      shift[i] = width > 0 ? (sorted[from + i] - at) / width : 1;
      kernel[i] = mass[from + i] * tricube(Math.abs(shift[i]));
      total += kernel[i];
      moment += kernel[i] * shift[i];
    }
    return parabola(n, total, moment / total)
      ? { rows: order.subarray(from, to), values: values.subarray(0, n) }
      : undefinedBecause('the nearest rows have fewer than three different probabilities');
  };
}

/** Weights over the smallest of them: how many rows each row stands for. */
export function inSmallestUnits(weight: ArrayLike<number> | undefined, n: number): Float64Array {
  if (!weight) return new Float64Array(n).fill(1);
  const values = Float64Array.from(weight);
  const least = values.reduce((min, each) => Math.min(min, each), Infinity);
  return values.map((each) => each / least);
}

/** The rows `from` ... `to - 1` that lie nearest and together weigh `near`, and the distance of the farthest. */
function neighbours(sorted: Float64Array, mass: Float64Array, near: number, at: number) {
  let to = lowerBound(sorted, at);
  let from = to;
  let [width, found] = [0, 0];
  const below = (i: number) => (i > 0 ? at - sorted[i - 1] : Infinity);
  const above = (i: number) => (i < sorted.length ? sorted[i] - at : Infinity);
  do {
    if (below(from) <= above(to)) {
      from--;
      found += mass[from];
      width = at - sorted[from];
    } else {
      found += mass[to];
      width = sorted[to] - at;
      to++;
    }
  } while (found < near - 1e-9 && to - from < sorted.length);
  return { from, to, width };
}

/**
 * The weights with which a weighted parabola over `x` gives its value at 0, by orthogonal polynomials: moments about 0
 * would cancel where all rows lie far to one side. They are written to `out`, for the first n rows, of this total weight and mean;
 * false when the rows determine no parabola.
 */
const parabolaAtZero =
  (x: Float64Array, weight: Float64Array, out: Float64Array) => (n: number, total: number, mean: number) => {
    let [squares, cubes] = [0, 0];
    for (let i = 0; i < n; i++) {
      const line = x[i] - mean;
      const square = weight[i] * line * line;
      squares += square;
      cubes += square * line;
    }
    const [level, tilt] = [squares / total, cubes / squares];
    const curve = (line: number) => line * line - tilt * line - level;
    let curveSquares = 0;
    for (let i = 0; i < n; i++) {
      const value = curve(x[i] - mean);
      curveSquares += weight[i] * value * value;
    }
    if (!(curveSquares > DEGENERATE * total * level * level)) return false;
    const [lineAtZero, curveAtZero] = [-mean / squares, curve(-mean) / curveSquares];
    for (let i = 0; i < n; i++) {
      const line = x[i] - mean;
      out[i] = weight[i] * (1 / total + lineAtZero * line + curveAtZero * curve(line));
    }
    return true;
  };

function tricube(distance: number): number {
  const rest = 1 - distance * distance * distance;
  return rest > 0 ? rest * rest * rest : 0;
}
