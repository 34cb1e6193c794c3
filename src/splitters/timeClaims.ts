import { phrase } from '../core/errors.js';
import { lowerBound } from '../core/lowerBound.js';
import { gather } from '../data/labels.js';
import { type SideData, timesOf } from '../data/sideData.js';
import type { SplitterClaims } from './claims.js';
import { badFolds, named } from './foldChecks.js';
import type { Fold } from './splitter.js';
import { type LabelledRows, labelledRows } from './temporal/purge.js';

type SidesCheck = (sides: Pick<Fold, 'train' | 'test'>, where: string) => void;

/**
 * A check per claim about time. None without timestamps: only the splitter knows the order. Throws what {@link
 * labelledRows} throws.
 */
export function timeChecks(
  splitterName: string,
  { timeOrdered, keepsTies, purged }: SplitterClaims,
  data: SideData,
  n: number,
): SidesCheck[] {
  if (data.timestamps === undefined) return [];
  const checks: SidesCheck[] = [];
  if (timeOrdered) checks.push(trainsFirst(timesOf(data.timestamps, n).values));
  if (purged) checks.push(intervalsApart(labelledRows(splitterName, data, n)));
  // Each of the two above implies whole times: rows of one time are not in order, and their intervals meet.
  if (keepsTies && checks.length === 0) checks.push(timesWhole(timesOf(data.timestamps, n).values));
  return checks;
}

const trainsFirst =
  (times: Float64Array): SidesCheck =>
  ({ train, test }, where) => {
    let [latest, first] = [-Infinity, Infinity];
    for (let i = 0; i < train.length; i++) latest = Math.max(latest, times[train[i]]);
    for (let i = 0; i < test.length; i++) first = Math.min(first, times[test[i]]);
    if (latest < first) return;
    refuse(
      train.filter((row) => times[row] >= first),
      'at or after its first test time',
      'train before it tests',
      where,
    );
  };

const timesWhole =
  (times: Float64Array): SidesCheck =>
  ({ train, test }, where) => {
    const tested = new Set(gather(times, test));
    refuse(
      train.filter((row) => tested.has(times[row])),
      'at the time of a test row',
      'keep rows of one time together',
      where,
    );
  };

/**
 * Intervals are closed. Among the test intervals that do not end before a training row starts, the first to start is
 * the one that the row meets if it meets any: a search per row instead of all pairs.
 */
function intervalsApart({ n, rows, times, ends }: LabelledRows): SidesCheck {
  const placeOf = new Int32Array(n);
  for (let place = 0; place < n; place++) placeOf[rows[place]] = place;
  const [startOf, endOf] = [gather(times, placeOf), gather(ends, placeOf)];
  return ({ train, test }, where) => {
    const tested = gather(placeOf, test).sort();
    const starts = gather(times, tested);
    const latestEnd = gather(ends, tested);
    for (let i = 1; i < tested.length; i++) latestEnd[i] = Math.max(latestEnd[i], latestEnd[i - 1]);
    const [start, end] = [starts[0], latestEnd[tested.length - 1]];
    const meetsTest = (row: number) =>
      // Most rows are clear of all test rows.
      startOf[row] <= end && endOf[row] >= start && starts[lowerBound(latestEnd, startOf[row])] <= endOf[row];
    refuse(train.filter(meetsTest), 'whose interval meets that of a test row', 'keep label intervals apart', where);
  };
}

function refuse(rows: Int32Array, what: string, must: string, where: string): void {
  if (rows.length > 0) throw badFolds(where, must, phrase(`${named('training row', rows)} ${what}`));
}
