import { InfeasibleSplitError, sentence } from '../core/errors.js';

/**
 * The k-element subsets of 0 ... n-1 in the order of Python's `itertools.combinations`, each a fresh ascending array.
 * Lazy.
 */
export function* combinations(n: number, k: number): Generator<Int32Array> {
  if (k > n) return;
  const chosen = Int32Array.from({ length: k }, (_, i) => i);
  for (;;) {
    yield chosen.slice();
    let place = k - 1;
    while (place >= 0 && chosen[place] === n - k + place) place--;
    if (place < 0) return;
    chosen[place]++;
    for (let next = place + 1; next < k; next++) chosen[next] = chosen[next - 1] + 1;
  }
}

/** How many k-element subsets n things have. Exact up to `Number.MAX_SAFE_INTEGER`, Infinity beyond. */
export function binomial(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  const steps = Math.min(k, n - k);
  let count = 1n;
  for (let i = 1; i <= steps; i++) {
    // C(n - steps + i, i) at least doubles with each i, so the loop is short however large n is.
    count = (count * BigInt(n - steps + i)) / BigInt(i);
    if (count > Number.MAX_SAFE_INTEGER) return Infinity;
  }
  return Number(count);
}

/** C(n, k), or the error for more than a number can count. `subject` names the k. */
export function foldCount(subject: string, n: number, k: number, what: string): number {
  const count = binomial(n, k);
  if (count < Infinity) return count;
  throw new InfeasibleSplitError(sentence(subject, `give fewer than 2^53 folds of ${n} ${what}`, k));
}
