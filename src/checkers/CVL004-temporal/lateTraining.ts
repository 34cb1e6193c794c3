/** Training rows of a fold that are not known before its first test row. */

import { lowerBound } from '../../core/lowerBound.js';
import { rowNumbers } from '../../data/labels.js';
import type { FoldPlan, FoldSides } from '../../splitters/foldsOf.js';

/**
 * Time of each row, and when it is known with its label, which is not earlier. A row without a time is never the first
 * and never late: Infinity in `times`, -Infinity in `known`.
 */
export interface RowTimes {
  readonly times: Float64Array;
  readonly known: Float64Array;
}

/** Training rows that are not known before a time. */
export interface LateTraining {
  readonly rows: number;
  /** Those of just that time, and those whose label alone comes too late. */
  readonly tied: number;
  readonly byLabel: number;
  /** The training row that is known last; of several the first. */
  readonly latest: number;
}

/** From so many folds on, sorting all rows once costs less than a look at all training rows of each fold. */
const MANY_FOLDS = 30;

/** The folds, each with its first test row and what it trains on too late: O((n + test rows) log n) for leave-one-out. */
export function* lateTraining(folds: FoldPlan, given: RowTimes) {
  const { times, known } = given;
  let rest: ReturnType<typeof lateRest> | undefined;
  const listed = folds.length < MANY_FOLDS || times.includes(Infinity);
  for (const { id, train, test } of listed ? folds : folds.sides()) {
    const first = test.reduce((a, b) => (times[b] < times[a] ? b : a));
    const start = times[first];
    if (!train) rest ??= lateRest(given);
    const late: LateTraining = train
      ? { ...lateAmong(train, start, given), latest: train.reduce((a, b) => (known[b] > known[a] ? b : a)) }
      : (rest as ReturnType<typeof lateRest>)(test, start);
    yield { id, first, late, trained: train?.length ?? folds.n - test.length };
  }
}

function lateAmong(rows: FoldSides['test'], start: number, { times, known }: RowTimes) {
  let [late, tied, byLabel] = [0, 0, 0];
  for (const row of rows) {
    if (known[row] < start) continue;
    late++;
    if (times[row] < start) byLabel++;
    else if (times[row] === start) tied++;
  }
  return { rows: late, tied, byLabel };
}

/** The same of all rows but the tested ones: what all rows have, less what those have. */
function lateRest(given: RowTimes): (test: Int32Array, start: number) => LateTraining {
  const { times, known } = given;
  const n = times.length;
  const [byTime, backwards, byKnown] = [times.slice(), times.map((time) => -time), known.slice()];
  for (const each of [byTime, backwards, byKnown]) each.sort();
  const lastFirst = rowNumbers(n).sort((a, b) => known[b] - known[a] || a - b);
  return (test, start) => {
    const tested = lateAmong(test, start, given);
    const earlier = lowerBound(byTime, start);
    const late = n - lowerBound(byKnown, start);
    return {
      rows: late - tested.rows,
      tied: n - lowerBound(backwards, -start) - earlier - tested.tied,
      byLabel: late - (n - earlier) - tested.byLabel,
      latest: lastFirst.find((row) => test[lowerBound(test, row)] !== row) as number,
    };
  };
}
