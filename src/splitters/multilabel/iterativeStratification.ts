/** Places rows of several labels into folds so that each label, and the rows, are spread evenly. */
import { permutation, type RandomSource, randomSource, shuffle } from '../../core/random.js';
import type { LabelSets } from './labelSets.js';
import { RestPlacement } from './restPlacement.js';

/** So many placements are tried while some label could lie more evenly: fewer of many rows, where one row matters less. */
const ATTEMPTS = 8;
const ATTEMPTED_ROWS = 20_000;
/** Bound on all searches, in labels read, so that 20,000 rows of 300 labels take seconds. Few labels never reach it. */
const SEARCH_STEPS = 2e8;

/**
 * Fold of each row. Three steps:
 *
 * 1. Every label set is dealt in equal parts, which balances labels, pairs of labels and rows at once. Fewer than
 *    `nSplits` rows per set remain: the rest.
 * 2. The rest is placed by iterative stratification (Sechidis, Tsoumakas & Vlahavas 2011): again and again the label
 *    with the fewest rows left, each of its rows into the fold that has the fewest of this label; among equals into
 *    the fold with the fewest of the row's labels together, then with the fewest rows, then into the first. No fold
 *    gets more than its share of rows, plus or minus one.
 * 3. Rows of the rest are exchanged between folds while that lowers the sum of squared deviations of the labels. Where
 *    some label could still lie more evenly, steps 2 and 3 are tried again with the rest in other orders.
 *
 * Rows without any label are dealt last, to the smallest folds first. So the rows, those with labels and those without
 * differ each by at most one between folds. A source draws the orders of the rest, and which rows of a set go where;
 * without one the orders are always the same.
 */
export function iterativeStratification(sets: LabelSets, nSplits: number, source?: RandomSource): Int32Array {
  const { codes, counts } = sets;
  const rest: number[] = [];
  for (let set = 0; set < counts.length; set++) {
    for (let left = counts[set] % nSplits; left > 0; left--) rest.push(set);
  }
  const restFolds = placeRest(
    rest.map((set) => sets.labels[set]),
    sets.width,
    nSplits,
    source,
  );

  const dealt = new Int32Array(codes.length);
  const next = new Int32Array(counts.length);
  let end = 0;
  let left = 0;
  for (let set = 0; set < counts.length; set++) {
    const start = end;
    next[set] = start;
    for (let fold = 0; fold < nSplits; fold++) {
      const part = Math.floor(counts[set] / nSplits);
      dealt.fill(fold, end, end + part);
      end += part;
    }
    while (rest[left] === set) dealt[end++] = restFolds[left++];
    const folds = dealt.subarray(start, end).sort();
    if (source) shuffle(source, folds);
  }
  return codes.map((set) => dealt[next[set]++]);
}

/** Fold of each row of the rest, the best of several attempts. */
function placeRest(
  rows: readonly (readonly number[])[],
  width: number,
  nSplits: number,
  source?: RandomSource,
): Int32Array {
  const orders = source ?? randomSource(0);
  const attempts = Math.min(ATTEMPTS, Math.ceil(ATTEMPTED_ROWS / rows.length));
  const budget = { steps: SEARCH_STEPS };
  const attempt = (order: Int32Array) => {
    const placement = new RestPlacement(rows, width, nSplits);
    placement.placeLabelled(order);
    placement.improve(budget);
    return placement;
  };
  let best = attempt(source ? permutation(orders, rows.length) : Int32Array.from(rows.keys()));
  for (let tried = 1; tried < attempts && best.excess > 0 && budget.steps > 0; tried++) {
    const next = attempt(permutation(orders, rows.length));
    if (next.excess < best.excess) best = next;
  }
  return best.placeUnlabelled();
}
