import { choleskyInverse } from '../core/choleskyInverse.js';
import { hasReason } from '../core/hasReason.js';
import { type Undefined, undefinedBecause } from './metric.js';

export interface LogisticModel {
  /** One array of length n per coefficient. Nothing is added: an intercept is a column of ones. */
  readonly columns: readonly ArrayLike<number>[];
  readonly y: ArrayLike<number>;
  /** Weight k counts as the row k times; absent means 1 each. */
  readonly weight?: ArrayLike<number>;
  /** Added to the linear predictor, with no coefficient of its own. */
  readonly offset?: ArrayLike<number>;
}

export interface LogisticFit {
  readonly coefficients: number[];
  /** Inverse of the Fisher information, as `vcov` of R's `glm` has it. */
  readonly covariance: readonly Float64Array[];
  /** Of each row on coefficient `j`, in proportion to its weight; summed by patient and squared, the middle of a sandwich. */
  influence(j: number): Float64Array;
}

/** From so many rows on the start is sought among so many groups of rows of either class. */
const [MANY, GROUPS] = [100_000, 4096];
const MAX_ITERATIONS = 100;
const TOLERANCE = 1e-10;
/** The largest move of a linear predictor: far from the maximum the curvature is nearly 0. */
const LONGEST_STEP = 20;
const MAX_HALVINGS = 60;
/**
 * A shorter one raises the likelihood enough as a whole, since the curvature along it changes by less than the factor
 * e^.5: less than .83 of what the slope promises is lost. So near the maximum rounding of the likelihood does not count.
 */
const SHORT_STEP = 0.5;

/**
 * Logistic regression by maximum likelihood: Newton's method, with each step halved until the likelihood rises enough.
 * Without a maximum there is no fit, and the reason is given: a class without rows, columns that depend on each other,
 * classes that the columns separate (the likelihood then rises without end in some direction).
 * Source: McCullagh & Nelder 1989, Generalized Linear Models, section 4.4; how much is enough: Armijo 1966, Pacific
 * Journal of Mathematics 16:1; separation, Albert & Anderson 1984, Biometrika 71:1.
 */
export function logisticFit(model: LogisticModel): LogisticFit | Undefined {
  const { columns, y, weight } = model;
  const n = y.length;
  let [positives, negatives] = [0, 0];
  for (let row = 0; row < n; row++) {
    if (weight && weight[row] === 0) continue;
    positives += Number(y[row] === 1);
    negatives += Number(y[row] !== 1);
  }
  if (positives === 0) return undefinedBecause('no positive rows');
  if (negatives === 0) return undefinedBecause('no negative rows');
  let coefficients = startOf(model);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const eta = predictor(model, coefficients);
    const { slopes, score, covariance } = derivatives(model, eta);
    if (typeof covariance === 'number')
      return undefinedBecause(iteration === 0 ? 'the columns depend on each other' : 'did not converge');
    const step = covariance.map((line) => dot(line, score));
    const change = predictor({ columns, y }, step);
    const largest = maxAbs(change);
    if (separates(model, change, largest)) {
      return undefinedBecause('did not converge: the predictions separate the classes');
    }
    let size = Math.min(1, LONGEST_STEP / largest);
    if (largest > SHORT_STEP) {
      const gain = dot(score, step); // what the whole step would add if the slope stayed
      const likelihood = likelihoodOf(model, eta);
      const rises = () =>
        likelihoodOf(model, eta, change, size) >= likelihood + 1e-4 * size * gain - 1e-13 * Math.abs(likelihood);
      for (let halved = 1; halved < MAX_HALVINGS && !rises(); halved++) size /= 2;
    }
    coefficients = coefficients.map((value, j) => value + size * step[j]);
    // Never at the start, which is near the maximum of other rows.
    if (iteration > 0 && largest <= TOLERANCE * Math.max(1, maxAbs(eta))) {
      const influence = (j: number) => predictor({ columns, y }, covariance[j]).map((each, row) => each * slopes[row]);
      return { coefficients, covariance, influence };
    }
  }
  return undefinedBecause('did not converge');
}

/** Zeros; of many rows the fit to the means of groups of them by class, from which two steps over all rows are left. */
function startOf({ columns, y, weight, offset }: LogisticModel): number[] {
  const zeros = columns.map(() => 0);
  if (y.length < MANY) return zeros;
  const parts = offset ? [...columns, offset] : columns;
  const key = parts[parts.length - 1];
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < y.length; row++) {
    low = Math.min(low, key[row]);
    high = Math.max(high, key[row]);
  }
  const [mass, ...sums] = [0, ...parts].map(() => new Float64Array(2 * GROUPS));
  for (let row = 0; row < y.length; row++) {
    const group = 2 * Math.floor(((key[row] - low) / (high - low || 1)) * (GROUPS - 1)) + Number(y[row] === 1);
    const w = weight ? weight[row] : 1;
    mass[group] += w;
    for (let j = 0; j < parts.length; j++) sums[j][group] += w * parts[j][row];
  }
  const means = sums.map((each) => each.map((sum, group) => (mass[group] > 0 ? sum / mass[group] : 0)));
  const groups = { columns: means.slice(0, columns.length), y: mass.map((_, group) => group % 2), weight: mass };
  const fit = logisticFit(offset ? { ...groups, offset: means[columns.length] } : groups);
  return hasReason(fit) ? zeros : fit.coefficients;
}

const dot = (a: ArrayLike<number>, b: readonly number[]) => b.reduce((sum, value, i) => sum + value * a[i], 0);

function maxAbs(values: Float64Array): number {
  let max = 0;
  for (let row = 0; row < values.length; row++) max = Math.max(max, Math.abs(values[row]));
  return max;
}

function predictor({ columns, y, offset }: LogisticModel, coefficients: ArrayLike<number>): Float64Array {
  const out = offset ? new Float64Array(offset) : new Float64Array(y.length);
  for (const [j, column] of columns.entries()) {
    const coefficient = coefficients[j];
    for (let row = 0; row < out.length; row++) out[row] += coefficient * column[row];
  }
  return out;
}

/** The log likelihood `size` times `change` away from `eta`. */
function likelihoodOf({ y, weight }: LogisticModel, eta: Float64Array, change = eta, size = 0): number {
  let sum = 0;
  for (let row = 0; row < eta.length; row++) {
    const at = eta[row] + size * change[row];
    sum += (weight ? weight[row] : 1) * (Math.min(y[row] === 1 ? at : -at, 0) - Math.log1p(Math.exp(-Math.abs(at))));
  }
  return sum;
}

/** Slopes of the log likelihood, by row and by coefficient, and the inverse of its curvature. */
function derivatives({ columns, y, weight }: LogisticModel, eta: Float64Array) {
  const [slopes, curvatures] = [0, 0].map(() => new Float64Array(eta.length));
  for (let row = 0; row < eta.length; row++) {
    const w = weight ? weight[row] : 1;
    const tail = Math.exp(-Math.abs(eta[row])); // the smaller of p and 1 - p without cancellation
    const large = 1 / (1 + tail);
    const isPositive = y[row] === 1;
    const residual = isPositive === eta[row] > 0 ? tail * large : large;
    slopes[row] = isPositive ? w * residual : -w * residual;
    curvatures[row] = w * tail * large * large;
  }
  const score = columns.map((column) => sumOfProducts(slopes, column));
  const information = columns.map((a, i) => columns.map((b, j) => (j > i ? 0 : sumOfProducts(curvatures, a, b))));
  return { slopes, score, covariance: choleskyInverse(information, 1e-12) };
}

function sumOfProducts(a: Float64Array, b: ArrayLike<number>, c?: ArrayLike<number>): number {
  let sum = 0;
  for (let row = 0; row < a.length; row++) sum += a[row] * b[row] * (c ? c[row] : 1);
  return sum;
}

/**
 * True where the direction moves no row against its class: along it the likelihood never stops rising. Newton's steps
 * turn to such a direction if there is one, and stay long there.
 */
function separates({ y, weight }: LogisticModel, change: Float64Array, largest: number): boolean {
  if (largest <= 0.1) return false;
  for (let row = 0; row < change.length; row++) {
    if (weight && weight[row] === 0) continue;
    if ((y[row] === 1 ? change[row] : -change[row]) < -1e-9 * largest) return false;
  }
  return true;
}
