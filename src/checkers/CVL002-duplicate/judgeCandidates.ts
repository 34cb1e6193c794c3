/** Which pairs of rows that agree in much are copies: those of which chance gives few. */
import { lowerBound } from '../../core/lowerBound.js';
import { sum } from '../../core/numbers.js';
import { mostDiffering, type RowPair } from './pairsButFew.js';
import type { CellWeights, Rarity } from './rarity.js';

/**
 * Fewer pairs than this share of the copies are expected by chance: as a bound (Markov's inequality, of rows that
 * differ and of one pair), and as a sum over the rows (of several equal pairs).
 */
export const FALSE_PAIRS = { bound: 0.01, sum: 0.001 };
/** Where a single copy would be found of so few rows, what seems to be one is a row of an unusual kind, */
export const UNFINDABLE = 0.05;
/** but not so many. */
const MANY = 10;
/** Chance explains equal rows where rows almost equal to others say that it gives more than this share of them. */
const EXPLAINED = 0.1;
/** So many rows may be as rare where none is (rule of three: Hanley & Lippman-Hand 1983, JAMA 249:1743). */
const UNSEEN = 3;
/** Rows that say what a single copy may differ in. */
const PROBES = 40;

export interface Candidate extends RowPair {
  readonly members?: readonly number[];
  readonly score: number;
}

type Agreement = Pick<Candidate, 'score' | 'differing'>;

/**
 * How many pairs chance makes agree in as much: of equal rows the sum, over the pairs, of how rare one of the two is,
 * where that is as rare as the candidate; of others as many times more as there are ways to differ.
 */
export interface NullModel {
  /** The number of pairs of chance that agree in as much or more, were all rows as rare: chance may differ in as many ways. */
  bound(agreement: Agreement): number;
  expected(agreement: Agreement): number;
  worth(row: number): number;
  /** The share of the rows of which a single copy would be found though it differs in its rarest cells: none, one, two. */
  power(): number[];
}

/** @param rows those whose frequencies were taken, of `count` that are independent */
export function nullModel(
  { cellWeights }: Pick<Rarity, 'cellWeights'>,
  rows: Int32Array,
  { columns, count }: { readonly columns: number; readonly count: number },
): NullModel {
  const pairs = (count * (count - 1)) / 2;
  const worth = (row: number) => sum(cellWeights(row, 1).conditionalWeights);
  const bound = ({ score, differing }: Agreement) =>
    pairs * [1, columns, (columns * (columns - 1)) / 2][differing] * Math.exp(-score);
  // What the content of the rows is worth, ascending, and the sum of the chances of those from each on: for equal rows alone.
  let known: { readonly scores: Float64Array; readonly chances: Float64Array } | undefined;
  const ofRows = () => {
    if (known) return known;
    const scores = Float64Array.from(rows, worth).sort();
    const chances = scores.map((score) => Math.exp(-score));
    for (let at = chances.length - 2; at >= 0; at--) chances[at] += chances[at + 1];
    known = { scores, chances };
    return known;
  };
  return {
    bound,
    expected({ score, differing }) {
      if (differing > 0) return bound({ score, differing });
      const { scores, chances } = ofRows();
      const rarer = chances[lowerBound(scores, score)] ?? 0;
      return (pairs * (UNSEEN * Math.exp(-score) + rarer)) / (scores.length + UNSEEN);
    },
    worth,
    power() {
      const step = Math.ceil(rows.length / PROBES);
      const probes = rows.filter((_, at) => at % step === 0);
      const found = new Array<number>(mostDiffering(columns) + 1).fill(0);
      for (const row of probes) {
        withoutLargest(cellWeights(row, 1), found.length).forEach((score, differing) => {
          if (bound({ score, differing }) <= FALSE_PAIRS.bound) found[differing]++;
        });
      }
      return found.map((count) => count / probes.length);
    },
  };
}

/**
 * As many as chance gives fewer than its level of (Benjamini & Hochberg 1995, JRSS B 57:289); none where rows that are
 * almost equal say that chance gives many such rows. Kinds with hardly any `power` need {@link MANY}.
 */
export function judge(candidates: readonly Candidate[], model: NullModel, power: readonly number[]): Judged {
  const { copies } = fewByChance(candidates, model);
  const isFindable = power.map(
    (share, kind) =>
      kind === 0 || share >= UNFINDABLE || copiesIn(copies.filter(({ differing }) => differing === kind)) >= MANY,
  );
  const judged = fewByChance(
    candidates.filter(({ differing }) => isFindable[differing]),
    model,
  );
  const exact = judged.copies.filter(({ differing }) => differing === 0);
  const isExplained =
    exact.length > 0 && equalByNeighbours(exact, judged.copies, candidates, model) > EXPLAINED * copiesIn(exact);
  return isExplained ? { copies: [], expected: 0 } : judged;
}

interface Judged {
  readonly copies: readonly Candidate[];
  readonly expected: number;
}

function fewByChance(candidates: readonly Candidate[], model: NullModel): Judged {
  const judged = candidates
    .map((candidate) => ({ candidate, chance: model.expected(candidate) }))
    .sort((a, b) => a.chance - b.chance);
  let [copies, expected, all] = [0, 0, 0];
  judged.forEach(({ candidate, chance }, at) => {
    all += copiesIn([candidate]);
    // How many rows are as rare is known less well than the bound, which is all that one pair has.
    const isBound = all === 1 || candidate.differing > 0;
    const number = isBound ? model.bound(candidate) : chance;
    if (number <= (isBound ? FALSE_PAIRS.bound : FALSE_PAIRS.sum) * all) [copies, expected] = [at + 1, number];
  });
  return { copies: judged.slice(0, copies).map(({ candidate }) => candidate), expected };
}

/**
 * How many equal pairs there are at most by those that differ in one cell and in two, of rows as rare: the number of cells
 * that differ is a sum of independent ones (Newton's inequality: Hardy, Littlewood & Pólya 1934, Inequalities, 2.22).
 */
function equalByNeighbours(
  exact: readonly Candidate[],
  copies: readonly Candidate[],
  candidates: readonly Candidate[],
  model: NullModel,
): number {
  const least = exact.reduce((low, { score }) => Math.min(low, score), Infinity);
  const called = new Set(copies);
  const isAsRare = ({ first, second }: Candidate) => Math.max(model.worth(first), model.worth(second)) >= least;
  const others = candidates.filter((each) => each.differing > 0 && !called.has(each) && isAsRare(each));
  const [one, two] = [1, 2].map((kind) => others.filter(({ differing }) => differing === kind).length);
  return two > 0 ? (one * (one - 1)) / (2 * two) : 0;
}

const copiesIn = (candidates: readonly Candidate[]): number =>
  candidates.reduce((total, { members }) => total + (members ? members.length - 1 : 1), 0);

function withoutLargest({ conditionalWeights }: CellWeights, count: number): number[] {
  const sorted = conditionalWeights.slice().sort();
  let rest = sum(sorted);
  return Array.from({ length: count }, (_, differing) => {
    if (differing > 0) rest -= sorted[sorted.length - differing];
    return rest;
  });
}
