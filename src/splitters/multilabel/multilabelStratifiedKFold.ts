import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { boolean, type InputOf, optionTable } from '../../core/options.js';
import { permutation, type RandomSource, randomSource, shuffle } from '../../core/random.js';
import { tally } from '../../data/encode.js';
import { type Labels, labelsOf, writtenShape } from '../../data/labels.js';
import { checkLength, type Groups } from '../../data/sideData.js';
import { foldsFromAssignment } from '../assignment.js';
import { defineSplitter, kFoldOptions } from '../defineSplitter.js';
import { requireCount } from '../splitInput.js';

const options = optionTable(
  'MultilabelStratifiedKFold',
  kFoldOptions(
    boolean().default(false).describe('Draw at random which rows of equal labels go where; labels stay balanced.'),
  ),
);

export type MultilabelStratifiedKFoldOptions = InputOf<typeof options>;

/**
 * K folds that balance each label of a multilabel `y` (rows of 0 and 1, shape `[n, labels]`): iterative stratification
 * (Sechidis, Tsoumakas & Vlahavas 2011, "On the stratification of multi-label data"), with equal label sets dealt
 * evenly before it and exchanges of rows after it. The result is good, not proved the best.
 *
 * The sizes of the folds differ by at most one row, and so do their numbers of rows without any label. `Folds.warnings`
 * names constant columns and labels that a test fold lacks. Without `shuffle` nothing is drawn.
 *
 * Throws `InvalidDataError` without `y`, and for a `y` that is not rows of 0 and 1; `InfeasibleSplitError` when there
 * are fewer rows than folds.
 *
 * @example
 * // y: one column per finding, for example [[1, 0, 1], [0, 0, 0], ...]
 * new MultilabelStratifiedKFold({ nSplits: 5, shuffle: true, randomState: 42 }).split(X, y);
 */
export class MultilabelStratifiedKFold extends defineSplitter({
  options,
  facts: {
    family: 'multilabel',
    description: 'K folds in which every label of several per row has the same share.',
    needs: ['y'],
    claims: { partition: true, stratified: true },
  },
  plan({ n, y }, { nSplits, shuffle, randomState }) {
    const labels = multilabelOf(y, n);
    requireCount(options.owner, nSplits, n, 'rows');
    const source = shuffle ? randomSource(randomState) : undefined;
    const foldOf = iterativeStratification(labelSetsOf(labels), nSplits, source);
    return foldsFromAssignment(foldOf, nSplits, labelWarnings(labels, foldOf, nSplits));
  },
})<MultilabelStratifiedKFoldOptions> {}

/** Placements tried while some label could lie more evenly; fewer of many rows, where one row matters less. */
const ATTEMPTS = 8;
const ATTEMPTED_ROWS = 20_000;
/** Bound on all searches, in labels read: 20,000 rows of 300 labels take seconds. */
const SEARCH_STEPS = 2e8;

/**
 * Fold of each row:
 *
 * 1. Every label set is dealt in equal parts; fewer than `nSplits` rows per set remain: the rest.
 * 2. The rest is placed by iterative stratification (Sechidis, Tsoumakas & Vlahavas 2011): always the label with the
 * fewest rows remaining, each row into the fold with the fewest of it, then of the row's labels, then of rows, then the
 * first.
 * 3. Rows of the rest are exchanged while that lowers the sum of squared deviations. Where some label could still lie
 * more evenly, steps 2 and 3 are tried again with the rest in other orders.
 *
 * Rows without any label are dealt last, to the smallest folds first, so rows with and without labels each differ by at
 * most one between folds. Without a source the orders are always the same.
 */
function iterativeStratification(sets: LabelSets, nSplits: number, source?: RandomSource): Int32Array {
  const { codes, counts } = sets;
  const rest: number[] = [];
  for (let set = 0; set < counts.length; set++) {
    for (let rows = counts[set] % nSplits; rows > 0; rows--) rest.push(set);
  }
  const rows = rest.map((set) => sets.labels[set]);
  const restFolds = placeRest(rows, sets.width, nSplits, source);

  const dealt = new Int32Array(codes.length);
  const next = new Int32Array(counts.length);
  let end = 0;
  let placed = 0;
  for (let set = 0; set < counts.length; set++) {
    const start = end;
    next[set] = start;
    for (let fold = 0; fold < nSplits; fold++) {
      const part = Math.floor(counts[set] / nSplits);
      dealt.fill(fold, end, end + part);
      end += part;
    }
    while (rest[placed] === set) dealt[end++] = restFolds[placed++];
    const folds = dealt.subarray(start, end).sort();
    if (source) shuffle(source, folds);
  }
  return codes.map((set) => dealt[next[set]++]);
}

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

/** Rows of a fold that are searched for an exchange, and the most promising that are tried. */
const LOOKED_AT = 4096;
const CANDIDATES = 32;

class RestPlacement {
  readonly #foldOf: Int32Array;
  readonly #rows: readonly (readonly number[])[];
  readonly #width: number;
  readonly #nSplits: number;
  readonly #totals: Int32Array;
  readonly #sizes: Int32Array;
  readonly #held: Uint8Array;

  constructor(rows: readonly (readonly number[])[], width: number, nSplits: number) {
    this.#rows = rows;
    this.#width = width;
    this.#nSplits = nSplits;
    this.#foldOf = new Int32Array(rows.length).fill(-1);
    this.#totals = new Int32Array(nSplits * width);
    this.#sizes = new Int32Array(nSplits);
    this.#held = new Uint8Array(width);
  }

  placeLabelled(order: Int32Array): void {
    const labelled = order.filter((row) => this.#rows[row].length > 0);
    const rowsWith = Array.from({ length: this.#width }, (): number[] => []);
    for (const row of labelled) for (const label of this.#rows[row]) rowsWith[label].push(row);
    const remaining = rowsWith.map((rows) => rows.length);
    const small = Math.floor(labelled.length / this.#nSplits);
    let larger = labelled.length % this.#nSplits;
    for (let label = rarest(remaining); label >= 0; label = rarest(remaining)) {
      for (const row of rowsWith[label]) {
        if (this.#foldOf[row] >= 0) continue;
        const fold = this.#neediest(row, label, larger > 0 ? small + 1 : small);
        if (this.#sizes[fold] === small) larger--;
        this.#put(row, fold);
        for (const each of this.#rows[row]) remaining[each]--;
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
          if (surplus.every((more) => Math.abs(more) < 2)) continue;
          budget.steps -= look;
          if (budget.steps < 0) return;
          improved = this.#exchange(from, to, surplus) || improved;
        }
      }
    }
  }

  /** By how much the sum of squared counts exceeds the least that each label alone allows. */
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

  placeUnlabelled(): Int32Array {
    const smallest = Int32Array.from(this.#sizes.keys()).sort((a, b) => this.#sizes[a] - this.#sizes[b]);
    let dealt = 0;
    for (let row = 0; row < this.#rows.length; row++) {
      if (this.#foldOf[row] < 0) this.#put(row, smallest[dealt++ % this.#nSplits]);
    }
    return this.#foldOf;
  }

  /** Ties: of all labels of the row, of rows, the first. */
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

  #surplus(a: number, b: number): Int32Array {
    const ofB = this.#totals.subarray(b * this.#width);
    return this.#totals.slice(a * this.#width, (a + 1) * this.#width).map((count, label) => count - ofB[label]);
  }

  /** What lowers the sum of squares the most: a label that changes places lowers its half by the surplus less 1. */
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

  /** The rows of a fold with the largest pull (times the sign) first; among equals the first row. */
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

  #pull(row: number, surplus: Int32Array): number {
    let sum = 0;
    for (const label of this.#rows[row]) sum += surplus[label];
    return sum;
  }

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

function rarest(remaining: readonly number[]): number {
  let found = -1;
  for (let label = 0; label < remaining.length; label++) {
    if (remaining[label] > 0 && (found < 0 || remaining[label] < remaining[found])) found = label;
  }
  return found;
}

/** Rows of one set have the same labels. */
interface LabelSets {
  readonly codes: Int32Array;
  readonly counts: Int32Array;
  readonly labels: readonly (readonly number[])[];
  readonly width: number;
}

/** One-hot rows are taken as labels too. */
export function multilabelOf(y: unknown, n: number): Labels {
  const labels = labelsOf(y, { task: 'multilabel' });
  if (labels.shape) {
    const way = 'Use KFold or GroupKFold.';
    throw new InvalidDataError(sentence('y', 'have labels to balance', phrase(writtenShape(labels.shape)), way));
  }
  checkLength(labels, n, 'y');
  return labels;
}

function labelSetsOf({ length: n, classes, indicators }: Labels): LabelSets {
  const width = classes.length;
  const codes = new Int32Array(n);
  let count = 1;
  for (let label = 0; label < width; label++) {
    // Each set so far divides into the rows without and with this label.
    const parts = new Int32Array(2 * count).fill(-1);
    count = 0;
    for (let row = 0; row < n; row++) {
      const part = 2 * codes[row] + indicators[row * width + label];
      if (parts[part] < 0) parts[part] = count++;
      codes[row] = parts[part];
    }
  }
  const labels: number[][] = [];
  for (let row = 0; row < n; row++) {
    if (labels[codes[row]]) continue;
    const held: number[] = [];
    for (let label = 0; label < width; label++) if (indicators[row * width + label]) held.push(label);
    labels[codes[row]] = held;
  }
  return { codes, counts: tally(codes, count), labels, width };
}

const MAX_WARNINGS = 10;

/** About constant label columns, and those of which some test fold has no 1 or no 0. */
export function labelWarnings(
  { classes, indicators }: Labels,
  foldOf: Int32Array,
  nSplits: number,
  groups?: Groups,
): string[] {
  const n = foldOf.length;
  const width = classes.length;
  const ones = new Int32Array(nSplits * width);
  for (let row = 0; row < n; row++) {
    for (let label = 0; label < width; label++) ones[foldOf[row] * width + label] += indicators[row * width + label];
  }
  const sizes = tally(foldOf, nSplits);
  const lacks: { label: number; value: number; folds: number }[] = [];
  for (let label = 0; label < width; label++) {
    for (const value of [1, 0]) {
      const folds = sizes.filter((size, fold) => ones[fold * width + label] === (value === 1 ? 0 : size)).length;
      if (folds > 0) lacks.push({ label, value, folds });
    }
  }
  const warnings = lacks.slice(0, MAX_WARNINGS).map(({ label, value, folds }) => {
    const column = `Label column ${label} of y is`;
    if (folds === nSplits) return `${column} ${1 - value} in every row, so there is nothing to balance.`;
    const rows = Array.from(foldOf.keys()).filter((row) => indicators[row * width + label] === value);
    const held = groups ? ` of ${counted(new Set(rows.map((row) => groups.codes[row])).size, 'group')}` : '';
    const where = `${folds} of the ${nSplits} test folds ${folds === 1 ? 'has' : 'have'} no such row`;
    return `${column} ${value} in ${counted(rows.length, 'row')}${held}, and ${where}.`;
  });
  const more = lacks.length - warnings.length;
  return more > 0 ? [...warnings, `${more} more such warnings about label columns.`] : warnings;
}
