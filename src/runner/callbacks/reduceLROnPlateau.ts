import { type InputOf, integer, number, optionTable } from '../../core/options.js';
import type { CVCallback, EpochContext } from '../callback.js';
import type { EpochLogs } from '../frameworkAdapter.js';
import { Best, watchOptions } from './watch.js';

export const reduceLROnPlateauOptions = optionTable('ReduceLROnPlateau', {
  ...watchOptions,
  factor: number({ above: 0, below: 1 }).default(0.1).describe('New rate over old rate.'),
  patience: integer({ min: 1 }).default(10).describe('Epochs without improvement after which the rate is reduced.'),
  minDelta: watchOptions.minDelta.default(0.0001),
  cooldown: integer({ min: 0 }).default(0).describe('Epochs to wait after a reduction before counting again.'),
  minimum: number({ min: 0 }).default(0).describe('Smallest rate.'),
});

export type ReduceLROnPlateauOptions = InputOf<typeof reduceLROnPlateauOptions>;

/**
 * Multiplies the learning rate by `factor` when a log on the validation rows has not improved for `patience` epochs.
 * Defaults as in Keras.
 *
 * @example
 * new ReduceLROnPlateau({ monitor: 'val_loss', factor: 0.5, patience: 3 });
 */
export class ReduceLROnPlateau implements CVCallback {
  readonly name = 'ReduceLROnPlateau';
  readonly needsEpochs = true;
  readonly #options;
  readonly #best: Best;
  #waited = 0;
  #cooling = 0;

  constructor(input: ReduceLROnPlateauOptions = {}) {
    this.#options = reduceLROnPlateauOptions.resolve(input);
    this.#best = new Best(this.name, this.#options);
  }

  get monitor(): string {
    return this.#options.monitor;
  }

  onFoldStart(): void {
    this.#best.reset();
    this.#waited = 0;
    this.#cooling = 0;
  }

  onEpochEnd({ model }: EpochContext, logs: EpochLogs): void {
    const { factor, patience, cooldown, minimum } = this.#options;
    if (this.#cooling > 0) {
      this.#cooling--;
      this.#waited = 0;
    }
    if (this.#best.improvedBy(logs)) this.#waited = 0;
    else if (this.#cooling === 0 && ++this.#waited >= patience) {
      const rate = model.getLearningRate();
      if (rate > minimum) model.setLearningRate(Math.max(minimum, rate * factor));
      this.#cooling = cooldown;
      this.#waited = 0;
    }
  }
}
