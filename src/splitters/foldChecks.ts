/** What must hold of every fold, whoever made it. Each failure names the fold and up to five offenders. */
import { InvalidDataError, sentence, show } from '../core/errors.js';

const MAX_NAMED = 5;

/** The error for folds that break a rule. */
export const badFolds = (subject: string, must: string, got: unknown) =>
  new InvalidDataError(sentence(subject, must, got), { code: 'invalid_folds' });

/**
 * True when both sides are ascending, disjoint and together all rows 0 ... n-1: the usual case, so it is told fast.
 * Whatever fails is looked at again by {@link rowNumbers} and {@link checkDisjoint} to say what is wrong.
 */
export function isPartition(train: unknown, test: unknown, n: number): boolean {
  if (!(train instanceof Int32Array && test instanceof Int32Array) || train.length + test.length !== n) return false;
  return isAscending(train, n) && fillsGaps(test, train, n);
}

// No branch in these loops depends on the rows: random folds would mispredict it, at twice the cost of the whole loop.

/** True for rows that rise from each to the next, within 0 ... n-1. */
function isAscending(rows: Int32Array, n: number): boolean {
  let steps = 0;
  let previous = -1;
  for (let i = 0; i < rows.length; i++) {
    steps |= rows[i] - previous - 1;
    previous = rows[i];
  }
  return steps >= 0 && previous >= 0 && previous < n;
}

/**
 * True when the test rows ascend and are just the rows that an ascending `train` leaves out. Below the test row at place
 * j lie j test rows, so it must be just `test[j] - j` training rows: the one before that place is smaller, the one at it
 * larger.
 */
function fillsGaps(test: Int32Array, train: Int32Array, n: number): boolean {
  let wrong = 0;
  let previous = -1;
  for (let j = 0; j < test.length; j++) {
    const row = test[j];
    const place = row - j;
    const before = place > 0 ? train[place - 1] : -1;
    const after = place < train.length ? train[place] : n;
    wrong |= (row - previous - 1) | (train.length - place) | (row - before - 1) | (after - row - 1);
    previous = row;
  }
  return wrong >= 0 && previous >= 0;
}

/** The rows as a fresh ascending Int32Array, or the error for what is no list of row numbers. */
export function rowNumbers(given: ArrayLike<number>, n: number, what: string): Int32Array {
  if (!Array.isArray(given) && !ArrayBuffer.isView(given)) throw badFolds(what, 'be an array of row numbers', given);
  if (given.length === 0) throw badFolds(what, 'have at least one row', { text: 'none' });
  refuse(given, (row) => !Number.isInteger(row), what, 'hold integers');
  refuse(given, (row) => row < 0 || row >= n, what, `hold row numbers from 0 to ${n - 1}`);
  const rows = Int32Array.from(given);
  return rows.every((row, at) => at === 0 || row >= rows[at - 1]) ? rows : rows.sort();
}

function refuse(given: ArrayLike<number>, wrong: (row: number) => boolean, what: string, must: string): void {
  const found: unknown[] = [];
  for (let i = 0; i < given.length && found.length < MAX_NAMED; i++) if (wrong(given[i])) found.push(given[i]);
  if (found.length > 0) throw badFolds(what, must, { text: found.map(show).join(', ') });
}

/** Throws when an ascending list has a row twice. */
export function checkUnique(rows: Int32Array, what: string): void {
  const repeated = new Set<number>();
  for (let i = 1; i < rows.length && repeated.size < MAX_NAMED; i++) if (rows[i] === rows[i - 1]) repeated.add(rows[i]);
  if (repeated.size > 0) throw badFolds(what, 'hold every row once', { text: `${named('row', repeated)} twice` });
}

/** Throws when two ascending lists share a row. */
export function checkDisjoint(train: Int32Array, test: Int32Array, where: string): void {
  const shared = new Set<number>();
  let t = 0;
  for (const row of train) {
    while (t < test.length && test[t] < row) t++;
    if (test[t] === row) shared.add(row);
    if (shared.size === MAX_NAMED) break;
  }
  if (shared.size > 0) {
    throw badFolds(where, 'keep train and test apart', { text: `${named('row', shared)} on both sides` });
  }
}

/** Throws when a group (given as codes, and as the caller wrote it) has rows on both sides. */
export function checkGroups(
  { train, test }: { train: Int32Array; test: Int32Array },
  codes: Int32Array,
  ids: ArrayLike<unknown>,
  where: string,
): void {
  const tested = new Uint8Array(codes.length);
  for (const row of test) tested[codes[row]] = 1;
  const torn = new Map<number, string>();
  for (let i = 0; i < train.length && torn.size < MAX_NAMED; i++) {
    const row = train[i];
    if (tested[codes[row]]) torn.set(codes[row], show(ids[row]));
  }
  if (torn.size > 0) {
    throw badFolds(where, 'keep groups whole', { text: `${named('group', torn.values())} on both sides` });
  }
}

/** Throws when a training row is not earlier than every test row. */
export function checkTimeOrder(
  { train, test }: { train: Int32Array; test: Int32Array },
  times: Float64Array,
  where: string,
): void {
  const first = test.reduce((earliest, row) => Math.min(earliest, times[row]), Infinity);
  const late = train.filter((row) => times[row] >= first);
  if (late.length > 0) {
    const got = `${named('training row', late.slice(0, MAX_NAMED))} at or after its first test time`;
    throw badFolds(where, 'train before it tests', { text: got });
  }
}

/** The error for inner folds with rows that the outer fold does not train on. */
export const outsideTraining = (rows: readonly number[], where: string) =>
  badFolds(where, 'hold training rows of its outer fold only', { text: named('row', rows.slice(0, MAX_NAMED)) });

/** Holds a splitter to the claim that every row is tested exactly once per repeat. */
export class PartitionCheck {
  readonly #n: number;
  /** Per repeat: the rows tested so far, and how many. */
  readonly #repeats = new Map<number, { tested: Uint8Array; count: number }>();

  constructor(n: number) {
    this.#n = n;
  }

  add(test: Int32Array, repeat: number, where: string): void {
    const seen = this.#repeats.get(repeat) ?? { tested: new Uint8Array(this.#n), count: 0 };
    this.#repeats.set(repeat, seen);
    const { tested } = seen;
    let again = 0;
    for (let i = 0; i < test.length; i++) again |= tested[test[i]]++;
    if (again) {
      const rows = test.filter((row) => tested[row] > 1).slice(0, MAX_NAMED);
      throw badFolds(`${where}: test`, 'hold rows that no earlier fold tested', { text: named('row', rows) });
    }
    seen.count += test.length;
  }

  finish(splitterName: string): void {
    for (const [repeat, { tested, count }] of this.#repeats) {
      if (count === this.#n) continue;
      const missed: number[] = [];
      for (let row = 0; row < this.#n && missed.length < MAX_NAMED; row++) if (!tested[row]) missed.push(row);
      const where = this.#repeats.size > 1 ? `Repeat ${repeat} of ${splitterName}` : splitterName;
      throw badFolds(where, 'test every row', { text: `no fold with ${named('row', missed)}` });
    }
  }
}

function named(noun: string, offenders: Iterable<number | string>): string {
  const list = [...offenders];
  return `${noun}${list.length > 1 ? 's' : ''} ${list.join(', ')}`;
}
