/** Newton's method for smooth convex functions of a few hundred parameters. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';

/** A function of the parameters. */
export interface Objective {
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

/** Where to begin. */
export interface Start {
  readonly at: Float64Array;
  /** Of second derivatives near there, where they are known. */
  readonly factor?: Factor;
}

/** Steps below this share of the parameters change nothing. */
const STILL = 1e-14;
/** Halvings of a step that does not go down. */
const HALVINGS = 40;
/** Second derivatives are made again when a step makes the gradient no smaller than this share of it. */
const POOR = 0.2;

/**
 * Whether second derivatives that made the gradient smaller from `before` to `now` are used again: where the steps that
 * are left cost less than new ones, which cost as much as a step for every ten parameters.
 */
function isGoodEnough(before: number, now: number, { size, tol }: { size: number; tol: number }): boolean {
  const share = now / before;
  if (share > POOR) return false;
  const left = Math.log(tol / now) / Math.log(share);
  return left <= 2 + size / 10;
}

/**
 * The minimum, from `start`. Second derivatives cost most: they are made again when the steps they give get poor. `tol`:
 * largest part of the gradient at the end.
 */
export function minimize(
  objective: Objective,
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

/** The factor of the second derivatives. */
export const factorAt = (objective: Objective, at: Float64Array): Factor =>
  cholesky(objective.hessian(at), objective.size);

function goneDown(objective: Objective, at: Float64Array, value: number, step: Float64Array) {
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
  if (!(scale < Number.POSITIVE_INFINITY)) throw tooLarge();
  // Columns of zeros without a penalty curve nothing: any ridge is as good.
  const least = Math.max(scale * 1e-14, Number.MIN_VALUE * 2 ** 60);
  for (let ridge = 0; ; ridge = ridge === 0 ? least : ridge * 100) {
    const factor = factored(matrix, n, ridge);
    if (factor) return factor;
  }
}

const tooLarge = () =>
  new InvalidDataError(
    sentence(
      'The columns of X for a regression',
      'hold numbers whose squares are finite',
      phrase('some that are too large'),
      'Look for marks of missing values (1e200), and scale the columns.',
    ),
    { code: 'not_finite' },
  );

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
