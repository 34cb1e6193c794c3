import { boolean, type InputOf, integer, optionTable } from '../core/options.js';
import { recordable } from '../core/recordable.js';
import type { CVCallback, FoldHandlers } from '../runner/callback.js';
import { checkWatch, Plateau, watchOptions } from './plateau.js';

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
 * const callbacks = [new EarlyStopping({ monitor: 'val_roc_auc', patience: 2 })];
 * const trained = await runner.run({ model: network, data: [X, y], preprocessing, ...training, callbacks });
 * console.log(trained.foldDetails.map(({ epochs }) => epochs));
 */
export class EarlyStopping implements CVCallback {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = earlyStoppingOptions.owner;
  readonly name = EarlyStopping.name;
  readonly needsEpochs = true;
  readonly #options;

  constructor(input: EarlyStoppingOptions = {}) {
    this.#options = recordable(this, earlyStoppingOptions.resolve(input));
    checkWatch(this.name, this.#options);
  }

  get monitor(): string {
    return this.#options.monitor;
  }

  forFold(): FoldHandlers {
    const { patience, restoreBest } = this.#options;
    const plateau = new Plateau(this.name, this.#options);
    return {
      onEpochEnd: async ({ model }, logs) => {
        const waited = plateau.epochsSinceBest(logs);
        if (waited === 0 && restoreBest) await model.keepWeights();
        return waited > 0 && waited >= patience ? 'stop' : undefined;
      },
    };
  }
}
