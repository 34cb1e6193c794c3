/** Which pairs of rows the folds put on two sides. */
import type { FoldPlan } from '../../splitters/foldsOf.js';

export interface Across {
  readonly pair: number;
  readonly fold: string;
  readonly train: number;
  readonly test: number;
}

/** How many pairs of rows are on two sides of some fold, at most. */
export function crossPairs(folds: FoldPlan): number {
  const all = (folds.n * (folds.n - 1)) / 2;
  let pairs = 0;
  for (const { train, test } of folds.sides()) {
    pairs += (train?.length ?? folds.n - test.length) * test.length;
    if (pairs >= all) break;
  }
  return Math.min(pairs, all);
}

/** The pairs that are split, in their order. */
export function acrossFolds(
  folds: FoldPlan,
  pairs: readonly { readonly first: number; readonly second: number }[],
): Across[] {
  const found = new Map<number, Across>();
  const [TRAIN, TEST] = [1, 2];
  const sides = new Uint8Array(folds.n);
  for (const { id, train, test } of pairs.length > 0 ? folds.sides() : []) {
    sides.fill(train ? 0 : TRAIN);
    for (const row of train ?? []) sides[row] = TRAIN;
    for (const row of test) sides[row] = TEST;
    pairs.forEach(({ first, second }, pair) => {
      if (found.has(pair) || sides[first] + sides[second] !== TRAIN + TEST || sides[first] === sides[second]) return;
      const [a, b] = sides[first] === TRAIN ? [first, second] : [second, first];
      found.set(pair, { pair, fold: id, train: a, test: b });
    });
    if (found.size === pairs.length) break;
  }
  return [...found.values()].sort((a, b) => a.pair - b.pair);
}
