/**
 * The one caller of `Splitter.split`. Whatever needs folds - the runner, checkers, tuning, plots - asks here and gets
 * them checked, numbered and fingerprinted, whether the splitter is ours or somebody else's.
 */
import { CVKitError, InvalidDataError, sentence, show } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import type { LabelsInput } from '../core/labels.js';
import { type RowsInput, rowCount } from '../core/rows.js';
import { groupsOf, type SideData } from '../core/sideData.js';
import type { Fold, Splitter, SplitterClaims } from './splitter.js';

/** A fold that passed the checks, with its place in the plan. */
export interface CheckedFold extends Fold {
  /** Place among all folds, from 0. */
  readonly index: number;
  readonly repeat: number;
  /** Place within its repeat, from 0. */
  readonly number: number;
}

/** The checked folds of one design on one data set. Iterating again gives the same folds. */
export interface FoldPlan extends Iterable<CheckedFold> {
  /** Number of folds. */
  readonly length: number;
  /** Number of rows that the folds speak of. */
  readonly n: number;
  /** Name of the splitter, as its facts or its class say it. */
  readonly splitterName: string;
  readonly claims: SplitterClaims;
  /** Number of repeats of the whole design. */
  readonly repeats: number;
  /** Hash of all indices: see {@link fingerprint}. */
  readonly fingerprint: string;
  at(index: number): CheckedFold;
}

/**
 * Splits and checks every fold: integer indices in range, ascending, train and test disjoint and not empty, groups
 * whole where the splitter claims it. Throws before any fold is used.
 *
 * Folds whose training rows are all other rows are kept as their test rows alone, so that n folds of n rows
 * (leave-one-out) take O(n) memory.
 */
export function foldsOf(
  splitter: Splitter,
  X: RowsInput | number,
  y?: LabelsInput | null,
  data: SideData = {},
): FoldPlan {
  const n = rowCount(X);
  const splitterName = nameOf(splitter);
  const claims = splitter.claims ?? {};
  const groups = claims.disjointGroups && data.groups !== undefined ? groupsOf(data.groups, n) : undefined;
  const kept: (() => CheckedFold)[] = [];
  const ids = new Set<string>();
  const perRepeat = new Map<number, number>();
  for (const fold of splitter.split(X, y, data)) {
    const repeat = fold.repeat ?? 0;
    const number = perRepeat.get(repeat) ?? 0;
    perRepeat.set(repeat, number + 1);
    const id = fold.id ?? `fold-${kept.length}`;
    const where = `Fold ${id} of ${splitterName}`;
    if (ids.has(id)) throw badFolds(sentence(where, 'have an id of its own', { text: 'one that is taken' }));
    ids.add(id);
    const train = ascending(fold.train, n, `${where}: train`, true);
    const test = ascending(fold.test, n, `${where}: test`, false);
    const complement = checkDisjoint(train, test, n, where);
    if (groups) checkGroups(train, test, groups.codes, data.groups as ArrayLike<unknown>, where);
    const facts = { id, repeat, number, index: kept.length, ...(fold.inner ? { inner: fold.inner } : {}) };
    kept.push(complement ? () => ({ ...facts, train: rowsOutside(test, n), test }) : () => ({ ...facts, train, test }));
  }
  if (kept.length === 0) throw badFolds(sentence(splitterName, 'yield at least one fold', { text: 'none' }));
  let hash: string | undefined;
  const plan: FoldPlan = {
    n,
    splitterName,
    claims,
    length: kept.length,
    repeats: perRepeat.size,
    at: (index) => kept[index](),
    get fingerprint() {
      hash ??= fingerprint(plan);
      return hash;
    },
    *[Symbol.iterator]() {
      for (const fold of kept) yield fold();
    },
  };
  return plan;
}

function nameOf(splitter: Splitter): string {
  if (typeof splitter?.split !== 'function') {
    throw new CVKitError(sentence('A splitter', 'have a `split` method', splitter), { code: 'invalid_option' });
  }
  const named = splitter as { facts?: { name?: string } };
  return named.facts?.name ?? splitter.constructor?.name ?? 'the splitter';
}

const badFolds = (message: string) => new InvalidDataError(message, { code: 'invalid_folds' });

/** The indices as an ascending Int32Array (training rows may repeat), or an error. Sorts a copy where it must. */
function ascending(given: ArrayLike<number>, n: number, what: string, mayRepeat: boolean): Int32Array {
  if (!(Array.isArray(given) || ArrayBuffer.isView(given)))
    throw badFolds(sentence(what, 'be an array of row numbers', given));
  if (given.length === 0) throw badFolds(sentence(what, 'have at least one row', { text: 'none' }));
  let rows: Int32Array;
  if (given instanceof Int32Array) rows = given;
  else {
    for (let i = 0; i < given.length; i++) {
      if (!Number.isInteger(given[i])) throw badFolds(sentence(what, 'hold integers', given[i]));
    }
    rows = Int32Array.from(given);
  }
  let sorted = true;
  for (let i = 1; i < rows.length; i++) {
    if (rows[i] < rows[i - 1]) {
      sorted = false;
      break;
    }
  }
  if (!sorted) rows = rows.slice().sort();
  const outside = rows[0] < 0 ? rows[0] : rows[rows.length - 1] >= n ? rows[rows.length - 1] : undefined;
  if (outside !== undefined) throw badFolds(sentence(what, `hold row numbers from 0 to ${n - 1}`, outside));
  if (!mayRepeat) {
    for (let i = 1; i < rows.length; i++) {
      if (rows[i] === rows[i - 1])
        throw badFolds(sentence(what, 'hold every row once', { text: `row ${rows[i]} twice` }));
    }
  }
  return rows;
}

/** Throws when a row is on both sides; tells whether train is exactly all rows outside test. */
function checkDisjoint(train: Int32Array, test: Int32Array, n: number, where: string): boolean {
  const shared: number[] = [];
  let complement = train.length + test.length === n;
  let t = 0;
  let previous = -1;
  for (let i = 0; i < train.length; i++) {
    const row = train[i];
    if (row === previous) complement = false;
    while (t < test.length && test[t] < row) t++;
    if (t < test.length && test[t] === row && row !== previous && shared.length < 5) shared.push(row);
    previous = row;
  }
  if (shared.length > 0) {
    throw badFolds(sentence(where, 'keep train and test apart', { text: `row ${shared.join(', ')} on both sides` }));
  }
  return complement;
}

function checkGroups(
  train: Int32Array,
  test: Int32Array,
  codes: Int32Array,
  ids: ArrayLike<unknown>,
  where: string,
): void {
  const tested = new Set<number>();
  for (const row of test) tested.add(codes[row]);
  const torn = new Map<number, number>();
  for (const row of train) if (tested.has(codes[row]) && torn.size < 5) torn.set(codes[row], row);
  if (torn.size > 0) {
    const names = Array.from(torn.values(), (row) => show(ids[row])).join(', ');
    throw badFolds(sentence(where, 'keep groups whole', { text: `group ${names} on both sides` }));
  }
}

function rowsOutside(test: Int32Array, n: number): Int32Array {
  const train = new Int32Array(n - test.length);
  let at = 0;
  let t = 0;
  for (let row = 0; row < n; row++) {
    if (t < test.length && test[t] === row) t++;
    else train[at++] = row;
  }
  return train;
}
