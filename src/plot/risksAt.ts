/** Survival curves of results as risks by one time, with rows weighted for censoring. */
import { InvalidDataError, InvalidOptionError, invalidData, phrase, sentence } from '../core/errors.js';
import { gather, type Label } from '../data/labels.js';
import { labelsAt } from '../survival/labelsAt.js';
import type { TimedOutcomes } from '../survival/outcomes.js';
import { type PlottedResults, type Risks, taskOf } from './plottedResults.js';

/** The outcomes of results, with the event that risks are about. */
export function outcomesOf(results: PlottedResults): { outcomes: TimedOutcomes; cause: number } {
  const { yTrue, event = [] } = results.outOfFold;
  const outcomes = { time: Float64Array.from(yTrue as readonly number[]), event: Int32Array.from(event) };
  return { outcomes, cause: taskOf(results).causeOfInterest ?? 1 };
}

/**
 * The risk of every row by a time, and the columns of censoring for it.
 *
 * @throws {InvalidDataError} without curves; {@link InvalidOptionError} for a time that they do not have
 */
export function timedRisks(subject: string, results: PlottedResults, time: number | undefined) {
  const { times = [], survivalTimes = [] } = taskOf(results);
  const { yProba, censoring, weight } = results.outOfFold;
  if (!yProba || !censoring) {
    const got = phrase('risks alone');
    const message = sentence(
      `The results given to ${subject}`,
      'have survival curves',
      got,
      'Give the model `predictSurvival`.',
    );
    throw new InvalidDataError(message, { code: 'no_risks' });
  }
  const horizon = time ?? times[Math.floor(times.length / 2)];
  const column = survivalTimes.indexOf(horizon);
  if (column < 0) {
    const must = `be one of the times of the curves: ${survivalTimes.join(', ')}`;
    throw new InvalidOptionError(
      sentence(`The \`time\` option of ${subject}`, must, horizon, 'Name it in `times` of the run.'),
    );
  }
  return {
    ...{ ...outcomesOf(results), weight, horizon },
    predicted: Float64Array.from(yProba, (each) => 1 - (each as ArrayLike<number>)[column]),
    censoring: Float64Array.from(censoring.flatMap((each) => [each[0], each[1 + column]])),
  };
}

/** @throws what {@link timedRisks} throws, and {@link InvalidDataError} where censoring leaves rows without a weight */
export function risksAt(
  subject: string,
  results: PlottedResults,
  time: number | undefined,
): Risks & { readonly rows: Int32Array; readonly event: string } {
  const { outcomes, weight, predicted, ...at } = timedRisks(subject, results, time);
  const { cause, horizon } = at;
  const { row: ids, group } = results.outOfFold;
  const found = labelsAt(outcomes, weight, at);
  if (found.weight.includes(Infinity)) {
    const must = `have training rows in each fold that are followed beyond ${horizon}, where tested rows are`;
    const way = 'Choose an earlier `time`.';
    throw invalidData('not_followed', `The results given to ${subject}`, must, 'a fold without', way);
  }
  const rows = Int32Array.from(found.weight.keys()).filter((row) => found.weight[row] > 0);
  const units = group ?? (new Set(ids).size < ids.length ? ids : undefined);
  return {
    rows,
    event: `event ${cause} by time ${horizon}`,
    y: Uint8Array.from(rows, (row) => found.isCase[row]),
    p: gather(predicted, rows),
    weight: gather(found.weight, rows),
    groups: units && Array.from(rows, (row) => units[row] as Label),
  };
}
