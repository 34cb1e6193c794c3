import type { EvaluateOptions } from './evaluateOptions.js';
import type { ValidationResult } from './validationResult.js';

/**
 * Assesses predictions that exist already: scores with intervals about these very predictions, calibration, the checks that need
 * neither rows nor training, and the report of a validation. Patients count as independent where they are named.
 *
 * Without `yPred` labels follow from `yProba`: the positive class above .5, or the most probable of several. One column
 * of `yProba` is P(positive); several are in the order of `classes`, else of the classes of `yTrue`, ascending. With
 * `fold` the predictions are those of a cross-validation that was made elsewhere: scores are by fold, and the
 * checks of folds that need no rows are made. With `repeat`, too, the repeats stand one after the other or mixed: a fold
 * is trained by the other rows of its repeat, and patients tie the repeats together.
 *
 * @throws {InvalidDataError} neither `yPred` nor `yProba`, lengths that differ, NaN, labels that `yTrue` (`classes`) lacks, numbers that are no
 *   probabilities, columns in another order than `yPred` tells
 * @throws {InvalidOptionError} two strings as classes without `positiveLabel`, a metric of
 *   another task, an option that would have no effect
 *
 * @example
 * const result = await evaluate({ yTrue, yProba });
 * console.log(result.estimates.roc_auc, result.confidenceIntervals.roc_auc.lower);
 */
export async function evaluate(input: EvaluateOptions): Promise<ValidationResult> {
  const { evaluation } = await import('./reproduction.js');
  return evaluation(input);
}
