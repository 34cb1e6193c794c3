import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { groupBy } from '../core/groupBy.js';
import { mean } from '../core/numbers.js';
import { sortedQuantile } from '../core/quantiles.js';
import type { Label } from '../data/labels.js';
import type { OutOfFold } from '../runner/outOfFold.js';
import type { PlottedResults } from './plottedResults.js';
import { checkSource, isResults, risksOf } from './risks.js';

/** Results of a design with repeats. */
export type RepeatedResults = PlottedResults & { readonly outOfFold: Pick<OutOfFold, 'row'> };

export interface PlainPredictions {
  /** A list for each row: its predicted risks, one of each repeat. */
  readonly predictions: readonly ArrayLike<number>[];
}

/** One row that was predicted more than once. */
interface UnstableRow {
  readonly row: number;
  readonly mean: number;
  /** Mean over its predictions of their distance from its mean. */
  readonly deviation: number;
  readonly predictions: readonly number[];
}

export interface Instability {
  readonly rows: number;
  /** Predictions of a row; the most, where rows differ. */
  readonly repeats: number;
  /** Mean of the rows' deviations: the MAPE of Riley and Collins, with the mean of the row in the place of one final model. */
  readonly meanAbsoluteDeviation: number;
  /** 95 % of the rows have a smaller deviation. */
  readonly percentile95: number;
  readonly largest: number;
  readonly perRow: readonly UnstableRow[];
}

/**
 * How much the predicted risk of the same row differs between models of other training rows: of each row that was predicted at
 * least twice, its mean prediction and the mean distance from it.
 *
 * Repeats of a cross-validation train on other parts of the same rows, which mostly overlap. That shows less than what models of new
 * samples would differ by; Riley and Collins train on bootstrap samples. With few repeats it is less still: two give about 70 % of it.
 * Source: Riley & Collins 2023, Biometrical Journal 65:2200302.
 *
 * @param source results of a repeated design, or plain predictions
 * @param positiveLabel the class, where there are more than two
 * @param time of outcomes by time the horizon, one of the times of the run; rows that were censored before it are left out
 * @throws {InvalidDataError} where no row was predicted twice
 * @example
 * const repeated = await new UniversalCVRunner({ cvSplitter: cv, verbose: 0 }).run({ model, data: [X, y, groups] });
 * console.log(instabilityOf(repeated).meanAbsoluteDeviation);
 */
export function instabilityOf(
  source: RepeatedResults | PlainPredictions,
  positiveLabel?: Label,
  time?: number,
): Instability {
  const perRow = Array.from(predictionsOf(source, { positiveLabel, time }), ([row, predictions]) => {
    const centre = mean(predictions);
    const deviation = mean(predictions.map((value) => Math.abs(value - centre)));
    return { row, mean: centre, deviation, predictions };
  }).filter(({ predictions }) => predictions.length > 1);
  if (perRow.length === 0) {
    const way = 'Cross-validate with repeats, as RepeatedKFold and RepeatedGroupKFold do.';
    const subject = 'The predictions given to plotInstability';
    throw new InvalidDataError(sentence(subject, 'be two or more of the same row', phrase('one of each'), way), {
      code: 'no_repeats',
    });
  }
  const sorted = Float64Array.from(perRow, ({ deviation }) => deviation).sort();
  return {
    rows: perRow.length,
    repeats: perRow.reduce((most, { predictions }) => Math.max(most, predictions.length), 0),
    meanAbsoluteDeviation: mean(sorted),
    percentile95: sortedQuantile(sorted, 0.95),
    largest: sorted[sorted.length - 1],
    perRow,
  };
}

function predictionsOf(
  source: RepeatedResults | PlainPredictions,
  choice: { readonly positiveLabel: Label | undefined; readonly time: number | undefined },
): Iterable<[number, number[]]> {
  if (isResults(source)) {
    const { p, rows } = risksOf('plotInstability', source, choice);
    const places = groupBy(p.keys(), (at) => source.outOfFold.row[rows ? rows[at] : at]);
    return Array.from(places, ([row, members]): [number, number[]] => [row, members.map((at) => p[at])]);
  }
  const { predictions } = Object(source) as Partial<PlainPredictions>;
  const isRisk = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
  const lists = Array.isArray(predictions)
    ? predictions.map((row) => Array.from(Object(row) as ArrayLike<number>))
    : [];
  const must =
    'be what `run` or `validate` gives, awaited, or { predictions }, a list of risks from 0 to 1 for each row';
  checkSource('plotInstability', must, source, lists.length > 0 && lists.every((row) => row.every(isRisk)));
  return lists.entries();
}
