/** Draws patients and their rows. What is drawn for one purpose does not move what is drawn for another. */
import { deriveSeed, type RandomSource, type RandomState, randomSource } from '../core/random.js';
import { type Feature, inUnit, PATIENT_SD, SITES } from './clinicalFeatures.js';
import { NormalStream } from './portableMath.js';

/** One stream for each purpose, all from one state. */
export function streamsOf<Name extends string>(state: RandomState, names: readonly Name[]): Record<Name, RandomSource> {
  const base = randomSource(state).uint32();
  return Object.fromEntries(names.map((name) => [name, randomSource(deriveSeed(base, name))])) as Record<
    Name,
    RandomSource
  >;
}

/** What stays with a patient. */
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
}

export interface Filled {
  readonly X: number[][];
  /** Log-odds of each row without intercept and without what belongs to the patient alone. */
  readonly score: Float64Array;
}

/** The values of every row. */
export function fillRows(source: RandomSource, { patients, visits, features, timeEffect }: Parts): Filled {
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

export interface Parts {
  readonly patients: Patients;
  readonly visits: Visits;
  readonly features: readonly Feature[];
  readonly timeEffect: number;
}

/** Standard deviation of the part of z that varies within a patient, or between patients. */
const spreadOf = (feature: Feature, within: 0 | 1): number =>
  feature.kind === 'binary' ? 0 : Math.sqrt(within ? 1 - feature.betweenPatients : feature.betweenPatients);

/** 'P0001', 'P0002', ...: as many digits as the number of patients needs, at least four. */
export function idsOf(count: number): string[] {
  const digits = Math.max(4, String(count).length);
  return Array.from({ length: count }, (_, at) => `P${String(at + 1).padStart(digits, '0')}`);
}
