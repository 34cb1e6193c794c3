import { type Parsed, rejectUnusedOption } from '../core/options.js';
import { INSPECT, inspectWithOptions } from '../core/summaryText.js';
import type { ModelOption } from '../runner/modelSource.js';
import { rejectDeadlock } from '../runner/rejectDeadlock.js';
import type {
  Drying,
  DryRunInput,
  KeepModelsInput,
  KeptOf,
  ModelOf,
  OrDryRun,
  PreprocessingInput,
  Typing,
} from '../runner/runOptions.js';
import { isSplitter } from '../splitters/splitter.js';
import { refuseWithoutChecks } from './evidenceOptions.js';
import { CV_GIVEN, refuseTwoNumbers, rejectUnusedShaping, splitterOf } from './methods.js';
import type { FitValidateOptions, ValidateInput } from './validateOptions.js';
import type { ValidationResult } from './validationResult.js';
import { type ValidatorOptions, validatorOptions } from './validatorOptions.js';

/**
 * Validates a model and says what the numbers mean: folds, checks on those very folds, scores, intervals, a report.
 *
 * @example
 * const result = await new CVKitValidator({ nSplits: 5 }).validate({ model, X, y, patientIds, verbose: 0 });
 * console.log(result.summary());
 */
export class CVKitValidator {
  readonly #parsed: Parsed<typeof validatorOptions.shape>;

  constructor(input: ValidatorOptions = {}) {
    this.#parsed = validatorOptions.parse(input);
    const { options, written, changed } = this.#parsed;
    if (!options.returnConfidenceIntervals) {
      for (const name of [
        'ciLevel',
        'ciMethod',
        'nBootstrap',
        'nestedCvRepeats',
        'ciFits',
        'ciRefits',
        'sampling',
      ] as const) {
        if (changed.has(name)) rejectUnusedOption('CVKitValidator', name, '`returnConfidenceIntervals` is false');
      }
    }
    for (const name of ['notApplicable', 'independentRows', 'preparedInside'] as const) {
      if (options.checkLeakage === false && changed.has(name)) {
        rejectUnusedOption('CVKitValidator', name, '`checkLeakage` is false');
      }
    }
    refuseWithoutChecks(options);
    refuseTwoNumbers(options, changed);
    // An unknown method, or an option that it cannot use, fails here rather than after the data are read.
    if (isSplitter(options.cv)) rejectUnusedShaping(changed, new Set(['cv']), CV_GIVEN);
    else if (written.has('method')) splitterOf(options.method, this.#parsed);
  }

  /** Cross-validates `model` on `X` and `y`. Takes every option of the runner and of `run` as well. */
  async validate<
    M extends ModelOption,
    P extends PreprocessingInput = undefined,
    K extends KeepModelsInput = 'none',
    D extends DryRunInput = false,
  >(
    input: Drying<Typing<ValidateInput, M, P, K>, D>,
  ): Promise<OrDryRun<D, ValidationResult<ModelOf<M>, KeptOf<M, P, K>>>> {
    rejectDeadlock(input);
    const { validate } = await import('./validation.js');
    return validate(this.#parsed, input) as Promise<OrDryRun<D, ValidationResult<ModelOf<M>, KeptOf<M, P, K>>>>;
  }

  /**
   * Trains on one set and tests on another, once. The interval speaks of this one model's predictions. Each of the ids and
   * weights may be there alone: the check of patients then is `not_evaluated`, and rows without weights weigh 1.
   */
  async fitValidate<
    M extends ModelOption,
    P extends PreprocessingInput = undefined,
    K extends KeepModelsInput = 'none',
  >(input: Typing<FitValidateOptions, M, P, K>): Promise<ValidationResult<ModelOf<M>, KeptOf<M, P, K>>> {
    rejectDeadlock(input);
    const { fitValidate } = await import('./validation.js');
    return fitValidate(this.#parsed, input) as Promise<ValidationResult<ModelOf<M>, KeptOf<M, P, K>>>;
  }
  [INSPECT](): string {
    return inspectWithOptions('CVKitValidator', this.#parsed);
  }
}
