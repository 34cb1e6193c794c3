/** The model of all rows, which `refit` trains: used and saved together with its preparation and its threshold. */
import { AdapterError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, wholeNumber } from '../core/format.js';
import { custom, type InputOf, isPlainObject, oneOf, optionTable } from '../core/options.js';
import { filePlace } from '../core/pathOfPlace.js';
import { INSPECT } from '../core/summaryText.js';
import type { Label } from '../data/labels.js';
import type { RowsInput } from '../data/rows.js';
import { adapterRegistry } from './adapterRegistry.js';
import type { Adjustment } from './adjustment.js';
import {
  adapterIn,
  adjustedRows,
  asTable,
  type EnsemblePredictions,
  inSession,
  type ModelOrigin,
  rowsToPredict,
} from './foldEnsemble.js';
import { disposeOwned, type FrameworkAdapter } from './frameworkAdapter.js';
import { readModel, type SavedFacts, type SaveOptions, saveModel, saveOptions } from './modelFolder.js';
import { decoded } from './outOfFold.js';
import { PREPARATION, PreparedModel } from './withPreprocessing.js';

export const loadModelOptions = optionTable('loadModel', {
  adapter: custom<FrameworkAdapter>('FrameworkAdapter', 'be an adapter', (v) => typeof v === 'object')
    .optional()
    .describe('The adapter of the model, where it is not registered by its name.'),
  adapterOptions: custom<Readonly<Record<string, unknown>>>('object', 'be a plain object', isPlainObject)
    .default({})
    .describe('Engine options, for example { backend }.'),
  modules: oneOf('refuse', 'allow')
    .default('refuse')
    .describe("'allow' runs modules that the file names for steps of the preparation: for files that you trust."),
});

export type LoadModelOptions = InputOf<typeof loadModelOptions>;

interface Parts {
  readonly origin: Pick<ModelOrigin, 'adapter' | 'adapterOptions' | 'preparation'>;
  readonly model: unknown;
  readonly saved: SavedFacts;
}

export interface ModelDescription
  extends Pick<SavedFacts, 'framework' | 'run' | 'fold' | 'featureNames' | 'preprocessing' | 'data' | 'note'> {
  readonly task: SavedFacts['facts']['task'];
  /** Classes in the order of `predictProba`; empty for a regression. */
  readonly classes: SavedFacts['facts']['classes'];
  readonly positiveLabel: Label | null;
  readonly recalibration: string | null;
  readonly threshold: number | null;
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
  readonly #origin: Parts['origin'];
  readonly #saved: SavedFacts;
  readonly #held: unknown;

  constructor({ origin, model, saved }: Parts) {
    this.#origin = origin;
    this.#saved = saved;
    this.#held = model;
    this.model = model instanceof PreparedModel ? model.model : model;
    this.preprocessing = model instanceof PreparedModel ? model.preprocessing : null;
    this.adjustment = saved.adjustment;
    this.note = saved.note;
  }

  /**
   * Predicts rows as they come, before any preparation: labels (numbers for a regression), and probabilities, row-major,
   * P(positive) for a binary task and else one per class; null where the model gives none.
   */
  predict(X: RowsInput): Promise<EnsemblePredictions> {
    const { facts, positive, featureNames } = this.#saved;
    const origin = { ...this.#origin, facts, positive };
    return inSession(origin, this.#held, async (adapter) => {
      const rows = await rowsToPredict(X, featureNames);
      const { adjustment } = this;
      const table = await adjustedRows(adapter, this.#held, rows, { origin, adjustment, labels: adjustment === null });
      return { predictions: decoded(asTable(origin, rows), table.yPred), probabilities: table.yProba ?? null };
    });
  }

  /**
   * The probability of each class, in the order of `describe().classes`, for each row; of a multilabel task, of each label.
   *
   * @throws {InvalidOptionError} the model gives none, or the task is a regression.
   */
  async predictProba(X: RowsInput): Promise<number[][]> {
    const { probabilities } = await this.predict(X);
    const { facts, positive } = this.#saved;
    if (!probabilities) {
      const message = sentence('The model', 'give probabilities', phrase('labels or numbers alone'));
      throw new InvalidOptionError(message, { code: 'no_probabilities' });
    }
    if (facts.task === 'binary') return Array.from(probabilities, (p) => (positive === 0 ? [p, 1 - p] : [1 - p, p]));
    const width = facts.classes.length;
    return Array.from({ length: probabilities.length / width }, (_, row) =>
      Array.from(probabilities.subarray(row * width, (row + 1) * width)),
    );
  }

  /** What the model is, of which run, and what it needs. */
  describe(): ModelDescription {
    const { framework, run, fold, facts, positive, featureNames, preprocessing, data, note, adjustment } = this.#saved;
    return {
      ...{ framework, run, fold, task: facts.task, classes: facts.classes, featureNames, preprocessing, data, note },
      positiveLabel: positive < 0 ? null : facts.classes[positive],
      recalibration: adjustment?.recalibration?.method ?? null,
      threshold: adjustment?.threshold?.threshold ?? null,
    };
  }

  /**
   * Writes the model with its preparation, its threshold and all else that predicting needs into the folder `place`, whole or
   * not at all; `loadModel` reads it. `overwrite: true` replaces a model that is there.
   *
   * @param place the folder, as a path or `file:` URL
   * @throws {AdapterError} the adapter cannot save models.
   * @throws {CVKitError} `place_taken`; `unwritable_place`. What was there before is still there.
   */
  async save(place: string | URL, options: SaveOptions = {}): Promise<void> {
    const { overwrite } = saveOptions.resolve(options);
    const { adapter } = this.#origin;
    if (!adapter.save || !adapter.load) {
      const must = 'be of an adapter that can save and load models';
      const got = phrase(`one of the adapter '${nameText(adapter.name)}'`);
      throw new AdapterError(sentence('A model to save', must, got), { code: 'unable' });
    }
    if (filePlace(place) === undefined) {
      throw new InvalidOptionError(sentence('The place of a model to save', 'be a folder', place), { code: 'unable' });
    }
    await inSession(this.#origin, this.#held, (opened) =>
      saveModel(opened, this.#held, place, this.#saved, { overwrite }),
    );
  }

  async dispose(): Promise<void> {
    await disposeOwned(adapterIn(this.#origin), this.#held);
  }

  [INSPECT](): string {
    return `RefittedModel: ${this.note}`;
  }
}

export async function modelFrom(where: string | URL, input: LoadModelOptions): Promise<RefittedModel> {
  const { adapterOptions, adapter, modules } = loadModelOptions.resolve(input);
  const place = filePlace(where);
  if (place === undefined) {
    const must = 'be the path or file: URL of a folder';
    throw new InvalidOptionError(sentence('The `place` of a saved model', must, where), { code: 'unable' });
  }
  return readModel(place, async ({ cvkit: _, folder: _folder, parts, ...saved }, path) => {
    const found = adapter ?? (await adapterRegistry.get(saved.framework).load());
    const preparation = parts.some((part) => part.path === PREPARATION)
      ? (await import('../preprocessing/preparation.js')).loadingPreparation({ modules })
      : undefined;
    const origin = { adapter: found, adapterOptions, preparation };
    const model = await inSession(origin, undefined, async (opened) => opened.load?.(path));
    return new RefittedModel({ origin, model, saved });
  });
}

export const refitNote = (n: number, nTrain: readonly number[], nWatched = 0): string => {
  const [least, most] = [Math.min(...nTrain), Math.max(...nTrain)];
  const trained = least === most ? wholeNumber(least) : `${wholeNumber(least)} to ${wholeNumber(most)}`;
  const watched = nWatched > 0 ? `, of which ${wholeNumber(nWatched)} were watched and not fitted` : '';
  return `Made of all ${counted(n, 'row')}${watched}, as the models of the folds were of ${trained}. The estimates are about that procedure at that number of rows; they are no test of this model, which has seen every row. Test it on new patients.`;
};
