import { InfeasibleSplitError, sentence } from '../core/errors.js';
import { permutation, type RandomSource, shuffle } from '../core/random.js';
import { tally } from '../data/encode.js';
import { type Fold, type Folds, withWarnings } from './splitter.js';
import type { Strata } from './strata.js';

export const foldId = (fold: number, repeat?: number): string =>
  repeat === undefined ? `fold-${fold}` : `repeat-${repeat}_fold-${fold}`;

/** Folds in which each row is tested once: `foldOf[row]` is the fold that tests the row. Lazy; O(n) memory per fold. */
export const foldsFromAssignment = (foldOf: Int32Array, nSplits: number, warnings?: readonly string[]): Folds =>
  withWarnings(warnings, () => assignedFolds(foldOf, nSplits));

export function* repeatedFolds(
  nRepeats: number,
  nSplits: number,
  assignment: (repeat: number) => Int32Array,
): Generator<Fold> {
  for (let repeat = 0; repeat < nRepeats; repeat++) yield* assignedFolds(assignment(repeat), nSplits, repeat);
}

export function* assignedFolds(foldOf: Int32Array, nSplits: number, repeat?: number): Generator<Fold> {
  const sizes = tally(foldOf, nSplits);
  const scratch = scratchFor(foldOf.length);
  for (let fold = 0; fold < nSplits; fold++) {
    const sides = cutOut(foldOf, fold, sizes[fold], scratch);
    yield { id: foldId(fold, repeat), ...sides, ...(repeat === undefined ? {} : { repeat }) };
  }
}

const scratchFor = (n: number) => ({ train: new Int32Array(n), test: new Int32Array(n) });

/** The `size` rows of one fold as test, all others as train. Without a branch: random folds would take twice the time. */
export function cutOut(
  foldOf: Int32Array,
  fold: number,
  size: number,
  { train, test } = scratchFor(foldOf.length),
): { train: Int32Array; test: Int32Array } {
  const n = foldOf.length;
  let tested = 0;
  for (let row = 0; row < n; row++) {
    test[tested] = row;
    train[row - tested] = row;
    tested += Number(foldOf[row] === fold);
  }
  return { train: train.slice(0, n - size), test: test.slice(0, size) };
}

/** All rows 0 ... n-1 but the ascending ones in `test`. */
export function rowsOutside(test: Int32Array, n: number): Int32Array {
  const train = new Int32Array(n - test.length);
  let at = 0;
  let row = 0;
  for (let t = 0; t < test.length; t++) {
    const next = test[t];
    while (row < next) train[at++] = row++;
    row++;
  }
  while (row < n) train[at++] = row++;
  return train;
}

/** Row numbers at which k blocks of equal size begin, and n. The first `n % k` blocks are one row larger. */
export function blockStarts(n: number, nSplits: number): number[] {
  const [small, large] = [Math.floor(n / nSplits), n % nSplits];
  return Array.from({ length: nSplits + 1 }, (_, fold) => fold * small + Math.min(fold, large));
}

/** K folds of consecutive rows, as scikit-learn's `KFold` without shuffle. Copying blocks is faster than an assignment. */
export function* consecutiveFolds(n: number, nSplits: number): Generator<Fold> {
  const rows = new Int32Array(n);
  for (let row = 0; row < n; row++) rows[row] = row;
  const starts = blockStarts(n, nSplits);
  for (let fold = 0; fold < nSplits; fold++) {
    const [start, end] = [starts[fold], starts[fold + 1]];
    const train = new Int32Array(n - (end - start));
    train.set(rows.subarray(0, start));
    train.set(rows.subarray(end), start);
    yield { id: foldId(fold), train, test: rows.slice(start, end) };
  }
}

/** K blocks of shuffled rows. Draws what scikit-learn's shuffled `KFold` draws. */
export function shuffledAssignment(n: number, nSplits: number, source: RandomSource): Int32Array {
  const order = permutation(source, n);
  const foldOf = new Int32Array(n);
  const starts = blockStarts(n, nSplits);
  for (let fold = 0; fold < nSplits; fold++) {
    for (let at = starts[fold]; at < starts[fold + 1]; at++) foldOf[order[at]] = fold;
  }
  return foldOf;
}

/** Deals each stratum over the folds in turn; with a source, random rows of it. Draws as scikit-learn's `StratifiedKFold`. */
export function stratifiedAssignment({ codes, counts }: Strata, nSplits: number, source?: RandomSource): Int32Array {
  const n = codes.length;
  const dealt = new Int32Array(n);
  const next = new Int32Array(counts.length).fill(-1);
  let start = 0;
  for (let row = 0; row < n && start < n; row++) {
    const stratum = codes[row];
    if (next[stratum] >= 0) continue;
    next[stratum] = start;
    const end = start + counts[stratum];
    let at = start;
    for (let fold = 0; fold < nSplits; fold++) {
      const first = start + ((fold - (start % nSplits) + nSplits) % nSplits);
      const share = first < end ? Math.ceil((end - first) / nSplits) : 0;
      dealt.fill(fold, at, at + share);
      at += share;
    }
    if (source) shuffle(source, dealt.subarray(start, end));
    start = end;
  }
  const foldOf = new Int32Array(n);
  for (let row = 0; row < n; row++) foldOf[row] = dealt[next[codes[row]]++];
  return foldOf;
}

/** The k-element subsets of 0 ... n-1 in the order of Python's `itertools.combinations`, each a fresh array. Lazy. */
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
