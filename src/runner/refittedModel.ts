/** The model of all rows, which `refit` trains: used and saved together with its preparation and its threshold. */
import { readText } from '#io';
import { AdapterError, InvalidDataError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, wholeNumber } from '../core/format.js';
import { INSPECT } from '../core/inspect.js';
import { custom, type InputOf, isPlainObject, optionTable } from '../core/options.js';
import { VERSION } from '../core/version.js';
import { type RowsInput, rowsOf } from '../data/rows.js';
import { adapterRegistry } from './adapterRegistry.js';
import type { Adjustment } from './adjustment.js';
import {
  adapterIn,
  adjustedRows,
  asTable,
  type EnsemblePredictions,
  inSession,
  type ModelOrigin,
} from './foldEnsemble.js';
import { disposeOwned, type FrameworkAdapter } from './frameworkAdapter.js';
import { decoded } from './outOfFold.js';
import { fileBeside, fileSystem, PreparedModel } from './withPreprocessing.js';

export const loadRefittedOptions = optionTable('loadRefitted', {
  adapter: custom<FrameworkAdapter>('FrameworkAdapter', 'be an adapter', (v) => typeof v === 'object')
    .optional()
    .describe('The adapter of the model, where it is not registered by its name.'),
  adapterOptions: custom<Readonly<Record<string, unknown>>>('object', 'be a plain object', isPlainObject)
    .default({})
    .describe('Engine options, for example { backend }.'),
});

export type LoadRefittedOptions = InputOf<typeof loadRefittedOptions>;

type Origin = Pick<ModelOrigin, 'adapter' | 'adapterOptions' | 'preparation' | 'facts' | 'positive'>;

interface Parts {
  readonly origin: Origin;
  readonly model: unknown;
  readonly adjustment: Adjustment | null;
  readonly note: string;
}

/** A model that was trained on all rows after the folds, by the procedure of the folds. */
export class RefittedModel {
  /** The model itself; with `preprocessing`, it takes rows that are prepared. */
  readonly model: unknown;
  /** The fitted preparation; null where there is none. */
  readonly preprocessing: PreparedModel['preprocessing'] | null;
  /** How its predictions are recalibrated and cut, fitted on inner folds of all rows; null where they are not. */
  readonly adjustment: Adjustment | null;
  /** What the estimates of the folds say of this model, and what they do not. */
  readonly note: string;
  readonly #origin: Origin;
  readonly #held: unknown;

  constructor({ origin, model, adjustment, note }: Parts) {
    this.#origin = origin;
    this.#held = model;
    this.model = model instanceof PreparedModel ? model.model : model;
    this.preprocessing = model instanceof PreparedModel ? model.preprocessing : null;
    this.adjustment = adjustment;
    this.note = note;
  }

  /**
   * Predicts rows as they come, before any preparation: labels (numbers for a regression), and probabilities, row-major,
   * P(positive) for a binary task and else one per class; null where the model gives none.
   */
  predict(X: RowsInput): Promise<EnsemblePredictions> {
    const origin = this.#origin;
    return inSession(origin, this.#held, async (adapter) => {
      const rows = rowsOf(X);
      const { adjustment } = this;
      const table = await adjustedRows(adapter, this.#held, rows, { origin, adjustment, labels: adjustment === null });
      return { predictions: decoded(asTable(origin, rows), table.yPred), probabilities: table.yProba ?? null };
    });
  }

  /**
   * Writes the model to the directory `path`, the preparation and what else predicting needs beside it. `loadRefitted`
   * reads all of it.
   *
   * @throws {AdapterError} the adapter cannot save models.
   */
  async save(path: string): Promise<void> {
    const { adapter, facts, positive } = this.#origin;
    const write = adapterIn(this.#origin).save;
    if (!write || !adapter.load) {
      const must = 'be of an adapter that can save and load models';
      throw new AdapterError(
        sentence('A model to save', must, phrase(`one of the adapter '${nameText(adapter.name)}'`)),
        { code: 'unable' },
      );
    }
    const { adjustment, note } = this;
    const record: Saved = { cvkit: VERSION, framework: adapter.name, facts, positive, adjustment, note };
    const text = JSON.stringify({ ...record, preprocessing: this.#origin.preparation !== undefined }, numberToJSON, 2);
    await inSession(this.#origin, this.#held, async (opened) => opened.save?.(this.#held, path));
    await fileSystem().writeFile(fileBeside(path, FILE), `${text}\n`);
  }

  /** Frees the model. */
  async dispose(): Promise<void> {
    await disposeOwned(adapterIn(this.#origin), this.#held);
  }

  /** What `console.log` shows. */
  [INSPECT](): string {
    return `RefittedModel: ${this.note}`;
  }
}

/** What is saved beside the model and its preparation. */
type Saved = Pick<ModelOrigin, 'facts' | 'positive'> & {
  readonly cvkit: string;
  readonly framework: string;
  readonly adjustment: Adjustment | null;
  readonly note: string;
};

const FILE = 'refitted.json';

/** See `loadRefitted`. */
export async function refittedFrom(path: string, input: LoadRefittedOptions): Promise<RefittedModel> {
  const { adapterOptions, adapter } = loadRefittedOptions.resolve(input);
  const saved = parsed(await readText(fileBeside(path, FILE)));
  const found = adapter ?? (await adapterRegistry.get(saved.framework).load());
  const preparation = saved.preprocessing
    ? (await import('../preprocessing/preparation.js')).loadingPreparation()
    : undefined;
  const origin: Origin = { ...saved, adapter: found, adapterOptions, preparation };
  const model = await inSession(origin, undefined, async (opened) => opened.load?.(path));
  return new RefittedModel({ ...saved, origin, model });
}

function parsed(text: string): Saved & { readonly preprocessing: boolean } {
  const saved: unknown = JSON.parse(text, numberFromJSON);
  if (isPlainObject(saved) && typeof saved.framework === 'string' && isPlainObject(saved.facts)) return saved as never;
  throw new InvalidDataError(
    sentence(`The file ${FILE}`, 'be one that `save` of a refitted model wrote', phrase('another one')),
  );
}

/** JSON has no infinity and no NaN. */
const numberToJSON = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
const numberFromJSON = (_: string, value: unknown) =>
  isPlainObject(value) && typeof value.number === 'string' && Object.keys(value).length === 1
    ? Number(value.number)
    : value;

/** What the estimates of the folds say of the model of all rows. */
export const refitNote = (n: number, nTrain: readonly number[], nWatched = 0): string => {
  const [least, most] = [Math.min(...nTrain), Math.max(...nTrain)];
  const trained = least === most ? wholeNumber(least) : `${wholeNumber(least)} to ${wholeNumber(most)}`;
  const watched = nWatched > 0 ? `, of which ${wholeNumber(nWatched)} were watched and not fitted` : '';
  return `Made of all ${counted(n, 'row')}${watched}, as the models of the folds were of ${trained}. The estimates are about that procedure at that number of rows; they are no test of this model, which has seen every row. Test it on new patients.`;
};
