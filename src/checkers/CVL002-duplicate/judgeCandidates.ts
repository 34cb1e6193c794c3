/** Which pairs of rows that agree in much are copies. */
import { sum } from '../../core/numbers.js';
import { mostDiffering, type RowPair } from './pairsButFew.js';
import type { CellWeights, Rarity } from './rarity.js';

/** Fewer pairs than this share of those that are called copies are expected to be alike by chance. */
export const ALPHA = 0.01;
/** Rows that say what a single copy may differ in. */
const PROBES = 40;

/** A pair and what it agrees in. */
export interface Candidate extends RowPair {
  /** Rows that are equal to the first, if the pair stands for them. */
  readonly members?: Int32Array;
  readonly score: number;
}

/**
 * Of so few rows a single copy would be found: what looks like one is a row of an unusual kind, unless so few such pairs
 * are expected by chance.
 */
export const UNFINDABLE = 0.05;
const CERTAIN = 1e-6;
/** So many pairs, as of a second export with a column of its own, are no rows of an unusual kind. */
const MANY = 10;

/**
 * The candidates that are copies.
 *
 * @param candidates what might be a copy; of those that differ, kinds of which `power` says that none would be found are left out
 *   unless they are certain
 *   or many
 */
export function judge(
  candidates: readonly Candidate[],
  { columns, pairs, power }: { readonly columns: number; readonly pairs: number; readonly power: readonly number[] },
) {
  const many = power.map((_, count) => candidates.filter(({ differing }) => differing === count).length >= MANY);
  const judged = candidates
    .map((candidate) => ({ ...candidate, log: ways(columns, candidate.differing) - candidate.score }))
    .filter(
      ({ differing, log }) =>
        differing === 0 ||
        power[differing] >= UNFINDABLE ||
        many[differing] ||
        log + Math.log(pairs) <= Math.log(CERTAIN),
    )
    .sort((a, b) => a.log - b.log);
  let [copies, called, all] = [0, 0, 0];
  judged.forEach(({ log, members }, at) => {
    all += copiesIn({ members });
    if (log + Math.log(pairs) <= Math.log(ALPHA * all)) [copies, called] = [at + 1, all];
  });
  const found = judged.slice(0, copies);
  return {
    copies: found,
    expected: copies > 0 ? Math.min(ALPHA * called, pairs * Math.exp(found[copies - 1].log)) : 0,
  };
}

/** How many copies a candidate stands for. */
const copiesIn = ({ members }: Pick<Candidate, 'members'>): number => (members ? members.length - 1 : 1);

/** In how many ways a copy may differ: chance has as many. */
export const ways = (columns: number, differing: number): number =>
  differing === 0 ? 0 : differing === 1 ? Math.log(columns) : Math.log((columns * (columns - 1)) / 2);

/** The share of the rows of which a single copy would be found though it differs in its rarest cells: none, one, two. */
export function powerOf(rarity: Rarity, rows: number, columns: number, needed: number): number[] {
  const step = Math.ceil(rows / PROBES);
  const found = new Array<number>(mostDiffering(columns) + 1).fill(0);
  for (let row = 0; row < rows; row += step) {
    const scores = left(rarity.cellWeights(row, 1), found.length);
    scores.forEach((score, differing) => {
      if (score - ways(columns, differing) >= needed) found[differing]++;
    });
  }
  return found.map((count) => count / Math.ceil(rows / step));
}

/** The sum of the weights of a row: of all, without the largest, without the two largest. */
function left({ given }: CellWeights, count: number): number[] {
  const sorted = given.slice().sort();
  let rest = sum(sorted);
  return Array.from({ length: count }, (_, differing) => {
    if (differing > 0) rest -= sorted[sorted.length - differing];
    return rest;
  });
}
