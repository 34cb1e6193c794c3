/** The one caller of `Splitter.split`. */

import { atOnce, CVKitError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { fingerprint, Hasher } from '../core/fingerprint.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { MOST_DRAWS } from '../core/numbers.js';
import { isLabels, type LabelsInput } from '../data/labels.js';
import type { RowsInput } from '../data/rows.js';
import { groupsOf, type SideData } from '../data/sideData.js';
import { rowsOutside } from './assignment.js';
import {
  badFolds,
  checkedExcluded,
  checkedSides,
  checkFoldId,
  checkGroups,
  isPartition,
  outsideTraining,
  partitionCheck,
  timeChecks,
  tooMany,
} from './foldChecks.js';
import { splitInput } from './splitInput.js';
import {
  checkedClaims,
  type Excluded,
  type Fold,
  type Folds,
  type GivenFold,
  type IterableFold,
  iterableFold,
  namedSides,
  type SplitData,
  type Splitter,
  type SplitterClaims,
  writtenAs,
} from './splitter.js';

/** A fold that passed the checks, with its place in the plan. */
export interface CheckedFold extends IterableFold {
  /** Place among all folds, from 0. */
  readonly index: number;
  readonly repeat: number;
  /** Place within its repeat, from 0. */
  readonly number: number;
}

/** The rows of a fold; `train` is left out where it is all rows but the tested ones. */
export interface FoldSides {
  readonly id: string;
  readonly test: Int32Array;
  readonly train?: Int32Array;
}

/** The checked folds of one design on one data set. Iterating again gives the same folds. */
export interface FoldPlan extends Iterable<CheckedFold> {
  /** Number of folds. */
  readonly length: number;
  /** Number of rows of the data that the folds are of. */
  readonly n: number;
  /** Name of the splitter, as its facts or its class say it. */
  readonly splitterName: string;
  /** The splitter with its options, where it can say them: `KFold({ nSplits: 5, shuffle: false })`; else its name. */
  readonly design: string;
  readonly claims: SplitterClaims;
  /** Ids of the folds, in order. */
  readonly ids: readonly string[];
  /** Number of repeats of the whole design. */
  readonly repeats: number;
  /** What the splitter says about folds that are allowed but not ideal: full sentences. */
  readonly warnings: readonly string[];
  /** Hash of all indices: see {@link fingerprint}. */
  readonly fingerprint: string;
  at(index: number): CheckedFold;
  /** The rows of each fold, without a list of all other rows: of n folds of n rows (leave-one-out) O(n) numbers. */
  sides(): Iterable<FoldSides>;
}

/**
 * Splits and checks every fold: an id of its own, integer indices in range, ascending, train and test disjoint and not
 * empty; `excluded` rows on neither side; groups and times whole, training before testing, label intervals apart and
 * every row tested once per repeat where the splitter claims it; as many folds as `getNSplits` says, a million at most.
 * Throws {@link InvalidDataError} before any fold is used, {@link InfeasibleSplitError} for more folds.
 *
 * Rows are copied, so a splitter may use one buffer for all folds. Folds whose training rows are all other rows are
 * kept as their test rows alone, so that n folds of n rows (leave-one-out) take O(n) memory.
 *
 * @example
 * for (const { id, train, test } of foldsOf(new GroupKFold({ randomState: 1 }), X, y, { groups })) {
 *   console.log(id, train.length, test.length);
 * }
 */
export function foldsOf(
  splitter: Splitter,
  X: RowsInput | number,
  y?: LabelsInput | SplitData | null,
  data?: SplitData | null,
): FoldPlan {
  const splitterName = nameOf(splitter);
  const { n, y: labels, data: side } = splitInput(splitterName, X, y, data);
  // A view keeps the task that the caller named; splitters that do not know views get an array.
  const known = isLabels(labels) && !splitter.takesLabels ? labels.toArray() : labels;
  const claims = checkedClaims(splitter.claims, splitterName);
  const groups = claims.disjointGroups ? side.groups : undefined;
  const codes = groups && groupsOf(groups, n).codes;
  const checks = timeChecks(splitterName, claims, side, n);
  const partition = claims.partition ? partitionCheck(splitterName, n) : undefined;
  const stored: StoredFold[] = [];
  const ids = new Set<string>();
  const perRepeat = new Map<number, number>();
  const declared = declaredCount(splitter, X, known, side);
  if (declared !== undefined && declared > MOST_DRAWS) throw tooMany(splitterName, declared);
  const folds = iterable(atOnce(splitter.split(X, known, side), `\`split\` of ${splitterName}`), splitterName);
  for (const raw of folds) {
    if (stored.length === MOST_DRAWS) throw tooMany(splitterName);
    const fold = namedSides(raw) as Fold;
    const facts = factsOf(fold, stored.length, splitterName, perRepeat);
    const where = `Fold ${facts.id} of ${splitterName}`;
    if (ids.has(facts.id)) throw badFolds(where, 'have an id of its own', phrase('one that is taken'));
    ids.add(facts.id);
    const whole = isPartition(fold.train, fold.test, n);
    const sides = whole ? { train: fold.train, test: fold.test.slice() } : checkedSides(fold, n, where);
    const excluded = checkedExcluded(fold.excluded, sides, n, where);
    if (groups && codes) checkGroups(sides, codes, groups, where);
    for (const check of checks) check(sides, where);
    partition?.add(sides.test, facts.repeat, where);
    stored.push({
      facts,
      sides: rowsOf(facts.id, sides.test, whole ? undefined : sides.train),
      excluded: listsOf(excluded),
    });
  }
  if (stored.length === 0) throw badFolds(splitterName, 'yield at least one fold', phrase('none'));
  partition?.finish();
  const warnings = [...(folds.warnings ?? []), ...equalRepeats(stored, perRepeat.size, splitterName)];
  if (declared !== undefined && declared !== stored.length) {
    const must = `yield the ${declared} folds that its \`getNSplits\` says`;
    throw badFolds(splitterName, must, phrase(String(stored.length)));
  }
  const design = writtenAs(splitter) ?? splitterName;
  return planOf({
    n,
    splitterName,
    design,
    claims: { ...claims },
    repeats: perRepeat.size,
    ids: [...ids],
    warnings,
    at(index) {
      if (stored[index]) return foldOf(stored[index], n);
      throw new InvalidOptionError(sentence('The place of a fold', `be from 0 to ${stored.length - 1}`, index));
    },
    *sides() {
      for (const { sides } of stored) yield sides();
    },
  });
}

/** Repeats with the test sets of another one add time and no information. */
function equalRepeats(stored: readonly StoredFold[], repeats: number, splitterName: string): string[] {
  if (repeats < 2) return [];
  const tested = new Map(stored.map(({ facts }) => [facts.repeat, [] as string[]]));
  for (const { facts, sides } of stored) tested.get(facts.repeat)?.push(new Hasher().words(sides().test).digest());
  const different = new Set(Array.from(tested.values(), (digests) => digests.sort().join())).size;
  if (different === repeats) return [];
  return [
    `Of the ${repeats} repeats of ${splitterName} only ${different} differ: equal ones add time and no information.`,
  ];
}

export const hasInner = (fold: Fold): fold is Fold & { readonly inner: Splitter } => fold.inner !== undefined;

/**
 * The inner folds of a nested design in row numbers of the full data, held to the outer training rows.
 *
 * @example
 * const nested = new NestedCV({ outerCv: new KFold({ nSplits: 2 }), innerCv: new KFold({ nSplits: 3 }) });
 * const [first] = foldsOf(nested, 12);
 * for (const { id, train, test } of innerFoldsOf(first, 12)) console.log(id, [...train], [...test]);
 */
export function innerFoldsOf(fold: Fold & { readonly inner: Splitter }, n: number): FoldPlan {
  if (typeof fold !== 'object' || fold === null || !fold.inner) {
    throw badFolds('The fold of innerFoldsOf', 'have an `inner` splitter', fold);
  }
  const plan = foldsOf(fold.inner, n);
  const outer = new Uint8Array(n);
  for (const row of fold.train) outer[row] = 1;
  for (const { id, train, test, excluded = {} } of plan) {
    const strayed = [train, test, ...Object.values(excluded)].flatMap((rows) => [...rows.filter((row) => !outer[row])]);
    if (strayed.length > 0) throw outsideTraining(strayed, `Inner fold ${id} of fold ${fold.id}`);
  }
  return plan;
}

interface PlannedFolds
  extends Pick<FoldPlan, 'n' | 'splitterName' | 'design' | 'claims' | 'repeats' | 'ids' | 'warnings' | 'at'> {
  /** Left out: those of the folds. */
  sides?(): Iterable<FoldSides>;
  /** Left out: that of the folds. */
  hash?(): string;
}

/** Frozen, since callbacks receive it. */
export function planOf({ at, sides, hash, ...facts }: PlannedFolds): FoldPlan {
  let known: string | undefined;
  const plan: FoldPlan = Object.freeze({
    ...frozenCopy(facts),
    length: facts.ids.length,
    at,
    get fingerprint() {
      known ??= hash ? hash() : fingerprint(plan);
      return known;
    },
    *[Symbol.iterator]() {
      for (const index of facts.ids.keys()) yield at(index);
    },
    *sides() {
      if (sides) yield* sides();
      else for (const { id, train, test } of plan) yield { id, train, test };
    },
  });
  return plan;
}

export function nameOf(splitter: Splitter): string {
  if (typeof splitter?.split !== 'function') {
    throw new InvalidOptionError(sentence('A splitter', 'have a `split` method', splitter));
  }
  const named = (splitter as { facts?: { name?: string } }).facts?.name ?? splitter.constructor?.name;
  return named && named !== 'Object' ? named : 'the splitter';
}

function iterable(folds: unknown, splitterName: string): Folds<Fold | GivenFold> {
  if (typeof (folds as Iterable<Fold> | null)?.[Symbol.iterator] === 'function')
    return folds as Folds<Fold | GivenFold>;
  throw badFolds(splitterName, 'give an iterable of folds', folds);
}

function factsOf(fold: Fold, index: number, splitterName: string, perRepeat: Map<number, number>): FoldFacts {
  if (typeof fold !== 'object' || fold === null) {
    throw badFolds(`Fold ${index} of ${splitterName}`, 'be an object with id, train and test', fold);
  }
  const { id = `fold-${index}`, repeat = 0, inner } = fold;
  checkFoldId(id, `fold ${index} of ${splitterName}`);
  if (!Number.isInteger(repeat))
    throw badFolds(`Fold ${id} of ${splitterName}`, 'have an integer as its repeat', repeat);
  const number = perRepeat.get(repeat) ?? 0;
  perRepeat.set(repeat, number + 1);
  return { id, repeat, number, index, ...(inner ? { inner } : {}) };
}

type FoldFacts = Pick<CheckedFold, 'id' | 'repeat' | 'number' | 'index'> & Pick<Fold, 'inner'>;

interface StoredFold {
  readonly facts: FoldFacts;
  sides(): FoldSides;
  excluded?(): Excluded;
}

const foldOf = ({ facts, sides, excluded }: StoredFold, n: number): CheckedFold => {
  const { test, train = rowsOutside(test, n) } = sides();
  return iterableFold({ ...facts, train, test, ...(excluded ? { excluded: excluded() } : {}) });
};

// Outside the loop of `foldsOf`: closures of one scope share it and would keep the training rows in memory.
function rowsOf(id: string, test: Int32Array, train: Int32Array | undefined): () => FoldSides {
  const [tested, trained] = [kept(test), train && kept(train)];
  return () => ({ id, ...(trained && { train: trained() }), test: tested() });
}

function listsOf(excluded: Excluded | undefined): (() => Excluded) | undefined {
  if (!excluded) return undefined;
  const lists = Object.entries(excluded).map(([reason, rows]) => [reason, kept(rows)] as const);
  return () => Object.fromEntries(lists.map(([reason, rows]) => [reason, rows()]));
}

/** A run without gaps, as in folds over time, is kept as its ends. */
const kept = (rows: Int32Array) => (isRun(rows) ? run(rows[0], rows.length) : copies(rows));
function isRun(rows: Int32Array): boolean {
  if (rows[rows.length - 1] - rows[0] !== rows.length - 1) return false;
  let gaps = 0;
  for (let i = 1; i < rows.length; i++) gaps |= rows[i] - rows[i - 1] - 1;
  return gaps === 0;
}
const run = (first: number, length: number) => () => new Int32Array(length).map((_, at) => first + at);
const copies = (rows: Int32Array) => () => rows.slice();

/** Undefined where a foreign splitter lacks `getNSplits`, or needs other data for it. */
function declaredCount(
  splitter: Partial<Splitter>,
  X: RowsInput | number,
  y: LabelsInput | null | undefined,
  data: SideData,
): number | undefined {
  try {
    return splitter.getNSplits?.(X, y, data);
  } catch (error) {
    if (error instanceof CVKitError) return undefined;
    throw error;
  }
}
