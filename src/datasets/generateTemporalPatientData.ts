import { type InputOf, integer, number, oneOf, optionTable, randomState, rejectUnusedOption } from '../core/options.js';
import type { RandomSource } from '../core/random.js';
import { nFeaturesOption, PATIENT_SD } from './clinicalFeatures.js';
import { binaryOutcomes, effectsOf, type GeneratedDataset, generate, type Outcomes } from './generatedDataset.js';
import {
  explainedShare,
  type Filled,
  type PopulationParts,
  riskMixture,
  type TimeShare,
  type Visits,
} from './population.js';
import { NormalStream, portableExp } from './portableMath.js';

export const generateTemporalPatientDataOptions = optionTable('generateTemporalPatientData', {
  nPatients: integer({ min: 1, max: 1_000_000 }).default(100).describe('Number of patients.'),
  nTimepoints: integer({ min: 1, max: 10_000 })
    .default(12)
    .describe('Planned visits of each patient, one per month; those who drop out have fewer.'),
  nFeatures: nFeaturesOption.default(10),
  outcomeType: oneOf('binary', 'continuous')
    .default('binary')
    .describe('What `y` of each visit is: an adverse event, 0 or 1, or a severity score.'),
  prevalence: number({ above: 0, below: 1 }).default(0.3).describe('Expected share of visits with y = 1; binary only.'),
  missingRate: number({ min: 0, below: 1 })
    .default(0.1)
    .describe('Expected share of values that are missing (NaN), fewer in visits of higher risk.'),
  randomState: randomState().default(42).describe('Seed; the same seed gives the same data on every platform.'),
});

export type GenerateTemporalPatientDataOptions = InputOf<typeof generateTemporalPatientDataOptions>;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const BEGIN = Date.UTC(2020, 0, 1);
/** Patients enter the study during its first year. */
const ENTRY_DAYS = 365;
const INTERVAL_DAYS = 30;
/** A visit may be this many days earlier or later than planned. */
const JITTER_DAYS = 10;
/** Probability, after each visit, that it was the last. */
const DROP_OUT = 0.03;
/** Days after which the correlation of what varies within a patient has fallen to 1 / e: 0.7 after a month. */
const MEMORY_DAYS = 84;
/** The disease goes on from the first planned visit to this one, then stays. */
const PROGRESS_VISITS = 12;
const TIME_EFFECT = 0.6;
/** Continuous y: 50 + 10 times the linear predictor, the effect of the patient and a standard normal error. */
const [SCORE_CENTRE, SCORE_UNIT] = [50, 10];

/**
 * Visits of invented patients: up to `nTimepoints` irregular visits for each of `nPatients`, all rows in the order of time,
 * shape [visits, nFeatures]. Values of a patient follow an autoregressive process of the first order in continuous time,
 * the disease goes on from visit to visit, and at random a patient does not come back. `y` belongs to the visit.
 *
 * The AUC is found as in `generateSyntheticEhr`; docs/generators.md has the formulas. The process is that of Uhlenbeck and
 * Ornstein 1930, Physical Review 36:823.
 *
 * @throws {InvalidOptionError} for options out of range, and for `prevalence` of a continuous outcome
 *
 * @example
 * const { X, groups, timestamps } = generateTemporalPatientData({ nPatients: 50 });
 * console.log(X.length, new Set(groups).size, timestamps[0]);
 */
export function generateTemporalPatientData(input: GenerateTemporalPatientDataOptions = {}): GeneratedDataset {
  const { options, changed } = generateTemporalPatientDataOptions.parse(input);
  const { nPatients, nTimepoints, outcomeType, prevalence } = options;
  const isBinary = outcomeType === 'binary';
  if (!isBinary && changed.has('prevalence')) {
    rejectUnusedOption('generateTemporalPatientData', 'prevalence', "`outcomeType` is 'continuous'");
  }
  const generated = generate(options, nPatients, {
    times: progressShares(nTimepoints),
    timeEffect: TIME_EFFECT,
    visits: (source) => drawVisits(source, nPatients, nTimepoints),
    outcomes: (source, filled, parts) =>
      isBinary ? binaryOutcomes(source, filled, parts, prevalence) : continuousOutcomes(source, filled, parts),
  });
  const { X, y, groups, hierarchy, timestamps = [], truth } = generated;
  const order = Array.from(timestamps.keys()).sort((a, b) => +timestamps[a] - +timestamps[b] || a - b);
  const sorted = <T>(values: readonly T[]) => order.map((row) => values[row]);
  const about = isBinary ? '1 for an adverse event in the time of the visit.' : 'a severity score of the visit.';
  return {
    ...generated,
    X: sorted(X),
    y: sorted(y),
    groups: sorted(groups),
    hierarchy: { site: sorted(hierarchy.site), patient: sorted(hierarchy.patient) },
    timestamps: sorted(timestamps),
    description: `Synthetic visits: ${order.length} visits of ${nPatients} invented patients in five hospitals; y is ${about}`,
    truth: { ...truth, expected: sorted(truth.expected) },
  };
}

const progressAt = (visit: number, planned: number) =>
  planned === 1 ? 0 : Math.min(1, visit / (Math.min(planned, PROGRESS_VISITS) - 1));

/** Share of the expected visits at each point of progress: drop-out makes late visits fewer. */
function progressShares(planned: number): TimeShare[] {
  const shares = new Map<number, number>();
  let [present, total] = [1, 0];
  for (let visit = 0; visit < planned; visit++) {
    const time = progressAt(visit, planned);
    shares.set(time, (shares.get(time) ?? 0) + present);
    total += present;
    present *= 1 - DROP_OUT;
  }
  return Array.from(shares, ([time, share]) => [time, share / total]);
}

function drawVisits(source: RandomSource, nPatients: number, planned: number): Visits {
  const [patient, time, keep, at]: number[][] = [[], [], [], []];
  for (let each = 0; each < nPatients; each++) {
    const entry = ENTRY_DAYS * source.random();
    let before = 0;
    for (let visit = 0; visit < planned; visit++) {
      if (visit > 0 && source.random() < DROP_OUT) break;
      const jitter = visit === 0 ? 0 : JITTER_DAYS * (2 * source.random() - 1);
      const day = entry + visit * INTERVAL_DAYS + jitter;
      patient.push(each);
      time.push(progressAt(visit, planned));
      keep.push(visit === 0 ? 0 : portableExp((before - day) / MEMORY_DAYS));
      at.push(BEGIN + Math.floor((day * DAY) / MINUTE) * MINUTE);
      before = day;
    }
  }
  return { patient: Int32Array.from(patient), time: Float64Array.from(time), keep: Float64Array.from(keep), at };
}

function continuousOutcomes(source: RandomSource, { score }: Filled, parts: PopulationParts): Outcomes {
  const normals = new NormalStream(source);
  const { effect } = parts.patients;
  const expected = Array.from(score, (each) => SCORE_CENTRE + SCORE_UNIT * each);
  const y = expected.map((mean, row) => mean + SCORE_UNIT * (effect[parts.visits.patient[row]] + normals.next()));
  const truth = {
    expected,
    intercept: SCORE_CENTRE,
    ...effectsOf(parts, SCORE_UNIT),
    prevalence: null,
    aucKnowingPatients: null,
    r2: explainedShare(riskMixture(parts), PATIENT_SD ** 2 + 1),
    reason: 'y is continuous, so there is no AUC; truth.r2 is the share of its variance that can be explained',
  };
  return { y, trueAuc: null, truth };
}
