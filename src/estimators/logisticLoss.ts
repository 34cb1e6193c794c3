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
export function logisticLoss({ X, codes, weights, nClasses, C, fitIntercept }: FitData): LossFunction {
  const { data, n, width } = X;
  const nRows = nClasses === 2 ? 1 : nClasses;
  const each = width + (fitIntercept ? 1 : 0);
  const size = nRows * each;
  const total = sum(weights);
  const penalty = 1 / (C * total);
  const codeOf = (k: number) => (nClasses === 2 ? 1 : k);
  /** Holds the intercepts' sum at 0, which no prediction depends on. */
  const held = fitIntercept && nClasses > 2 ? 1 / nClasses ** 2 : 0;
  const interceptSum = (at: Float64Array) => {
    let intercepts = 0;
    for (let k = 0; k < nRows; k++) intercepts += at[k * each + width];
    return intercepts;
  };
  let known: { at: Float64Array; probabilities: Float64Array; loss: number } | undefined;
  const fitted = (at: Float64Array) => {
    if (known?.at === at) return known;
    const scores = new Float64Array(n * nRows);
    let loss = 0;
    for (let row = 0; row < n; row++) {
      for (let k = 0; k < nRows; k++) {
        let score = fitIntercept ? at[k * each + width] : 0;
        for (let j = 0; j < width; j++) score += data[row * width + j] * at[k * each + j];
        scores[row * nRows + k] = score;
      }
      loss += weights[row] * toProbabilities(scores, row * nRows, nRows, codes[row]);
    }
    known = { at, probabilities: scores, loss };
    return known;
  };
  return {
    size,
    value(at) {
      let squares = 0;
      for (let k = 0; k < nRows; k++) for (let j = 0; j < width; j++) squares += at[k * each + j] ** 2;
      const ofIntercepts = held > 0 ? (held / 2) * interceptSum(at) ** 2 : 0;
      return fitted(at).loss / total + (penalty / 2) * squares + ofIntercepts;
    },
    gradient(at) {
      const { probabilities } = fitted(at);
      const gradient = new Float64Array(size);
      for (let row = 0; row < n; row++) {
        for (let k = 0; k < nRows; k++) {
          const truth = codes[row] === codeOf(k) ? 1 : 0;
          const residual = (weights[row] * (probabilities[row * nRows + k] - truth)) / total;
          for (let j = 0; j < width; j++) gradient[k * each + j] += residual * data[row * width + j];
          if (fitIntercept) gradient[k * each + width] += residual;
        }
      }
      const ofIntercepts = held > 0 ? held * interceptSum(at) : 0;
      for (let k = 0; k < nRows; k++) {
        for (let j = 0; j < width; j++) gradient[k * each + j] += penalty * at[k * each + j];
        if (fitIntercept) gradient[k * each + width] += ofIntercepts;
      }
      return gradient;
    },
    hessian(at) {
      const { probabilities: p } = fitted(at);
      const hessian = new Float64Array(size * size);
      for (let k = 0; k < nRows; k++) {
        for (let l = 0; l <= k; l++) {
          const curvature = weights.map(
            (w, row) => (w * p[row * nRows + k] * ((k === l ? 1 : 0) - p[row * nRows + l])) / total,
          );
          addProducts({ into: hessian, size, row: k * each, column: l * each }, X, curvature, fitIntercept);
        }
      }
      mirrorBlocks(hessian, size, nRows, each);
      for (let k = 0; k < nRows; k++) {
        for (let j = 0; j < width; j++) hessian[(k * each + j) * (size + 1)] += penalty;
        if (held === 0) continue;
        for (let l = 0; l <= k; l++) hessian[(k * each + width) * size + l * each + width] += held;
      }
      return hessian;
    },
  };
}

/**
 * Writes probabilities in the place of the scores of one row: of the second of two classes, or of each of several.
 *
 * @returns minus the logarithm of the probability of the class `code`
 */
export function toProbabilities(scores: Float64Array, from: number, count: number, code: number): number {
  if (count === 1) {
    const score = scores[from];
    scores[from] = 1 / (1 + Math.exp(-score));
    return Math.max(score, 0) + Math.log1p(Math.exp(-Math.abs(score))) - (code === 1 ? score : 0);
  }
  let most = -Infinity;
  for (let k = from; k < from + count; k++) most = Math.max(most, scores[k]);
  const loss = most - scores[from + code];
  let total = 0;
  for (let k = from; k < from + count; k++) {
    scores[k] = Math.exp(scores[k] - most);
    total += scores[k];
  }
  for (let k = from; k < from + count; k++) scores[k] /= total;
  return loss + Math.log(total);
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

/**
 * Adds the sum over all rows of `weight` times the products of the row's cells (and 1, last, for an intercept): the lower
 * triangle alone. Four rows are taken at a time, because reading and writing the sums costs more than the products.
 */
function addProducts(
  { into, size, row: fromRow, column: fromColumn }: { into: Float64Array; size: number; row: number; column: number },
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
    for (let i = 0; i < width; i++) {
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

const STILL = 1e-14;
const HALVINGS = 40;
/** Second derivatives are made again when a step makes the gradient no smaller than this share of it. */
const POOR = 0.2;

/**
 * Whether second derivatives that made the gradient smaller from `before` to `now` are used again: where the steps that
 * are left cost less than new ones, which cost as much as a step for every ten parameters.
 */
function isGoodEnough(before: number, now: number, { size, tol }: { size: number; tol: number }): boolean {
  const share = now / before;
  return share <= POOR && Math.log(tol / now) / Math.log(share) <= 2 + size / 10;
}

/**
 * The minimum, from 0. Second derivatives cost most: they are made again when the steps they give get poor. `tol`:
 * largest part of the gradient at the end.
 */
export function minimize(
  objective: LossFunction,
  { maxIter, tol }: { maxIter: number; tol: number },
): { readonly at: Float64Array; readonly iterations: number; readonly converged: boolean } {
  let at: Float64Array = new Float64Array(objective.size);
  let factor: Float64Array | undefined;
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

export const factorAt = (objective: LossFunction, at: Float64Array): Float64Array =>
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
function cholesky(matrix: Float64Array, n: number): Float64Array {
  const scale = Array.from({ length: n }, (_, i) => matrix[i * n + i]).reduce((most, each) => Math.max(most, each), 0);
  if (!(scale < Number.POSITIVE_INFINITY)) throw tooLarge();
  // Columns of zeros without a penalty curve nothing: any ridge is as good.
  const least = Math.max(scale * 1e-14, Number.MIN_VALUE * 2 ** 60);
  for (let ridge = 0; ; ridge = ridge === 0 ? least : ridge * 100) {
    const factor = factored(matrix, n, ridge);
    if (factor) return factor;
  }
}

const tooLarge = () => {
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
  return !L || L.some((pivot, at) => at % (n + 1) === 0 && pivot ** 2 < 1e-12 * matrix[at]);
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
