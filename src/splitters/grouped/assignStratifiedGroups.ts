import { InfeasibleSplitError, phrase, sentence } from '../../core/errors.js';
import { permutation, type RandomSource, randomInterval, randomSource } from '../../core/random.js';
import { encode } from '../../data/encode.js';
import type { Groups } from '../../data/sideData.js';
import { foldId } from '../assignment.js';
import { requireCount } from '../splitInput.js';
import type { Strata } from '../strata.js';
import { swapReach } from './groupPlacement.js';

export interface StratifiedGroups {
  readonly foldOf: Int32Array;
  readonly warnings: readonly string[];
}

interface Asker {
  readonly owner?: string;
  readonly onInfeasible?: 'error' | 'pool';
}

/** Spreads whole groups over folds, starting where scikit-learn's rule ends. Whether it throws never depends on the draw. */
export function assignStratifiedGroups(
  groups: Groups,
  strata: Strata,
  nSplits: number,
  source: RandomSource | undefined,
  { owner = 'StratifiedGroupKFold', onInfeasible }: Asker = {},
): StratifiedGroups {
  requireCount(owner, nSplits, groups.count, 'groups');
  const { names } = strata;
  if (names.length === 1) {
    throw new InfeasibleSplitError(sentence(`y of ${owner}`, 'have two classes or more', phrase(`only ${names[0]}`)));
  }
  const table = groupTable(groups, strata);
  const drawn = source ? permutation(source, groups.count) : Int32Array.from({ length: groups.count }, (_, i) => i);
  const order = unevenFirst(table, drawn);
  const coverage = classCoverage(table, order, names);
  if (onInfeasible !== 'pool') {
    const way = "Use `onInfeasible: 'pool'` to go on and pool the metrics over folds.";
    checkTwoClasses(owner, nSplits, coverage, onInfeasible && way);
  }
  const greedy = new StratifiedPlacement(table, nSplits);
  placeGreedily(greedy, order);
  const { lack, spread } = greedy;
  const placement = greedy.hasWeakFold ? coveringPlacement(table, nSplits, coverage, order) : greedy;
  closeGaps(placement, order);
  if (placement.lack === lack) placement.limit = spread;
  evenOut(placement, order, source);
  return { foldOf: placement.foldOf, warnings: lackWarnings(placement, coverage, names) };
}

function coveringPlacement(
  table: GroupTable,
  nSplits: number,
  coverage: ClassCoverage,
  order: Int32Array,
): StratifiedPlacement {
  const placement = new StratifiedPlacement(table, nSplits);
  for (const [fold, groups] of coveringGroups(coverage, nSplits, order.length).entries()) {
    for (const group of groups) placement.place(group, fold);
  }
  placeGreedily(placement, order);
  return placement;
}

const MAX_NAMED = 5;

interface ClassCoverage {
  readonly several: readonly number[];
  readonly single: readonly (readonly number[])[];
  readonly largest: number;
  readonly proof: string;
}

/**
 * `several + pairs` folds and no more: every such fold needs a group of several classes or two groups of different
 * classes. Of `s` groups with one class each, `s_c` of class c, `min(floor(s / 2), s - max s_c)` pairs can be formed;
 * of two classes that is `min(s_0, s_1)`.
 */
function classCoverage({ counts, width }: GroupTable, order: Int32Array, names: readonly string[]): ClassCoverage {
  const several: number[] = [];
  const single: number[][] = names.map(() => []);
  for (const group of order) {
    const held = counts.subarray(group * width, group * width + names.length);
    const first = held.findIndex((count) => count > 0);
    if (held.some((count, label) => count > 0 && label !== first)) several.push(group);
    else single[first].push(group);
  }
  const sizes = single.map((groups) => groups.length);
  const all = sizes.reduce((a, b) => a + b, 0);
  const most = Math.max(...sizes);
  const two = names.length === 2;
  const pairs = Math.min(Math.floor(all / 2), all - most);
  const largest = several.length + pairs;
  const counted = names.slice(0, MAX_NAMED).map((name, label) => `with only ${name}: ${sizes[label]}`);
  const rule = two ? `min(${sizes[0]}, ${sizes[1]})` : `min(floor(${all} / 2), ${all} - ${most})`;
  const proof =
    `groups with ${two ? 'both classes' : 'several classes'}: ${several.length}, ${counted.join(', ')}` +
    `${names.length > MAX_NAMED ? ', ...' : ''}; ${several.length} + ${rule} = ${largest}`;
  return { several, single, largest, proof };
}

function checkTwoClasses(
  owner: string,
  nSplits: number,
  { largest, proof, single }: ClassCoverage,
  way?: string,
): void {
  if (nSplits <= largest) return;
  const what = single.length === 2 ? 'both classes' : 'two classes or more';
  if (largest < 2) {
    const got = phrase(`at most ${largest} such fold (${proof})`);
    throw new InfeasibleSplitError(
      sentence(`The groups of ${owner}`, `put ${what} into at least two test folds`, got, way),
    );
  }
  const must = `be at most ${largest}, so that every test fold has ${what} (${proof})`;
  throw new InfeasibleSplitError(sentence(`The \`nSplits\` option of ${owner}`, must, nSplits));
}

/** Those with several classes, then pairs from the two classes with most groups: as many pairs as there can be. */
function coveringGroups({ several, single }: ClassCoverage, nSplits: number, groups: number): number[][] {
  const remaining = single.map((members) => [...members]);
  const folds = several.slice(0, nSplits).map((group) => [group]);
  for (let spare = groups - nSplits; folds.length < nSplits && spare > 0; spare--) {
    const [first, second] = remaining.toSorted((a, b) => b.length - a.length);
    if (second.length === 0) break;
    folds.push([first.pop()!, second.pop()!]);
  }
  const rest = remaining.flat();
  while (folds.length < nSplits) folds.push([rest.pop()!]);
  return folds;
}

function lackWarnings(placement: StratifiedPlacement, { proof }: ClassCoverage, names: readonly string[]): string[] {
  const { nSplits, table } = placement;
  const warnings: string[] = [];
  const lacked = Array.from({ length: nSplits }, (_, fold) => placement.lackedBy(fold));
  const weak = lacked.flatMap((missing, fold) => {
    const own = names.filter((_, label) => !missing.includes(label));
    return own.length === 1 ? [`${foldId(fold)} tests only ${own[0]}`] : [];
  });
  if (weak.length > 0) {
    warnings.push(
      `Not every test fold can have ${names.length === 2 ? 'both classes' : 'two classes'} (${proof}): ` +
        `${listed(weak)}. Metrics must be read pooled over all folds, not fold by fold.`,
    );
  }
  if (names.length > 2) {
    const rare = names.flatMap((name, label) => {
      const without = lacked.filter((missing) => missing.includes(label)).length;
      return without > 0 ? [aboutClass(name, table.holders[label], without, nSplits)] : [];
    });
    warnings.push(...rare.slice(0, MAX_NAMED));
    const more = rare.length - MAX_NAMED;
    if (more > 0) warnings.push(`${more} more class${more > 1 ? 'es are' : ' is'} missing from some test folds.`);
  }
  return warnings;
}

function aboutClass(name: string, holders: number, without: number, nSplits: number): string {
  const subject = `${name.charAt(0).toUpperCase()}${name.slice(1)} is in ${holders} group${holders === 1 ? '' : 's'}`;
  const lack = `${without} test fold${without === 1 ? ' lacks' : 's lack'} it`;
  return holders < nSplits
    ? `${subject}, fewer than the ${nSplits} folds: ${lack}.`
    : `${subject}, enough for the ${nSplits} folds, but the search found no folds that all test it: ${lack}. ` +
        'That does not prove that there are none.';
}

const listed = (items: readonly string[]): string =>
  items.length > MAX_NAMED ? `${items.slice(0, MAX_NAMED).join(', ')}, ...` : items.join(', ');

const LONGEST_CHAIN = 5;
const MOST_TRIALS = 20_000;

type Gap = readonly [fold: number, label: number];

/** Lowers the lack by chains of moves, short ones first. In general this is exact cover, and failing proves nothing. */
function closeGaps(placement: StratifiedPlacement, order: Int32Array): void {
  const { foldOf, nSplits, table } = placement;
  if (placement.lack === placement.leastLack) return;
  const holds = (group: number, label: number) => table.counts[group * table.width + label] > 0;
  const holders = Array.from(table.holders.keys(), (label) => order.filter((group) => holds(group, label)));
  let trials = 0;

  /** Closes the last gap with a group from elsewhere, then what that opens; takes all back if the lack stays. */
  const chain = (gaps: readonly Gap[], length: number, lack: number): boolean => {
    const [fold, label] = gaps[gaps.length - 1];
    for (const group of holders[label]) {
      const from = foldOf[group];
      if (from === fold) continue;
      if (++trials > MOST_TRIALS) return false;
      placement.place(group, fold);
      if (placement.lack < lack) return true;
      const opened = placement.lackedBy(from).filter((each) => holds(group, each));
      const open = [...gaps, ...opened.map((each): Gap => [from, each])].filter((gap) => placement.total(...gap) === 0);
      if (length > 1 && chain(open, length - 1, lack)) return true;
      placement.place(group, from);
    }
    return false;
  };
  const closeOne = (length: number): boolean => {
    for (let fold = 0; fold < nSplits; fold++) {
      for (const label of placement.lackedBy(fold)) if (chain([[fold, label]], length, placement.lack)) return true;
    }
    return false;
  };

  for (let length = 1; length <= LONGEST_CHAIN && placement.lack > placement.leastLack; ) {
    length = closeOne(length) ? 1 : length + 1;
  }
}

/** Columns read in all: 10,000 groups take a fraction of a second, 50 the whole search. */
const MOST_EFFORT = 3_000_000;
const KICKS = 10;
const GROUPS_PER_KICK = 3;

/** Moves and swaps groups while that helps, then tries from where random moves lead: the same ones without a source. */
function evenOut(placement: StratifiedPlacement, order: Int32Array, source: RandomSource = randomSource(0)): void {
  const { foldOf, nSplits } = placement;
  const effort = { columns: MOST_EFFORT };
  descend(placement, order, effort);
  for (let kick = 0; kick < KICKS && effort.columns > 0; kick++) {
    const { lack, spread } = placement;
    const before = foldOf.slice();
    for (let i = 0; i < GROUPS_PER_KICK; i++) {
      placement.place(randomInterval(source, foldOf.length - 1), randomInterval(source, nSplits - 1));
    }
    descend(placement, order, effort);
    if (placement.isBetterThan(lack, spread)) continue;
    for (let group = 0; group < before.length; group++) placement.place(group, before[group]);
  }
}

function descend(placement: StratifiedPlacement, order: Int32Array, effort: { columns: number }): void {
  const { foldOf, nSplits } = placement;
  const { width, kinds } = placement.table;
  const reach = swapReach(order.length, width);
  // The round in which a group of this kind was last tried from this fold: another one would fare no better.
  const tried = new Int32Array(nSplits * order.length);
  let round = 0;
  let better = true;
  while (better && effort.columns > 0) {
    better = false;
    for (const group of order) {
      for (let fold = 0; fold < nSplits; fold++) {
        if (fold !== foldOf[group] && placement.improveBy(group, fold)) better = true;
      }
    }
    for (let i = 0; i < order.length; i++) {
      const last = Math.min(order.length - 1, i + reach);
      round++;
      for (let j = i + 1; j <= last; j++) {
        const fold = foldOf[order[j]];
        const at = kinds[order[j]] * nSplits + fold;
        if (fold === foldOf[order[i]] || tried[at] === round) continue;
        tried[at] = round;
        if (!placement.improveBy(order[i], fold, order[j])) continue;
        better = true;
        round++;
      }
    }
    effort.columns -= width * order.length * (nSplits + Math.min(reach, order.length / 2));
  }
}

/** By falling standard deviation of the class counts, as scikit-learn's `StratifiedGroupKFold` takes groups. */
function unevenFirst({ counts, width }: GroupTable, drawn: Int32Array): Int32Array {
  const classes = width - 1;
  const deviations = new Float64Array(drawn.length);
  for (const group of drawn) deviations[group] = deviation(classes, (label) => counts[group * width + label]);
  return drawn.slice().sort((a, b) => deviations[b] - deviations[a]);
}

/**
 * Puts each group into the fold where class shares stay most even; among folds equal to five digits, the one with
 * fewest rows. Sums run in NumPy's order, so that the placement is that of scikit-learn 1.9.1, group for group (up to
 * seven classes, from where NumPy sums in pairs).
 */
function placeGreedily(placement: StratifiedPlacement, order: Int32Array): void {
  const { counts, width, sums } = placement.table;
  const { nSplits } = placement;
  const classes = width - 1;
  for (const group of order) {
    if (placement.foldOf[group] >= 0) continue;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    let fewest = Number.POSITIVE_INFINITY;
    for (let fold = 0; fold < nSplits; fold++) {
      let sum = 0;
      for (let c = 0; c < classes; c++) {
        const added = counts[group * width + c];
        sum += deviation(nSplits, (each) => (placement.total(each, c) + (each === fold ? added : 0)) / sums[c]);
      }
      const uneven = sum / classes;
      const rows = placement.total(fold, classes);
      const tied = Math.abs(uneven - least) <= 1e-8 + 1e-5 * Math.abs(least);
      if (uneven < least || (tied && rows < fewest)) [best, least, fewest] = [fold, uneven, rows];
    }
    placement.place(group, best);
  }
}

function deviation(n: number, value: (at: number) => number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += value(i);
  const mean = sum / n;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += (value(i) - mean) ** 2;
  return Math.sqrt(squares / n);
}

/** What every group holds: `[groups, width]` row-major, rows of each class and, in the last column, of all classes. */
interface GroupTable {
  readonly counts: Float64Array;
  readonly width: number;
  readonly sums: Float64Array;
  readonly holders: Int32Array;
  /** Equal for groups that hold the same. */
  readonly kinds: Int32Array;
}

function groupTable(groups: Groups, strata: Strata): GroupTable {
  const classes = strata.counts.length;
  const width = classes + 1;
  const counts = new Float64Array(groups.count * width);
  for (let row = 0; row < groups.codes.length; row++) {
    const start = groups.codes[row] * width;
    counts[start + strata.codes[row]]++;
    counts[start + classes]++;
  }
  const holders = new Int32Array(classes);
  for (let i = 0; i < counts.length; i++) if (counts[i] > 0 && i % width < classes) holders[i % width]++;
  const kinds = kindsOf(counts, groups.count, width);
  return { counts, width, sums: Float64Array.of(...strata.counts, groups.codes.length), holders, kinds };
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
class StratifiedPlacement {
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
    const { width, holders } = this.table;
    let present = 0;
    for (let c = 0; c < width - 1; c++) {
      if (this.#totals[fold * width + c] + sign * this.#change[c] > 0) present++;
    }
    const weak = present === 1 ? this.#weak : present === 0 ? 2 * this.nSplits * this.#weak : 0;
    return holders.length - present + weak;
  }
}
