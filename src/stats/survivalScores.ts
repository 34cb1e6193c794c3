import { InvalidDataError, InvalidOptionError, invalidData, kindOf, phrase, sentence } from '../core/errors.js';
import {
  anything,
  arrayLike,
  type InputOf,
  integer,
  isList,
  number,
  oneOf,
  optionTable,
  seed,
} from '../core/options.js';
import { randomSource } from '../core/random.js';
import { readNumbers } from '../core/readNumbers.js';
import type { Label } from '../data/labels.js';
import { checkLength, groupsOf, weightsOf } from '../data/sideData.js';
import { analytic, bootstrap } from '../intervals/bootstrap.js';
import { type Interval, joinNotes } from '../intervals/interval.js';
import { sampleOf } from '../intervals/sample.js';
import { type Metric, score } from '../metrics/metric.js';
import { checkedProbabilities, type ScoreTable } from '../metrics/scoreTable.js';
import { concordanceUno, isWeighted, metricsAt, TIMED_METRICS } from '../metrics/timed/timedMetrics.js';
import { censoringColumns } from '../survival/ipcw.js';
import { kaplanMeier } from '../survival/kaplanMeier.js';
import { fewFollowed, readOutcomes } from '../survival/outcomes.js';

type Curves = { readonly data: ArrayLike<number>; readonly shape: readonly number[] } | readonly ArrayLike<number>[];

export const survivalScoresOptions = optionTable('survivalScores', {
  time: arrayLike<number>('number[]').describe('Follow-up of each row, above 0.'),
  event: arrayLike<number | boolean>('integer[]').describe(
    '0 for censored at that time, 1 for the event, other whole numbers for competing events.',
  ),
  risk: arrayLike<number>('number[]')
    .optional()
    .describe('A number per row, larger for an earlier event; left out, there are no ranks to score.'),
  survival: anything<Curves>(
    'number[][] | { data, shape }',
    'be rows of probabilities, or { data, shape: [rows, times] }',
  )
    .optional()
    .describe(
      'Probabilities of no event by each of `times`, a row per patient; with competing events 1 less the incidence of the one of interest.',
    ),
  times: arrayLike<number>('number[]').describe('Ascending times of `survival`, and of the scores at a time.'),
  tau: number({ above: 0 })
    .optional()
    .describe("Uno's concordance counts events up to it; left out, the last of `times`."),
  training: anything<{ readonly time: ArrayLike<number>; readonly event: ArrayLike<number | boolean> }>(
    '{ time, event }',
    'be { time, event } of the training rows',
  )
    .optional()
    .describe('Outcomes of the training rows, which weights for censoring are taken from; left out, of these rows.'),
  causeOfInterest: integer({ min: 1 }).default(1).describe('The event that risks and curves are about.'),
  groups: arrayLike<Label>('id[]').optional().describe('Patient of each row; patients count as independent, not rows.'),
  sampleWeight: arrayLike<number>('number[]').optional().describe('Weight of each row.'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  method: oneOf('bootstrap', 'analytic').default('bootstrap').describe('How intervals are made.'),
  nBootstrap: integer({ min: 100, max: 100_000 }).default(1000).describe('Resamples of patients, else rows.'),
  randomState: seed().default(42).describe('Seed of the resamples.'),
});

export type SurvivalScoresOptions = InputOf<typeof survivalScoresOptions>;

/**
 * Scores of predictions about outcomes by time, each with an interval by patient: Harrell's and Uno's concordance, areas under
 * the ROC curve at times (cumulative cases, dynamic controls), Brier scores at times and integrated, calibration at times
 * (slope; observed over expected). Rows that were censored count through those that were not: weights are 1 / G, with G the
 * Kaplan-Meier curve of being censored of `training`.
 *
 * Sources: {@link TIMED_METRICS}; equal to R's `survival::concordance` and `riskRegression::Score`.
 *
 * @returns by the name of the score: `concordance`, `concordance_uno`, `integrated_brier`, `brier_at_365`, ...
 * @throws InvalidDataError for times that are not above 0, events that are no whole numbers, NaN and lengths that differ;
 *   InvalidOptionError for `times` that do not ascend or lie beyond the follow-up, and without `risk` and `survival`
 * @example
 * const time = [2, 5, 3, 8, 9, 4, 11, 7, 6, 12];
 * const event = [1, 1, 0, 1, 0, 1, 0, 1, 1, 0];
 * const risk = [2.1, 0.9, 1.4, 0.2, -0.3, 1.2, -1, 0.6, 0.1, -0.8];
 * const { concordance } = survivalScores({ time, event, risk, times: [4, 8] });
 * console.log(concordance.estimate, concordance.lower, concordance.upper);
 */
export function survivalScores(input: SurvivalScoresOptions): Readonly<Record<string, Interval>> {
  const options = survivalScoresOptions.resolve(input);
  const { risk, survival, groups, tau, level, method, nBootstrap, randomState, training } = options;
  const all = tableOf(options);
  const patients = groups && groupsOf(groups, all.length, 'groups', LIKE).codes;
  const { table, units } = sampleOf(all, patients, level);
  const times = table.classes as readonly number[];
  const isLate = times[0] > (times.at(-1) as number) / 10;
  const run = method === 'bootstrap' ? bootstrap : analytic;
  const scored = { table, units, repeat: 0, nTrain: 0 };
  const intervalOf = (metric: Metric): Interval => {
    const folds = [{ ...scored, score: score(metric, table) }];
    const random = randomSource(randomState);
    const found = run({ metric, folds, level, unit: groups ? 'patient' : 'row', nBootstrap, random, fixedModel: true });
    return {
      ...found,
      ...joinNotes(
        found.note,
        !training && isWeighted(metric) ? OWN_CENSORING : undefined,
        metric.name === 'integrated_brier' && isLate ? lateTimes(times[0]) : undefined,
        fewFollowed(
          table.yTrue as Float64Array,
          times.filter((each) => metric.name.endsWith(`_at_${each}`)),
        ),
      ),
    };
  };
  const overall = TIMED_METRICS.map((each) => (each.name === 'concordance_uno' ? concordanceUno(tau) : each));
  const metrics = [...overall, ...times.flatMap(metricsAt)];
  const usable = metrics.filter(({ needs }) => (needs === 'labels' ? risk : survival));
  return Object.fromEntries(usable.map((metric) => [metric.name, intervalOf(metric)]));
}

const LIKE = '`time` has values';
const TIMES = 'The `times` option of survivalScores';
const OWN_CENSORING = 'Weights for censoring are those of these rows, not of training rows.';

const lateTimes = (first: number) =>
  `The score counts 0 before the first of \`times\`, ${first}, and so is too small: give more times, from the start on.`;

function tableOf(options: ReturnType<typeof survivalScoresOptions.resolve>): ScoreTable {
  const { time, event, risk, survival, training, causeOfInterest, sampleWeight } = options;
  const outcomes = readOutcomes({ time, event }, 'survivalScores');
  const n = outcomes.time.length;
  if (!outcomes.event.includes(causeOfInterest)) {
    throw invalidData('no_event', '`event` of survivalScores', `hold an event ${causeOfInterest}`, 'none');
  }
  const times = readNumbers(options.times, '`times` at', {
    must: 'be above 0',
    holds: (each) => each > 0 && each < Infinity,
  });
  const last = outcomes.time.reduce((most, own) => Math.max(most, own), 0);
  const beyond = times.find((each) => each >= last);
  if (times.length === 0 || beyond !== undefined) {
    const must = 'be one or more, and lie before the end of follow-up';
    throw new InvalidOptionError(sentence(TIMES, must, beyond ?? phrase('none')), { code: 'times_beyond' });
  }
  const falls = times.findIndex((each, at) => at > 0 && each <= times[at - 1]);
  if (falls >= 0) {
    const got = phrase(`${times[falls]} after ${times[falls - 1]}`);
    throw new InvalidOptionError(sentence(TIMES, 'ascend', got));
  }
  if (!risk && !survival) {
    throw new InvalidOptionError(sentence('survivalScores', 'be given `risk`, `survival` or both', phrase('neither')));
  }
  if (risk) checkLength(risk, n, 'risk', LIKE);
  const weight = sampleWeight && weightsOf(sampleWeight, n, 'sampleWeight', LIKE);
  const censored = training && kaplanMeier(readOutcomes(training, '`training`'), null, 'censoring');
  return {
    ...{
      task: 'survival',
      length: n,
      classes: Array.from(times),
      positive: causeOfInterest,
      yTrue: outcomes.time,
      event: outcomes.event,
    },
    yPred: risk ? readNumbers(risk, 'risk') : new Float64Array(n),
    ...(survival ? { yProba: curvesOf(survival, n, times) } : {}),
    ...(weight ? { weight } : {}),
    ...(censored ? { censoring: censoringColumns(censored, outcomes.time, Array.from(times)) } : {}),
  };
}

/** Row after row, held to be probabilities that fall. */
function curvesOf(survival: Curves, n: number, times: Float64Array): Float64Array {
  const width = times.length;
  let { data, shape } = Object(survival);
  if (!isList(data) || !isList(shape)) {
    checkLength(survival, n, 'survival', LIKE);
    const rows = Array.from(survival as readonly ArrayLike<number>[]);
    const ragged = rows.findIndex((row) => row?.length !== width);
    if (ragged >= 0) {
      const must = `have ${width} probabilities, one for each of \`times\``;
      throw new InvalidDataError(sentence(`survival row ${ragged}`, must, kindOf(rows[ragged])));
    }
    [data, shape] = [rows.flatMap((row) => Array.from(row)), [n, width]];
  }
  if (shape[0] !== n || shape[1] !== width || data.length !== n * width) {
    const got = `shape [${Array.from(shape).join(', ')}] with ${data.length} numbers`;
    const must = `be of shape [${n}, ${width}], rows of \`time\` by \`times\``;
    throw invalidData('length_mismatch', 'survival', must, got);
  }
  const curves = checkedProbabilities(data, width, 'survival', InvalidDataError);
  const rise = curves.findIndex((each, at) => at % width > 0 && each > curves[at - 1] + ROUNDING);
  if (rise >= 0) {
    const subject = `survival row ${Math.floor(rise / width)}`;
    const way = 'Give survival, not risks.';
    throw invalidData('invalid_probabilities', subject, 'fall from time to time', 'probabilities that rise', way);
  }
  return curves;
}

/** A curve in 32-bit numbers may rise by as much. */
const ROUNDING = 1e-6;
