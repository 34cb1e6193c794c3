/** Whole groups in folds, with what each fold holds of every class: what the search of `StratifiedGroupKFold` changes. */
import { encode } from '../../data/encode.js';
import type { Groups } from '../../data/sideData.js';
import type { Strata } from '../strata.js';

/** What every group holds: `[groups, width]` row-major, rows of each class, of each combination and, in the last column, all. */
export interface GroupTable {
  /** The first columns, of which every fold must have two. */
  readonly classes: number;
  readonly counts: Float64Array;
  readonly width: number;
  readonly sums: Float64Array;
  readonly holders: Int32Array;
  /** Equal for groups that hold the same. */
  readonly kinds: Int32Array;
}

export function groupTable(groups: Groups, strata: readonly Strata[]): GroupTable {
  const sums = Float64Array.of(...strata.flatMap(({ counts }) => Array.from(counts)), groups.codes.length);
  const width = sums.length;
  const counts = new Float64Array(groups.count * width);
  for (let row = 0; row < groups.codes.length; row++) {
    let start = groups.codes[row] * width;
    for (const { codes, counts: each } of strata) {
      counts[start + codes[row]]++;
      start += each.length;
    }
    counts[start]++;
  }
  const holders = new Int32Array(width - 1);
  for (let i = 0; i < counts.length; i++) if (counts[i] > 0 && i % width < width - 1) holders[i % width]++;
  const kinds = kindsOf(counts, groups.count, width);
  return { classes: strata[0].counts.length, counts, width, sums, holders, kinds };
}

function kindsOf(counts: Float64Array, groups: number, width: number): Int32Array {
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  let kinds: Int32Array = new Int32Array(groups);
  for (let c = 0; c < width; c++) {
    kinds = encode(Float64Array.from(kinds, (kind, group) => kind * (most + 1) + counts[group * width + c])).codes;
  }
  return kinds;
}

interface Unevenness {
  /** Mean over classes of the standard deviation over folds of the share of the class: scikit-learn minimises it. */
  readonly classes: number;
  readonly rows: number;
}

/** Differences below this are rounding; a spread is of the order of 1. */
const EPSILON = 1e-12;

/**
 * A placement that only improves: {@link improveBy} takes a change when the folds then lack less; else, at equal lack,
 * if it comes nearer to `limit`; else if it stays within and the sum of both spreads falls.
 */
export class StratifiedPlacement {
  readonly table: GroupTable;
  readonly nSplits: number;
  readonly foldOf: Int32Array;
  /** Classes that folds lack, once per fold; a fold of one class or none counts much more. */
  lack: number;
  /** The lack that no placement can avoid: per class, the folds for which there is no group. */
  readonly leastLack: number;
  spread: Unevenness;
  /** What neither spread should exceed. */
  limit: Unevenness = { classes: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY };
  readonly #weak: number;
  readonly #totals: Float64Array;
  /** Per column the sum over folds of the squared totals: whole numbers, so that no rounding piles up. */
  readonly #squares: Float64Array;
  /** The columns that the current change takes from one fold to another; zero between changes. */
  readonly #change: Float64Array;

  constructor(table: GroupTable, nSplits: number) {
    const { counts, width, holders } = table;
    this.table = table;
    this.nSplits = nSplits;
    this.foldOf = new Int32Array(counts.length / width).fill(-1);
    this.#weak = holders.length * nSplits;
    this.#totals = new Float64Array(nSplits * width);
    this.#squares = new Float64Array(width);
    this.#change = new Float64Array(width);
    this.lack = nSplits * this.#lackOf(0, 0);
    this.leastLack = holders.reduce((sum, count) => sum + Math.max(0, nSplits - count), 0);
    this.spread = this.#spreadAfter(0, 0);
  }

  total(fold: number, column: number): number {
    return this.#totals[fold * this.table.width + column];
  }

  lackedBy(fold: number): number[] {
    return Array.from(this.table.holders.keys()).filter((label) => this.total(fold, label) === 0);
  }

  get hasWeakFold(): boolean {
    return this.lack >= this.#weak;
  }

  place(group: number, fold: number): void {
    if (this.foldOf[group] === fold) return;
    this.#take(group, -1);
    this.#carryOut(this.foldOf[group], fold);
    this.foldOf[group] = fold;
  }

  /** Moves `group` to another fold, in exchange for `back` unless that is -1, if that improves the placement. */
  improveBy(group: number, fold: number, back = -1): boolean {
    const from = this.foldOf[group];
    this.#take(group, back);
    const evener = this.#isEvener(this.#spreadAfter(from, fold));
    const gain = this.lack === this.leastLack && !evener ? 0 : this.#mended(from, -1) + this.#mended(fold, 1);
    const better = gain > 0 || (gain === 0 && evener);
    if (better) {
      this.#carryOut(from, fold);
      this.foldOf[group] = fold;
      if (back >= 0) this.foldOf[back] = from;
    }
    return better;
  }

  isBetterThan(lack: number, spread: Unevenness): boolean {
    return lack === this.lack ? this.#isEvener(this.spread, spread) : this.lack < lack;
  }

  #isEvener(after: Unevenness, before = this.spread): boolean {
    const excess = this.#excess(after);
    const old = this.#excess(before);
    return excess === old ? after.classes + after.rows < before.classes + before.rows - EPSILON : excess < old;
  }

  #excess({ classes, rows }: Unevenness): number {
    return Math.max(0, classes - this.limit.classes - EPSILON) + Math.max(0, rows - this.limit.rows - EPSILON);
  }

  #take(group: number, back: number): void {
    const { counts, width } = this.table;
    for (let c = 0; c < width; c++) {
      this.#change[c] = counts[group * width + c] - (back < 0 ? 0 : counts[back * width + c]);
    }
  }

  #carryOut(from: number, to: number): void {
    if (from >= 0) this.#add(from, -1);
    this.#add(to, 1);
    this.#change.fill(0);
    this.spread = this.#spreadAfter(0, 0);
  }

  #add(fold: number, sign: number): void {
    this.lack -= this.#mended(fold, sign);
    for (let c = 0; c < this.table.width; c++) {
      const at = fold * this.table.width + c;
      this.#squares[c] -= this.#totals[at] ** 2;
      this.#totals[at] += sign * this.#change[c];
      this.#squares[c] += this.#totals[at] ** 2;
    }
  }

  #spreadAfter(from: number, to: number): Unevenness {
    const { width, sums } = this.table;
    const k = this.nSplits;
    let classes = 0;
    let rows = 0;
    for (let c = 0; c < width; c++) {
      const x = this.#change[c];
      const squares = this.#squares[c] + 2 * x * (this.#totals[to * width + c] - this.#totals[from * width + c] + x);
      classes += rows;
      rows = Math.sqrt(Math.max(0, k * squares - sums[c] ** 2)) / (k * sums[c]);
    }
    return { classes: classes / (width - 1), rows };
  }

  #mended(fold: number, sign: number): number {
    return this.#lackOf(fold, 0) - this.#lackOf(fold, sign);
  }

  /** A fold of one class is worse than any lack of others, an empty one worse still. */
  #lackOf(fold: number, sign: number): number {
    const { classes, width, holders } = this.table;
    let present = 0;
    let ofClasses = 0;
    for (let c = 0; c < width - 1; c++) {
      if (this.#totals[fold * width + c] + sign * this.#change[c] > 0) present++;
      if (c === classes - 1) ofClasses = present;
    }
    const weak = ofClasses === 1 ? this.#weak : ofClasses === 0 ? 2 * this.nSplits * this.#weak : 0;
    return holders.length - present + weak;
  }
}
