import { gather } from '../data/labels.js';
import { type NoValue, ranked, type TimedOutcomes } from './outcomes.js';

/** Rows by stratum and ascending time, those of weight 0 left out; `start` of each group of one stratum and time. */
export interface CoxRows {
  readonly order: Int32Array;
  /** One more than there are groups. */
  readonly starts: Int32Array;
  /** Of each group: 1 where it is the last of its stratum. */
  readonly endsStratum: Uint8Array;
  /** In the order of `order`. */
  readonly dead: Uint8Array;
  readonly weight: Float64Array;
  /** Events of each group: how many, and their weight. */
  readonly deaths: Int32Array;
  readonly deathWeight: Float64Array;
}

export function coxRows(
  { time, event }: TimedOutcomes,
  weight: Float64Array | null,
  strata: Int32Array | null,
): CoxRows {
  const byTime = ranked(time);
  let order = byTime.order.filter((row) => !weight || weight[row] > 0);
  if (strata) order = order.sort((a, b) => strata[a] - strata[b] || byTime.rank[a] - byTime.rank[b]);
  const isNew = (at: number, of: Int32Array) => at === 0 || of[order[at]] !== of[order[at - 1]];
  const starts: number[] = [];
  const ends: number[] = [];
  order.forEach((_, at) => {
    const ofStratum = strata !== null && isNew(at, strata);
    if (ofStratum && at > 0) ends[starts.length - 1] = 1;
    if (ofStratum || isNew(at, byTime.rank)) starts.push(at);
  });
  const groups = starts.length;
  ends[groups - 1] = 1;
  const dead = Uint8Array.from(order, (row) => Number(event[row] !== 0));
  const weights = weight ? gather(weight, order) : new Float64Array(order.length).fill(1);
  const [deaths, deathWeight] = [new Int32Array(groups), new Float64Array(groups)];
  starts.push(order.length);
  for (let group = 0; group < groups; group++) {
    for (let at = starts[group]; at < starts[group + 1]; at++) {
      deaths[group] += dead[at];
      deathWeight[group] += dead[at] * weights[at];
    }
  }
  const endsStratum = Uint8Array.from({ length: groups }, (_, group) => ends[group] ?? 0);
  return { order, starts: Int32Array.from(starts), endsStratum, dead, weight: weights, deaths, deathWeight };
}

/** What log risks, in the order of the rows, come to by Efron's treatment of ties. */
export interface CoxSteps {
  /** Partial, of the data as weighted. */
  readonly logLikelihood: number;
  /** The largest log risk: hazards and `scaled` are relative to it, so that none overflows. */
  readonly top: number;
  /** Weight times risk, relative to `top`. */
  readonly scaled: Float64Array;
  /** By group: sums of `scaled` at risk, and of its events. */
  readonly atRisk: Float64Array;
  readonly dying: Float64Array;
  /** By group: step of the cumulative hazard, and of that which its own events are exposed to. */
  readonly step: Float64Array;
  readonly ownStep: Float64Array;
}

/**
 * One pass over the risk sets. The likelihood is exact for log risks however far apart.
 *
 * Sources: Cox 1975, Biometrika 62:269; Efron 1977, JASA 72:557, with weights as R's `coxph`: each of tied events gets their mean.
 */
export function coxSteps(rows: CoxRows, eta: Float64Array): CoxSteps {
  const { starts, endsStratum, dead, weight, deaths, deathWeight } = rows;
  const groups = deaths.length;
  const [atRisk, dying, step, ownStep] = [0, 0, 0, 0].map(() => new Float64Array(groups));
  const top = eta.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY);
  const scaled = eta.map((each, at) => weight[at] * Math.exp(each - top));
  let [logLikelihood, sum, shift] = [0, 0, 0];
  for (let group = groups - 1; group >= 0; group--) {
    if (endsStratum[group] === 1) [sum, shift] = [0, Number.NEGATIVE_INFINITY];
    let dyingSum = 0;
    for (let at = starts[group]; at < starts[group + 1]; at++) {
      if (eta[at] > shift) {
        const smaller = Math.exp(shift - eta[at]);
        sum *= smaller;
        dyingSum *= smaller;
        shift = eta[at];
      }
      const each = weight[at] * Math.exp(eta[at] - shift);
      sum += each;
      if (dead[at] === 1) {
        dyingSum += each;
        logLikelihood += weight[at] * eta[at];
      }
    }
    const toTop = Math.exp(shift - top);
    atRisk[group] = sum * toTop;
    dying[group] = dyingSum * toTop;
    const count = deaths[group];
    const mean = count > 0 ? deathWeight[group] / count : 0;
    for (let k = 0; k < count; k++) {
      const stillAtRisk = sum - (k / count) * dyingSum;
      logLikelihood -= mean * (Math.log(stillAtRisk) + shift);
      step[group] += mean / (stillAtRisk * toTop);
      ownStep[group] += ((1 - k / count) * mean) / (stillAtRisk * toTop);
    }
  }
  return { logLikelihood, top, scaled, atRisk, dying, step, ownStep };
}

/** Cumulative hazard of each row, in the order of the rows, relative to `top`. */
export function exposures(rows: CoxRows, { step, ownStep }: CoxSteps): Float64Array {
  const { starts, endsStratum, dead } = rows;
  const out = new Float64Array(rows.order.length);
  let sum = 0;
  for (let group = 0; group < step.length; group++) {
    for (let at = starts[group]; at < starts[group + 1]; at++) {
      out[at] = sum + (dead[at] === 1 ? ownStep[group] : step[group]);
    }
    sum = endsStratum[group] === 1 ? 0 : sum + step[group];
  }
  return out;
}

export interface PartialLikelihood {
  /** Log partial likelihood; it grows with the rows, and falls with the logarithm of their number. */
  readonly value: number;
  /** What it is above that of equal risks, per event: comparable between samples. */
  readonly gain: number;
  /** Of every row on the gain. */
  influence(): Float64Array;
}

/** Partial likelihood of log risks (a linear predictor), Efron's. Any event that is not 0 counts. */
export function partialLikelihood(
  outcomes: TimedOutcomes,
  logRisk: Float64Array,
  weight: Float64Array | null,
  strata: Int32Array | null = null,
): PartialLikelihood | NoValue {
  const rows = coxRows(outcomes, weight, strata);
  const events = rows.deathWeight.reduce((sum, each) => sum + each, 0);
  if (events === 0) return { reason: 'no event' };
  const eta = gather(logRisk, rows.order);
  const [of, ofNone] = [eta, new Float64Array(eta.length)].map((each) => coxSteps(rows, each));
  const gain = (of.logLikelihood - ofNone.logLikelihood) / events;
  const influence = () => {
    const out = new Float64Array(logRisk.length);
    const [parts, none] = [of, ofNone].map((steps) => likelihoodParts(rows, steps));
    rows.order.forEach((row, at) => {
      const own = rows.dead[at] * rows.weight[at] * (eta[at] - gain);
      out[row] = (own + parts[at] - none[at]) / events;
    });
    return out;
  };
  return { value: of.logLikelihood, gain, influence };
}

/** Weight of each row times the derivative of the log likelihood in it, without its own log risk. */
function likelihoodParts(rows: CoxRows, steps: CoxSteps): Float64Array {
  const { starts, dead, weight, deaths } = rows;
  const out = exposures(rows, steps).map((hazard, at) => -steps.scaled[at] * hazard);
  deaths.forEach((count, group) => {
    let mean = 0;
    for (let k = 0; k < count; k++) {
      mean += (Math.log(steps.atRisk[group] - (k / count) * steps.dying[group]) + steps.top) / count;
    }
    for (let at = starts[group]; at < starts[group + 1]; at++) out[at] -= dead[at] * weight[at] * mean;
  });
  return out;
}
