/** Newton's method for smooth convex functions of a few hundred parameters. */

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

/** Steps below this share of the parameters change nothing. */
const STILL = 1e-14;
/** Halvings of a step that does not go down. */
const HALVINGS = 40;
/** The second derivatives are used again while a step makes the gradient this much smaller. */
const ENOUGH = 0.05;

/**
 * The minimum, from `start`. Second derivatives cost most: they are made again when the steps they give get poor. `tol`:
 * largest part of the gradient at the end.
 */
export function minimize(
  objective: Objective,
  start: Float64Array,
  { maxIter, tol }: { maxIter: number; tol: number },
): Minimum {
  let at = start;
  let value = objective.value(at);
  let gradient = objective.gradient(at);
  let factor: Float64Array | undefined;
  for (let iterations = 0; iterations < maxIter; iterations++) {
    const size = largest(gradient);
    factor ??= cholesky(objective.hessian(at), objective.size);
    const step = solve(factor, gradient);
    const next = goneDown(objective, at, value, step);
    // Nothing goes down any more: the minimum, as far as numbers of 64 bits tell.
    if (!next) return { at, iterations, converged: size <= Math.max(tol, 1e-6) };
    const stood = largest(step) <= STILL * (1 + largest(at));
    [at, value] = [next.at, next.value];
    gradient = objective.gradient(at);
    const now = largest(gradient);
    // One more step after the goal costs little and doubles the digits.
    if (stood || (size <= tol && now <= tol)) return { at, iterations: iterations + 1, converged: true };
    if (now > ENOUGH * size) factor = undefined;
  }
  return { at, iterations: maxIter, converged: largest(gradient) <= tol };
}

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
function cholesky(matrix: Float64Array, n: number): Float64Array {
  const scale = Array.from({ length: n }, (_, i) => matrix[i * n + i]).reduce((most, each) => Math.max(most, each), 0);
  for (let ridge = 0; ; ridge = ridge === 0 ? scale * 1e-14 : ridge * 100) {
    const factor = factored(matrix, n, ridge);
    if (factor) return factor;
  }
}

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

function solve(L: Float64Array, b: Float64Array): Float64Array {
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
