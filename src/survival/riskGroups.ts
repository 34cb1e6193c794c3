import { weightedQuantile } from '../core/quantiles.js';
import { gather } from '../data/labels.js';
import { cumulativeIncidence, incidenceAt, probabilityLimits } from './kaplanMeier.js';
import { ranked, riskSets, type TimedOutcomes, takeOutcomes, totalWeight } from './outcomes.js';

export interface Horizon {
  readonly horizon: number;
  /** Events of other causes end what may follow (Aalen-Johansen); without any, the curve is 1 - Kaplan-Meier. */
  readonly cause: number;
}

/** Whether the curve says anything about the horizon: someone was still there, or it ended by then with everybody's event. */
export function reaches(outcomes: TimedOutcomes, weight: Float64Array | null, horizon: number): boolean {
  const { times, atRisk, censored } = riskSets(outcomes, weight, null);
  let last = times.length - 1;
  while (last >= 0 && atRisk[last] === 0) last--;
  return last >= 0 && (times[last] >= horizon || censored[last] === 0);
}

export interface RiskGroup {
  readonly rows: Int32Array;
  /** Mean in the group. */
  readonly predicted: number;
  /** Observed risk with limits; null where nobody was followed up to the horizon, or no limits exist. */
  readonly observed: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

/**
 * Predicted and observed risk by groups of about equal weight: cut at the quantiles of predicted risk (type 7 of R), a risk on
 * a cut in the lower group; equal cuts merge. Limits by log(-log(1 - risk)).
 */
export function riskGroups(
  outcomes: TimedOutcomes,
  predicted: Float64Array,
  weight: Float64Array | null,
  options: Horizon & { readonly level: number; readonly groups: number },
): RiskGroup[] {
  const { groups, horizon, cause, level } = options;
  const counted = ranked(predicted).order.filter((row) => !weight || weight[row] > 0);
  if (counted.length === 0) return [];
  const copies = weight ? gather(weight, counted) : new Float64Array(counted.length).fill(1);
  const quantile = weightedQuantile(gather(predicted, counted), copies);
  const cuts = Array.from({ length: groups }, (_, at) => (at + 1 < groups ? quantile((at + 1) / groups) : Infinity));
  const members = cuts.map((): number[] => []);
  for (const row of counted) members[cuts.findIndex((cut) => predicted[row] <= cut)].push(row);
  return members.flatMap((each): RiskGroup[] => {
    if (each.length === 0) return [];
    const rows = Int32Array.from(each);
    const own = takeOutcomes(outcomes, rows);
    const weights = weight && gather(weight, rows);
    const total = totalWeight(own, weights);
    const mean = each.reduce((sum, row) => sum + (weight ? weight[row] : 1) * predicted[row], 0) / total;
    const facts = { rows, predicted: mean };
    if (!reaches(own, weights, horizon)) return [{ ...facts, observed: null, lower: null, upper: null }];
    const { incidence, variance } = incidenceAt(cumulativeIncidence(own, weights, cause), horizon);
    const survival = incidence > 1 - 1e-12 ? 0 : 1 - incidence; // a sum of shares may be 1 but for rounding
    const limits = probabilityLimits(survival, Math.sqrt(variance) / survival, level);
    const [upper, lower] = limits.map((each) => (Number.isNaN(each) ? null : 1 - each));
    return [{ ...facts, observed: incidence, lower, upper }];
  });
}
