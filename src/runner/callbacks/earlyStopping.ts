import { boolean, type InputOf, integer, optionTable } from '../../core/options.js';
import type { CVCallback, EpochContext } from '../callback.js';
import type { EpochLogs } from '../frameworkAdapter.js';
import { Best, watchOptions } from './watch.js';

export const earlyStoppingOptions = optionTable('EarlyStopping', {
  ...watchOptions,
  patience: integer({ min: 0 })
    .default(5)
    .describe('Epochs without improvement after which training stops, as in Keras.'),
  restoreBest: boolean()
    .default(true)
    .describe('The fold ends with the weights of its best epoch, also when training was not stopped.'),
});

export type EarlyStoppingOptions = InputOf<typeof earlyStoppingOptions>;

/**
 * Ends the training of a fold when a log has not improved for `patience` epochs, and gives the model the weights of its
 * best epoch. It watches validation rows that are cut from the fold's training rows; watching the test fold is refused
 * by the runner. Source: Prechelt 1998, Early stopping, but when?; `patience` and `minDelta` as in Keras.
 *
 * @example
 * new EarlyStopping({ monitor: 'val_roc_auc', patience: 3 });
 */
export class EarlyStopping implements CVCallback {
  readonly name = 'EarlyStopping';
  readonly needsEpochs = true;
  readonly #options;
  readonly #best: Best;
  #waited = 0;

  constructor(input: EarlyStoppingOptions = {}) {
    this.#options = earlyStoppingOptions.resolve(input);
    this.#best = new Best(this.name, this.#options);
  }

  get monitor(): string {
    return this.#options.monitor;
  }

  onFoldStart(): void {
    this.#best.reset();
    this.#waited = 0;
  }

  async onEpochEnd({ model }: EpochContext, logs: EpochLogs): Promise<'stop' | undefined> {
    const { patience, restoreBest } = this.#options;
    if (this.#best.improvedBy(logs)) {
      this.#waited = 0;
      if (restoreBest) await model.keepWeights();
      return undefined;
    }
    this.#waited++;
    return this.#waited >= patience ? 'stop' : undefined;
  }
}
