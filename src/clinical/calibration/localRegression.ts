import { lowerBound } from '../../core/lowerBound.js';
import { rowNumbers } from '../../data/labels.js';
import { type Undefined, undefinedBecause } from '../../metrics/metric.js';

/** The fitted value at a place is the sum of `values[i] y[rows[i]]`. */
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
 * weights it is counted in units of the smallest weight, so that weight k counts as the row k times and a common factor
 * as nothing.
 *
 * Source: Cleveland & Devlin 1988, Journal of the American Statistical Association 83:596.
 *
 * @param x one finite number per row, n >= 1
 * @param span share of the rows, 0 < span <= 1
 * @param weight per row, > 0; absent means 1 each
 * @returns the weights of the rows in the fit at a place; no fit but a reason where the nearest rows have fewer than
 * three different values
 */
export function localQuadratic(
  x: ArrayLike<number>,
  span: number,
  weight?: ArrayLike<number>,
): (at: number) => LocalWeights | Undefined {
  const order = rowNumbers(x.length).sort((a, b) => x[a] - x[b]);
  const sorted = Float64Array.from(order, (row) => x[row]);
  const copies = inSmallestUnits(weight, x.length);
  const mass = Float64Array.from(order, (row) => copies[row]);
  const near = Math.floor(mass.reduce((sum, each) => sum + each, 0) * span + 1e-5);
  return (at) => {
    const { from, to, width } = neighbours(sorted, mass, near, at);
    const kernel = mass.slice(from, to);
    const shift = sorted.slice(from, to);
    for (let i = 0; i < shift.length; i++) {
      shift[i] = width > 0 ? (shift[i] - at) / width : 1;
      kernel[i] *= tricube(Math.abs(shift[i]));
    }
    const values = parabolaAtZero(shift, kernel);
    return values
      ? { rows: order.subarray(from, to), values }
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
 * would cancel where all rows lie far to one side. Undefined when the rows determine no parabola.
 */
function parabolaAtZero(x: Float64Array, weight: Float64Array): Float64Array | undefined {
  const n = x.length;
  let [total, mean] = [0, 0];
  for (let i = 0; i < n; i++) {
    total += weight[i];
    mean += weight[i] * x[i];
  }
  mean /= total;
  let [squares, cubes] = [0, 0];
  for (let i = 0; i < n; i++) {
    const line = x[i] - mean;
    squares += weight[i] * line * line;
    cubes += weight[i] * line * line * line;
  }
  const [level, tilt] = [squares / total, cubes / squares];
  const curve = (line: number) => line * line - tilt * line - level;
  let curveSquares = 0;
  for (let i = 0; i < n; i++) {
    const value = curve(x[i] - mean);
    curveSquares += weight[i] * value * value;
  }
  if (!(curveSquares > DEGENERATE * total * level * level)) return undefined;
  const [lineAtZero, curveAtZero] = [-mean / squares, curve(-mean) / curveSquares];
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const line = x[i] - mean;
    out[i] = weight[i] * (1 / total + lineAtZero * line + curveAtZero * curve(line));
  }
  return out;
}

function tricube(distance: number): number {
  const rest = 1 - distance * distance * distance;
  return rest > 0 ? rest * rest * rest : 0;
}
