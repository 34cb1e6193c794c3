/** What is true of all patients, by numerical integration and not by drawing. */

import type { RandomSource } from '../core/random.js';
import { type Feature, inUnit, PATIENT_SD, SITES } from './clinicalFeatures.js';
import { NormalStream, portableExp, portableLogistic } from './portableMath.js';

/** A point of time, from 0 to 1, and the share of the rows that are there. */
export type TimeShare = readonly [time: number, share: number];

export interface PopulationOptions {
  readonly features: readonly Feature[];
  /** Where in time rows are: points of a quadrature where time is continuous. */
  readonly times: readonly TimeShare[];
  readonly timeEffect: number;
}

/** Normal distributions of one standard deviation, mixed. */
export interface Mixture {
  readonly means: Float64Array;
  readonly shares: Float64Array;
  readonly sd: number;
}

/** The log-odds of a row without intercept and patient. Given diagnoses, site and time it is normal. */
export function riskMixture({ features, times, timeEffect }: PopulationOptions): Mixture {
  let variance = 0;
  let [bySite, byTime] = [0, timeEffect];
  let diagnoses: [mean: number, share: number][] = [[0, 1]];
  for (const feature of features) {
    if (feature.kind !== 'binary') {
      variance += feature.effect * feature.effect;
      bySite += feature.effect * feature.bySite;
      byTime += feature.effect * feature.byTime;
    } else if (feature.effect !== 0) {
      const { effect, share } = feature;
      diagnoses = diagnoses.flatMap(([mean, weight]): [number, number][] => [
        [mean, weight * (1 - share)],
        [mean + effect, weight * share],
      ]);
    }
  }
  const parts = SITES.flatMap(({ share, level, effect }) =>
    times.flatMap(([time, timeShare]) =>
      diagnoses.map(([mean, weight]) => [mean + effect + level * bySite + time * byTime, share * timeShare * weight]),
    ),
  );
  return {
    means: Float64Array.from(parts, ([mean]) => mean),
    shares: Float64Array.from(parts, ([, share]) => share),
    sd: Math.sqrt(variance),
  };
}

/** Share of the variance of score and further parts, of variance `rest` together, that is the score's. */
export function explainedShare({ means, shares, sd }: Mixture, rest: number): number {
  const mean = means.reduce((sum, each, at) => sum + shares[at] * each, 0);
  const between = means.reduce((sum, each, at) => sum + shares[at] * (each - mean) * (each - mean), 0);
  const variance = between + sd * sd;
  return variance / (variance + rest);
}

export const widened = (mixture: Mixture, sd: number): Mixture => ({
  ...mixture,
  sd: Math.sqrt(mixture.sd * mixture.sd + sd * sd),
});

/** Points a distance `step` apart that hold all but 1e-15 of the mixture, and the probability mass at each. */
interface Grid {
  readonly first: number;
  readonly step: number;
  readonly mass: Float64Array;
}

const REACH = 8.5;
const ROOT_2PI = 2.5066282746310002;

/** By the trapezoidal rule, whose error on a smooth density falls exponentially with the step. */
function gridOf({ means, shares, sd }: Mixture, step: number): Grid {
  const lowest = means.reduce((least, mean) => Math.min(least, mean), Infinity) - REACH * sd;
  const highest = means.reduce((most, mean) => Math.max(most, mean), -Infinity) + REACH * sd;
  const mass = new Float64Array(Math.ceil((highest - lowest) / step) + 1);
  const scale = step / (sd * ROOT_2PI);
  for (let part = 0; part < means.length; part++) {
    const from = Math.max(0, Math.floor((means[part] - REACH * sd - lowest) / step));
    const to = Math.min(mass.length - 1, Math.ceil((means[part] + REACH * sd - lowest) / step));
    for (let at = from; at <= to; at++) {
      const z = (lowest + at * step - means[part]) / sd;
      mass[at] += shares[part] * scale * portableExp(-0.5 * z * z);
    }
  }
  return { first: lowest, step, mass };
}

/** The intercept with which the mean of the logistic function over the mixture is `prevalence`; by bisection. */
export function interceptFor(mixture: Mixture, prevalence: number): number {
  const { first, step, mass } = gridOf(mixture, Math.min(mixture.sd / 4, 0.25));
  let [low, high] = [-650, 650];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    let mean = 0;
    for (let at = 0; at < mass.length; at++) mean += mass[at] * portableLogistic(middle + first + at * step);
    if (mean < prevalence) low = middle;
    else high = middle;
  }
}

/** Distance of the points in the integral over patients; its error is below 1e-10. */
const PATIENT_STEP = 0.8;
const PATIENT_POINTS = patientPoints();

function patientPoints() {
  const { first, step, mass } = gridOf(
    { means: Float64Array.of(0), shares: Float64Array.of(1), sd: PATIENT_SD },
    PATIENT_STEP,
  );
  return { mass, inverseOdds: Float64Array.from(mass, (_, at) => portableExp(-(first + at * step))) };
}

/** Probability of y = 1 for a patient not seen before: the logistic function, averaged over patients of these log-odds. */
export function newPatientRisk(logOdds: number): number {
  const { mass, inverseOdds } = PATIENT_POINTS;
  const inverse = portableExp(-logOdds);
  let sum = 0;
  for (let at = 0; at < mass.length; at++) sum += mass[at] / (1 + inverse * inverseOdds[at]);
  return sum;
}

/** By a sum over a grid; Richardson's rule takes away the error of second order of the edge, where scores are equal. */
export function aucOf(mixture: Mixture, intercept: number, risk: (logOdds: number) => number): number {
  const { first, step, mass } = gridOf(mixture, mixture.sd / 32);
  const positive = mass.map((each, at) => each * risk(intercept + first + at * step));
  const negative = mass.map((each, at) => each * risk(-(intercept + first + at * step)));
  return (4 * pairsInOrder(positive, negative, 1) - pairsInOrder(positive, negative, 2)) / 3;
}

/** Share of pairs with the positive above the negative, those at one point counted half, over every `stride`-th point. */
function pairsInOrder(positive: Float64Array, negative: Float64Array, stride: number): number {
  let [ordered, positives, negatives] = [0, 0, 0];
  for (let at = 0; at < positive.length; at += stride) {
    ordered += positive[at] * (negatives + negative[at] / 2);
    positives += positive[at];
    negatives += negative[at];
  }
  return ordered / (positives * negatives);
}

export function shareBelow(mixture: Mixture): (value: number) => number {
  const { first, step, mass } = gridOf(mixture, mixture.sd / 32);
  const below = new Float64Array(mass.length);
  let sum = 0;
  for (let at = 0; at < mass.length; at++) {
    below[at] = sum + mass[at] / 2;
    sum += mass[at];
  }
  return (value) => {
    const place = (value - first) / step;
    const at = Math.min(Math.max(0, Math.floor(place)), mass.length - 2);
    const share = below[at] + (place - at) * (below[at + 1] - below[at]);
    return Math.min(1, Math.max(0, share));
  };
}

export interface Patients {
  readonly count: number;
  /** Place in {@link SITES}. */
  readonly site: Int32Array;
  /** Standard normal, or 0 and 1 for a diagnosis; shape [count, number of features]. */
  readonly traits: Float64Array;
  /** Log-odds that no feature tells. */
  readonly effect: Float64Array;
}

export function drawPatients(source: RandomSource, count: number, features: readonly Feature[]): Patients {
  const normals = new NormalStream(source);
  const site = new Int32Array(count);
  const effect = new Float64Array(count);
  const traits = new Float64Array(count * features.length);
  let next = 0;
  for (let patient = 0; patient < count; patient++) {
    site[patient] = siteAt(source.random());
    effect[patient] = PATIENT_SD * normals.next();
    for (const feature of features) {
      traits[next++] = feature.kind === 'binary' ? Number(source.random() < feature.share) : normals.next();
    }
  }
  return { count, site, traits, effect };
}

function siteAt(uniform: number): number {
  let rest = uniform;
  const found = SITES.findIndex(({ share }) => {
    rest -= share;
    return rest < 0;
  });
  return found < 0 ? SITES.length - 1 : found;
}

/** The rows to be filled: the rows of a patient follow each other where `keep` is not 0. */
export interface Visits {
  readonly patient: Int32Array;
  /** From 0 to 1, as the effects of time count it. */
  readonly time: Float64Array;
  /** Correlation of what varies within the patient with the row before; left out: none. */
  readonly keep?: Float64Array;
  /** When each row was recorded, in milliseconds since 1970; left out: no time. */
  readonly at?: readonly number[];
}

export interface Filled {
  readonly X: number[][];
  /** Log-odds of each row without intercept and without what belongs to the patient alone. */
  readonly score: Float64Array;
}

export function fillRows(source: RandomSource, { patients, visits, features, timeEffect }: PopulationParts): Filled {
  const normals = new NormalStream(source);
  const width = features.length;
  const varying = new Float64Array(width);
  const [within, between] = [features.map((f) => spreadOf(f, 1)), features.map((f) => spreadOf(f, 0))];
  const n = visits.patient.length;
  const X: number[][] = new Array(n);
  const score = new Float64Array(n);
  for (let row = 0; row < n; row++) {
    const patient = visits.patient[row];
    const { level, effect } = SITES[patients.site[patient]];
    const time = visits.time[row];
    const keep = visits.keep?.[row] ?? 0;
    const fresh = Math.sqrt(1 - keep * keep);
    const values: number[] = new Array(width);
    let sum = effect + time * timeEffect;
    for (let at = 0; at < width; at++) {
      const feature = features[at];
      const trait = patients.traits[patient * width + at];
      if (feature.kind === 'binary') {
        values[at] = trait;
        sum += feature.effect * trait;
        continue;
      }
      if (within[at] > 0) varying[at] = keep * varying[at] + fresh * normals.next();
      const z = between[at] * trait + within[at] * varying[at] + level * feature.bySite + time * feature.byTime;
      values[at] = inUnit(feature, z);
      sum += feature.effect * z;
    }
    X[row] = values;
    score[row] = sum;
  }
  return { X, score };
}

export interface PopulationParts extends PopulationOptions {
  readonly patients: Patients;
  readonly visits: Visits;
}

const spreadOf = (feature: Feature, within: 0 | 1): number =>
  feature.kind === 'binary' ? 0 : Math.sqrt(within ? 1 - feature.betweenPatients : feature.betweenPatients);

export function idsOf(count: number): string[] {
  const digits = Math.max(4, String(count).length);
  return Array.from({ length: count }, (_, at) => `P${String(at + 1).padStart(digits, '0')}`);
}
