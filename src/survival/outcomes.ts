import { lowerBound } from '../core/lowerBound.js';
import { gather } from '../data/labels.js';
import { timedColumns } from '../data/timedLabels.js';

/**
 * Outcomes by time, one per row: times are finite and > 0, an event is 0 (censored at that time) or its cause, 1, 2, ...
 * The kernels of this room trust that, and that weights are finite and >= 0: whoever reads data checks them.
 */
export interface TimedOutcomes {
  readonly time: Float64Array;
  readonly event: Int32Array;
}

/** Some rows. */
export const takeOutcomes = ({ time, event }: TimedOutcomes, rows: Int32Array): TimedOutcomes => ({
  time: gather(time, rows),
  event: gather(event, rows),
});

/** Outcomes as a caller writes them, in columns. @throws {InvalidDataError} for what cannot be read */
export function readOutcomes(
  outcomes: { readonly time: unknown; readonly event: unknown },
  name: string,
): TimedOutcomes {
  const { numbers, codes } = timedColumns(outcomes, true, name) as NonNullable<ReturnType<typeof timedColumns>>;
  return { time: numbers, event: codes };
}

/** What a kernel returns where there is no value. */
export interface NoValue {
  readonly reason: string;
}

/** Events of one cause as 1; those of the others as censored at their time, which makes an answer cause-specific. */
export function ofCause({ time, event }: TimedOutcomes, cause: number): TimedOutcomes {
  return { time, event: event.map((each) => Number(each === cause)) };
}

/** Values with their ranks; equal values share one. */
export interface Ranking {
  /** Ascending, each once. */
  readonly values: Float64Array;
  /** Of every row: the place of its value. */
  readonly rank: Int32Array;
  /** Rows by ascending value, equal ones in their own order. */
  readonly order: Int32Array;
  /** Place in `order` where each value begins; the number of rows at the end. */
  readonly starts: Int32Array;
}

/** Resampled tables share their times and risks, which are ranked once. */
const rankings = new WeakMap<Float64Array, Ranking>();

/** Ranks values, of which none is NaN. O(n log n); the array must not change afterwards. */
export function ranked(values: Float64Array): Ranking {
  const known = rankings.get(values);
  if (known) return known;
  const n = values.length;
  const sorted = values.slice().sort();
  let count = 0;
  for (let at = 0; at < n; at++) if (at === 0 || sorted[at] !== sorted[count - 1]) sorted[count++] = sorted[at];
  const each = sorted.slice(0, count);
  const [rank, order, starts] = [new Int32Array(n), new Int32Array(n), new Int32Array(count + 1)];
  for (let row = 0; row < n; row++) {
    rank[row] = lowerBound(each, values[row]);
    starts[rank[row] + 1]++;
  }
  for (let at = 0; at < count; at++) starts[at + 1] += starts[at];
  const next = starts.slice();
  for (let row = 0; row < n; row++) order[next[rank[row]]++] = row;
  const ranking = { values: each, rank, order, starts };
  rankings.set(values, ranking);
  return ranking;
}

/** How many of the ascending values, each once, are not above `value`. */
export function countUpTo(values: Float64Array, value: number): number {
  const at = lowerBound(values, value);
  return values[at] === value ? at + 1 : at;
}

/** Weights of rows by distinct time. */
export interface RiskSets {
  readonly times: Float64Array;
  /** Whose time is not before it. */
  readonly atRisk: Float64Array;
  /** Events of any cause. */
  readonly events: Float64Array;
  /** Events of the cause that was asked for. */
  readonly ofCause: Float64Array;
  readonly censored: Float64Array;
}

/** O(n) after ranking. `cause` null: any. */
export function riskSets({ time, event }: TimedOutcomes, weight: Float64Array | null, cause: number | null): RiskSets {
  const { values: times, rank } = ranked(time);
  const [atRisk, events, ofCause, censored] = [0, 0, 0, 0].map(() => new Float64Array(times.length));
  for (let row = 0; row < time.length; row++) {
    const w = weight ? weight[row] : 1;
    const at = rank[row];
    if (event[row] === 0) censored[at] += w;
    else {
      events[at] += w;
      if (cause === null || event[row] === cause) ofCause[at] += w;
    }
  }
  // From the end, so that nobody remains after the last time, whatever rounding does.
  for (let at = times.length - 1, later = 0; at >= 0; at--) {
    later += events[at] + censored[at];
    atRisk[at] = later;
  }
  return { times, atRisk, events, ofCause, censored };
}

/** Weight of all rows. */
export function totalWeight({ time }: TimedOutcomes, weight: Float64Array | null): number {
  return weight ? weight.reduce((sum, each) => sum + each, 0) : time.length;
}

/** Fewer rows leave weights for censoring to a handful, and what a time says to these. */
const FEW_FOLLOWED = 20;

/** What is to be said of times that hardly anybody is followed beyond. */
export function fewFollowed(time: Float64Array, horizons: readonly number[]): string | undefined {
  const beyond = (horizon: number) => time.reduce((count, each) => count + Number(each > horizon), 0);
  const few = horizons.filter((horizon) => beyond(horizon) < FEW_FOLLOWED);
  if (few.length === 0) return undefined;
  const [last] = few.slice(-1);
  return `Few rows are followed beyond time ${few.join(', ')} (${beyond(last)} of ${time.length} beyond ${last}): scores there rest on them, and their intervals are too narrow. Choose earlier \`times\`.`;
}
