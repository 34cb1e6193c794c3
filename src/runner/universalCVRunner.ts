import type { Parsed } from '../core/options.js';
import { INSPECT, inspectWithOptions } from '../core/summaryText.js';
import type { TuningOptions } from '../tuning/tuningOptions.js';
import type { TuningResults } from '../tuning/tuningResults.js';
import type { CVResults } from './cvResults.js';
import { RunnerEmitter } from './events.js';
import type { ModelOption } from './modelSource.js';
import { rejectDeadlock } from './rejectDeadlock.js';
import { type RunnerOptions, runnerOptions } from './runnerOptions.js';
import type {
  Drying,
  DryRunInput,
  KeepModelsInput,
  KeptOf,
  ModelOf,
  OrDryRun,
  PreprocessingInput,
  RunOptions,
  Typing,
} from './runOptions.js';

/**
 * Cross-validates any model that an adapter understands: TensorFlow.js networks, plain fit/predict estimators, and
 * what `registerAdapter` adds. Fresh model and optimizer per fold; test rows are predicted once and never trained on.
 *
 * @example
 * const results = await new UniversalCVRunner({ cvSplitter }).run({
 *   model: network,
 *   data: [X, y],
 *   preprocessing: new StandardScaler(),
 *   epochs: 10,
 *   optimizer: 'adam',
 *   lossFn: 'binaryCrossentropy',
 * });
 * console.log(results.summary());
 */
export class UniversalCVRunner extends RunnerEmitter {
  readonly #parsed: Parsed<typeof runnerOptions.shape>;

  constructor(input: RunnerOptions) {
    super();
    this.#parsed = runnerOptions.parse(input);
  }

  /**
   * Trains and tests the model on every fold.
   *
   * @throws {CVKitError} bad options or data, before the first fold; {@link FoldError} when a fold fails and
   *   `onFoldError` is 'throw'; {@link AbortError} when `signal` aborts.
   */
  async run<
    M extends ModelOption,
    P extends PreprocessingInput = undefined,
    K extends KeepModelsInput = 'none',
    D extends DryRunInput = false,
  >(input: Drying<Typing<RunOptions, M, P, K>, D>): Promise<OrDryRun<D, CVResults<ModelOf<M>, KeptOf<M, P, K>>>> {
    rejectDeadlock(input);
    // Loaded when it is needed: a page that only makes folds need not download the fold loop.
    const { crossValidate } = await import('./loop.js');
    return crossValidate(this.#parsed, input, this) as Promise<OrDryRun<D, CVResults<ModelOf<M>, KeptOf<M, P, K>>>>;
  }

  /**
   * Searches for hyper-parameters within the training rows of each outer fold, and estimates on its test rows what the whole
   * procedure, search included, is worth (nested cross-validation). One more search on all rows gives `bestParams`.
   *
   * Every trial is cross-validated on inner folds, which keep whole what the outer folds keep whole. It needs no
   * package. Takes every option of `run` and of the runner as well, but `model` and the record `scoring`.
   *
   * Source: Varma & Simon 2006, BMC Bioinformatics 7:91; Cawley & Talbot 2010, JMLR 11:2079; without outer folds,
   * Tsamardinos, Greasidou & Borboudakis 2018, Machine Learning 107:1895.
   *
   * @throws {CVKitError} bad options or data, before the first trial; `all_trials_failed` where a search has no trial with a
   *   value.
   * @example
   * const tuned = await runner.runWithHyperparameterTuning({
   *   modelFn: (params) => new LogisticRegression(params),
   *   paramGrid: { C: [0.01, 0.1, 1, 10] },
   *   data: [X, y],
   *   scoring: 'roc_auc',
   * });
   * console.log(tuned.outerEstimate, tuned.bestParams);
   */
  async runWithHyperparameterTuning<D extends DryRunInput = false>(
    input: Drying<TuningOptions, D>,
  ): Promise<OrDryRun<D, TuningResults>> {
    rejectDeadlock(input);
    const { tune } = await import('../tuning/tune.js');
    return tune({ runner: this.#parsed, input, emitter: this }) as Promise<OrDryRun<D, TuningResults>>;
  }
  [INSPECT](): string {
    return inspectWithOptions('UniversalCVRunner', this.#parsed);
  }
}
