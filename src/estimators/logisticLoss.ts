/** The penalised log-loss of scikit-learn's LogisticRegression, for two classes and for several, and Newton's method. */

import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { sum } from '../core/numbers.js';
import type { Block } from './denseRows.js';

export interface FitData {
  readonly X: Block;
  readonly codes: ArrayLike<number>;
  readonly weights: Float64Array;
  readonly nClasses: number;
  readonly C: number;
  readonly fitIntercept: boolean;
}

/**
 * Mean log-loss by weight plus the squares of the coefficients over `2 C sum(weights)`; intercepts are not penalised. Two
 * classes have one row of parameters (coefficients, then the intercept), K classes have K, whose intercepts sum to 0.
 */
export const logisticLoss = (fit: FitData): LossFunction => (fit.nClasses === 2 ? binaryLoss(fit) : softmaxLoss(fit));

function binaryLoss(fit: FitData): LossFunction {
  const { X, weights, fitIntercept } = fit;
  const { width } = X;
  const size = width + (fitIntercept ? 1 : 0);
  const total = sum(weights);
  const penalty = 1 / (fit.C * total);
  let last: (Pass & { readonly at: Float64Array }) | undefined;
  /** The gradient is made with the value, because a step that is tried is mostly taken. */
  const passAt = (at: Float64Array) => {
    if (last?.at !== at) last = { at, ...binaryPass(fit, at, size) };
    return last;
  };
  return {
    size,
    value(at) {
      let squares = 0;
      for (let column = 0; column < width; column++) squares += at[column] ** 2;
      return passAt(at).loss / total + (penalty / 2) * squares;
    },
    gradient(at) {
      const { slopes } = passAt(at);
      return slopes.map((slope, column) => slope / total + (column < width ? penalty * at[column] : 0));
    },
    hessian(at) {
      const hessian = new Float64Array(size * size);
      const curvature = passAt(at).probabilities.map((p, row) => (weights[row] * p * (1 - p)) / total);
      addProducts({ into: hessian, size, row: 0, column: 0 }, X, curvature, fitIntercept);
      for (let column = 0; column < width; column++) hessian[column * size + column] += penalty;
      return hessian;
    },
  };
}

interface Pass {
  readonly loss: number;
  /** The gradient of `loss`. */
  readonly slopes: Float64Array;
  readonly probabilities: Float64Array;
}

/** One reading of the rows, four at a time: reading and writing the sums costs more than the products. */
function binaryPass({ X: { data, n, width }, codes, weights }: FitData, at: Float64Array, size: number): Pass {
  const slopes = new Float64Array(size);
  const probabilities = new Float64Array(n);
  const residuals = new Float64Array(4);
  const scores = new Float64Array(4);
  const end = (n - 1) * width;
  let loss = 0;
  for (let row = 0; row < n; row += 4) {
    // Rows beyond the last one count as it with a residual of 0.
    const a = row * width;
    const b = Math.min(a + width, end);
    const c = Math.min(a + 2 * width, end);
    const d = Math.min(a + 3 * width, end);
    let zA = size > width ? at[width] : 0;
    let zB = zA;
    let zC = zA;
    let zD = zA;
    for (let column = 0; column < width; column++) {
      const slope = at[column];
      zA += data[a + column] * slope;
      zB += data[b + column] * slope;
      zC += data[c + column] * slope;
      zD += data[d + column] * slope;
    }
    scores[0] = zA;
    scores[1] = zB;
    scores[2] = zC;
    scores[3] = zD;
    for (let k = 0; k < 4; k++) {
      residuals[k] = 0;
      if (row + k >= n) continue;
      const z = scores[k];
      const small = Math.exp(-Math.abs(z));
      const p = (z > 0 ? 1 : small) / (1 + small);
      const code = codes[row + k];
      const weight = weights[row + k];
      probabilities[row + k] = p;
      loss += weight * (Math.max(z, 0) + Math.log1p(small) - (code === 1 ? z : 0));
      residuals[k] = weight * (p - code);
    }
    const rA = residuals[0];
    const rB = residuals[1];
    const rC = residuals[2];
    const rD = residuals[3];
    for (let column = 0; column < width; column++) {
      slopes[column] += rA * data[a + column] + rB * data[b + column] + rC * data[c + column] + rD * data[d + column];
    }
    if (size > width) slopes[width] += rA + rB + rC + rD;
  }
  return { loss, slopes, probabilities };
}

function softmaxLoss(fit: FitData): LossFunction {
  const { X, codes, weights, nClasses, fitIntercept } = fit;
  const { data, n, width } = X;
  const each = width + (fitIntercept ? 1 : 0);
  const size = nClasses * each;
  const total = sum(weights);
  const penalty = 1 / (fit.C * total);
  /** Logarithms of the probabilities of a row, and their largest part taken off before. */
  const logProbabilities = (at: Float64Array, row: number, into: Float64Array) => {
    let most = -Infinity;
    for (let k = 0; k < nClasses; k++) {
      let score = fitIntercept ? at[k * each + width] : 0;
      for (let column = 0; column < width; column++) score += data[row * width + column] * at[k * each + column];
      into[k] = score;
      most = Math.max(most, score);
    }
    let total = 0;
    for (let k = 0; k < nClasses; k++) total += Math.exp(into[k] - most);
    const norm = most + Math.log(total);
    for (let k = 0; k < nClasses; k++) into[k] -= norm;
  };
  const meanIntercept = (at: Float64Array) => {
    let total = 0;
    for (let k = 0; k < nClasses; k++) total += at[k * each + width];
    return total / nClasses;
  };
  const log = new Float64Array(nClasses);
  return {
    size,
    value(at) {
      let loss = 0;
      for (let row = 0; row < n; row++) {
        logProbabilities(at, row, log);
        loss -= weights[row] * log[codes[row]];
      }
      let squares = 0;
      for (let k = 0; k < nClasses; k++) for (let j = 0; j < width; j++) squares += at[k * each + j] ** 2;
      // Holds the intercepts' sum at 0, which no prediction depends on.
      const held = fitIntercept ? meanIntercept(at) ** 2 / 2 : 0;
      return loss / total + (penalty / 2) * squares + held;
    },
    gradient(at) {
      const gradient = new Float64Array(size);
      for (let row = 0; row < n; row++) {
        logProbabilities(at, row, log);
        for (let k = 0; k < nClasses; k++) {
          const residual = (weights[row] * (Math.exp(log[k]) - (codes[row] === k ? 1 : 0))) / total;
          for (let j = 0; j < width; j++) gradient[k * each + j] += residual * data[row * width + j];
          if (fitIntercept) gradient[k * each + width] += residual;
        }
      }
      const held = fitIntercept ? meanIntercept(at) / nClasses : 0;
      for (let k = 0; k < nClasses; k++) {
        for (let j = 0; j < width; j++) gradient[k * each + j] += penalty * at[k * each + j];
        if (fitIntercept) gradient[k * each + width] += held;
      }
      return gradient;
    },
    hessian(at) {
      const hessian = new Float64Array(size * size);
      const p = Array.from({ length: nClasses }, () => new Float64Array(n));
      for (let row = 0; row < n; row++) {
        logProbabilities(at, row, log);
        for (let k = 0; k < nClasses; k++) p[k][row] = Math.exp(log[k]);
      }
      for (let k = 0; k < nClasses; k++) {
        for (let l = 0; l <= k; l++) {
          const curvature = weights.map((w, row) => (w * p[k][row] * ((k === l ? 1 : 0) - p[l][row])) / total);
          addProducts({ into: hessian, size, row: k * each, column: l * each }, X, curvature, fitIntercept);
        }
      }
      mirrorBlocks(hessian, size, nClasses, each);
      for (let k = 0; k < nClasses; k++) {
        for (let j = 0; j < width; j++) hessian[(k * each + j) * (size + 1)] += penalty;
        if (!fitIntercept) continue;
        for (let l = 0; l <= k; l++) hessian[(k * each + width) * size + l * each + width] += 1 / nClasses ** 2;
      }
      return hessian;
    },
  };
}

/** Blocks beside the diagonal are symmetric, too; so far each has its lower triangle alone. */
function mirrorBlocks(hessian: Float64Array, size: number, nClasses: number, each: number): void {
  for (let k = 0; k < nClasses; k++) {
    for (let l = 0; l < k; l++) {
      for (let i = 0; i < each; i++) {
        for (let j = i + 1; j < each; j++) {
          hessian[(k * each + i) * size + l * each + j] = hessian[(k * each + j) * size + l * each + i];
        }
      }
    }
  }
}

interface Corner {
  readonly into: Float64Array;
  readonly size: number;
  readonly row: number;
  readonly column: number;
}

/**
 * Adds the sum over all rows of `weight` times the products of the row's cells (and 1, last, for an intercept): the lower
 * triangle counts. Four rows are taken at a time, because reading and writing the sums costs more than the products.
 */
function addProducts(
  { into, size, row: fromRow, column: fromColumn }: Corner,
  { data, n, width }: Block,
  weights: Float64Array,
  intercept: boolean,
): void {
  const last = (n - 1) * width;
  for (let row = 0; row < n; row += 4) {
    // Rows beyond the last one count as it with a weight of 0.
    const a = row * width;
    const b = Math.min(a + width, last);
    const c = Math.min(a + 2 * width, last);
    const d = Math.min(a + 3 * width, last);
    const wA = weights[row];
    const wB = row + 1 < n ? weights[row + 1] : 0;
    const wC = row + 2 < n ? weights[row + 2] : 0;
    const wD = row + 3 < n ? weights[row + 3] : 0;
    let i = 0;
    // Three rows of sums at a time, because each cell that is read then serves all; a few lie above the diagonal.
    for (; i + 2 < width; i += 3) {
      const to = (fromRow + i) * size + fromColumn;
      const pA = wA * data[a + i];
      const pB = wB * data[b + i];
      const pC = wC * data[c + i];
      const pD = wD * data[d + i];
      const qA = wA * data[a + i + 1];
      const qB = wB * data[b + i + 1];
      const qC = wC * data[c + i + 1];
      const qD = wD * data[d + i + 1];
      const rA = wA * data[a + i + 2];
      const rB = wB * data[b + i + 2];
      const rC = wC * data[c + i + 2];
      const rD = wD * data[d + i + 2];
      for (let j = 0; j < i + 3; j++) {
        // Not taken apart from a list, which would be made each time.
        const xA = data[a + j];
        const xB = data[b + j];
        const xC = data[c + j];
        const xD = data[d + j];
        into[to + j] += pA * xA + pB * xB + pC * xC + pD * xD;
        into[to + size + j] += qA * xA + qB * xB + qC * xC + qD * xD;
        into[to + 2 * size + j] += rA * xA + rB * xB + rC * xC + rD * xD;
      }
    }
    for (; i < width; i++) {
      const to = (fromRow + i) * size + fromColumn;
      const pA = wA * data[a + i];
      const pB = wB * data[b + i];
      const pC = wC * data[c + i];
      const pD = wD * data[d + i];
      for (let j = 0; j <= i; j++) {
        into[to + j] += pA * data[a + j] + pB * data[b + j] + pC * data[c + j] + pD * data[d + j];
      }
    }
    if (!intercept) continue;
    const to = (fromRow + width) * size + fromColumn;
    for (let j = 0; j < width; j++) {
      into[to + j] += wA * data[a + j] + wB * data[b + j] + wC * data[c + j] + wD * data[d + j];
    }
    into[to + width] += wA + wB + wC + wD;
  }
}

export interface LossFunction {
  readonly size: number;
  value(at: Float64Array): number;
  gradient(at: Float64Array): Float64Array;
  /** Row after row; the lower triangle counts. */
  hessian(at: Float64Array): Float64Array;
}

export interface Minimum {
  readonly at: Float64Array;
  readonly iterations: number;
  readonly converged: boolean;
}

/** The lower factor of second derivatives. */
export type Factor = Float64Array;

export interface Start {
  readonly at: Float64Array;
  /** Of second derivatives near there, where they are known. */
  readonly factor?: Factor;
}

/** Steps below this share of the parameters change nothing. */
const STILL = 1e-14;
const HALVINGS = 40;
/** Second derivatives are made again when a step makes the gradient no smaller than this share of it. */
const POOR = 0.2;

/**
 * Whether second derivatives that made the gradient smaller from `before` to `now` are used again: where the steps to the
 * goal cost less than new ones, which cost as much as a step for every ten parameters.
 */
function isGoodEnough(before: number, now: number, { size, tol }: { size: number; tol: number }): boolean {
  const share = now / before;
  if (share > POOR) return false;
  const steps = Math.log(tol / now) / Math.log(share);
  return steps <= 2 + size / 10;
}

/**
 * The minimum, from `start`. Second derivatives cost most: they are made again when the steps they give get poor. `tol`:
 * largest part of the gradient at the end.
 */
export function minimize(
  objective: LossFunction,
  start: Start,
  { maxIter, tol }: { maxIter: number; tol: number },
): Minimum {
  let { at, factor } = start;
  let value = objective.value(at);
  let gradient = objective.gradient(at);
  for (let iterations = 0; iterations < maxIter; iterations++) {
    const size = largest(gradient);
    factor ??= factorAt(objective, at);
    const step = solve(factor, gradient);
    const next = goneDown(objective, at, value, step);
    // Nothing goes down any more: the minimum, as far as numbers of 64 bits tell.
    if (!next) return { at, iterations, converged: size <= Math.max(tol, 1e-6) };
    const stood = largest(step) <= STILL * (1 + largest(at));
    [at, value] = [next.at, next.value];
    gradient = objective.gradient(at);
    const now = largest(gradient);
    // One more step after the goal costs little and doubles the digits.
    const done = size <= tol && now <= tol;
    if (stood || done) return { at, iterations: iterations + 1, converged: done || now <= Math.max(tol, 1e-6) };
    if (!isGoodEnough(size, now, { size: objective.size, tol })) factor = undefined;
  }
  return { at, iterations: maxIter, converged: largest(gradient) <= tol };
}

export const factorAt = (objective: LossFunction, at: Float64Array): Factor =>
  cholesky(objective.hessian(at), objective.size);

function goneDown(objective: LossFunction, at: Float64Array, value: number, step: Float64Array) {
  let share = 1;
  for (let halving = 0; halving < HALVINGS; halving++, share /= 2) {
    const next = at.map((each, i) => each - share * step[i]);
    const there = objective.value(next);
    if (there <= value + 1e-15 * Math.abs(value)) return { at: next, value: there };
  }
  return undefined;
}

const largest = (values: Float64Array) => values.reduce((most, each) => Math.max(most, Math.abs(each)), 0);

/** The lower factor of a positive matrix; a tiny ridge is added where rounding leaves none. */
function cholesky(matrix: Float64Array, n: number): Factor {
  const scale = Array.from({ length: n }, (_, i) => matrix[i * n + i]).reduce((most, each) => Math.max(most, each), 0);
  if (!(scale < Number.POSITIVE_INFINITY)) throw squaresTooLarge();
  // Columns of zeros without a penalty curve nothing: any ridge is as good.
  const least = Math.max(scale * 1e-14, Number.MIN_VALUE * 2 ** 60);
  for (let ridge = 0; ; ridge = ridge === 0 ? least : ridge * 100) {
    const factor = factored(matrix, n, ridge);
    if (factor) return factor;
  }
}

export const squaresTooLarge = () => {
  const subject = 'The columns of X for a regression';
  const must = 'hold numbers whose squares are finite';
  const way = 'Look for marks of missing values (1e200), and scale the columns.';
  return new InvalidDataError(sentence(subject, must, phrase('some that are too large'), way), { code: 'not_finite' });
};

function factored(matrix: Float64Array, n: number, ridge: number): Float64Array | undefined {
  const L = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j] + (i === j ? ridge : 0);
      for (let k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
      if (i !== j) L[i * n + j] = sum / L[j * n + j];
      else if (sum > 0) L[i * n + i] = Math.sqrt(sum);
      else return undefined;
    }
  }
  return L;
}

/** Whether a column of the matrix is a combination of those before it, up to rounding. */
export function dependent(matrix: Float64Array, n: number): boolean {
  const L = factored(matrix, n, 0);
  return (
    !L || Array.from({ length: n }, (_, i) => L[i * (n + 1)] ** 2 / matrix[i * (n + 1)]).some((rest) => rest < 1e-12)
  );
}

export function solve(L: Float64Array, b: Float64Array): Float64Array {
  const n = b.length;
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
  return x;
}
