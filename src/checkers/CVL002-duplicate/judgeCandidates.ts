/** Which pairs of rows that agree in much are copies. */
import { rowNumbers } from '../../data/labels.js';
import { credit } from './chance.js';
import { mostDiffering, type RowPair } from './pairsButFew.js';
import type { Rarity } from './rarity.js';

/** Fewer pairs than this share of those that are called copies are expected to be alike by chance. */
export const ALPHA = 0.01;
/** Rows that chance is learnt from. */
const REFERENCE = 500;
/** Pairs whose surroundings are looked at one by one; rows that say what a single copy may differ in. */
const [JUDGED, PROBES] = [200, 40];
/** No row gets more credit than so many of ten others. */
const USUAL = 0.1;

/** A pair and what it agrees in. */
export interface Candidate extends RowPair {
  /** Rows that are equal to the first, if the pair stands for them. */
  readonly members?: Int32Array;
  readonly score: number;
}

/** How far the weights of rows can be believed: see {@link credit}. */
export class Chances {
  readonly #known = new Map<number, number>();
  readonly #reference: Int32Array;
  readonly #keys: Float64Array;
  /** Rows that stand for all. */
  readonly probes: Int32Array;
  /** Nearly all rows get as much: a row that is far from all others has none next to it that could tell. */
  readonly usual: number;

  constructor(
    readonly rarity: Rarity,
    readonly contents: Int32Array,
    firsts: Int32Array,
    readonly units: Int32Array | undefined,
  ) {
    this.#reference = thinned(firsts, REFERENCE);
    this.#keys = rarity.keysOf(this.#reference);
    this.probes = thinned(firsts, PROBES);
    const credits = Float64Array.from(this.probes, (row) => this.#of(row, row)).sort();
    this.usual = credits[Math.floor(USUAL * credits.length)];
  }

  of(row: number, copy = row): number {
    return Math.min(this.usual, this.#known.get(row) ?? this.#of(row, copy));
  }

  #of(row: number, copy: number): number {
    const { contents, units, rarity } = this;
    const reference = this.#reference;
    const others = rowNumbers(reference.length).filter((at) => {
      const other = reference[at];
      const same = contents[other] === contents[row] || contents[other] === contents[copy];
      return !same && (!units || units[other] !== units[row]);
    });
    const share = credit(rarity, rarity.cellWeights(row, 2), rarity.keysOf([row]), this.#keys, others);
    this.#known.set(row, share);
    return share;
  }
}

const thinned = (rows: Int32Array, most: number): Int32Array => {
  const step = Math.ceil(rows.length / most);
  return rows.filter((_, at) => at % step === 0);
};

/** The candidates that are copies. */
export function judge(candidates: readonly Candidate[], chances: Chances, columns: number, pairs: number) {
  const step = Math.ceil(candidates.length / JUDGED);
  const looked = candidates.filter((_, at) => at % step === 0);
  const credits = looked.map(({ first, second }) => Math.min(chances.of(first, second), chances.of(second, first)));
  // Of many, the others get what nearly all have.
  const usual = [...credits].sort((a, b) => a - b)[Math.floor(credits.length / 20)] ?? 1;
  const judged = candidates
    .map((candidate, at) => {
      const share = at % step === 0 ? credits[at / step] : usual;
      return { ...candidate, log: ways(columns, candidate.differing) - share * candidate.score };
    })
    .sort((a, b) => a.log - b.log);
  let copies = 0;
  judged.forEach(({ log }, at) => {
    if (log + Math.log(pairs) <= Math.log(ALPHA * (at + 1))) copies = at + 1;
  });
  const found = judged.slice(0, copies);
  return {
    copies: found,
    expected: copies > 0 ? Math.min(ALPHA * copies, pairs * Math.exp(found[copies - 1].log)) : 0,
  };
}

/** In how many ways a copy may differ: chance has as many. */
export const ways = (columns: number, differing: number): number =>
  differing === 0 ? 0 : differing === 1 ? Math.log(columns) : Math.log((columns * (columns - 1)) / 2);

/** The share of the rows of which a single copy would be found though it differs in its rarest cells: none, one, two. */
export function powerOf(chances: Chances, columns: number, needed: number): number[] {
  const { probes, rarity } = chances;
  const found = new Array<number>(mostDiffering(columns) + 1).fill(0);
  for (const row of probes) {
    const weights = [...rarity.cellWeights(row, 1).given].sort((a, b) => b - a);
    found.forEach((_, differing) => {
      const left = weights.slice(differing).reduce((sum, weight) => sum + weight, 0);
      if (chances.of(row) * left - ways(columns, differing) >= needed) found[differing]++;
    });
  }
  return found.map((count) => count / probes.length);
}
