/** Rows that are left when equal label sets are dealt evenly: placed by iterative stratification, then exchanged. */

/** Rows of a fold that are looked at in search of an exchange, and of those the most promising that are tried. */
const LOOKED_AT = 4096;
const CANDIDATES = 32;

/** A placement of rows into folds in which every label, and the rows, lie evenly. */
export class RestPlacement {
  /** Fold of each row, -1 while it has none. */
  readonly #foldOf: Int32Array;
  readonly #rows: readonly (readonly number[])[];
  readonly #width: number;
  readonly #nSplits: number;
  /** Rows per fold and label, `[nSplits, width]`. */
  readonly #totals: Int32Array;
  readonly #sizes: Int32Array;
  /** Whether the row in hand has a label. */
  readonly #held: Uint8Array;

  /** @param rows labels of each row */
  constructor(rows: readonly (readonly number[])[], width: number, nSplits: number) {
    this.#rows = rows;
    this.#width = width;
    this.#nSplits = nSplits;
    this.#foldOf = new Int32Array(rows.length).fill(-1);
    this.#totals = new Int32Array(nSplits * width);
    this.#sizes = new Int32Array(nSplits);
    this.#held = new Uint8Array(width);
  }

  /**
   * Places the rows with labels, in that order within a label: always the label with the fewest rows left, each row into
   * the fold with the fewest of it. Fold sizes differ by at most one.
   */
  placeLabelled(order: Int32Array): void {
    const labelled = order.filter((row) => this.#rows[row].length > 0);
    const rowsWith = Array.from({ length: this.#width }, (): number[] => []);
    for (const row of labelled) for (const label of this.#rows[row]) rowsWith[label].push(row);
    const left = rowsWith.map((rows) => rows.length);
    const small = Math.floor(labelled.length / this.#nSplits);
    let larger = labelled.length % this.#nSplits;
    for (let label = rarest(left); label >= 0; label = rarest(left)) {
      for (const row of rowsWith[label]) {
        if (this.#foldOf[row] >= 0) continue;
        const fold = this.#neediest(row, label, larger > 0 ? small + 1 : small);
        if (this.#sizes[fold] === small) larger--;
        this.#put(row, fold);
        for (const each of this.#rows[row]) left[each]--;
      }
    }
  }

  /** Exchanges rows, or moves one out of a larger fold, until no candidates help or the budget is spent. */
  improve(budget: { steps: number }): void {
    const n = this.#rows.length;
    const labelsPerRow = this.#rows.reduce((sum, labels) => sum + labels.length, 0) / n;
    const look = labelsPerRow * (Math.min(2 * LOOKED_AT, n) + CANDIDATES ** 2);
    for (let improved = true; improved; ) {
      improved = false;
      for (let a = 0; a < this.#nSplits; a++) {
        for (let b = 0; b < a; b++) {
          const [from, to] = this.#sizes[a] > this.#sizes[b] ? [a, b] : [b, a];
          const surplus = this.#surplus(from, to);
          // folds that differ by one row of a label are as near as they get
          if (surplus.every((more) => Math.abs(more) < 2)) continue;
          budget.steps -= look;
          if (budget.steps < 0) return;
          improved = this.#exchange(from, to, surplus) || improved;
        }
      }
    }
  }

  /** By how much the sum over folds and labels of squared rows is above the least that each label alone allows. */
  get excess(): number {
    let sum = 0;
    for (let label = 0; label < this.#width; label++) {
      let total = 0;
      for (let at = label; at < this.#totals.length; at += this.#width) {
        total += this.#totals[at];
        sum += this.#totals[at] ** 2;
      }
      const part = Math.floor(total / this.#nSplits);
      sum -= this.#nSplits * part ** 2 + (total % this.#nSplits) * (2 * part + 1);
    }
    return sum;
  }

  /** Deals the rows without labels, to the smallest folds first. Gives the fold of each row. */
  placeUnlabelled(): Int32Array {
    const smallest = Int32Array.from(this.#sizes.keys()).sort((a, b) => this.#sizes[a] - this.#sizes[b]);
    let dealt = 0;
    for (let row = 0; row < this.#rows.length; row++) {
      if (this.#foldOf[row] < 0) this.#put(row, smallest[dealt++ % this.#nSplits]);
    }
    return this.#foldOf;
  }

  /** The fold below `limit` rows with the fewest of the label; ties: of all labels of the row, of rows, the first. */
  #neediest(row: number, label: number, limit: number): number {
    let best = -1;
    for (let fold = 0; fold < this.#nSplits; fold++) {
      if (this.#sizes[fold] >= limit) continue;
      if (best < 0 || this.#compare(row, label, fold, best) < 0) best = fold;
    }
    return best;
  }

  #compare(row: number, label: number, a: number, b: number): number {
    const byLabel = this.#totals[a * this.#width + label] - this.#totals[b * this.#width + label];
    if (byLabel !== 0) return byLabel;
    let byLabels = 0;
    for (const each of this.#rows[row]) {
      byLabels += this.#totals[a * this.#width + each] - this.#totals[b * this.#width + each];
    }
    return byLabels || this.#sizes[a] - this.#sizes[b];
  }

  /** Of each label: by how many rows a fold has more than another. */
  #surplus(a: number, b: number): Int32Array {
    const ofB = this.#totals.subarray(b * this.#width);
    return this.#totals.slice(a * this.#width, (a + 1) * this.#width).map((count, label) => count - ofB[label]);
  }

  /**
   * The exchange of two rows, or the move of one into a smaller fold, that lowers the sum of squares the most; false
   * when none does. A label that changes places lowers the (halved) sum by its surplus less 1.
   */
  #exchange(from: number, to: number, surplus: Int32Array): boolean {
    const givers = this.#candidates(from, surplus, 1);
    const takers = this.#candidates(to, surplus, -1);
    const takerPulls = Array.from(takers, (taker) => this.#pull(taker, surplus));
    const canMove = this.#sizes[from] > this.#sizes[to];
    let best = { gain: 0, giver: -1, taker: -1 };
    for (const giver of givers) {
      const labels = this.#rows[giver];
      const pull = this.#pull(giver, surplus);
      if (canMove && pull - labels.length > best.gain) best = { gain: pull - labels.length, giver, taker: -1 };
      for (const label of labels) this.#held[label] = 1;
      for (const [at, taker] of takers.entries()) {
        const most = pull - takerPulls[at];
        if (most - 1 <= best.gain) break;
        let shared = 0;
        for (const label of this.#rows[taker]) shared += this.#held[label];
        const gain = most - (labels.length + this.#rows[taker].length - 2 * shared);
        if (gain > best.gain) best = { gain, giver, taker };
      }
      for (const label of labels) this.#held[label] = 0;
    }
    if (best.gain === 0) return false;
    this.#put(best.giver, to);
    if (best.taker >= 0) this.#put(best.taker, from);
    return true;
  }

  /** The rows of a fold with the largest pull (times the sign), those first; among equals the first row. */
  #candidates(fold: number, surplus: Int32Array, sign: 1 | -1): Int32Array {
    const n = this.#rows.length;
    const ranks: number[] = [];
    for (let row = 0; row < n; row++) {
      if (this.#foldOf[row] !== fold) continue;
      if (ranks.push(row - n * sign * this.#pull(row, surplus)) === LOOKED_AT) break;
    }
    const first = Float64Array.from(ranks).sort().subarray(0, CANDIDATES);
    return Int32Array.from(first, (rank) => ((rank % n) + n) % n);
  }

  /** The surplus of all labels of a row. */
  #pull(row: number, surplus: Int32Array): number {
    let sum = 0;
    for (const label of this.#rows[row]) sum += surplus[label];
    return sum;
  }

  /** Puts a row into a fold, out of the one that it may be in. */
  #put(row: number, fold: number): void {
    const before = this.#foldOf[row];
    if (before >= 0) this.#count(row, before, -1);
    this.#foldOf[row] = fold;
    this.#count(row, fold, 1);
  }

  #count(row: number, fold: number, change: number): void {
    this.#sizes[fold] += change;
    for (const label of this.#rows[row]) this.#totals[fold * this.#width + label] += change;
  }
}

/** The label with the fewest rows left, but at least one; the first among equals; -1 when none has any. */
function rarest(left: readonly number[]): number {
  let found = -1;
  for (let label = 0; label < left.length; label++) {
    if (left[label] > 0 && (found < 0 || left[label] < left[found])) found = label;
  }
  return found;
}
