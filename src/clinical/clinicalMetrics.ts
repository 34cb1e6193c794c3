import { MOST_DRAWS } from '../core/numbers.js';
import {
  arrayLike,
  type InputOf,
  integer,
  number,
  type OptionsOf,
  oneOf,
  optionTable,
  seed,
  string,
} from '../core/options.js';
import type { Label } from '../data/labels.js';
import { sampleOf } from '../intervals/sample.js';
import { checkOrder } from '../metrics/columnOrder.js';
import { type ScoreTableInput, scoreTable } from '../metrics/scoreTable.js';
import { binaryRowOptions, intervalOptions } from './binaryRows.js';
import { calculate } from './measures/calculate.js';
import type { ClinicalResults } from './measures/clinicalResults.js';
import { resultsSection } from './measures/report.js';

export const clinicalMetricsOptions = optionTable('ClinicalMetrics', {
  confidenceLevel: intervalOptions.level,
  prevalence: number({ above: 0, below: 1 })
    .nullable()
    .default(null)
    .describe(
      'Share of positives where the model will be used, for PPV, NPV, NNT and NNS; null takes that of the sample.',
    ),
  treatmentEffect: number({ above: 0, max: 1 })
    .nullable()
    .default(null)
    .describe('Share of true positives whom treatment spares the outcome; makes `nnt` the number needed to treat.'),
  proportionMethod: oneOf('wilson', 'clopper_pearson').default('wilson').describe('Intervals of proportions.'),
  aucScale: oneOf('plain', 'logit')
    .optional()
    .describe("Scale of the AUC interval; by default 'plain' as pROC, 'logit' where patients have several rows."),
  nBootstrap: integer({ min: 100, max: MOST_DRAWS })
    .nullable()
    .default(null)
    .describe('Resamples of the patients for f1, mcc, kappa, averagePrecision and brier; null takes the delta method.'),
  randomState: seed()
    .default(42)
    .describe('Seed of the resamples of `nBootstrap`; harmless without them, since nothing else is drawn.'),
});

export type ClinicalMetricsOptions = InputOf<typeof clinicalMetricsOptions>;

export const calculateAllOptions = optionTable('calculateAll', {
  yProba: arrayLike<number | ArrayLike<number>>('number[]')
    .optional()
    .describe('Probability of the positive class per row.'),
  ...binaryRowOptions,
  groups: arrayLike<Label>('id[]')
    .optional()
    .alias('patientIds')
    .describe('Patient of each row; patients count as independent, not rows.'),
});

export type CalculateAllOptions = InputOf<typeof calculateAllOptions>;

export const formatReportOptions = optionTable('formatReport', {
  rows: string().default('rows').describe("What rows are, in the plural: 'images'."),
  patients: string().default('patients').describe("What groups are, in the plural: 'eyes'."),
});

export type FormatReportOptions = InputOf<typeof formatReportOptions>;

/**
 * Diagnostic accuracy of binary predictions: every value with an interval that says what it is about, how it was made
 * and what was counted as independent. With `groups`, patients are; rows of a patient may then be arbitrarily alike.
 *
 * @example
 * const clinical = new ClinicalMetrics({ prevalence: 0.02 });
 * const metrics = clinical.calculateAll(yTrue, yPred, { yProba });
 * console.log(metrics.sensitivity.estimate, metrics.sensitivity.lower);
 * console.log(clinical.formatReport(metrics));
 */
export class ClinicalMetrics {
  readonly #options: OptionsOf<typeof clinicalMetricsOptions>;

  /**
   * All options as they count, with the defaults: what a protocol or a manifest records. A `randomState` may be given
   * alone, as to an estimator of scikit-learn: it is kept, and is used as soon as `nBootstrap` draws something.
   */
  get options(): OptionsOf<typeof clinicalMetricsOptions> {
    return { ...this.#options };
  }

  constructor(input: ClinicalMetricsOptions = {}) {
    this.#options = clinicalMetricsOptions.resolve(input);
  }

  /**
   * All values; one that is not defined (0/0, one class alone, no `yProba`) is null with the reason, never 0 or NaN.
   * Intervals of fewer than ten patients (rows without `groups`) are null with the reason.
   *
   * @param yTrue labels of two classes, length n; the columns of `outOfFold` can be given
   * @param yPred predicted labels, length n
   * @throws InvalidDataError for NaN, lengths that differ, lists as labels, more than two classes and numbers that are not
   * probabilities; InvalidOptionError for two strings as classes without `positiveLabel`
   */
  calculateAll(
    yTrue: ArrayLike<Label | ArrayLike<number>>,
    yPred: ArrayLike<Label | ArrayLike<number>>,
    input: CalculateAllOptions = {},
  ): ClinicalResults {
    const { groups, ...rowOptions } = calculateAllOptions.resolve(input);
    // Columns of a result may hold lists, as far as types know; the table refuses these.
    const table = scoreTable({ yTrue, yPred, ...rowOptions, task: 'binary' } as ScoreTableInput);
    if (table.yProba) checkOrder(table, true);
    return calculate(sampleOf(table, groups, this.#options.confidenceLevel), this.#options);
  }

  /**
   * The values as the results section of a paper has them: counts, values with intervals, notes, methods.
   *
   * @param metrics what `calculateAll` gives, also when it was saved as JSON
   * @throws InvalidDataError for anything else
   */
  formatReport(metrics: ClinicalResults, input: FormatReportOptions = {}): string {
    return resultsSection(metrics, formatReportOptions.resolve(input));
  }
}
