import { counted } from '../core/format.js';
import { type InputOf, optionTable } from '../core/options.js';
import { readNumbers } from '../core/readNumbers.js';
import { rowNumbers } from '../data/labels.js';
import { scoreTable } from '../metrics/scoreTable.js';
import {
  byModel,
  conformalOptions,
  designOf,
  entriesOf,
  type Guarantee,
  guaranteeOf,
  quantileOfSums,
  unitsNeeded,
} from './conformal/calibration.js';

export const conformalIntervalsOptions = optionTable('conformalIntervals', conformalOptions);
export type ConformalIntervalsOptions = InputOf<typeof conformalIntervalsOptions>;

/** An interval for each new row, and what it promises. */
export interface ConformalIntervals extends Guarantee {
  /** In the unit of y, one per new row; null limits when there are too few calibration units for any. */
  readonly intervals: readonly { readonly lower: number | null; readonly upper: number | null }[];
  /** Why limits are null. */
  readonly reason?: string;
}

/**
 * Intervals that hold the true value for a promised share of new rows, whatever the regression model, from absolute
 * residuals. Split: `yPred` of rows that the model was not trained on; covers at least 1 - alpha. CV+ (`folds`): `yPred`
 * out of fold, and for the new rows the predictions of all K fold models; covers at least 1 - 2 alpha, in practice about
 * 1 - alpha. With one row per fold that is jackknife+. With `groups` the promise is about a row of a new patient.
 *
 * Source: Lei et al. 2018, JASA 113:1094 (split); Barber et al. 2021, Annals of Statistics 49:486 (jackknife+, CV+); Lee,
 * Barber & Willett 2023, arXiv:2306.06342 (patients).
 *
 * @param yTrue values of the calibration rows, length n
 * @param yPred their predictions, from a model that did not see them
 * @param newPred predictions for m new rows; with `folds` a list of K of them, one per fold model
 * @throws InvalidDataError for lengths that differ, NaN, a patient in two folds; InvalidOptionError for `everyRow` without
 * `groups`
 * @example
 * const [measured, predicted] = [[3, 5, 4, 6, 5, 7, 6, 8, 9, 7], [3.2, 4.7, 4.1, 6.4, 5.1, 6.5, 6.2, 7.7, 9.3, 6.8]];
 * console.log(conformalIntervals(measured, predicted, [4, 8], { alpha: 0.2 }).intervals);
 */
export function conformalIntervals(
  yTrue: ArrayLike<number>,
  yPred: ArrayLike<number>,
  newPred: ArrayLike<number> | readonly ArrayLike<number>[],
  options?: ConformalIntervalsOptions,
): ConformalIntervals {
  const { alpha, ...designOptions } = conformalIntervalsOptions.resolve(options);
  const table = scoreTable({ yTrue, yPred, task: 'regression' });
  const news = byModel<ArrayLike<number>>('newPred', newPred, designOptions.folds).map(([name, values]) =>
    readNumbers(values, name),
  );
  const nNew = news.map((each) => each.length);
  const design = designOf(table.length, nNew, designOptions);
  const residuals = Float64Array.from(table.yTrue, (value, row) => Math.abs(value - table.yPred[row]));
  const entries = entriesOf(residuals, design, rowNumbers(table.length));
  const { nUnits } = entries;
  const guarantee = guaranteeOf(design, nUnits, alpha, designOptions.folds !== undefined);
  if (nUnits < unitsNeeded(alpha)) {
    const reason = `only ${counted(nUnits, design.unit)}, fewer than ${unitsNeeded(alpha)}`;
    return { intervals: Array.from(news[0], () => ({ lower: null, upper: null })), reason, ...guarantee };
  }
  const quantile = quantileOfSums(entries, design.nModels, 1 - alpha);
  const limit = (row: number, side: number) => side * quantile((model) => side * news[model][row]);
  return {
    intervals: Array.from(news[0], (_, row) => ({ lower: limit(row, -1), upper: limit(row, 1) })),
    ...guarantee,
  };
}
