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
  readonly covariance: number[][];
  /**
   * Row-major `[n, columns]`: what each row adds to the score vector, weight (y - p) x. Times `covariance` it is the
   * influence of the row on the coefficients; its outer products, summed by patient, are the middle of a sandwich.
   */
  readonly scores: Float64Array;
}

/** From so many rows on the start is sought among fewer: one row in so many. */
const [MANY, THINNED] = [100_000, 16];
const MAX_ITERATIONS = 100;
const TOLERANCE = 1e-10;
/** The largest move of a linear predictor: far from the maximum the curvature is nearly 0. */
const LONGEST_STEP = 20;
const MAX_HALVINGS = 60;

/**
 * Logistic regression by maximum likelihood: Newton's method, with each step halved until the likelihood rises enough.
 * Without a maximum there is no fit, and the reason is given: a class without rows, columns that depend on each other,
 * classes that the columns separate (the likelihood then rises without end in some direction).
 * Source: McCullagh & Nelder 1989, Generalized Linear Models, section 4.4; how much is enough: Armijo 1966, Pacific
 * Journal of Mathematics 16:1; separation, Albert & Anderson 1984, Biometrika 71:1.
 */
export function logisticFit(model: LogisticModel): LogisticFit | Undefined {
  const { columns, y, weight, offset } = model;
  const n = y.length;
  let [positives, negatives] = [0, 0];
  for (let row = 0; row < n; row++) {
    if (weight && weight[row] === 0) continue;
    if (y[row] === 1) positives++;
    else negatives++;
  }
  if (positives === 0) return undefinedBecause('no positive rows');
  if (negatives === 0) return undefinedBecause('no negative rows');
  let coefficients = startOf(model);
  let eta = moved(offset ? Float64Array.from(offset) : new Float64Array(n), columns, coefficients);
  let reached = derivatives(model, eta);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const { likelihood, score, covariance } = reached;
    if (!covariance) return undefinedBecause(iteration === 0 ? 'the columns depend on each other' : 'did not converge');
    const step = covariance.map((line) => dot(line, score));
    const change = moved(new Float64Array(n), columns, step);
    if (separates(model, change)) return undefinedBecause('did not converge: the predictions separate the classes');
    const largest = maxAbs(change);
    if (largest <= TOLERANCE * Math.max(1, maxAbs(eta)))
      return { coefficients, covariance, scores: scoresOf(model, eta) };
    const gain = dot(score, step); // what the whole step would add if the slope stayed
    for (let halved = 0, size = Math.min(1, LONGEST_STEP / largest); halved < MAX_HALVINGS; halved++, size /= 2) {
      const next = moved(eta, [change], [size]);
      const there = derivatives(model, next);
      if (there.likelihood < likelihood + 1e-4 * size * gain - 1e-13 * Math.abs(likelihood)) continue;
      [eta, reached] = [next, there];
      coefficients = coefficients.map((value, j) => value + size * step[j]);
      break;
    }
  }
  return undefinedBecause('did not converge');
}

/** Zeros; of many rows what every sixteenth gives, from which few steps over all of them are left. */
function startOf({ columns, y, weight, offset }: LogisticModel): number[] {
  const thin = (values: ArrayLike<number>) =>
    Float64Array.from({ length: Math.ceil(values.length / THINNED) }, (_, at) => values[at * THINNED]);
  if (y.length < MANY) return columns.map(() => 0);
  const some = {
    columns: columns.map(thin),
    y: thin(y),
    ...(weight ? { weight: thin(weight) } : {}),
    ...(offset ? { offset: thin(offset) } : {}),
  };
  const fit = logisticFit(some);
  return hasReason(fit) ? columns.map(() => 0) : fit.coefficients;
}

const dot = (a: readonly number[], b: readonly number[]) => b.reduce((sum, value, i) => sum + value * a[i], 0);

function maxAbs(values: Float64Array): number {
  let max = 0;
  for (let row = 0; row < values.length; row++) max = Math.max(max, Math.abs(values[row]));
  return max;
}

function moved(from: Float64Array, columns: readonly ArrayLike<number>[], coefficients: readonly number[]) {
  const out = from.slice();
  columns.forEach((column, j) => {
    for (let row = 0; row < out.length; row++) out[row] += coefficients[j] * column[row];
  });
  return out;
}

/** Log likelihood, its slope, and the inverse of its curvature, in one pass. */
function derivatives({ columns, y, weight }: LogisticModel, eta: Float64Array) {
  const k = columns.length;
  const score = columns.map(() => 0);
  const information = columns.map(() => columns.map(() => 0));
  let likelihood = 0;
  for (let row = 0; row < eta.length; row++) {
    const w = weight ? weight[row] : 1;
    if (w === 0) continue;
    const isPositive = y[row] === 1;
    const tail = Math.exp(-Math.abs(eta[row])); // the smaller of p and 1 - p without cancellation
    likelihood += w * (Math.min(isPositive ? eta[row] : -eta[row], 0) - Math.log1p(tail));
    const small = tail / (1 + tail);
    const slope = w * slopeOf(isPositive, eta[row], small);
    const curvature = w * small * (1 - small);
    for (let i = 0; i < k; i++) {
      const x = columns[i][row];
      score[i] += slope * x;
      for (let j = 0; j <= i; j++) information[i][j] += curvature * x * columns[j][row];
    }
  }
  return { likelihood, score, covariance: inverse(information) };
}

/** y - p, from the smaller of p and 1 - p. */
function slopeOf(isPositive: boolean, eta: number, small: number): number {
  const residual = isPositive === eta > 0 ? small : 1 - small;
  return isPositive ? residual : -residual;
}

function scoresOf({ columns, y, weight }: LogisticModel, eta: Float64Array): Float64Array {
  const k = columns.length;
  const scores = new Float64Array(eta.length * k);
  for (let row = 0; row < eta.length; row++) {
    const tail = Math.exp(-Math.abs(eta[row]));
    const slope = (weight ? weight[row] : 1) * slopeOf(y[row] === 1, eta[row], tail / (1 + tail));
    for (let i = 0; i < k; i++) scores[row * k + i] = slope * columns[i][row];
  }
  return scores;
}

/**
 * By Cholesky's method, from the lower triangle; undefined when a column is a combination of those before it, up to
 * rounding.
 */
function inverse(matrix: readonly (readonly number[])[]): number[][] | undefined {
  const k = matrix.length;
  const root = matrix.map(() => new Array<number>(k).fill(0)); // the inverse of the Cholesky factor, row by row
  const factor = matrix.map((line) => [...line]);
  for (let j = 0; j < k; j++) {
    for (let i = j; i < k; i++) for (let m = 0; m < j; m++) factor[i][j] -= factor[i][m] * factor[j][m];
    if (!(factor[j][j] > 1e-12 * matrix[j][j])) return undefined;
    const pivot = Math.sqrt(factor[j][j]);
    for (let i = j; i < k; i++) factor[i][j] /= pivot;
  }
  for (let i = 0; i < k; i++) {
    root[i][i] = 1 / factor[i][i];
    for (let j = 0; j < i; j++) {
      for (let m = j; m < i; m++) root[i][j] -= factor[i][m] * root[m][j];
      root[i][j] /= factor[i][i];
    }
  }
  return root.map((_, i) => root.map((__, j) => root.reduce((sum, line) => sum + line[i] * line[j], 0)));
}

/**
 * True where the direction moves no row against its class: along it the likelihood never stops rising. Newton's steps
 * turn to such a direction if there is one, and stay long there.
 */
function separates({ y, weight }: LogisticModel, change: Float64Array): boolean {
  const largest = maxAbs(change);
  if (largest <= 0.1) return false;
  for (let row = 0; row < change.length; row++) {
    if (weight && weight[row] === 0) continue;
    if ((y[row] === 1 ? change[row] : -change[row]) < -1e-9 * largest) return false;
  }
  return true;
}
