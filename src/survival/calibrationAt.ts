import { invalidData, phrase } from '../core/errors.js';
import { weightedQuantile } from '../core/quantiles.js';
import { gather } from '../data/labels.js';
import { coxFit } from './coxFit.js';
import {
  cumulativeIncidence,
  incidenceAt,
  incidenceInfluence,
  kaplanMeier,
  probabilityLimits,
  survivalAt,
} from './kaplanMeier.js';
import {
  countUpTo,
  type NoValue,
  ranked,
  riskSets,
  type TimedOutcomes,
  takeOutcomes,
  totalWeight,
} from './outcomes.js';

export interface HorizonOptions {
  readonly horizon: number;
  /** Null: any event, by Kaplan-Meier. A cause: its cumulative incidence, by Aalen-Johansen. */
  readonly cause: number | null;
}

/** Risk that was observed by the horizon, and the standard error of its estimate (Greenwood's, or that of the delta method). */
function observedRisk(outcomes: TimedOutcomes, weight: Float64Array | null, { horizon, cause }: HorizonOptions) {
  if (cause !== null) {
    const { incidence, variance } = incidenceAt(cumulativeIncidence(outcomes, weight, cause), horizon);
    return { risk: incidence, standardError: Math.sqrt(variance) };
  }
  const curve = kaplanMeier(outcomes, weight);
  const count = countUpTo(curve.times, horizon);
  const survival = survivalAt(curve, horizon);
  return {
    risk: 1 - survival,
    standardError: count && survival ? survival * Math.sqrt(curve.logVariance[count - 1]) : 0,
  };
}

const NOT_FOLLOWED: NoValue = { reason: 'no row was followed up to the horizon' };

/** Whether the curve says anything about the horizon: someone was still there, or it ended by then with everybody's event. */
function reaches(outcomes: TimedOutcomes, weight: Float64Array | null, horizon: number): boolean {
  const { times, atRisk, censored } = riskSets(outcomes, weight, null);
  let last = times.length - 1;
  while (last >= 0 && atRisk[last] === 0) last--;
  return last >= 0 && (times[last] >= horizon || censored[last] === 0);
}

export interface ObservedOverExpected {
  readonly observed: number;
  /** Mean predicted risk. */
  readonly expected: number;
  /** Observed over expected. */
  readonly ratio: number;
  /** Of every row on the ratio. */
  readonly influence: Float64Array;
}

/** Calibration in the large at a horizon. `predicted`: risks of the event by then. */
export function observedOverExpected(
  outcomes: TimedOutcomes,
  predicted: Float64Array,
  weight: Float64Array | null,
  options: HorizonOptions,
): ObservedOverExpected | NoValue {
  const { horizon, cause } = options;
  if (!reaches(outcomes, weight, horizon)) return NOT_FOLLOWED;
  const total = totalWeight(outcomes, weight);
  const observed = observedRisk(outcomes, weight, options).risk;
  const expected = predicted.reduce((sum, each, row) => sum + (weight ? weight[row] : 1) * each, 0) / total;
  if (observed === 0) return { reason: 'no event by the horizon' };
  if (expected === 0) return { reason: 'every predicted risk is 0' };
  const ratio = observed / expected;
  const influence = incidenceInfluence(outcomes, weight, cause, horizon).map(
    (each, row) => ratio * (each / observed - ((weight ? weight[row] : 1) * (predicted[row] / expected - 1)) / total),
  );
  return { observed, expected, ratio, influence };
}

/** Linear predictor that a risk stands for: log(-log(1 - risk)), risks next to 0 and 1 clipped. */
export const complementaryLogLog = (risk: number): number =>
  Math.log(-Math.log1p(-Math.min(1 - 1e-12, Math.max(1e-12, risk))));

export interface TimedSlope {
  readonly slope: number;
  /** Of every row on the slope; summed by patient and squared, the middle of a sandwich. */
  readonly influence: Float64Array;
}

/**
 * Calibration slope: the coefficient of a linear predictor (or of {@link complementaryLogLog} of risks) in a Cox regression of
 * the outcomes up to `horizon`, null for all. For one cause the caller recodes by `ofCause`: the slope is then that of the
 * cause-specific hazard.
 */
export function timedSlope(
  { time, event }: TimedOutcomes,
  linearPredictor: Float64Array,
  weight: Float64Array | null,
  horizon: number | null = null,
): TimedSlope {
  const end = horizon ?? Number.POSITIVE_INFINITY;
  const outcomes = {
    time: time.map((each) => Math.min(each, end)),
    event: event.map((each, row) => (time[row] > end ? 0 : each)),
  };
  const subject = 'The linear predictor';
  const fit = coxFit({ outcomes, columns: [linearPredictor], weight, nameOf: () => subject });
  const slope = fit.coefficients[0];
  if (Number.isNaN(slope)) {
    throw invalidData('constant_column', subject, 'vary among the rows at risk at the events', phrase('one value'));
  }
  return { slope, influence: fit.influence(0) };
}

export interface RiskGroup {
  readonly rows: Int32Array;
  readonly weight: number;
  /** Mean in the group. */
  readonly predicted: number;
  /** Observed risk with limits; null with the reason where nobody was followed up to the horizon, or no limits exist. */
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
  options: HorizonOptions & { readonly level: number; readonly groups: number },
): RiskGroup[] {
  const { groups, horizon, level } = options;
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
    const facts = { rows, weight: total, predicted: mean };
    if (!reaches(own, weights, horizon)) return [{ ...facts, observed: null, lower: null, upper: null }];
    const { risk, standardError } = observedRisk(own, weights, options);
    const [low, high] = probabilityLimits(1 - risk, standardError / (1 - risk), level);
    const limit = (survival: number) => (Number.isNaN(survival) ? null : 1 - survival);
    return [{ ...facts, observed: risk, lower: limit(high), upper: limit(low) }];
  });
}
