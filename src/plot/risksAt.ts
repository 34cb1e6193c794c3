/** Survival curves of results as risks by one time, with rows weighted for censoring. */
import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import type { Label } from '../data/labels.js';
import { labelsAt } from '../survival/labelsAt.js';
import type { TimedOutcomes } from '../survival/outcomes.js';
import type { PlottedResults, Risks } from './plottedResults.js';

/** The outcomes of results, with the event that risks are about. */
export function outcomesOf({ outOfFold, ...about }: PlottedResults): { outcomes: TimedOutcomes; cause: number } {
  const { causeOfInterest = 1 } = 'metadata' in about ? about.metadata : about.manifest;
  const time = Float64Array.from(outOfFold.yTrue as readonly number[]);
  return { outcomes: { time, event: Int32Array.from(outOfFold.event ?? []) }, cause: causeOfInterest };
}

/** @throws {InvalidDataError} without curves; {@link InvalidOptionError} for a time that they do not have */
export function risksAt(
  subject: string,
  results: PlottedResults,
  time: number | undefined,
): Risks & { readonly rows: Int32Array; readonly event: string } {
  const { outOfFold, ...about } = results;
  const { times = [], survivalTimes = [] } = 'metadata' in about ? about.metadata : about.manifest;
  const { yProba, censoring, weight, group } = outOfFold;
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
  const { outcomes, cause } = outcomesOf(results);
  const columns = Float64Array.from(censoring.flatMap((each) => [each[0], each[1 + column]]));
  const found = labelsAt(outcomes, weight, { horizon, cause, censoring: columns });
  const rows = Int32Array.from(found.weight.keys()).filter(
    (row) => found.weight[row] > 0 && found.weight[row] < Infinity,
  );
  return {
    rows,
    event: `event ${cause} by time ${horizon}`,
    y: Uint8Array.from(rows, (row) => found.isCase[row]),
    p: Float64Array.from(rows, (row) => 1 - (yProba[row] as ArrayLike<number>)[column]),
    weight: Float64Array.from(rows, (row) => found.weight[row]),
    groups: group ? Array.from(rows, (row) => group[row] as Label) : undefined,
  };
}
