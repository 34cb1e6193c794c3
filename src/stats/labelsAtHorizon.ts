import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { type InputOf, number, optionTable } from '../core/options.js';
import { weightsOf } from '../data/sideData.js';
import { censoringColumns } from '../survival/ipcw.js';
import { kaplanMeier } from '../survival/kaplanMeier.js';
import { labelsAt } from '../survival/labelsAt.js';
import { readOutcomes } from '../survival/outcomes.js';
import { survivalScoresOptions } from './survivalScores.js';

const { time, event, training, causeOfInterest, sampleWeight } = survivalScoresOptions.shape;

export const labelsAtHorizonOptions = optionTable('labelsAtHorizon', {
  ...{ time, event },
  horizon: number({ above: 0 }).describe('The time by which the event happens or not, in the unit of `time`.'),
  ...{ training, causeOfInterest, sampleWeight },
});

export type LabelsAtHorizonOptions = InputOf<typeof labelsAtHorizonOptions>;

/** Two classes and weights, for what knows no times. */
export interface LabelsAtHorizon {
  /** 1 with the event by the horizon, 0 without it or with another one, length n. Of rows of weight 0 it is not known. */
  readonly yTrue: number[];
  /** Inverse probability of not being censored by then, length n; 0 for rows that were. */
  readonly sampleWeight: Float64Array;
}

/**
 * Outcomes by a horizon as two classes, with weights that stand for the rows that were censored before it: what
 * `ClinicalMetrics`, `chooseThreshold`, the decision curve and the pictures of two classes take. Their intervals count the
 * weights as known.
 *
 * Source: Blanche, Dartigues & Jacqmin-Gadda 2013, Stat Med 32:5381.
 *
 * @throws InvalidDataError for times that are not above 0 and events that are no whole numbers; InvalidOptionError for a horizon
 *   at which nobody is followed any more
 * @example
 * const time = [2, 5, 3, 8, 9, 4, 11, 7, 6, 12];
 * const event = [1, 1, 0, 1, 0, 1, 0, 1, 1, 0];
 * const { yTrue, sampleWeight } = labelsAtHorizon({ time, event, horizon: 6.5 });
 * console.log(yTrue, sampleWeight);
 */
export function labelsAtHorizon(input: LabelsAtHorizonOptions): LabelsAtHorizon {
  const options = labelsAtHorizonOptions.resolve(input);
  const { horizon, causeOfInterest: cause } = options;
  const outcomes = readOutcomes(options, 'labelsAtHorizon');
  const weight = options.sampleWeight ? weightsOf(options.sampleWeight, outcomes.time.length, 'sampleWeight') : null;
  const known = options.training ? readOutcomes(options.training, '`training`') : outcomes;
  const curve = kaplanMeier(known, options.training ? null : weight, 'censoring');
  const censoring = censoringColumns(curve, outcomes.time, [horizon]);
  const found = labelsAt(outcomes, weight, { horizon, cause, censoring });
  if (!outcomes.time.some((each) => each > horizon) || !found.weight.every(Number.isFinite)) {
    const got = phrase(`${horizon}, after which nobody is followed`);
    const must = 'lie before the end of follow-up';
    throw new InvalidOptionError(sentence('The `horizon` option of labelsAtHorizon', must, got), {
      code: 'times_beyond',
    });
  }
  return { yTrue: Array.from(found.isCase), sampleWeight: found.weight };
}
