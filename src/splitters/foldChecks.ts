/** What must hold of every fold. Each failure names the fold and up to five offenders. */

import { InfeasibleSplitError, InvalidDataError, kindOf, phrase, sentence, show } from '../core/errors.js';
import { wholeNumber } from '../core/format.js';
import { lowerBound } from '../core/lowerBound.js';
import { MOST_DRAWS } from '../core/numbers.js';
import { isList, isPlainObject } from '../core/options.js';
import { gather, isAscending, type Label, rowNumbers } from '../data/labels.js';
import { pseudonyms } from '../data/pseudonyms.js';
import { type SideData, timesOf } from '../data/sideData.js';
import { type Excluded, type Fold, REASONS, type SplitterClaims } from './splitter.js';
import { type LabelledRows, labelledRows } from './temporal/purge.js';

const MAX_NAMED = 5;

export const badFolds = (subject: string, must: string, got: unknown) =>
  new InvalidDataError(sentence(subject, must, got), { code: 'invalid_folds' });

export function tooMany(subject: string, count?: number): InfeasibleSplitError {
  const got = phrase(count === undefined ? 'more' : wholeNumber(count));
  const message = sentence(subject, `give at most ${wholeNumber(MOST_DRAWS)} folds`, got);
  return new InfeasibleSplitError(message, { code: 'too_many_folds' });
}

/** Ids name files and stand in every text. */
export function checkFoldId(id: unknown, where: string): asserts id is string {
  if (typeof id === 'string' && /^(?=.*[A-Za-z0-9])[A-Za-z0-9._-]{1,100}$/.test(id)) return;
  throw badFolds(`The id of ${where}`, 'have letters, digits, `-`, `_` and `.` alone, at most 100', id);
}

/**
 * True when both sides are ascending, disjoint and together all rows 0 ... n-1: the usual case. No branch depends on the rows:
 * random folds would take twice the time. Below the test row at place j lie `test[j] - j` training rows, so the one before that
 * place is smaller and the one at it larger.
 */
export function isPartition(train: unknown, test: unknown, n: number): boolean {
  if (!(train instanceof Int32Array && test instanceof Int32Array) || train.length + test.length !== n) return false;
  if (train.length === 0 || test.length === 0) return false;
  let wrong = train[0] | (n - 1 - train[train.length - 1]);
  for (let i = 1; i < train.length; i++) wrong |= train[i] - train[i - 1] - 1;
  let previous = -1;
  for (let j = 0; j < test.length; j++) {
    const row = test[j];
    const place = row - j;
    const before = place > 0 ? train[place - 1] : -1;
    const after = place < train.length ? train[place] : n;
    wrong |= (row - previous - 1) | (train.length - place) | (row - before - 1) | (after - row - 1);
    previous = row;
  }
  return wrong >= 0;
}

/** Training rows may repeat (bootstrap), test rows may not. */
export function checkedSides(
  { train, test }: Record<'train' | 'test', ArrayLike<number>>,
  n: number,
  where: string,
): Pick<Fold, 'train' | 'test'> {
  const sides = { train: rowsIn(train, n, `${where}: train`), test: rowsIn(test, n, `${where}: test`) };
  checkUnique(sides.test, `${where}: test`);
  checkDisjoint(sides.train, sides.test, where);
  return sides;
}

/** Lists that share no row with each other nor with a side; undefined when there are none. */
export function checkedExcluded(
  excluded: unknown,
  { train, test }: Pick<Fold, 'train' | 'test'>,
  n: number,
  where: string,
): Excluded | undefined {
  if (excluded === undefined) return undefined;
  if (!isPlainObject(excluded)) throw badFolds(`${where}: excluded`, 'be a record of reason to rows', excluded);
  const checked: Record<string, Int32Array> = {};
  for (const [reason, list] of Object.entries(excluded as Record<string, ArrayLike<number> | undefined>)) {
    if (!REASONS.includes(reason as (typeof REASONS)[number])) {
      throw badFolds(`${where}: excluded`, `give the reasons ${REASONS.join(', ')}`, reason);
    }
    if (list === undefined || (isList(list) && list.length === 0)) continue;
    const rows = rowsIn(list, n, `${where}: ${reason}`);
    checkUnique(rows, `${where}: ${reason}`);
    for (const [other, taken] of Object.entries({ train, test, ...checked })) {
      checkDisjoint(taken, rows, where, `${other} and ${reason}`);
    }
    checked[reason] = rows;
  }
  return Object.keys(checked).length > 0 ? checked : undefined;
}

function rowsIn(list: ArrayLike<number>, n: number, what: string): Int32Array {
  if (!isList(list)) throw badFolds(what, 'be an array of row numbers', list);
  if (list.length === 0) throw badFolds(what, 'have at least one row', phrase('none'));
  if (list instanceof Int32Array && list[0] >= 0 && list[list.length - 1] < n && isAscending(list)) return list.slice();
  refuse(list, (row) => !Number.isInteger(row), what, 'hold integers');
  refuse(list, (row) => row < 0 || row >= n, what, `hold row numbers from 0 to ${n - 1}`);
  return Int32Array.from(list).sort();
}

function refuse(list: ArrayLike<number>, wrong: (row: number) => boolean, what: string, must: string): void {
  const found: unknown[] = [];
  for (let i = 0; i < list.length && found.length < MAX_NAMED; i++) if (wrong(list[i])) found.push(list[i]);
  const shown = new Set(found.map((each) => (typeof each === 'number' ? show(each) : kindOf(each).words)));
  if (shown.size > 0) throw badFolds(what, must, phrase([...shown].join(', ')));
}

function checkUnique(rows: Int32Array, what: string): void {
  const repeated: number[] = [];
  for (let i = 1; i < rows.length; i++) if (rows[i] === rows[i - 1]) repeated.push(rows[i]);
  if (repeated.length > 0) {
    throw badFolds(what, 'hold every row once', phrase(`${offenderText('row', repeated)} twice`));
  }
}

function checkDisjoint(train: Int32Array, test: Int32Array, where: string, which = 'train and test'): void {
  if (train[train.length - 1] < test[0] || test[test.length - 1] < train[0]) return;
  const shared = new Set<number>();
  let t = 0;
  for (const row of train) {
    while (t < test.length && test[t] < row) t++;
    if (test[t] === row) shared.add(row);
  }
  if (shared.size > 0) {
    throw badFolds(where, `keep ${which} apart`, phrase(`${offenderText('row', shared)} on both sides`));
  }
}

/** A salted hash names the group. */
export function checkGroups(
  { train, test }: { train: Int32Array; test: Int32Array },
  codes: Int32Array,
  ids: ArrayLike<Label>,
  where: string,
): void {
  const tested = new Uint8Array(codes.length);
  for (const row of test) tested[codes[row]] = 1;
  const nameOf = pseudonyms();
  const split = new Map<number, string>();
  for (let i = 0; i < train.length && split.size < MAX_NAMED; i++) {
    const row = train[i];
    if (tested[codes[row]] && !split.has(codes[row])) split.set(codes[row], `${nameOf(ids[row])} (row ${row})`);
  }
  if (split.size > 0) {
    throw badFolds(where, 'keep groups whole', phrase(`${offenderText('group', split.values())} on both sides`));
  }
}

export const outsideTraining = (rows: readonly number[], where: string) =>
  badFolds(where, 'hold training rows of its outer fold only', phrase(offenderText('row', rows)));

/** Holds a splitter to the claim that every row is tested exactly once per repeat. */
export function partitionCheck(splitterName: string, n: number) {
  const repeats = new Map<number, { tested: Uint8Array; count: number }>();
  return {
    add(test: Int32Array, repeat: number, where: string): void {
      const progress = repeats.get(repeat) ?? { tested: new Uint8Array(n), count: 0 };
      repeats.set(repeat, progress);
      const { tested } = progress;
      let again = 0;
      for (let i = 0; i < test.length; i++) again |= tested[test[i]]++;
      if (again) {
        const rows = test.filter((row) => tested[row] > 1);
        throw badFolds(`${where}: test`, 'hold rows that no earlier fold tested', phrase(offenderText('row', rows)));
      }
      progress.count += test.length;
    },
    finish(): void {
      for (const [repeat, { tested, count }] of repeats) {
        if (count === n) continue;
        const missed = rowNumbers(n).filter((row) => !tested[row]);
        const where = repeats.size > 1 ? `Repeat ${repeat} of ${splitterName}` : splitterName;
        throw badFolds(where, 'test every row', phrase(`no fold with ${offenderText('row', missed)}`));
      }
    },
  };
}

export function offenderText(noun: string, offenders: Iterable<number | string>): string {
  const list = [...new Set(offenders)].slice(0, MAX_NAMED);
  return `${noun}${list.length > 1 ? 's' : ''} ${list.join(', ')}`;
}

type Sides = Pick<Fold, 'train' | 'test'>;

/** What a claim about time forbids: the training rows that break it. */
interface TimeRule {
  readonly must: string;
  readonly what: string;
  broken(sides: Sides): Int32Array;
}

/** A check per claim about time. None without timestamps: only the splitter knows the order. */
export function timeChecks(
  splitterName: string,
  { timeOrdered, keepsTies, purged }: SplitterClaims,
  data: SideData,
  n: number,
): ((sides: Sides, where: string) => void)[] {
  if (data.timestamps === undefined) return [];
  const rules: TimeRule[] = [];
  if (timeOrdered) rules.push(trainsFirst(timesOf(data.timestamps, n).values));
  if (purged) rules.push(intervalsSeparate(labelledRows(splitterName, data, n)));
  // Each of the two above implies whole times: rows of one time are not in order, and their intervals meet.
  if (keepsTies && rules.length === 0) rules.push(timesWhole(timesOf(data.timestamps, n).values));
  return rules.map(({ must, what, broken }) => (sides, where) => {
    const rows = broken(sides);
    if (rows.length > 0) throw badFolds(where, must, phrase(`${offenderText('training row', rows)} ${what}`));
  });
}

const NO_ROWS = new Int32Array(0);

const trainsFirst = (times: Float64Array): TimeRule => ({
  must: 'train before it tests',
  what: 'at or after its first test time',
  broken({ train, test }) {
    let [latest, first] = [-Infinity, Infinity];
    for (let i = 0; i < train.length; i++) latest = Math.max(latest, times[train[i]]);
    for (let i = 0; i < test.length; i++) first = Math.min(first, times[test[i]]);
    return latest < first ? NO_ROWS : train.filter((row) => times[row] >= first);
  },
});

const timesWhole = (times: Float64Array): TimeRule => ({
  must: 'keep rows of one time together',
  what: 'at the time of a test row',
  broken({ train, test }) {
    const tested = new Set(gather(times, test));
    return train.filter((row) => tested.has(times[row]));
  },
});

/**
 * Intervals are closed. Among the test intervals that do not end before a training row starts, the first to start is
 * the one that the row meets if it meets any: a search per row instead of all pairs.
 */
function intervalsSeparate({ n, rows, times, ends }: LabelledRows): TimeRule {
  const placeOf = new Int32Array(n);
  for (let place = 0; place < n; place++) placeOf[rows[place]] = place;
  const [startOf, endOf] = [gather(times, placeOf), gather(ends, placeOf)];
  return {
    must: 'keep label intervals separate',
    what: 'whose interval meets that of a test row',
    broken({ train, test }) {
      const tested = gather(placeOf, test).sort();
      const starts = gather(times, tested);
      const latestEnd = gather(ends, tested);
      for (let i = 1; i < tested.length; i++) latestEnd[i] = Math.max(latestEnd[i], latestEnd[i - 1]);
      const [start, end] = [starts[0], latestEnd[tested.length - 1]];
      return train.filter(
        (row) =>
          startOf[row] <= end && endOf[row] >= start && starts[lowerBound(latestEnd, startOf[row])] <= endOf[row],
      );
    },
  };
}
