import { InfeasibleSplitError, InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { integer } from '../../core/options.js';
import { encode, rowsByCode } from '../../data/encode.js';
import { gather, isAscending, rowNumbers } from '../../data/labels.js';
import { MILLISECONDS_PER_DAY, type SideData, type Times, timesOf } from '../../data/sideData.js';
import { foldId } from '../assignment.js';
import type { SplitInput } from '../splitInput.js';
import type { Fold } from '../splitter.js';

export const FORWARD_FACTS = {
  family: 'temporal',
  needs: [],
  uses: ['timestamps'],
  claims: { timeOrdered: true, keepsTies: true },
} as const;

/** Rows by time. A "place" is a position in that order, 0 ... n. */
export interface TimeOrder {
  readonly n: number;
  /** Row number at each place; rows of one time by row number. */
  readonly rows: Int32Array;
  /** Time at each place, ascending; the place itself where no timestamps were given. */
  readonly times: Float64Array;
  /** True when times are milliseconds since 1970 (UTC), false when their unit is the caller's. */
  readonly dates: boolean;
  /** True when the rows came in the order of time, so that consecutive places hold ascending rows. */
  readonly sorted: boolean;
}

/** Without `timestamps` rows are in the order of time, each at a time of its own. */
export function timeOrder({ timestamps }: SideData, n: number): TimeOrder {
  if (timestamps === undefined) {
    const rows = rowNumbers(n);
    return { n, rows, times: Float64Array.from(rows), dates: false, sorted: true };
  }
  const { values, dates } = timesOf(timestamps, n);
  const sorted = isAscending(values);
  const rows = sorted ? rowNumbers(n) : rowsByCode(encode(values));
  return { n, rows, times: sorted ? values : gather(values, rows), dates, sorted };
}

/** The places at which another value begins. */
export const changesIn = (values: Float64Array): number[] =>
  Array.from(values.keys()).filter((at) => at === 0 || values[at] !== values[at - 1]);

const beginOfTime = (step: 1 | -1) => (order: TimeOrder, place: number) => {
  const { times, n } = order;
  let at = Math.min(Math.max(place, 0), n);
  while (at > 0 && at < n && times[at] === times[at - 1]) at += step;
  return at;
};
/** The first place from `place` on at which a new time begins; n when there is none. */
export const nextTime = beginOfTime(1);
/** The last place up to `place` at which a time begins. */
export const startOfTime = beginOfTime(-1);

export function rowsAt({ rows, sorted }: TimeOrder, from: number, to: number): Int32Array {
  const taken = rows.slice(from, to);
  return sorted ? taken : taken.sort();
}

/** Where the test sets of forward chaining begin, and n: the last `nSplits * nTest` rows, at distinct times. */
export function forwardCuts(owner: string, order: TimeOrder, nSplits: number, nTest: number): number[] {
  const { n } = order;
  if (nSplits >= n) {
    const must = `be less than the number of rows, ${n}`;
    throw new InfeasibleSplitError(sentence(`The \`nSplits\` option of ${owner}`, must, nSplits));
  }
  return Array.from({ length: nSplits + 1 }, (_, fold) => nextTime(order, n - (nSplits - fold) * nTest));
}

/** One fold in places: `trainStart` ... `trainEnd - 1` train, `testStart` ... `testEnd - 1` test, the gap between. */
export interface TimeWindow {
  readonly trainStart: number;
  readonly trainEnd: number;
  readonly testStart: number;
  readonly testEnd: number;
}

export function* foldsFromWindows(order: TimeOrder, windows: readonly TimeWindow[]): Generator<Fold> {
  for (const [fold, { trainStart, trainEnd, testStart, testEnd }] of windows.entries()) {
    yield {
      id: foldId(fold),
      train: rowsAt(order, trainStart, trainEnd),
      test: rowsAt(order, testStart, testEnd),
      ...(trainEnd < testStart ? { excluded: { purged: rowsAt(order, trainEnd, testStart) } } : {}),
    };
  }
}

/** "12 rows", or "12 rows at 3 distinct times" where times are shared. */
export function amountOf({ n, times }: TimeOrder): string {
  const distinct = changesIn(times).length;
  return distinct < n ? `${n} rows at ${distinct} distinct time${distinct === 1 ? '' : 's'}` : `${n} rows`;
}

export const slidingOptions = {
  stepSize: integer({ min: 1 }).default(1).describe('Rows by which each fold is later than the one before.'),
  forecastHorizon: integer({ min: 1 }).default(1).describe('Rows that each fold tests.'),
  gap: integer({ min: 0 }).default(0).describe('Rows left out between training and test, at least.'),
};

type Slide<K extends string> = Readonly<Record<K | keyof typeof slidingOptions, number>>;

/** Folds of a training window of as many rows as `option` says, whose start moves on unless it `grows`. */
export const slidingDesign = <K extends string>(owner: string, option: K, grows: boolean) => {
  const windowsOf = (order: TimeOrder, slide: Slide<K>): TimeWindow[] => {
    const windows = slidingWindows(order, slide[option], grows, slide);
    if (windows.length > 0) return windows;
    const sizes = [slide[option], slide.gap, slide.forecastHorizon];
    const sum = `${option} + gap + forecastHorizon = ${sizes.join(' + ')} = ${sizes[0] + sizes[1] + sizes[2]} rows`;
    const must = `have room for one fold, ${sum}, rows of one time kept together`;
    throw new InfeasibleSplitError(sentence(owner, must, phrase(amountOf(order))));
  };
  return {
    nSplits(slide: Slide<K>, { input }: { input(): SplitInput }) {
      const { n, data } = input();
      return windowsOf(timeOrder(data, n), slide).length;
    },
    plan({ n, data }: SplitInput, slide: Slide<K>) {
      const order = timeOrder(data, n);
      return foldsFromWindows(order, windowsOf(order, slide));
    },
  };
};

/** Training ends as late as the gap allows, and the test begins and ends at distinct times: no side is ever empty. */
function slidingWindows(
  order: TimeOrder,
  size: number,
  grows: boolean,
  { stepSize, forecastHorizon, gap }: Slide<never>,
): TimeWindow[] {
  const windows: TimeWindow[] = [];
  for (let nominal = size; ; ) {
    const cut = nextTime(order, nominal);
    const testStart = nextTime(order, cut + gap);
    if (testStart + forecastHorizon > order.n) return windows;
    if (testStart !== windows.at(-1)?.testStart) {
      const trainEnd = startOfTime(order, testStart - gap);
      // The last time before the cut trains even when it alone has more rows than the window.
      const trainStart = Math.min(nextTime(order, trainEnd - size), startOfTime(order, trainEnd - 1));
      const testEnd = nextTime(order, testStart + forecastHorizon);
      windows.push({ trainStart: grows ? 0 : trainStart, trainEnd, testStart, testEnd });
    }
    // Steps that would end in the same cut are skipped.
    nominal += stepSize * (1 + Math.floor((cut - nominal) / stepSize));
  }
}

export function checkDates(owner: string, { dates }: Pick<Times, 'dates'>): void {
  if (dates) return;
  const must = 'be Dates or ISO 8601 strings, to be cut by the calendar';
  const instead = 'Pass `new Date(milliseconds)` for each row.';
  throw new InvalidDataError(sentence(`timestamps of ${owner}`, must, phrase('numbers'), instead));
}

const dayOf = (time: number) => Math.floor(time / MILLISECONDS_PER_DAY);
const yearOf = (time: number) => new Date(time).getUTCFullYear();
const monthOf = (time: number) => 12 * yearOf(time) + new Date(time).getUTCMonth();

/** The period that holds a time (milliseconds since 1970) as a number: equal in one period, larger in a later one. */
export const PERIOD_OF = {
  day: dayOf,
  // Weeks begin on Monday (ISO 8601); 1970-01-01 was a Thursday.
  week: (time: number) => Math.floor((dayOf(time) + 3) / 7),
  month: monthOf,
  // Shifted by a month, December opens the four seasons of the year that follows.
  season: (time: number) => Math.floor((monthOf(time) + 1) / 3),
  year: yearOf,
} as const;

const SEASONS = ['winter', 'spring', 'summer', 'autumn'];
const digits = (value: number, width: number) => String(value).padStart(width, '0');
const remainder = (value: number, by: number) => value - by * Math.floor(value / by);

/** How fold ids write a period of {@link PERIOD_OF}: `2024-02`, `winter-2024`, `2024`. */
export const PERIOD_NAME = {
  month: (month: number) => `${digits(Math.floor(month / 12), 4)}-${digits(1 + remainder(month, 12), 2)}`,
  season: (season: number) => `${SEASONS[remainder(season, 4)]}-${digits(Math.floor(season / 4), 4)}`,
  year: (year: number) => digits(year, 4),
} as const;
