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
  let coefficients = columns.map(() => 0);
  let eta = new Float64Array(n);
  if (offset) for (let row = 0; row < n; row++) eta[row] = offset[row];
  let likelihood = logLikelihood(model, eta);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const { score, covariance, scores } = derivatives(model, eta);
    if (!covariance) return undefinedBecause(iteration === 0 ? 'the columns depend on each other' : 'did not converge');
    const step = covariance.map((line) => dot(line, score));
    const change = moved(new Float64Array(n), columns, step);
    if (separates(model, change)) return undefinedBecause('did not converge: the predictions separate the classes');
    const largest = maxAbs(change);
    if (largest <= TOLERANCE * Math.max(1, maxAbs(eta))) return { coefficients, covariance, scores };
    const gain = dot(score, step); // what the whole step would add if the slope stayed
    for (let halved = 0, size = Math.min(1, LONGEST_STEP / largest); halved < MAX_HALVINGS; halved++, size /= 2) {
      const next = moved(eta, [change], [size]);
      const reached = logLikelihood(model, next);
      if (reached < likelihood + 1e-4 * size * gain - 1e-13 * Math.abs(likelihood)) continue;
      [eta, likelihood] = [next, reached];
      coefficients = coefficients.map((value, j) => value + size * step[j]);
      break;
    }
  }
  return undefinedBecause('did not converge');
}

const dot = (a: readonly number[], b: readonly number[]) => b.reduce((sum, value, i) => sum + value * a[i], 0);

function maxAbs(values: Float64Array): number {
  let max = 0;
  for (const value of values) max = Math.max(max, Math.abs(value));
  return max;
}

function moved(from: Float64Array, columns: readonly ArrayLike<number>[], coefficients: readonly number[]) {
  const out = from.slice();
  columns.forEach((column, j) => {
    for (let row = 0; row < out.length; row++) out[row] += coefficients[j] * column[row];
  });
  return out;
}

function logLikelihood({ y, weight }: LogisticModel, eta: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < eta.length; row++) {
    const w = weight ? weight[row] : 1;
    const margin = y[row] === 1 ? eta[row] : -eta[row];
    sum += w * (Math.min(margin, 0) - Math.log1p(Math.exp(-Math.abs(margin))));
  }
  return sum;
}

function derivatives({ columns, y, weight }: LogisticModel, eta: Float64Array) {
  const k = columns.length;
  const scores = new Float64Array(eta.length * k);
  const score = columns.map(() => 0);
  const information = columns.map(() => columns.map(() => 0));
  for (let row = 0; row < eta.length; row++) {
    const w = weight ? weight[row] : 1;
    if (w === 0) continue;
    const tail = Math.exp(-Math.abs(eta[row])); // the smaller of p and 1 - p without cancellation
    const small = tail / (1 + tail);
    const residual = (y[row] === 1) === eta[row] > 0 ? small : 1 - small;
    const slope = w * (y[row] === 1 ? residual : -residual);
    const curvature = w * small * (1 - small);
    for (let i = 0; i < k; i++) {
      const x = columns[i][row];
      scores[row * k + i] = slope * x;
      score[i] += slope * x;
      for (let j = 0; j <= i; j++) information[i][j] += curvature * x * columns[j][row];
    }
  }
  return { scores, score, covariance: inverse(information) };
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
