import { withCleanup } from '../core/cleanup.js';
import { AdapterError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, wholeNumber } from '../core/format.js';
import { custom, type InputOf, isPlainObject, oneOf, optionTable } from '../core/options.js';
import { pagePlace } from '../core/pathOfPlace.js';
import { INSPECT } from '../core/summaryText.js';
import type { Label } from '../data/labels.js';
import { type Rows, type RowsInput, rowsOf } from '../data/rows.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { Preparation } from '../preprocessing/preparation.js';
import { type Adjustment, adjusted } from './adjustment.js';
import { codedPredictions } from './checkPredictions.js';
import { disposeOwned, type FrameworkAdapter, type ModelPlace } from './frameworkAdapter.js';
import {
  blobOf,
  membersOf,
  type PlaceOf,
  type SavedEnsemble,
  type SavedFacts,
  type SaveOptions,
  saveOptions,
  savesModels,
  saveWhole,
} from './modelFolder.js';
import { decoded, type OutOfFold } from './outOfFold.js';
import { countRange } from './runFacts.js';
import { predictRows } from './runFold.js';
import { type AdapterOptions, runnerOptions } from './runnerOptions.js';
import { PreparedModel, withPreprocessing } from './withPreprocessing.js';

/** What the models of a run came from: enough to use them again. */
export interface ModelOrigin {
  readonly adapter: FrameworkAdapter;
  readonly adapterOptions: Readonly<Record<string, unknown>>;
  readonly preparation: Preparation | undefined;
  /** The run that saved the models, where `models` holds their places; null where it holds models. */
  readonly savedBy: string | null;
  /** The splitter with its options. */
  readonly design: string;
  /** By fold what is saved with its model; null for one that failed. */
  readonly members: readonly (SavedFacts | null)[];
}

/** Results that hold models: of `run` and of `validate`. */
export interface FoldModels {
  /** By fold; null for one that failed. */
  readonly models: readonly unknown[];
  readonly origin: ModelOrigin | null;
}

/** What an ensemble predicts, as `CVResults` has it by fold. */
export interface EnsemblePredictions {
  /** One label or number per row; multilabel: one list of 0/1 per row. */
  readonly predictions: OutOfFold['yPred'];
  /** Row-major: P(positive) for a binary task, else one per class or label. Null with 'vote' and for regression. */
  readonly probabilities: Float64Array | null;
}

/** Rows to predict; where both have names, their columns must be those of the rows that were trained on, in any order. */
export async function rowsToPredict(X: RowsInput, featureNames: SavedFacts['featureNames']): Promise<Rows> {
  const rows = rowsOf(X);
  const names = rows.featureNames;
  if (!featureNames || !names || featureNames.join('\n') === names.join('\n')) return rows;
  if (featureNames.length !== names.length || !featureNames.every((name) => names.includes(name))) {
    const { checkColumns } = await import('../preprocessing/transformer.js');
    checkColumns('a model that was trained', featureNames, names, READ_THEM);
  }
  const columns = await rows.toColumns();
  const inOrder = Object.fromEntries(featureNames.map((name) => [name, columns[names.indexOf(name)]]));
  if (rows.kind === 'records' || rows.kind === 'columns') return rowsOf(inOrder);
  const { rowsOfTable } = await import('../preprocessing/table.js');
  return rowsOfTable({ length: rows.length, names: featureNames, columns: Object.values(inOrder) });
}

const READ_THEM =
  'With readTable, pass `columns: model.describe().featureNames`: else it leaves out ids, dates, free texts and empty columns.';

export type Coded = Pick<ScoreTable, 'yPred' | 'yProba'>;

/** Works with the engine options of the run, and restores the former engine afterwards. */
async function inSession<T>(
  { adapter, adapterOptions, preparation }: ModelParts['origin'],
  model: unknown,
  work: (adapter: FrameworkAdapter) => Promise<T>,
): Promise<T> {
  const session = await adapter.open?.(adapterOptions, model instanceof PreparedModel ? model.model : model);
  return withCleanup(
    () => work(adapterIn(session?.adapter ?? adapter, preparation)),
    () => session?.close(),
  );
}

const adapterIn = (adapter: FrameworkAdapter, preparation: Preparation | undefined): FrameworkAdapter =>
  preparation ? withPreprocessing(adapter, preparation) : adapter;

/** What a model gives for rows, recalibrated and cut as it was in its fold. */
export const codedBy = ({ origin, model, saved }: ModelParts, rows: Rows, labels: boolean): Promise<Coded> =>
  inSession(origin, model, async (adapter) => {
    const { facts, positive, adjustment } = saved;
    const predictions = await predictRows({ adapter }, model, rows, facts, { labels });
    const coded = codedPredictions(predictions, { ...facts, length: rows.length }, positive);
    return adjustment ? adjusted({ ...asTable(saved, rows), ...coded }, adjustment) : coded;
  });

const asTable = ({ facts, positive }: Pick<SavedFacts, 'facts' | 'positive'>, { length }: Rows) =>
  ({ ...facts, positive, length }) as ScoreTable;

export const disposeParts = ({ origin, model }: ModelParts): Promise<void> =>
  disposeOwned(adapterIn(origin.adapter, origin.preparation), model);

/** The model whose parts are in paths that begin with `path`. */
export const loadPart = (path: ModelPlace, saved: SavedFacts, origin: ModelParts['origin']): Promise<ModelParts> =>
  inSession(origin, undefined, async (adapter) => ({ origin, saved, model: await adapter.load?.(path) }));

export const loadModelOptions = optionTable('loadModel', {
  adapter: runnerOptions.shape.adapter.describe('The adapter of the model, where it is not registered by its name.'),
  adapterOptions: custom<AdapterOptions>('object', 'be a plain object', isPlainObject)
    .default({})
    .describe('Engine options, for example { backend }.'),
  modules: oneOf('refuse', 'allow')
    .default('refuse')
    .describe("'allow' runs modules that the file names for steps of the preparation: for files that you trust."),
});

export type LoadModelOptions = InputOf<typeof loadModelOptions>;

/** A model with what predicting and saving take. */
export interface ModelParts {
  readonly origin: Pick<ModelOrigin, 'adapter' | 'adapterOptions' | 'preparation'>;
  readonly model: unknown;
  readonly saved: SavedFacts;
}

/** What a model says of itself. */
export interface ModelDescription
  extends Pick<SavedFacts, 'framework' | 'run' | 'fold' | 'featureNames' | 'preprocessing' | 'data' | 'note'> {
  readonly task: SavedFacts['facts']['task'];
  /** Classes in the order of `predictProba`; of survival its times; empty for a regression. */
  readonly classes: SavedFacts['facts']['classes'];
  readonly positiveLabel: Label | null;
  /** Of survival: the event that risks are about. */
  readonly causeOfInterest?: number;
  readonly recalibration: string | null;
  readonly threshold: number | null;
}

/** How a model that is kept predicts, and the models that it consists of. */
interface Kept {
  coded(rows: Rows): Promise<Coded>;
  parts(): Promise<readonly ModelParts[]>;
  dispose(): Promise<void>;
}

/** A model, or several as one, with all that predicting needs: what `loadModel`, `refit` and `ensemble` give. */
export abstract class KeptModel {
  readonly #saved: SavedFacts | SavedEnsemble;
  readonly #kept: Kept;
  #isDisposed = false;

  constructor(saved: SavedFacts | SavedEnsemble, kept: Kept) {
    this.#saved = saved;
    this.#kept = kept;
  }

  /** What the model is, of which run, and what it needs. */
  abstract describe(): ModelDescription;

  /**
   * Predicts rows as they come, before any preparation: labels (numbers for a regression), and probabilities, row-major,
   * P(positive) for a binary task and else one per class; null where the model gives none.
   */
  async predict(X: RowsInput): Promise<EnsemblePredictions> {
    this.#refuseDisposed();
    const [first] = membersOf(this.#saved);
    const rows = await rowsToPredict(X, first.featureNames);
    const { yPred, yProba } = await this.#kept.coded(rows);
    return { predictions: decoded(asTable(first, rows), yPred), probabilities: yProba ?? null };
  }

  /**
   * The probability of each class, in the order of `describe().classes`, for each row; of a multilabel task, of each label.
   *
   * @throws {InvalidOptionError} the model gives none, or the task is a regression.
   */
  async predictProba(X: RowsInput): Promise<number[][]> {
    const { probabilities } = await this.predict(X);
    const [{ facts, positive }] = membersOf(this.#saved);
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

  /**
   * Writes the model with its preparation, its threshold and all else that predicting needs into the folder `place`, whole or
   * not at all; `loadModel` reads it. `overwrite: true` replaces a model that is there.
   *
   * @param place the folder, as a path or `file:` URL; in a page `indexeddb://name`
   * @throws {AdapterError} the adapter cannot save models.
   * @throws {CVKitError} `place_taken`; `unwritable_place`. What was there before is still there.
   */
  async save(place: string | URL, options: SaveOptions = {}): Promise<void> {
    const resolved = saveOptions.resolve(options);
    await saveWhole(place, this.#saved, await this.#writer(pagePlace(place) !== undefined), resolved);
  }

  /** The folder that `save` writes as one file, to download or to keep; `loadModel` reads it. */
  async toBlob(): Promise<Blob> {
    return blobOf(this.#saved, await this.#writer(true));
  }

  /** Frees what it holds; it predicts no more. Models that `results` holds stay. */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    await this.#kept.dispose();
  }

  #refuseDisposed(): void {
    if (!this.#isDisposed) return;
    const message = sentence('A model', 'be used before its `dispose()`', phrase('one that was disposed'));
    throw new AdapterError(message, { code: 'disposed' });
  }

  /** Refuses what could not be read again; `inMemory`: a page or a `Blob`. */
  async #writer(inMemory: boolean): Promise<(at: PlaceOf) => Promise<void>> {
    this.#refuseDisposed();
    const parts = await this.#kept.parts();
    for (const { origin } of parts) checkSavesModels(origin.adapter, 'save', inMemory);
    return async (at) => {
      for (const [k, { origin, model }] of parts.entries()) {
        const path = await at('members' in this.#saved ? `${k}/model` : 'model');
        await inSession(origin, model, async (adapter) => adapter.save?.(model, path));
      }
    };
  }
}

/**
 * A model that was trained on all rows after the folds, by the procedure of the folds.
 *
 * @example
 * const { refitted } = await runner.run({ model, data: [X, y], preprocessing, refit: true });
 * console.log((await refitted.predict(newRows)).predictions);
 */
export class RefittedModel<Model = unknown> extends KeptModel {
  /** The model itself; with `preprocessing`, it takes rows that are prepared. */
  readonly model: Model;
  /** The fitted preparation; null where there is none. */
  readonly preprocessing: PreparedModel['preprocessing'] | null;
  /** How its predictions are recalibrated and cut, fitted on inner folds of all rows; null where they are not. */
  readonly adjustment: Adjustment | null;
  /** What the estimates of the folds say of this model, and what they do not. */
  readonly note: string;
  readonly #parts: ModelParts;

  constructor(parts: ModelParts) {
    const { model, saved } = parts;
    super(saved, {
      coded: (rows) => codedBy(parts, rows, saved.adjustment === null),
      parts: async () => [parts],
      dispose: () => disposeParts(parts),
    });
    this.#parts = parts;
    this.model = (model instanceof PreparedModel ? model.model : model) as Model;
    this.preprocessing = model instanceof PreparedModel ? model.preprocessing : null;
    this.adjustment = saved.adjustment;
    this.note = saved.note;
  }

  describe(): ModelDescription {
    return descriptionOf(this.#parts.saved);
  }

  [INSPECT](): string {
    return `RefittedModel: ${this.note}`;
  }
}

export function checkSavesModels(adapter: FrameworkAdapter, deed: 'save' | 'load', inMemory = false): void {
  if (savesModels(adapter) && (adapter.capabilities.savesToMemory || !inMemory)) return;
  const must = `be of an adapter that can save and load models${inMemory ? ' in memory (`savesToMemory`)' : ''}`;
  const got = phrase(`one of the adapter '${nameText(adapter.name)}'`);
  throw new AdapterError(sentence(`A model to ${deed}`, must, got), { code: 'unable' });
}

export function descriptionOf({ facts, positive, adjustment, ...saved }: SavedFacts): ModelDescription {
  const { framework, run, fold, featureNames, preprocessing, data, note } = saved;
  return {
    ...{ framework, run, fold, task: facts.task, classes: facts.classes, featureNames, preprocessing, data, note },
    positiveLabel: facts.task === 'binary' ? facts.classes[positive] : null,
    ...(facts.task === 'survival' ? { causeOfInterest: positive } : {}),
    recalibration: adjustment?.recalibration?.method ?? null,
    threshold: adjustment?.threshold?.threshold ?? null,
  };
}

export const refitNote = (n: number, nTrain: readonly number[], nWatched = 0): string => {
  const trained = countRange(nTrain, wholeNumber);
  const watched = nWatched > 0 ? `, of which ${wholeNumber(nWatched)} were watched and not fitted` : '';
  return `Made of all ${counted(n, 'row')}${watched}, as the models of the folds were of ${trained}. The estimates are about that procedure at that number of rows; they are no test of this model, which has seen every row. Test it on new patients.`;
};
