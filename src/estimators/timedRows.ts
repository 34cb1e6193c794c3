import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { readNumbers } from '../core/readNumbers.js';
import { type LabelsInput, labelsOf } from '../data/labels.js';
import { checkLength, weightsOf } from '../data/sideData.js';
import type { TimedOutcomes } from '../survival/outcomes.js';

export interface TimedRows {
  readonly outcomes: TimedOutcomes;
  readonly weight: Float64Array | null;
  readonly cause: number;
  /** Other causes that rows have an event of, ascending. */
  readonly competing: readonly number[];
}

/** What a model of outcomes by time is fitted to, in every form of `y`. */
export function timedRows(
  y: LabelsInput,
  n: number,
  sampleWeight: ArrayLike<number> | null | undefined,
  causeOfInterest: number | null | undefined,
): TimedRows {
  const labels = labelsOf(y, { task: 'survival' });
  checkLength(labels, n, 'y');
  const cause = causeOfInterest ?? 1;
  if (!Number.isInteger(cause) || cause < 1) {
    throw new InvalidOptionError(sentence('`causeOfInterest`', 'be a whole number from 1 on', cause));
  }
  const others = new Set(labels.codes.filter((event) => event !== 0 && event !== cause));
  return {
    outcomes: { time: labels.numbers, event: labels.codes },
    weight: sampleWeight ? weightsOf(sampleWeight, n) : null,
    cause,
    competing: [...others].sort((a, b) => a - b),
  };
}

export function predictionTimes(times: ArrayLike<number>): Float64Array {
  if (typeof times === 'object' && times !== null) return readNumbers(times, 'times');
  throw new InvalidDataError(sentence('The times of predictSurvival', 'be a list of numbers', phrase('none')));
}
