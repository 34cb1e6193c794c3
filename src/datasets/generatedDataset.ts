import { deriveSeed, type RandomSource, type RandomState, randomSource } from '../core/random.js';
import { featuresOf, PATIENT_SD, SITES } from './clinicalFeatures.js';
import type { Dataset } from './dataset.js';
import {
  aucOf,
  drawPatients,
  type Filled,
  fillRows,
  idsOf,
  interceptFor,
  type Mixture,
  newPatientRisk,
  type PopulationOptions,
  type PopulationParts,
  riskMixture,
  shareBelow,
  type Visits,
  widened,
} from './population.js';
import { portableLogistic } from './portableMath.js';

/** What a generator knows of its data and no data set of patients could tell. */
export interface Truth {
  /**
   * Mean of `y` of each row, given its features as they were before values went missing, its site and its time, for a
   * patient not seen before. For a binary `y` it is the probability of 1. No prediction without other rows of the
   * patient can be better.
   */
  readonly expected: number[];
  /** Log-odds of a row whose terms are all 0; for a continuous `y`, the mean of the linear predictor's 0. */
  readonly intercept: number;
  /** Effect of each feature by name: per unit of its standardised value z, or of a 0/1 itself. */
  readonly coefficients: Readonly<Record<string, number>>;
  /** What each site adds. */
  readonly siteEffects: Readonly<Record<string, number>>;
  /** What time itself adds from its beginning to its end; 0 without time. */
  readonly timeEffect: number;
  /** Standard deviation of the effect that patients have beside their features. */
  readonly patientSd: number;
  /** Expected share of 1 in `y`; null where `y` is continuous. */
  readonly prevalence: number | null;
  /** AUC of the risk that knows each patient's own effect, too: what a model that recognises patients tends to. */
  readonly aucKnowingPatients: number | null;
  /** Share of the variance of a continuous `y` that `expected` explains; null where `y` is binary. */
  readonly r2: number | null;
  /** Why `trueAuc` is null; null where it is a number. */
  readonly reason: string | null;
}

/** A {@link Dataset} that a generator has made. Nothing is read of which a SHA-256 could be. */
export interface GeneratedDataset extends Omit<Dataset, 'groups' | 'sha256'> {
  /** Patient of each row, 'P0001' and so on. */
  readonly groups: string[];
  /** Hospital and patient of each row. */
  readonly hierarchy: { readonly site: string[]; readonly patient: string[] };
  /** When each row was recorded, ascending; undefined where there is no time. */
  readonly timestamps?: Date[];
  /**
   * AUC of `truth.expected` against `y`, between rows of different patients, in the population and not in this sample:
   * the best that a model can reach for new patients. Null where `y` is continuous.
   */
  readonly trueAuc: number | null;
  readonly truth: Truth;
}

export interface Outcomes {
  readonly y: number[];
  readonly trueAuc: number | null;
  readonly truth: Truth;
}

export function binaryOutcomes(
  source: RandomSource,
  { score }: Filled,
  parts: PopulationParts,
  prevalence: number,
): Outcomes {
  const mixture = riskMixture(parts);
  const all = widened(mixture, PATIENT_SD);
  const intercept = interceptFor(all, prevalence);
  const { effect } = parts.patients;
  const y: number[] = new Array(score.length);
  const expected: number[] = new Array(score.length);
  for (let row = 0; row < score.length; row++) {
    const logOdds = intercept + score[row];
    expected[row] = newPatientRisk(logOdds);
    y[row] = source.random() < portableLogistic(logOdds + effect[parts.visits.patient[row]]) ? 1 : 0;
  }
  const truth = {
    expected,
    intercept,
    ...effectsOf(parts),
    prevalence,
    aucKnowingPatients: aucOf(all, intercept, portableLogistic),
    r2: null,
    reason: null,
  };
  return { y, trueAuc: aucOf(mixture, intercept, newPatientRisk), truth };
}

export const effectsOf = ({ features, timeEffect }: PopulationParts, unit = 1) => ({
  coefficients: Object.fromEntries(features.map(({ name, effect }) => [name, unit * effect])),
  siteEffects: Object.fromEntries(SITES.map(({ id, effect }) => [id, unit * effect])),
  timeEffect: unit * timeEffect,
  patientSd: unit * PATIENT_SD,
});

/** In place, and less in rows of higher risk, since the sicker are measured more often. */
function removeValues(source: RandomSource, { X, score }: Filled, mixture: Mixture, rate: number): void {
  if (rate === 0) return;
  const below = shareBelow(mixture);
  // The probability is between rate - slope / 2 and rate + slope / 2, hence never outside 0 and 1.
  const slope = Math.min(rate, 1 - rate);
  X.forEach((values, row) => {
    const probability = rate + slope * (0.5 - below(score[row]));
    for (let at = 0; at < values.length; at++) if (source.random() < probability) values[at] = Number.NaN;
  });
}

interface Design extends Pick<PopulationOptions, 'times' | 'timeEffect'> {
  visits(source: RandomSource): Visits;
  outcomes(source: RandomSource, filled: Filled, parts: PopulationParts): Outcomes;
}

/** Patients, their visits, values, outcomes and what is missing are drawn from a stream each. */
export function generate(
  options: { readonly randomState: RandomState; readonly nFeatures: number; readonly missingRate: number },
  nPatients: number,
  { times, timeEffect, visits, outcomes }: Design,
): Omit<GeneratedDataset, 'description'> {
  const base = randomSource(options.randomState).uint32();
  const stream = (name: string) => randomSource(deriveSeed(base, name));
  const features = featuresOf(options.nFeatures);
  const patients = drawPatients(stream('patients'), nPatients, features);
  const parts = { features, patients, visits: visits(stream('visits')), times, timeEffect };
  const filled = fillRows(stream('values'), parts);
  const found = outcomes(stream('outcomes'), filled, parts);
  removeValues(stream('missing'), filled, riskMixture(parts), options.missingRate);
  const { patient, at } = parts.visits;
  const names = idsOf(nPatients);
  const groups = Array.from(patient, (each) => names[each]);
  const site = Array.from(patient, (each) => SITES[patients.site[each]].id);
  return {
    X: filled.X,
    ...found,
    featureNames: features.map(({ name }) => name),
    groups,
    hierarchy: { site, patient: [...groups] },
    ...(at && { timestamps: at.map((time) => new Date(time)) }),
    license: 'None needed: the data are generated, and no person is behind them',
    source: 'Generated by cvkit',
  };
}
