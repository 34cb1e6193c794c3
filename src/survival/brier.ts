import { type CensoringParts, censoringInfluence } from './ipcw.js';
import { type NoValue, type TimedOutcomes, totalWeight } from './outcomes.js';

export interface TimedPredictions {
  readonly outcomes: TimedOutcomes;
  readonly weight: Float64Array | null;
  /** Ascending. */
  readonly times: Float64Array;
  /** `[n, times]`, row after row: of having had no event by each time, or the event of `cause`. */
  readonly predicted: Float64Array;
  /** Null: `predicted` are probabilities of no event. A cause: they are cumulative incidences of it. */
  readonly cause: number | null;
  /** Of the training rows, by row: see `censoringColumns`. */
  readonly censoring: Float64Array;
}

export interface InfluenceOptions {
  /** G was estimated on these same rows and weights: what that adds is counted too. */
  readonly ownCensoring?: boolean;
}

export interface BrierScores {
  /** By time; NaN where rows live beyond a time at which the curve of being censored is 0. */
  readonly values: Float64Array;
  /** Of every row on the sum of the values times these shares, one per time: [1] of one time, {@link integrationShares}. */
  influence(shares: ArrayLike<number>, options?: InfluenceOptions): Float64Array;
}

/**
 * Mean squared distance of predicted probabilities from what was the case at each time, by IPCW. Rows that were censored by
 * then count through those that were not; who had an event of another cause counts as without the event.
 *
 * Sources: Graf et al. 1999, Stat Med 18:2529; competing causes, Schoop et al. 2011, Biom J 53:88; R's `riskRegression::Score`.
 */
export function brierScores(predictions: TimedPredictions): BrierScores {
  const { outcomes, weight, times } = predictions;
  const total = totalWeight(outcomes, weight);
  const values = new Float64Array(times.length);
  const losses = lossesOf(predictions);
  losses((_, at, loss) => {
    values[at] += loss;
  });
  for (let at = 0; at < times.length; at++) values[at] = Number.isFinite(values[at]) ? values[at] / total : Number.NaN;

  const influence = (shares: ArrayLike<number>, { ownCensoring = false }: InfluenceOptions = {}) => {
    const n = outcomes.time.length;
    const [out, before, beyond] = [n, n, times.length].map((length) => new Float64Array(length));
    const mean = weightedSum(values, shares);
    for (let row = 0; row < n; row++) out[row] = (-(weight ? weight[row] : 1) * mean) / total;
    losses((row, at, loss, lives) => {
      if (shares[at] === 0) return;
      const part = (shares[at] * loss) / total;
      out[row] += part;
      if (lives) beyond[at] += part;
      else before[row] += part;
    });
    if (!ownCensoring) return out;
    const parts: CensoringParts = { before, at: Array.from(times, (horizon, at) => ({ horizon, part: beyond[at] })) };
    const added = censoringInfluence(outcomes, weight, parts);
    return out.map((each, row) => each + added[row]);
  };
  return { values, influence };
}

type EachLoss = (row: number, at: number, loss: number, lives: boolean) => void;

/** Calls for the squared distance of every row and time, times its weights; `lives`: beyond that time. */
function lossesOf({
  outcomes,
  weight,
  times,
  predicted,
  cause,
  censoring,
}: TimedPredictions): (each: EachLoss) => void {
  const { time, event } = outcomes;
  return (each) => {
    for (let row = 0; row < time.length; row++) {
      const w = weight ? weight[row] : 1;
      if (w === 0) continue;
      const place = row * times.length;
      const own = place + row; // of the columns of censoring, that of the row's time
      let at = 0;
      // Before the row's time: no event yet.
      for (; at < times.length && times[at] < time[row]; at++) {
        const distance = cause === null ? 1 - predicted[place + at] : predicted[place + at];
        each(row, at, (w / censoring[own + 1 + at]) * distance * distance, true);
      }
      if (event[row] === 0) continue;
      const happened = w / censoring[own];
      const truth = cause !== null && event[row] === cause ? 1 : 0;
      for (; at < times.length; at++) {
        const distance = truth - predicted[place + at];
        each(row, at, happened * distance * distance, false);
      }
    }
  };
}

const weightedSum = (values: Float64Array, shares: ArrayLike<number>) =>
  // A time without a share may have no value.
  values.reduce((sum, value, at) => (shares[at] === 0 ? sum : sum + shares[at] * value), 0);

/**
 * Shares of the values at ascending `times` in the mean of their curve from 0 to the last: each value counts up to the next time, 0
 * counts before the first, as the score at time 0 is 0. So do `summary = 'ibs'` of `riskRegression::Score` and `pec::crps`; it
 * is no trapezoid, and the value at the last time has no share.
 */
export function integrationShares(times: Float64Array): Float64Array {
  const end = times[times.length - 1];
  return times.map((time, at) => (at + 1 < times.length ? (times[at + 1] - time) / end : 0));
}

/** The integrated Brier score, from 0 to the last time. */
export function integratedBrier(
  { values }: BrierScores,
  times: Float64Array,
): { readonly value: number; readonly shares: Float64Array } | NoValue {
  if (times.length < 2) return { reason: 'there are no two times' };
  const shares = integrationShares(times);
  const value = weightedSum(values, shares);
  return Number.isNaN(value) ? { reason: 'the curve of being censored is 0 before the last time' } : { value, shares };
}
