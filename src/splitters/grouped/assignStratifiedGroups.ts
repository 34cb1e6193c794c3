import { InfeasibleSplitError, phrase, sentence } from '../../core/errors.js';
import { permutation, type RandomSource, randomInterval, randomSource } from '../../core/random.js';
import type { Groups } from '../../data/sideData.js';
import { foldId } from '../assignment.js';
import { requireCount } from '../splitInput.js';
import type { Strata } from '../strata.js';
import { swapReach } from './groupPlacement.js';
import { type GroupTable, groupTable, StratifiedPlacement } from './stratifiedPlacement.js';

export interface StratifiedGroups {
  readonly foldOf: Int32Array;
  readonly warnings: readonly string[];
}

interface Asker {
  readonly owner?: string;
  readonly onInfeasible?: 'error' | 'pool';
  /** Combinations of the classes with other columns, to be spread evenly as well. */
  readonly further?: Strata | undefined;
}

/** Spreads whole groups over folds, starting where scikit-learn's rule ends. Whether it throws never depends on the draw. */
export function assignStratifiedGroups(
  groups: Groups,
  strata: Strata,
  nSplits: number,
  source: RandomSource | undefined,
  { owner = 'StratifiedGroupKFold', onInfeasible, further }: Asker = {},
): StratifiedGroups {
  requireCount(owner, nSplits, groups.count, 'groups');
  const { names } = strata;
  if (names.length === 1) {
    throw new InfeasibleSplitError(sentence(`y of ${owner}`, 'have two classes or more', phrase(`only ${names[0]}`)));
  }
  const table = groupTable(groups, further ? [strata, further] : [strata]);
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
  return { foldOf: placement.foldOf, warnings: lackWarnings(placement, coverage, names, further?.names) };
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

function lackWarnings(
  placement: StratifiedPlacement,
  { proof }: ClassCoverage,
  names: readonly string[],
  further: readonly string[] = [],
): string[] {
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
  if (names.length > 2 || further.length > 0) {
    const rare = [...names, ...further].flatMap((name, label) => {
      if (names.length === 2 && label < 2) return [];
      const without = lacked.filter((missing) => missing.includes(label)).length;
      return without > 0 ? [aboutClass(name, table.holders[label], without, nSplits)] : [];
    });
    warnings.push(...rare.slice(0, MAX_NAMED));
    const more = rare.length - MAX_NAMED;
    if (more > 0) warnings.push(`${more} more ${more > 1 ? 'are' : 'is'} missing from some test folds.`);
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
