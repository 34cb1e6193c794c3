import { type InputOf, integer, number, optionTable } from '../core/options.js';
import { recordable } from '../core/recordable.js';
import type { CVCallback, FoldHandlers } from '../runner/callback.js';
import { checkWatch, Plateau, watchOptions } from './plateau.js';

export const reduceLROnPlateauOptions = optionTable(
  'ReduceLROnPlateau',
  {
    ...watchOptions,
    factor: number({ above: 0, below: 1 }).default(0.1).describe('New rate over old rate.'),
    patience: integer({ min: 1 }).default(10).describe('Epochs without improvement after which the rate is reduced.'),
    minDelta: watchOptions.minDelta.default(0.0001),
    cooldown: integer({ min: 0 }).default(0).describe('Epochs to wait after a reduction before counting again.'),
    minimum: number({ min: 0 }).default(0).describe('Smallest rate.'),
  },
  (name) => (/^min_?lr/i.test(name) ? 'Did you mean `minimum`?' : undefined),
);

export type ReduceLROnPlateauOptions = InputOf<typeof reduceLROnPlateauOptions>;

/**
 * Multiplies the learning rate by `factor` when a log on the validation rows has not improved for `patience` epochs.
 * Defaults as in Keras.
 *
 * @example
 * const callbacks = [new ReduceLROnPlateau({ monitor: 'val_loss', factor: 0.5, patience: 3 })];
 * const trained = await runner.run({ model: network, data: [X, y], preprocessing, ...training, callbacks });
 * console.log(trained.meanScores.roc_auc);
 */
export class ReduceLROnPlateau implements CVCallback {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = reduceLROnPlateauOptions.owner;
  readonly name = ReduceLROnPlateau.name;
  readonly needsEpochs = true;
  readonly #options;

  constructor(input: ReduceLROnPlateauOptions = {}) {
    this.#options = recordable(this, reduceLROnPlateauOptions.resolve(input));
    checkWatch(this.name, this.#options);
  }

  get monitor(): string {
    return this.#options.monitor;
  }

  forFold(): FoldHandlers {
    const { factor, patience, cooldown, minimum } = this.#options;
    const plateau = new Plateau(this.name, this.#options);
    let cooling = 0;
    return {
      onEpochEnd: ({ model }, logs) => {
        if (cooling > 0) cooling--;
        const waited = plateau.epochsSinceBest(logs);
        if (cooling > 0) return plateau.restart();
        if (waited < patience) return;
        const rate = model.getLearningRate();
        if (rate > minimum) model.setLearningRate(Math.max(minimum, rate * factor));
        cooling = cooldown;
        plateau.restart();
      },
    };
  }
}
