import { invalidData } from '../core/errors.js';
import { coxFit } from './coxFit.js';
import { cumulativeIncidence, incidenceAt, incidenceInfluence } from './kaplanMeier.js';
import { type NoValue, type TimedOutcomes, totalWeight } from './outcomes.js';
import { type Horizon, reaches } from './riskGroups.js';

const NOT_FOLLOWED: NoValue = { reason: 'no row was followed up to the horizon' };

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
  { horizon, cause }: Horizon,
): ObservedOverExpected | NoValue {
  if (!reaches(outcomes, weight, horizon)) return NOT_FOLLOWED;
  const total = totalWeight(outcomes, weight);
  const observed = incidenceAt(cumulativeIncidence(outcomes, weight, cause), horizon).incidence;
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
    throw invalidData('constant_column', subject, 'vary among the rows at risk at the events', 'one value');
  }
  return { slope, influence: fit.influence(0) };
}
