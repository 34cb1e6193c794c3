import { gather } from '../data/labels.js';
import { type CoxRows, type CoxSteps, coxRows, coxSteps } from './coxRiskSets.js';
import { countUpTo, type TimedOutcomes } from './outcomes.js';

/** Cumulative hazard of a row whose log risk is 0, constant from each time to the next. */
export interface BaselineHazard {
  readonly stratum: number;
  readonly times: Float64Array;
  readonly hazard: Float64Array;
}

/** In ascending order of the strata, at the times of events; `centre`: what the log risks of the steps lack. */
export function baselineHazards(
  { order, starts, endsStratum }: CoxRows,
  { step, top }: CoxSteps,
  time: Float64Array,
  strata: Int32Array | null,
  centre: number,
): BaselineHazard[] {
  const found: BaselineHazard[] = [];
  let [times, hazard, sum]: [number[], number[], number] = [[], [], 0];
  const scale = Math.exp(-top - centre);
  step.forEach((each, group) => {
    const row = order[starts[group]];
    sum += each;
    if (each > 0) {
      times.push(time[row]);
      hazard.push(sum * scale);
    }
    if (endsStratum[group] === 0) return;
    const stratum = strata ? strata[row] : 0;
    found.push({ stratum, times: Float64Array.from(times), hazard: Float64Array.from(hazard) });
    [times, hazard, sum] = [[], [], 0];
  });
  return found;
}

/**
 * Breslow's estimate for log risks of any model, with Efron's steps where events are tied. Any event that is not 0 counts.
 *
 * Source: Breslow 1972, JRSS B 34:216.
 */
export function baselineHazard(
  outcomes: TimedOutcomes,
  logRisk: Float64Array,
  weight: Float64Array | null,
): BaselineHazard {
  const rows = coxRows(outcomes, weight, null);
  const [found] = baselineHazards(rows, coxSteps(rows, gather(logRisk, rows.order)), outcomes.time, null, 0);
  return found;
}

/** The cumulative hazard at a time. O(log n). */
export function hazardAt({ times, hazard }: BaselineHazard, time: number): number {
  const count = countUpTo(times, time);
  return count === 0 ? 0 : hazard[count - 1];
}
