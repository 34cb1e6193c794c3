import { binaryRowOptions } from '../clinical/binaryRows.js';
import { InvalidOptionError } from '../core/errors.js';
import { counted } from '../core/format.js';
import { boolean, custom, type InputOf, isList, optionTable } from '../core/options.js';
import { type Label, listed, rowNumbers } from '../data/labels.js';
import { probabilitiesOf, type ScoreTable, type ScoreTableInput, scoreTable } from '../metrics/scoreTable.js';
import {
  byModel,
  conformalOptions,
  designOf,
  entriesOf,
  type Guarantee,
  guaranteeOf,
  massBelow,
  ROUNDING,
  unitsNeeded,
} from './conformal/calibration.js';

export const conformalSetsOptions = optionTable('conformalSets', {
  ...conformalOptions,
  perClass: boolean()
    .default(false)
    .describe('Keeps the promise within each true class (Mondrian), not on average over them.'),
  classes: custom<readonly Label[]>('label[]', 'be a list of labels', isList)
    .optional()
    .describe('All classes, when the labels may lack some.'),
  positiveLabel: binaryRowOptions.positiveLabel,
});
export type ConformalSetsOptions = InputOf<typeof conformalSetsOptions>;

/** Probabilities as `yProba` of the metrics: P(positive) per row, or rows of one per class in ascending order. */
export type Probabilities = NonNullable<ScoreTableInput['yProba']>;

/** A set of classes for each new row, and what it promises. */
export interface ConformalSets extends Guarantee {
  /** Labels that stay plausible, for each new row, in ascending order; may be empty, may be all. */
  readonly sets: readonly (readonly Label[])[];
  readonly perClass: boolean;
  /** Says so when the promise is kept only by giving every label. */
  readonly note?: string;
}

/**
 * Sets of labels that hold the true one for a promised share of new rows, whatever the model: the less sure it is, the
 * larger the set. The score of a label is 1 - its probability (LAC). A label stays in the set unless too many calibration
 * rows have a smaller score with their true one.
 *
 * Split: `yProba` of rows that the model was not trained on; covers at least 1 - alpha, also within each class with
 * `perClass`. CV+ (`folds`): `yProba` out of fold, and for the new rows the probabilities of all K fold models; covers at
 * least 1 - 2 alpha, in practice about 1 - alpha. With `groups` the promise is about a row of a new patient: rows of a
 * patient are alike, and counting them as independent promises too much.
 *
 * Source: Sadinle, Lei & Wasserman 2019, JASA 114:223 (score, per class); Romano, Sesia & Candès 2020, NeurIPS (CV+);
 * Lee, Barber & Willett 2023, arXiv:2306.06342 and Dunn, Wasserman & Ramdas 2022, JASA 118:2491 (patients).
 *
 * @param yTrue labels of the calibration rows, length n
 * @param yProba their probabilities, from a model that did not see them
 * @param newProba probabilities of m new rows; with `folds` a list of K of them, one per fold model
 * @throws InvalidDataError for lengths that differ, what is no probability, a patient in two folds; InvalidOptionError
 * for `perClass` with `folds` and `everyRow` without `groups`
 * @example
 * const { sets } = conformalSets(yTrue, yProba, [0.05, 0.5, 0.95], { alpha: 0.2 });
 * console.log(sets);
 */
export function conformalSets(
  yTrue: ArrayLike<Label>,
  yProba: Probabilities,
  newProba: Probabilities | readonly Probabilities[],
  options?: ConformalSetsOptions,
): ConformalSets {
  const { alpha, perClass, classes: named, positiveLabel, ...designOptions } = conformalSetsOptions.resolve(options);
  if (perClass && designOptions.folds) {
    throw new InvalidOptionError('conformalSets has no guarantee for `perClass` with `folds`. Leave one of them out.');
  }
  const facts = { task: 'classification', positiveLabel: positiveLabel ?? null, classes: named ?? null } as const;
  const table = scoreTable({ ...facts, yTrue, yProba });
  const { classes, length } = table;
  const news = byModel<Probabilities>('newProba', newProba, designOptions.folds).map(([name, each]) => {
    const rows = { ...table, length: each.length };
    return { ...rows, yProba: probabilitiesOf(each, rows, name) };
  });
  const nNew = news.map((each) => each.length);
  const design = designOf(length, nNew, designOptions);
  const scores = Float64Array.from({ length }, (_, row) => scoreOf(table, row, table.yTrue[row]));
  const rows = rowNumbers(length);
  const entries = classes.map((_, code) =>
    entriesOf(scores, design, perClass ? rows.filter((row) => table.yTrue[row] === code) : rows),
  );
  const below = entries.map((each) => massBelow(each, news.length));
  const sets = Array.from({ length: news[0].length }, (_, row) =>
    classes.filter((__, code) => {
      const mass = news.reduce((sum, each, model) => sum + below[code](model, scoreOf(each, row, code)), 0);
      return mass < 1 - alpha - ROUNDING;
    }),
  );
  const nUnits = new Set(design.units).size;
  const few = [...classes.keys()].filter((code) => entries[code].nUnits < unitsNeeded(alpha));
  const note = `Always in the set: ${listed(classes, few)}, with fewer than ${counted(unitsNeeded(alpha), design.unit)}.`;
  return {
    sets,
    ...guaranteeOf(design, nUnits, alpha, designOptions.folds !== undefined),
    perClass,
    ...(few.length > 0 ? { note } : {}),
  };
}

function scoreOf({ task, classes, positive, yProba }: ScoreTable, row: number, code: number): number {
  const p = yProba as Float64Array;
  if (task !== 'binary') return 1 - p[row * classes.length + code];
  return code === positive ? 1 - p[row] : p[row];
}
