/** Models that a run gives to be used: the models of its folds as one (`ensemble`), and the model of all rows (`refit`). */
import { files } from '#io';
import { cleanUpAll, cleanupOnError, withCleanup } from '../core/cleanup.js';
import { AdapterError, InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText, plainText } from '../core/foreignText.js';
import { counted, wholeNumber } from '../core/format.js';
import { custom, type InputOf, isPlainObject, oneOf, optionTable } from '../core/options.js';
import { filePlace } from '../core/pathOfPlace.js';
import { INSPECT } from '../core/summaryText.js';
import type { Label } from '../data/labels.js';
import { type Rows, type RowsInput, rowsOf } from '../data/rows.js';
import { labelsFromProbabilities, type ScoreTable } from '../metrics/scoreTable.js';
import type { Preparation } from '../preprocessing/preparation.js';
import { adapterRegistry } from './adapterRegistry.js';
import { type Adjustment, adjusted } from './adjustment.js';
import { codedPredictions } from './checkPredictions.js';
import { disposeOwned, type FrameworkAdapter, type LabelFacts, type ModelPlace } from './frameworkAdapter.js';
import { readModel, type SavedFacts, type SaveOptions, saveModel, saveOptions } from './modelFolder.js';
import { decoded, type OutOfFold } from './outOfFold.js';
import { countRange } from './runFacts.js';
import { predictRows } from './runFold.js';
import { PREPARATION, PreparedModel, withPreprocessing } from './withPreprocessing.js';

export const ensembleOptions = optionTable('ensemble', {
  combine: oneOf('mean', 'vote')
    .default('mean')
    .describe("'mean' of the probabilities (numbers for regression), or the label that most models give."),
});

export type EnsembleOptions = InputOf<typeof ensembleOptions>;
const COMBINE = 'The `combine` option of ensemble';
type Combine = NonNullable<EnsembleOptions['combine']>;

/** What the models of a run came from: enough to use them again. */
export interface ModelOrigin {
  readonly adapter: FrameworkAdapter;
  readonly adapterOptions: Readonly<Record<string, unknown>>;
  readonly preparation: Preparation | undefined;
  readonly facts: LabelFacts;
  /** Code of the positive class, -1 where there is none. */
  readonly positive: number;
  /** Some fold's model gave labels that its probabilities do not: it has a cut-off of its own. */
  readonly ownLabels: boolean;
  /** Names of the columns before any preparation; null where they have none. */
  readonly featureNames: readonly string[] | null;
  /** The run that saved the models, where `models` holds their places; null where it holds models. */
  readonly savedBy: string | null;
  /** The splitter with its options, and the number of folds that ran. */
  readonly design: string;
  readonly nFolds: number;
  /** By fold how its predictions were recalibrated and cut, so that they are here, too; null where they were not. */
  readonly adjustments: readonly (Adjustment | null)[];
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

/** The models of all folds, predicting together. */
export interface FoldEnsemble {
  /** Number of models. */
  readonly size: number;
  readonly combine: Combine;
  /** Predicts new rows with every model and combines what they give. */
  predict(X: RowsInput): Promise<EnsemblePredictions>;
  /** What it is made of, and why the cross-validation estimate is not about it. */
  summary(): string;
  /** Disposes the models that it loaded; those that `results` holds stay. */
  dispose(): Promise<void>;
}

export function ensembleOf(results: FoldModels, input: EnsembleOptions): FoldEnsemble {
  const { combine } = ensembleOptions.resolve(input);
  const { held, origin } = modelsOf(results);
  const adjustments = origin.adjustments.filter((_, fold) => results.models[fold] !== null);
  if (combine === 'vote' && origin.facts.task === 'regression') {
    throw new InvalidOptionError(sentence(COMBINE, "be 'mean' for a regression task", combine));
  }
  if (combine === 'mean' && origin.ownLabels) {
    const must =
      "be 'vote' for models that cut their probabilities elsewhere than at the most probable class, since a mean would lose that";
    const way = "Use 'vote', or the `threshold` option of run.";
    throw new InvalidOptionError(sentence(COMBINE, must, combine, way), { code: 'own_labels' });
  }
  let loading: Promise<readonly unknown[]> | undefined;
  /** Loads all models or none. Calls that overlap share one loading; after a failure nothing stays loaded. */
  const modelsIn = (adapter: FrameworkAdapter): Promise<readonly unknown[]> => {
    if (origin.savedBy === null) return Promise.resolve(held);
    loading ??= loadAll(adapter, held as ModelPlace[], origin.savedBy).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    size: held.length,
    combine,
    predict: (X) =>
      inSession(origin, origin.savedBy === null ? held[0] : undefined, async (adapter) => {
        const rows = await rowsToPredict(X, origin.featureNames);
        const tables: Coded[] = [];
        for (const [at, model] of (await modelsIn(adapter)).entries()) {
          const options = { origin, adjustment: adjustments[at], labels: combine === 'vote' };
          tables.push(await adjustedRows(adapter, model, rows, options));
        }
        const { yPred, yProba } = combine === 'mean' ? meanOf(tables, origin, adjustments) : voteOf(tables, origin);
        return { predictions: decoded(asTable(origin, rows), yPred), probabilities: yProba ?? null };
      }),
    summary: () => summaryOf(origin, held.length, combine),
    async dispose() {
      const models = await loading;
      loading = undefined;
      await disposeAll(adapterIn(origin), models ?? []);
    },
  };
}

/** Rows to predict; where both have names, their columns must be those of the rows that were trained on. */
async function rowsToPredict(X: RowsInput, featureNames: ModelOrigin['featureNames']): Promise<Rows> {
  const rows = rowsOf(X);
  if (featureNames && rows.featureNames) {
    const { checkColumns } = await import('../preprocessing/transformer.js');
    checkColumns('a model that was trained', featureNames, rows.featureNames);
  }
  return rows;
}

function modelsOf(results: FoldModels): { held: readonly unknown[]; origin: ModelOrigin } {
  if (!Array.isArray(results?.models) || !results.origin) {
    const must = 'be given the results of run or validate';
    throw new InvalidDataError(sentence('`ensemble`', must, results), { code: 'no_models' });
  }
  const held = results.models.filter((model) => model !== null);
  if (held.length > 0) return { held, origin: results.origin };
  const way = "Use keepModels: 'memory' or 'save'.";
  throw new InvalidDataError(sentence('The results', 'hold the models of their folds', phrase('none'), way), {
    code: 'no_models',
  });
}

function loadAll(adapter: FrameworkAdapter, places: readonly ModelPlace[], savedBy: string): Promise<unknown[]> {
  const models: unknown[] = [];
  const loaded = (where: ModelPlace): Promise<unknown> | undefined => {
    const place = filePlace(where);
    if (place === undefined || !files) return adapter.load?.(where);
    return readModel(place, async ({ run }, path) => {
      if (run === savedBy) return adapter.load?.(path);
      const got = phrase('one of another run, which was saved over it');
      const subject = `The place '${nameText(place, 200)}'`;
      throw new InvalidDataError(sentence(subject, 'hold the model of this run', got), { code: 'other_run' });
    });
  };
  const load = async () => {
    for (const place of places) models.push(await loaded(place));
    return models;
  };
  return cleanupOnError(load, () => disposeAll(adapter, models));
}

const disposeAll = (adapter: FrameworkAdapter, models: readonly unknown[]): Promise<void> =>
  cleanUpAll(models.map((model) => () => disposeOwned(adapter, model)));

type Coded = Pick<ScoreTable, 'yPred' | 'yProba'>;

/** Works with the engine options of the run, and restores the former engine afterwards. */
async function inSession<T>(
  origin: Pick<ModelOrigin, 'adapter' | 'adapterOptions' | 'preparation'>,
  model: unknown,
  work: (adapter: FrameworkAdapter) => Promise<T>,
): Promise<T> {
  const { adapter, adapterOptions } = origin;
  const session = await adapter.open?.(adapterOptions, model instanceof PreparedModel ? model.model : model);
  return withCleanup(
    () => work(adapterIn(origin, session?.adapter)),
    () => session?.close(),
  );
}

const adapterIn = (
  { adapter, preparation }: Pick<ModelOrigin, 'adapter' | 'preparation'>,
  opened = adapter,
): FrameworkAdapter => (preparation ? withPreprocessing(opened, preparation) : opened);

interface Predicting {
  readonly origin: Pick<ModelOrigin, 'facts' | 'positive'>;
  readonly adjustment: Adjustment | null;
  readonly labels: boolean;
}

async function adjustedRows(
  adapter: FrameworkAdapter,
  model: unknown,
  rows: Rows,
  { origin, adjustment, labels }: Predicting,
): Promise<Coded> {
  const { facts, positive } = origin;
  const predictions = await predictRows({ adapter }, model, rows, facts, { labels });
  const coded = codedPredictions(predictions, { ...facts, length: rows.length }, positive);
  return adjustment ? adjusted({ ...asTable(origin, rows), ...coded }, adjustment) : coded;
}

const asTable = ({ facts, positive }: Pick<ModelOrigin, 'facts' | 'positive'>, { length }: Rows) =>
  ({ ...facts, positive, length }) as ScoreTable;

/** Mean probabilities and the labels that follow, by the mean threshold of the folds; the mean of numbers for regression. */
function meanOf(
  tables: readonly Coded[],
  { facts, positive }: ModelOrigin,
  adjustments: readonly (Adjustment | null)[],
): Coded {
  if (facts.task === 'regression') return { yPred: mean(tables.map(({ yPred }) => yPred)) };
  const all = tables.map(({ yProba }) => yProba);
  if (!all.every((yProba) => yProba !== undefined)) {
    const must = 'fit models that give labels alone';
    throw new InvalidOptionError(sentence(COMBINE, must, 'mean', "Use 'vote' instead."));
  }
  const yProba = mean(all);
  const thresholds = adjustments.flatMap((each) => (each?.threshold ? [[each.threshold.threshold]] : []));
  if (thresholds.length > 0) {
    const [threshold] = mean(thresholds);
    return { yProba, yPred: Int32Array.from(yProba, (p) => (p >= threshold ? positive : 1 - positive)) };
  }
  return { yProba, yPred: labelsFromProbabilities(yProba, { ...facts, positive }) };
}

/** The code that most models give; of a tie the lowest. */
function voteOf(tables: readonly Coded[], { facts }: ModelOrigin): Coded {
  const nCodes = facts.task === 'multilabel' ? 2 : facts.classes.length;
  const votes = new Int32Array(nCodes);
  const yPred = Int32Array.from({ length: tables[0].yPred.length }, (_, at) => {
    votes.fill(0);
    for (const table of tables) votes[table.yPred[at]]++;
    return votes.indexOf(Math.max(...votes));
  });
  return { yPred };
}

function mean(columns: readonly ArrayLike<number>[]): Float64Array {
  const out = new Float64Array(columns[0].length);
  for (const column of columns) for (let at = 0; at < out.length; at++) out[at] += column[at] / columns.length;
  return out;
}

function summaryOf({ design, nFolds }: ModelOrigin, size: number, combine: Combine): string {
  const failed = nFolds - size;
  const lines = [
    `Ensemble of ${counted(size, 'fold model')} of ${design}, combined by ${combine}.`,
    ...(failed > 0 ? [`${counted(failed, 'fold')} of the run failed and gave no model.`] : []),
    'Its performance is not the cross-validation estimate: that is about models trained on the training rows of one',
    'fold and tested on rows they had not seen. What one of these models had not seen another may have been trained',
    'on, so these rows cannot test the ensemble. Test it on new patients.',
  ];
  return lines.map(plainText).join('\n');
}

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

/** What a model says of itself. */
export interface ModelDescription
  extends Pick<SavedFacts, 'framework' | 'run' | 'fold' | 'featureNames' | 'preprocessing' | 'data' | 'note'> {
  readonly task: SavedFacts['facts']['task'];
  /** Classes in the order of `predictProba`; empty for a regression. */
  readonly classes: SavedFacts['facts']['classes'];
  readonly positiveLabel: Label | null;
  readonly recalibration: string | null;
  readonly threshold: number | null;
}

/** A model that is trained and knows what it is: what `loadModel`, `refit` and `ensemble` give. */
export interface KeptModel {
  predict(X: RowsInput): Promise<EnsemblePredictions>;
  describe(): ModelDescription;
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

  /** Frees the model. */
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
  const trained = countRange(nTrain, wholeNumber);
  const watched = nWatched > 0 ? `, of which ${wholeNumber(nWatched)} were watched and not fitted` : '';
  return `Made of all ${counted(n, 'row')}${watched}, as the models of the folds were of ${trained}. The estimates are about that procedure at that number of rows; they are no test of this model, which has seen every row. Test it on new patients.`;
};
