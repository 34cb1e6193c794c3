import type { StepCurve } from '../data/timedLabels.js';
import { survivalAt, survivalBefore } from './kaplanMeier.js';
import { countUpTo, ranked, riskSets, type TimedOutcomes } from './outcomes.js';

/**
 * Inverse probability of censoring weighting: a row that was still observed at a time stands for those that were not. Its
 * weight is 1 / G, with G the Kaplan-Meier curve of being censored, taken from training rows: just before an event, for the
 * row that has it; at a horizon, for rows that live beyond it.
 *
 * @returns `[n, 1 + times]`, row after row: G just before the row's time and at each of `times`
 */
export function censoringColumns(censoring: StepCurve, time: Float64Array, times: readonly number[]): Float64Array {
  const at = times.map((each) => survivalAt(censoring, each));
  const width = 1 + times.length;
  const out = new Float64Array(time.length * width);
  for (let row = 0; row < time.length; row++) {
    out[row * width] = survivalBefore(censoring, time[row]);
    out.set(at, row * width + 1);
  }
  return out;
}

/** The parts of a value that are in proportion to 1 / G. */
export interface CensoringParts {
  /** By row, those through G just before its time; 0 for rows that have none. */
  readonly before: Float64Array;
  /** By horizon, those through G at it. */
  readonly at: readonly { readonly horizon: number; readonly part: number }[];
}

/**
 * What G adds to the influence of every row on a value, if it was estimated on these same rows with these weights. O(n) after
 * ranking. Left out, intervals about fixed weights are a little too wide, as a rule.
 */
export function censoringInfluence(
  outcomes: TimedOutcomes,
  weight: Float64Array | null,
  parts: CensoringParts,
): Float64Array {
  const { time, event } = outcomes;
  const { rank } = ranked(time);
  const { times, atRisk, censored } = riskSets(outcomes, weight, null);
  // The parts that a step of G at each time touches: those through G at that time or later.
  const touched = new Float64Array(times.length + 1);
  for (let row = 0; row < time.length; row++) if (rank[row] > 0) touched[rank[row] - 1] += parts.before[row];
  for (const { horizon, part } of parts.at) {
    const count = countUpTo(times, horizon);
    if (count > 0) touched[count - 1] += part;
  }
  for (let at = times.length - 1; at >= 0; at--) touched[at] += touched[at + 1];
  const lived = new Float64Array(times.length + 1); // of a row that is at risk of censoring and is not censored, summed
  for (let at = 0; at < times.length; at++) {
    const remaining = laterThan(atRisk, at);
    // Without anybody later G falls to 0, and no part is in proportion to 1 / 0.
    const step = censored[at] > 0 && remaining > 0 ? censored[at] / ((remaining + censored[at]) * remaining) : 0;
    lived[at + 1] = lived[at] + touched[at] * step;
  }
  return time.map((_, row) => {
    const w = weight ? weight[row] : 1;
    const at = rank[row];
    if (w === 0) return 0;
    const own = event[row] === 0 && touched[at] !== 0 ? touched[at] / (laterThan(atRisk, at) + censored[at]) : 0;
    return w * (own - lived[at]);
  });
}

/** Weight of the rows with a later time. */
const laterThan = (atRisk: Float64Array, at: number) => (at + 1 < atRisk.length ? atRisk[at + 1] : 0);
