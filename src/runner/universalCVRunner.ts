import type { Parsed } from '../core/options.js';
import { refuseEndlessWait } from './activeRuns.js';
import type { CVResults } from './cvResults.js';
import { RunnerEmitter } from './events.js';
import { type RunnerOptions, runnerOptions } from './runnerOptions.js';
import type { RunOptions } from './runOptions.js';

/**
 * Cross-validates any model that an adapter understands: TensorFlow.js networks, plain fit/predict estimators, and
 * what `registerAdapter` adds. Fresh model and optimizer per fold; test rows are predicted once and never trained on.
 *
 * @example
 * const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 5 }) });
 * const results = await runner.run({ model: () => buildNetwork(), data: [X, y], epochs: 10, optimizer: 'adam',
 *   lossFn: 'binaryCrossentropy' });
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
   *   `onFoldError` is 'throw'; the abort reason when `signal` aborts.
   */
  async run(input: RunOptions): Promise<CVResults> {
    refuseEndlessWait(input);
    // Loaded when it is needed: a page that only makes folds need not download the fold loop.
    const { crossValidate } = await import('./calls.js');
    return crossValidate({ runner: this.#parsed, input, emitter: this });
  }
}
