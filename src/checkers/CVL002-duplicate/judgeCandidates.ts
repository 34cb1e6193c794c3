/** Which pairs of rows that agree in much are copies. */
import { sum } from '../../core/numbers.js';
import { rowNumbers } from '../../data/labels.js';
import { mostDiffering, type RowPair } from './pairsButFew.js';
import type { CellWeights, LevelWeights, Rarity } from './rarity.js';

/** Fewer pairs than this share of those that are called copies are expected to be alike by chance. */
export const ALPHA = 0.01;
/** Pairs of which the levels of both rows are looked at; rows that say what a single copy may differ in. */
const [JUDGED, PROBES] = [200, 40];

/** A pair and what it agrees in. */
export interface Candidate extends RowPair {
  /** Rows that are equal to the first, if the pair stands for them. */
  readonly members?: Int32Array;
  readonly score: number;
}

/** What rows agree in by chance: by the weights of their cells, and by those at their level. */
export class Chances {
  /** Rows that stand for all, however many are equal. */
  readonly probes: Int32Array;

  constructor(
    readonly rarity: Rarity,
    readonly contents: Int32Array,
    readonly units: Int32Array | undefined,
  ) {
    const step = Math.ceil(contents.length / PROBES);
    this.probes = rowNumbers(contents.length).filter((row) => row % step === 0);
  }

  /** What a pair agrees in: by the weights of its first row, or by those at a level of it where they are less. */
  atLevels(row: number, copy: number, score: number): number {
    const { rarity } = this;
    const [keys, others] = [rarity.keysOf([row]), rarity.keysOf([copy])];
    return this.levels(row, copy, 2).reduce(
      (least, level) => Math.min(least, rarity.score(level, keys, others, 0) - Math.log(level.share)),
      score,
    );
  }

  /** The weights of a row at its level, `shared` rows left out of all frequencies: itself, or its copy as well. */
  levels(row: number, copy: number, shared: number): LevelWeights[] {
    return this.rarity.levels(row, this.rarity.cellWeights(row, shared), (other) => this.#isOwn(row, copy, other));
  }

  /** No more than what is left of the weights of a row at any level, the row itself left out of all frequencies. */
  leastWeights(row: number): CellWeights {
    return this.rarity.leastWeights(row, this.rarity.cellWeights(row, 1), (other) => this.#isOwn(row, row, other));
  }

  /** A copy, or a row of the same unit: they say nothing of chance. */
  #isOwn(row: number, copy: number, other: number): boolean {
    const { contents, units } = this;
    const same = contents[other] === contents[row] || contents[other] === contents[copy];
    return same || (units !== undefined && units[other] === units[row]);
  }
}

/**
 * Of so few rows a single copy would be found: what looks like one is a row of an unusual kind, unless so few such pairs
 * are expected by chance.
 */
export const UNFINDABLE = 0.05;
const CERTAIN = 1e-6;

/**
 * The candidates that are copies.
 *
 * @param candidates what might be a copy; of those that differ, kinds of which `power` says that none would be found are left out
 *   unless they are certain
 */
export function judge(
  candidates: readonly Candidate[],
  chances: Chances,
  { columns, pairs, power }: { readonly columns: number; readonly pairs: number; readonly power: readonly number[] },
) {
  const step = Math.ceil(candidates.length / JUDGED);
  const looked = candidates.filter((_, at) => at % step === 0);
  const shares = looked.map(
    ({ first, second, score }) =>
      Math.min(chances.atLevels(first, second, score), chances.atLevels(second, first, score)) / score,
  );
  // Of many, the others keep what nearly all do.
  const usual = [...shares].sort((a, b) => a - b)[Math.floor(shares.length / 20)] ?? 1;
  const judged = candidates
    .map((candidate, at) => {
      const share = at % step === 0 ? shares[at / step] : usual;
      return { ...candidate, log: ways(columns, candidate.differing) - share * candidate.score };
    })
    .filter(
      ({ differing, log }) =>
        differing === 0 || power[differing] >= UNFINDABLE || log + Math.log(pairs) <= Math.log(CERTAIN),
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
export function powerOf(chances: Chances, columns: number, needed: number): number[] {
  const { probes, rarity } = chances;
  const found = new Array<number>(mostDiffering(columns) + 1).fill(0);
  for (const row of probes) {
    const whole = left(rarity.cellWeights(row, 1), found.length);
    const isEnough = (score: number, differing: number) => score - ways(columns, differing) >= needed;
    const least = left(chances.leastWeights(row), found.length);
    // The levels take long to find: they are asked where they could make a difference.
    const levels = least.every(isEnough) ? [] : chances.levels(row, row, 1);
    const parts = levels.map((level) => left(level, found.length).map((score) => score - Math.log(level.share)));
    found.forEach((_, differing) => {
      const scores = [whole[differing], ...parts.map((part) => part[differing])];
      if (scores.every((score) => isEnough(score, differing))) found[differing]++;
    });
  }
  return found.map((count) => count / probes.length);
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
