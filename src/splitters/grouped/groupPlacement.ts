import { sum } from '../../core/numbers.js';
import { permutation, type RandomSource } from '../../core/random.js';
import { tally } from '../../data/encode.js';
import type { Groups } from '../../data/sideData.js';

/** Bound on the columns that a pass of swaps reads, so that 100,000 groups stay well under a second. */
const COLUMNS_PER_PASS = 1_000_000;
const MAX_PASSES = 50;
/** Gains below this are rounding: the objective is of the order of 1. */
const EPSILON = 1e-12;

/**
 * A placement of groups into folds that minimises the weighted sum, over folds and columns, of the squared difference
 * between a fold's count and the mean over folds. Columns are counts per group, for example all rows and rows of each
 * label.
 */
export class GroupPlacement {
  /** Fold of each group, -1 while it has none. */
  readonly foldOf: Int32Array;
  readonly totals: Float64Array;
  readonly #counts: Float64Array;
  readonly #width: number;
  readonly #nSplits: number;
  readonly #weights: Float64Array;

  /**
   * @param counts counts per group, `[groups, width]` row-major
   * @param weights what a squared count of each column counts; of a single column 1 / (its sum)^2 unless given
   */
  constructor(
    counts: Float64Array,
    width: number,
    nSplits: number,
    weights: Float64Array = Float64Array.of(1 / sum(counts) ** 2),
  ) {
    this.#counts = counts;
    this.#width = width;
    this.#nSplits = nSplits;
    this.#weights = weights;
    this.foldOf = new Int32Array(counts.length / width).fill(-1);
    this.totals = new Float64Array(nSplits * width);
  }

  place(group: number, fold: number): void {
    this.foldOf[group] = fold;
    this.#add(group, fold, 1);
  }

  /** Puts every group without a fold, in that order, where it fits best; among equals into the first fold. */
  placeAll(order: Int32Array): this {
    for (const group of order) if (this.foldOf[group] < 0) this.place(group, this.#bestFold(group));
    return this;
  }

  /** Moves and swaps groups while that helps; no fold loses its last row of one of the first `covered` columns. */
  improve(order: Int32Array, covered = 0): this {
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      if (!this.#movePass(order, covered) && !this.#swapPass(order, covered)) break;
    }
    return this;
  }

  #movePass(order: Int32Array, covered: number): boolean {
    let moved = false;
    for (const group of order) {
      const from = this.foldOf[group];
      if (!this.#canSpare(from, covered, group)) continue;
      const to = this.#bestFold(group);
      if (to === from || this.#gain(from, to, group) <= EPSILON) continue;
      this.#add(group, from, -1);
      this.place(group, to);
      moved = true;
    }
    return moved;
  }

  #swapPass(order: Int32Array, covered: number): boolean {
    const reach = swapReach(order.length, this.#width);
    let swapped = false;
    for (let i = 0; i < order.length; i++) {
      const last = Math.min(order.length - 1, i + reach);
      for (let j = i + 1; j <= last; j++) {
        const [a, b] = [this.foldOf[order[i]], this.foldOf[order[j]]];
        if (a === b || this.#gain(a, b, order[i], order[j]) <= EPSILON) continue;
        if (!this.#canSpare(a, covered, order[i], order[j]) || !this.#canSpare(b, covered, order[j], order[i]))
          continue;
        this.#add(order[i], a, -1);
        this.#add(order[j], b, -1);
        this.place(order[i], b);
        this.place(order[j], a);
        swapped = true;
      }
    }
    return swapped;
  }

  /** The one with the least of what the group has. */
  #bestFold(group: number): number {
    const own = this.foldOf[group];
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let fold = 0; fold < this.#nSplits; fold++) {
      let cost = 0;
      for (let c = 0; c < this.#width; c++) {
        const count = this.#counts[group * this.#width + c];
        const others = this.totals[fold * this.#width + c] - (fold === own ? count : 0);
        cost += this.#weights[c] * count * others;
      }
      if (cost < least) [best, least] = [fold, cost];
    }
    return best;
  }

  /** By how much the objective (halved) falls when `group` goes from a fold to another and `back` comes in return. */
  #gain(from: number, to: number, group: number, back?: number): number {
    let gain = 0;
    for (let c = 0; c < this.#width; c++) {
      const returned = back === undefined ? 0 : this.#counts[back * this.#width + c];
      const change = this.#counts[group * this.#width + c] - returned;
      const surplus = this.totals[from * this.#width + c] - this.totals[to * this.#width + c];
      gain += this.#weights[c] * change * (surplus - change);
    }
    return gain;
  }

  #canSpare(fold: number, covered: number, group: number, instead?: number): boolean {
    for (let c = 0; c < covered; c++) {
      const added = instead === undefined ? 0 : this.#counts[instead * this.#width + c];
      if (this.totals[fold * this.#width + c] - this.#counts[group * this.#width + c] + added <= 0) return false;
    }
    return true;
  }

  #add(group: number, fold: number, sign: number): void {
    for (let c = 0; c < this.#width; c++) {
      this.totals[fold * this.#width + c] += sign * this.#counts[group * this.#width + c];
    }
  }
}

export const swapReach = (groups: number, width: number): number =>
  Math.max(1, Math.floor(COLUMNS_PER_PASS / (groups * width)));

export function groupWeights(counts: Float64Array, width: number, perColumn: Float64Array): Float64Array {
  const weights = new Float64Array(counts.length / width);
  for (let i = 0; i < counts.length; i++) weights[Math.floor(i / width)] += perColumn[i % width] * counts[i] ** 2;
  return weights;
}

/** Groups by falling size, the later one first among equals: the order of scikit-learn's `GroupKFold`. */
export const largestFirst = (sizes: Float64Array): Int32Array =>
  Int32Array.from(sizes.keys()).sort((a, b) => sizes[b] - sizes[a] || b - a);

/** Random within classes of size that span a factor of two, large classes first. */
export function shuffledLargestFirst(sizes: Float64Array, source: RandomSource): Int32Array {
  const octave = Int32Array.from(sizes, (size) => Math.floor(Math.log2(size)));
  return permutation(source, sizes.length).sort((a, b) => octave[b] - octave[a]);
}

/** The fold of each group; without a source those of scikit-learn's `GroupKFold(shuffle=False)`. */
export function assignGroups(
  { codes, count }: Pick<Groups, 'codes' | 'count'>,
  nSplits: number,
  source: RandomSource | undefined,
): Int32Array {
  const sizes = Float64Array.from(tally(codes, count));
  const placement = new GroupPlacement(sizes, 1, nSplits);
  if (!source) return placement.placeAll(largestFirst(sizes)).foldOf;
  const order = shuffledLargestFirst(sizes, source);
  return placement.placeAll(order).improve(order).foldOf;
}
