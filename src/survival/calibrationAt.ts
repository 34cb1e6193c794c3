import { normalQuantile } from '../core/normalQuantile.js';
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
  /** Observed over expected; its inverse is E/O, whose limits are the inverse ones. */
  readonly ratio: number;
  readonly lower: number;
  readonly upper: number;
  /** Of the logarithm, of independent rows: from the influence, so that both sides vary. */
  readonly logError: number;
  /** Of every row on the ratio. */
  readonly influence: Float64Array;
}

/** Calibration in the large at a horizon. `predicted`: risks of the event by then. */
export function observedOverExpected(
  outcomes: TimedOutcomes,
  predicted: Float64Array,
  weight: Float64Array | null,
  options: HorizonOptions & { readonly level: number },
): ObservedOverExpected | NoValue {
  const { horizon, cause, level } = options;
  if (!reaches(outcomes, weight, horizon)) return NOT_FOLLOWED;
  const total = totalWeight(outcomes, weight);
  const observed = observedRisk(outcomes, weight, options).risk;
  const expected = predicted.reduce((sum, each, row) => sum + (weight ? weight[row] : 1) * each, 0) / total;
  if (observed === 0) return { reason: 'no event by the horizon' };
  if (expected === 0) return { reason: 'every predicted risk is 0' };
  const ratio = observed / expected;
  const onLog = incidenceInfluence(outcomes, weight, cause, horizon).map(
    (each, row) => each / observed - ((weight ? weight[row] : 1) * (predicted[row] / expected - 1)) / total,
  );
  const logError = Math.sqrt(onLog.reduce((sum, each) => sum + each * each, 0));
  const factor = Math.exp(normalQuantile(0.5 + level / 2) * logError);
  const influence = onLog.map((each) => each * ratio);
  return { observed, expected, ratio, lower: ratio / factor, upper: ratio * factor, logError, influence };
}

/** Linear predictor that a risk stands for: log(-log(1 - risk)), risks next to 0 and 1 clipped. */
export const complementaryLogLog = (risk: number): number =>
  Math.log(-Math.log1p(-Math.min(1 - 1e-12, Math.max(1e-12, risk))));

export interface TimedSlope {
  readonly slope: number;
  /** From the information. */
  readonly standardError: number;
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
  const nameOf = () => 'the linear predictor';
  const fit = coxFit({ outcomes, columns: [linearPredictor], weight, nameOf });
  return { slope: fit.coefficients[0], standardError: Math.sqrt(fit.covariance[0][0]), influence: fit.influence(0) };
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
    const [low, high] = probabilityLimits(1 - risk, standardError / (1 - risk), level, 'log-log');
    const limit = (survival: number) => (Number.isNaN(survival) ? null : 1 - survival);
    return [{ ...facts, observed: risk, lower: limit(high), upper: limit(low) }];
  });
}

/**
 * Pseudo-values of the risk by a horizon, which stand for the outcome of every row, censored or not: n times the estimate of
 * all, less n - 1 times that of the others (Andersen, Klein & Rosthoj 2003, Biometrika 90:15; R's `prodlim::jackknife`). With
 * weights the infinitesimal jackknife instead, as R's `survival::pseudo`. O(n) after ranking.
 */
export function pseudoValues(
  outcomes: TimedOutcomes,
  weight: Float64Array | null,
  { horizon, cause }: HorizonOptions,
): Float64Array | NoValue {
  if (!reaches(outcomes, weight, horizon)) return NOT_FOLLOWED;
  const { time, event } = outcomes;
  const n = time.length;
  if (weight) {
    const total = totalWeight(outcomes, weight);
    const { risk } = observedRisk(outcomes, weight, { horizon, cause });
    // A row of weight 0 has no influence and no pseudo-value of its own.
    return incidenceInfluence(outcomes, weight, cause, horizon).map((each, row) =>
      weight[row] === 0 ? Number.NaN : risk + (total * each) / weight[row],
    );
  }
  const { times, atRisk, events, ofCause } = riskSets(outcomes, null, cause);
  const { rank } = ranked(time);
  const count = countUpTo(times, horizon);
  const after = new Float64Array(count + 1); // with everybody: the risk from each time on
  for (let at = count - 1; at >= 0; at--) {
    after[at] = (ofCause[at] + (atRisk[at] - events[at]) * after[at + 1]) / atRisk[at];
  }
  const [survival, risk] = [new Float64Array(count + 1).fill(1), new Float64Array(count + 1)]; // with one row less at risk
  for (let at = 0; at < count; at++) {
    const others = Math.max(1, atRisk[at] - 1); // with nobody else there is no event of others either
    risk[at + 1] = risk[at] + survival[at] * (Math.min(ofCause[at], others) / others);
    survival[at + 1] = survival[at] * (1 - Math.min(events[at], others) / others);
  }
  return time.map((_, row) => {
    const at = rank[row];
    if (at >= count) return n * after[0] - (n - 1) * risk[count];
    const others = atRisk[at] - 1;
    let without = risk[at];
    if (others > 0) {
      const mine = Number(event[row] !== 0 && (cause === null || event[row] === cause));
      const died = events[at] - Number(event[row] !== 0);
      without += (survival[at] * (ofCause[at] - mine + (others - died) * after[at + 1])) / others;
    }
    return n * after[0] - (n - 1) * without;
  });
}
