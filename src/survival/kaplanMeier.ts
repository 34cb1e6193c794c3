import { lowerBound } from '../core/lowerBound.js';
import { normalQuantile } from '../core/normalQuantile.js';
import { power } from '../core/numbers.js';
import type { StepCurve } from '../data/timedLabels.js';
import { countUpTo, type RiskSets, ranked, riskSets, type TimedOutcomes } from './outcomes.js';

/** A survival curve; its `times` are all distinct times of the rows, those of censored rows too. */
export interface SurvivalCurve extends StepCurve {
  /** Weight of the rows that may have the event at each time. */
  readonly atRisk: Float64Array;
  readonly events: Float64Array;
  /** Greenwood's variance of the logarithm; infinite where the curve is 0. */
  readonly logVariance: Float64Array;
}

/**
 * Kaplan-Meier curve of the event (of any cause) or of being censored. Where an event and a censoring share a time, the
 * event comes first: who has it is no longer at risk of being censored, as in R's `prodlim(reverse = TRUE)`.
 *
 * Sources: Kaplan & Meier 1958, JASA 53:457; Greenwood 1926. Weight 2 counts as the row twice.
 */
export function kaplanMeier(
  outcomes: TimedOutcomes,
  weight: Float64Array | null,
  of: 'event' | 'censoring' = 'event',
): SurvivalCurve {
  const sets = riskSets(outcomes, weight, null);
  const { times } = sets;
  const events = of === 'event' ? sets.events : sets.censored;
  const [survival, atRisk, logVariance] = [0, 0, 0].map(() => new Float64Array(times.length));
  let [value, variance] = [1, 0];
  for (let at = 0; at < times.length; at++) {
    // Sums from the end on, not differences: nobody is nobody, whatever rounding does.
    const later = at + 1 < times.length ? sets.atRisk[at + 1] : 0;
    const remaining = of === 'event' ? later + sets.censored[at] : later;
    atRisk[at] = remaining + events[at];
    if (events[at] > 0) {
      value *= remaining / atRisk[at];
      variance += events[at] / (atRisk[at] * remaining);
    }
    survival[at] = value;
    logVariance[at] = variance;
  }
  return { times, survival, atRisk, events, logVariance };
}

/** At a time. O(log n). */
export function survivalAt({ times, survival }: StepCurve, time: number): number {
  const count = countUpTo(times, time);
  return count === 0 ? 1 : survival[count - 1];
}

/** Just before a time. O(log n). */
export function survivalBefore({ times, survival }: StepCurve, time: number): number {
  const count = lowerBound(times, time);
  return count === 0 ? 1 : survival[count - 1];
}

/**
 * Limits of a probability by log(-log), as R's `survfit(conf.type = 'log-log')`; NaN where it has none, at 0 and 1.
 *
 * @param logError standard error of the logarithm of the probability
 */
export function probabilityLimits(
  survival: number,
  logError: number,
  level: number,
): readonly [lower: number, upper: number] {
  if (survival === 0 || survival === 1) return [Number.NaN, Number.NaN];
  const shift = (normalQuantile(0.5 + level / 2) * logError) / Math.log(survival); // negative
  return [power(survival, Math.exp(-shift)), power(survival, Math.exp(shift))];
}

/** Cumulative incidence of a cause, constant from each time to the next; 0 before the first. */
export interface IncidenceCurve {
  readonly times: Float64Array;
  readonly incidence: Float64Array;
  readonly variance: Float64Array;
}

/**
 * Aalen-Johansen estimate of the probability of an event of a cause by each time, where other causes end what may follow.
 * The variance is that of the delta method, Greenwood's if there is one cause alone.
 *
 * Sources: Aalen & Johansen 1978, Scand J Stat 5:141; Marubini & Valsecchi 1995, Analysing Survival Data, section 10.
 */
export function cumulativeIncidence(
  outcomes: TimedOutcomes,
  weight: Float64Array | null,
  cause: number,
): IncidenceCurve {
  const sets = riskSets(outcomes, weight, cause);
  const { times, atRisk, events, ofCause } = sets;
  const [incidence, variance] = [0, 0].map(() => new Float64Array(times.length));
  let [survival, value] = [1, 0];
  // Sums over times s <= t of what stands beside 1, F(s) and F(s)^2 in (F(t) - F(s))^2 a - 2 (F(t) - F(s)) b + c.
  let [a, aF, aFF, b, bF, c] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < times.length; at++) {
    const [n, d, mine] = [atRisk[at], events[at], ofCause[at]];
    if (d > 0) {
      value += (survival * mine) / n;
      const remaining = sets.censored[at] + (at + 1 < times.length ? atRisk[at + 1] : 0);
      const greenwood = remaining > 0 ? d / (n * remaining) : 0; // the last time: F(t) - F(s) is 0
      const covariance = (survival * mine) / (n * n);
      a += greenwood;
      aF += greenwood * value;
      aFF += greenwood * value * value;
      b += covariance;
      bF += covariance * value;
      c += (survival * survival * mine * (n - mine)) / (n * n * n);
      survival *= remaining / n;
    }
    incidence[at] = value;
    variance[at] = Math.max(0, value * value * a - 2 * value * aF + aFF - 2 * (value * b - bF) + c);
  }
  return { times, incidence, variance };
}

/** Incidence and its variance at a time. O(log n). */
export function incidenceAt({ times, incidence, variance }: IncidenceCurve, time: number) {
  const count = countUpTo(times, time);
  return count === 0
    ? { incidence: 0, variance: 0 }
    : { incidence: incidence[count - 1], variance: variance[count - 1] };
}

/**
 * Influence of every row on the cumulative incidence of a cause by `horizon` (null: of any event, 1 - Kaplan-Meier): its weight
 * times the derivative in it, as the infinitesimal jackknife of R's `survfit`. O(n) after ranking.
 */
export function incidenceInfluence(
  outcomes: TimedOutcomes,
  weight: Float64Array | null,
  cause: number | null,
  horizon: number,
): Float64Array {
  const { time, event } = outcomes;
  const sets = riskSets(outcomes, weight, cause);
  const { rank } = ranked(time);
  const { count, before, after } = incidenceParts(sets, horizon);
  const shared = new Float64Array(count + 1); // of all who are at risk, summed up to each time
  for (let at = 0; at < count; at++) {
    const n = sets.atRisk[at];
    const term = sets.events[at] > 0 ? (sets.events[at] * after[at + 1] - sets.ofCause[at]) / (n * n) : 0;
    shared[at + 1] = shared[at] + before[at] * term;
  }
  return time.map((_, row) => {
    const at = rank[row];
    const w = weight ? weight[row] : 1;
    if (w === 0) return 0;
    const own = at < count && event[row] !== 0 ? Number(cause === null || event[row] === cause) - after[at + 1] : 0;
    return w * (shared[Math.min(count, at + 1)] + (own === 0 ? 0 : (own * before[at]) / sets.atRisk[at]));
  });
}

/** Up to the horizon: survival before each time, and the incidence from each time on of who lived until then. */
function incidenceParts({ times, atRisk, events, ofCause }: RiskSets, horizon: number) {
  const count = countUpTo(times, horizon);
  const [before, after] = [new Float64Array(count + 1).fill(1), new Float64Array(count + 1)];
  const hazard = (deaths: Float64Array, at: number) => (deaths[at] > 0 ? deaths[at] / atRisk[at] : 0);
  for (let at = 0; at < count; at++) before[at + 1] = before[at] * (1 - hazard(events, at));
  for (let at = count - 1; at >= 0; at--) after[at] = hazard(ofCause, at) + (1 - hazard(events, at)) * after[at + 1];
  return { count, before, after };
}
