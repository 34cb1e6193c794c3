import { InvalidOptionError, sentence } from '../core/errors.js';
import { boolean, custom, type InputOf, integer, optionTable } from '../core/options.js';
import type { CVCallback, EpochContext, FoldHandlers, RunContext } from '../runner/callback.js';
import { isPlace, type PlaceOption } from '../runner/placeOption.js';
import { checkWatch, Plateau, watchOptions } from './plateau.js';

export const modelCheckpointOptions = optionTable('ModelCheckpoint', {
  path: custom<PlaceOption>(
    'string | (ctx) => place',
    'be a path, with {fold} and {epoch} to fill in, or a function that gives one',
    isPlace,
  ).describe("Where models go, for example 'checkpoints/{fold}'; {fold} and {epoch} (from 0) are filled in."),
  overwrite: boolean().default(false).describe('Replace models that were saved there before this run.'),
  every: integer({ min: 1 }).optional().describe('Save after every so many epochs, regardless of the logs.'),
  ...watchOptions,
});

export type ModelCheckpointOptions = InputOf<typeof modelCheckpointOptions>;

/**
 * Saves the model of a fold while it trains: whenever a log on the validation rows is the best so far, or after `every`
 * so many epochs; `loadModel` reads it. What is saved never chooses the model that is tested; `EarlyStopping` does that.
 *
 * @example
 * const checkpoint = new ModelCheckpoint({ path: 'checkpoints/{fold}', monitor: 'val_loss' });
 * await runner.run({ model: network, data: [X, y], preprocessing, ...training, callbacks: [checkpoint] });
 * console.log((await readdir('checkpoints')).join(' '));
 */
export class ModelCheckpoint implements CVCallback {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = modelCheckpointOptions.owner;
  readonly name = ModelCheckpoint.name;
  readonly needsEpochs = true;
  readonly readOnly = true;
  readonly #options;
  readonly #places = new Map<unknown, string>();

  constructor(input: ModelCheckpointOptions) {
    const { options, changed } = modelCheckpointOptions.parse(input);
    this.#options = options;
    const idle = options.every && (['monitor', 'mode', 'minDelta'] as const).find((name) => changed.has(name));
    if (idle) {
      const subject = `The \`${idle}\` option of ModelCheckpoint`;
      const must = 'be left out with `every`';
      throw new InvalidOptionError(sentence(subject, must, options[idle]), { code: 'idle_option' });
    }
    if (!options.every) checkWatch(this.name, options);
  }

  get monitor(): string | undefined {
    return this.#options.every ? undefined : this.#options.monitor;
  }

  async onCvStart({ nSplits }: RunContext): Promise<void> {
    this.#places.clear();
    const { refuseOnePlace } = await modelPlace();
    refuseOnePlace(this.#options.path, nSplits, 'The `path` option of ModelCheckpoint');
  }

  forFold(): FoldHandlers {
    const { every } = this.#options;
    const own = new Set<unknown>();
    if (every) return { onEpochEnd: (ctx) => ((ctx.epoch + 1) % every === 0 ? this.#save(ctx, own) : undefined) };
    const plateau = new Plateau(this.name, this.#options);
    return { onEpochEnd: (ctx, logs) => (plateau.epochsSinceBest(logs) === 0 ? this.#save(ctx, own) : undefined) };
  }

  /** `own`: where this fold of this run has saved. */
  async #save(ctx: EpochContext, own: Set<unknown>): Promise<void> {
    const { placeFor, resolvedPlace } = await modelPlace();
    const place = placeFor(this.#options.path, ctx);
    const resolved = resolvedPlace(place);
    const owner = this.#places.get(resolved) ?? ctx.fold;
    if (owner !== ctx.fold) {
      const subject = 'The `path` option of ModelCheckpoint';
      const must = `give ${ctx.fold} another place than ${owner}`;
      throw new InvalidOptionError(sentence(subject, must, place), { code: 'one_place' });
    }
    // What this fold has saved there it replaces.
    const overwrite = this.#options.overwrite || own.has(resolved);
    this.#places.set(resolved, owner);
    await ctx.model.save(place, { overwrite });
    own.add(resolved);
  }
}

/** Loaded when a run begins: most pages save no model. */
const modelPlace = () => import('../runner/modelPlace.js');
