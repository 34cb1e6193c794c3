import { InvalidOptionError, sentence } from '../../core/errors.js';
import { type InputOf, integer, number, oneOf, optionTable, string } from '../../core/options.js';
import type { CVCallback, EpochContext } from '../callback.js';
import type { EpochLogs } from '../frameworkAdapter.js';

export const earlyStoppingOptions = optionTable('EarlyStopping', {
  monitor: string().default('val_loss').describe('The log to watch. `val_*` needs the `validation` option of run.'),
  patience: integer({ min: 0 })
    .default(5)
    .describe('Epochs without improvement after which training stops, as in Keras.'),
  minDelta: number({ min: 0 }).default(0).describe('Smallest change that counts as an improvement.'),
  mode: oneOf('min', 'max')
    .optional()
    .describe("'min': smaller is better. 'max': larger is. Known for `loss` and `val_loss`; else it must be said."),
});

export type EarlyStoppingOptions = InputOf<typeof earlyStoppingOptions>;

/**
 * Ends the training of a fold when a log has not improved for `patience` epochs. It watches validation rows that are
 * cut from the fold's training rows; watching the test fold is refused by the runner.
 */
export class EarlyStopping implements CVCallback {
  readonly name = 'EarlyStopping';
  readonly #options;
  #best = Number.POSITIVE_INFINITY;
  #waited = 0;

  constructor(input: EarlyStoppingOptions = {}) {
    const options = earlyStoppingOptions.resolve(input);
    const mode = options.mode ?? (/^(val_)?loss$/.test(options.monitor) ? 'min' : undefined);
    if (mode === undefined) {
      throw new InvalidOptionError(
        sentence(
          'The `mode` option of EarlyStopping',
          `be 'min' or 'max', since '${options.monitor}' does not tell which is better`,
          { text: 'nothing' },
        ),
        { code: 'missing_option' },
      );
    }
    this.#options = { ...options, mode };
  }

  get monitor(): string {
    return this.#options.monitor;
  }

  onFoldStart(): void {
    this.#best = Number.POSITIVE_INFINITY;
    this.#waited = 0;
  }

  onEpochEnd(_ctx: EpochContext, logs: EpochLogs): 'stop' | undefined {
    const { monitor, patience, minDelta, mode } = this.#options;
    const value = logs[monitor];
    if (value === undefined) {
      throw new InvalidOptionError(
        sentence(
          'The `monitor` option of EarlyStopping',
          `be one of the logs ${Object.keys(logs).join(', ')}`,
          monitor,
        ),
      );
    }
    const loss = mode === 'min' ? value : -value;
    if (loss < this.#best - minDelta) {
      this.#best = loss;
      this.#waited = 0;
      return undefined;
    }
    this.#waited++;
    return this.#waited >= patience ? 'stop' : undefined;
  }
}
