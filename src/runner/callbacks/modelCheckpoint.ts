import { InvalidOptionError, sentence } from '../../core/errors.js';
import { custom, type InputOf, integer, optionTable } from '../../core/options.js';
import type { CVCallback, EpochContext, RunContext } from '../callback.js';
import type { EpochLogs } from '../frameworkAdapter.js';
import { isPlace, type PlaceOption, placeFor, refuseOnePlace } from '../modelPlace.js';
import { Best, watchOptions } from './watch.js';

export const modelCheckpointOptions = optionTable('ModelCheckpoint', {
  path: custom<PlaceOption>(
    'string | (ctx) => place',
    'be a path, with {fold} and {epoch} to fill in, or a function that gives one',
    isPlace,
  ).describe("Where models go, for example 'checkpoints/{fold}'; {fold} and {epoch} (from 0) are filled in."),
  every: integer({ min: 1 }).optional().describe('Save after every so many epochs, whatever the logs say.'),
  ...watchOptions,
});

export type ModelCheckpointOptions = InputOf<typeof modelCheckpointOptions>;

/**
 * Saves the model of a fold while it trains: whenever a log on the validation rows is the best so far, or after `every`
 * so many epochs. What is saved never chooses the model that is tested; `EarlyStopping` does that.
 *
 * @example
 * new ModelCheckpoint({ path: 'checkpoints/{fold}', monitor: 'val_roc_auc' });
 */
export class ModelCheckpoint implements CVCallback {
  readonly name = 'ModelCheckpoint';
  readonly needsEpochs = true;
  readonly onlyWrites = true;
  readonly #options;
  readonly #best: Best | undefined;
  readonly #places = new Map<unknown, string>();

  constructor(input: ModelCheckpointOptions) {
    const { options, changed } = modelCheckpointOptions.parse(input);
    this.#options = options;
    const idle = options.every && (['monitor', 'mode', 'minDelta'] as const).find((name) => changed.has(name));
    if (idle) {
      throw new InvalidOptionError(
        sentence(`The \`${idle}\` option of ModelCheckpoint`, 'be left out with `every`', options[idle]),
        { code: 'idle_option' },
      );
    }
    this.#best = options.every ? undefined : new Best(this.name, options);
  }

  get monitor(): string | undefined {
    return this.#best && this.#options.monitor;
  }

  onCvStart({ nSplits }: RunContext): void {
    this.#places.clear();
    refuseOnePlace(this.#options.path, nSplits, 'The `path` option of ModelCheckpoint');
  }

  onFoldStart(): void {
    this.#best?.reset();
  }

  async onEpochEnd(ctx: EpochContext, logs: EpochLogs): Promise<void> {
    const { every, path } = this.#options;
    const due = every ? (ctx.epoch + 1) % every === 0 : this.#best?.improvedBy(logs);
    if (!due) return;
    const place = placeFor(path, ctx);
    const owner = this.#places.get(place) ?? ctx.fold;
    if (owner !== ctx.fold) {
      throw new InvalidOptionError(
        sentence('The `path` option of ModelCheckpoint', `give ${ctx.fold} another place than ${owner}`, place),
        { code: 'one_place' },
      );
    }
    this.#places.set(place, owner);
    await ctx.model.save(place);
  }
}
