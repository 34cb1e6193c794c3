/** Several models that predict as one: those of the folds of a run, or saved ones. */
import { cleanUpAll, cleanupOnError } from '../core/cleanup.js';
import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText, plainText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { type InputOf, type OptionsOf, oneOf, optionTable, rejectUnusedOption } from '../core/options.js';
import { filePlace } from '../core/pathOfPlace.js';
import { labelsFromProbabilities } from '../metrics/scoreTable.js';
import { hasNumbers } from './checkPredictions.js';
import { registeredAdapter } from './checkRun.js';
import { checkAdapter, type ModelPlace } from './frameworkAdapter.js';
import {
  type Coded,
  checkSavesModels,
  codedBy,
  descriptionOf,
  disposeParts,
  type FoldModels,
  KeptModel,
  type LoadModelOptions,
  loadModelOptions,
  loadPart,
  type ModelDescription,
  type ModelOrigin,
  type ModelParts,
  RefittedModel,
} from './keptModels.js';
import {
  isSavedWhole,
  membersOf,
  readModel,
  type SavedEnsemble,
  type SavedFacts,
  type SavedPlace,
} from './modelFolder.js';
import { PREPARATION } from './withPreprocessing.js';

export const ensembleOptions = optionTable('ensemble', {
  combine: oneOf('mean', 'vote')
    .default('mean')
    .describe("'mean' of the probabilities (numbers for regression), or the label that most models give."),
  ...loadModelOptions.shape,
});

export type EnsembleOptions = InputOf<typeof ensembleOptions>;
type Loading = OptionsOf<typeof loadModelOptions>;
const COMBINE = 'The `combine` option of ensemble';

/** Models, and how they are loaded and given up. */
interface Members {
  load(): Promise<readonly ModelParts[]>;
  readonly loaded?: readonly ModelParts[];
  /** They are the caller's, who disposes them. */
  readonly borrowed?: boolean;
}

/**
 * Several models, predicting together. `describe()` sets side by side what differs; the threshold is their mean.
 *
 * @example
 * const kept = await runner.run({ model, data: [X, y], preprocessing, keepModels: 'save', modelPath: 'averaged/{fold}' });
 * const together = await ensemble(kept);
 * console.log((await together.predict(newRows)).predictions);
 */
export class FoldEnsemble extends KeptModel {
  readonly combine: SavedEnsemble['combine'];
  readonly #about: SavedEnsemble;
  readonly #members: Members;
  #loading: Promise<readonly ModelParts[]> | undefined;

  constructor(about: SavedEnsemble, members: Members) {
    const { combine, members: all } = about;
    super(about, {
      parts: () => this.#parts(),
      dispose: async () => {
        const parts = await this.#loading;
        this.#loading = undefined;
        if (parts && !members.borrowed) await disposeAll(parts);
      },
      coded: async (rows) => {
        const tables: Coded[] = [];
        for (const parts of await this.#parts()) tables.push(await codedBy(parts, rows, combine === 'vote'));
        return combine === 'mean' ? meanOf(tables, all) : voteOf(tables, all[0]);
      },
    });
    this.combine = combine;
    this.#about = about;
    this.#members = members;
    this.#loading = members.loaded && Promise.resolve(members.loaded);
  }

  /** Number of models. */
  get size(): number {
    return this.#about.members.length;
  }

  describe(): ModelDescription {
    const { members } = this.#about;
    const all = members.map(descriptionOf);
    const together = (name: 'framework' | 'run' | 'preprocessing' | 'recalibration') =>
      [...new Set(all.flatMap((each) => each[name] ?? []))].join(' | ');
    const cut = thresholdsOf(members);
    return {
      ...all[0],
      ...{ framework: together('framework'), run: together('run'), fold: null, note: this.summary() },
      ...{ preprocessing: together('preprocessing') || null, recalibration: together('recalibration') || null },
      data: all.every(({ data }) => JSON.stringify(data) === JSON.stringify(all[0].data)) ? all[0].data : null,
      threshold: cut.length > 0 ? mean(cut)[0] : null,
    };
  }

  /** What it is made of, and why the cross-validation estimate is not about it. */
  summary(): string {
    const { design, nFolds } = this.#about;
    const failed = nFolds - this.size;
    const of = design === null ? counted(this.size, 'saved model') : `${counted(this.size, 'fold model')} of ${design}`;
    const lines = [
      `Ensemble of ${of}, combined by ${this.combine}.`,
      ...(failed > 0 ? [`${counted(failed, 'fold')} of the run failed and gave no model.`] : []),
      'Its performance is not the cross-validation estimate: that is about models trained on the training rows of one',
      'fold and tested on rows they had not seen. What one of these models had not seen another may have been trained',
      'on, so these rows cannot test the ensemble. Test it on new patients.',
    ];
    return lines.map(plainText).join('\n');
  }

  /** Loads all models or none. Calls that overlap share one loading; after a failure nothing stays loaded. */
  #parts(): Promise<readonly ModelParts[]> {
    this.#loading ??= this.#members.load().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }
}

const disposeAll = (parts: readonly ModelParts[]) => cleanUpAll(parts.map((each) => () => disposeParts(each)));

async function loadAll(loads: readonly (() => Promise<readonly ModelParts[]>)[]): Promise<readonly ModelParts[]> {
  const parts: ModelParts[] = [];
  const load = async () => {
    for (const each of loads) parts.push(...(await each()));
    return parts;
  };
  return cleanupOnError(load, () => disposeAll(parts));
}

export async function ensembleOf(
  source: FoldModels | readonly SavedPlace[],
  input: EnsembleOptions,
): Promise<FoldEnsemble> {
  const { options, changed } = ensembleOptions.parse(input);
  const { combine, ...loading } = options;
  if (Array.isArray(source)) return ensembleOfPlaces(source, combine, loading);
  const { models, origin } = modelsOf(source as FoldModels);
  const idle = (Object.keys(loading) as (keyof typeof loading)[]).find((name) => changed.has(name));
  if (idle) rejectUnusedOption('ensemble', idle, 'the results know how their models are loaded');
  const kept = models.flatMap((model, fold) => {
    const saved = origin.members[fold];
    return model === null || !saved ? [] : { model, saved };
  });
  const about = { combine, design: origin.design, nFolds: models.length, members: kept.map(({ saved }) => saved) };
  refuseLost(about);
  if (origin.savedBy === null) {
    const parts = kept.map((each) => ({ ...each, origin }));
    return new FoldEnsemble(about, { load: async () => parts, borrowed: true });
  }
  const loads = kept.map(({ model, saved }) => async () => [await ofRun(model as ModelPlace, saved, origin)]);
  return new FoldEnsemble(about, { load: () => loadAll(loads) });
}

/** The model in a place of the run, unless another run has saved over it. */
function ofRun(where: ModelPlace, saved: SavedFacts, origin: ModelOrigin): Promise<ModelParts> {
  if (!isSavedWhole(origin.adapter, where)) return loadPart(where, saved, origin);
  return readModel(where, async (found, at) => {
    if (membersOf(found)[0].run === origin.savedBy) return loadPart(await at('model'), saved, origin);
    const got = phrase('one of another run, which was saved over it');
    const subject = `The place '${nameText(filePlace(where) ?? String(where), 200)}'`;
    throw new InvalidDataError(sentence(subject, 'hold the model of this run', got), { code: 'other_run' });
  });
}

async function ensembleOfPlaces(
  places: readonly SavedPlace[],
  combine: SavedEnsemble['combine'],
  options: Loading,
): Promise<FoldEnsemble> {
  const load = () => loadAll(places.map((place) => async () => (await readParts(place, options)).parts));
  const loaded = await load();
  const check = async () => {
    const about = { combine, design: null, nFolds: loaded.length, members: loaded.map(({ saved }) => saved) };
    refuseMixed(about.members);
    refuseLost(about);
    return new FoldEnsemble(about, { load, loaded });
  };
  return cleanupOnError(check, () => disposeAll(loaded));
}

/** Refuses models that do not predict the same thing, and one that would count twice. */
function refuseMixed(members: readonly SavedFacts[]): void {
  const subject = 'The models of `ensemble`';
  if (members.length === 0) {
    throw new InvalidDataError(sentence(subject, 'be one or more', phrase('none')), { code: 'no_models' });
  }
  const what = ({ facts, positive, featureNames, data }: SavedFacts) =>
    JSON.stringify([facts, positive, featureNames, data && inputsIn(data)]);
  const other = members.findIndex((each) => what(each) !== what(members[0]));
  if (other >= 0) {
    const must = 'have one task, the same classes, inputs and columns';
    throw new InvalidDataError(sentence(subject, must, phrase(`others in place ${other}`)), { code: 'mixed_models' });
  }
  const names = members.map(({ run, fold }) => `${run} ${fold}`);
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (twice < 0) return;
  throw new InvalidDataError(sentence(subject, 'be all different', phrase(`one again in place ${twice}`)), {
    code: 'mixed_models',
  });
}

/** `X`, or `X.image` and `X.table` of several inputs. */
const inputsIn = (data: object) => Object.keys(data).filter((name) => /^X(\.|$)/.test(name));

/** Refuses a combination that these models do not have, or that would lose what they have. */
function refuseLost({ combine, members }: SavedEnsemble): void {
  if (combine === 'vote' && hasNumbers(members[0].facts.task)) {
    throw new InvalidOptionError(sentence(COMBINE, `be 'mean' for a ${members[0].facts.task} task`, combine));
  }
  if (combine === 'mean' && members.some(({ ownLabels }) => ownLabels)) {
    const must =
      "be 'vote' for models that cut their probabilities elsewhere than at the most probable class, since a mean would lose that";
    const way = "Use 'vote', or the `threshold` option of run.";
    throw new InvalidOptionError(sentence(COMBINE, must, combine, way), { code: 'own_labels' });
  }
}

function modelsOf(results: FoldModels): { models: readonly unknown[]; origin: ModelOrigin } {
  const { models, origin } = results ?? {};
  if (!Array.isArray(models) || !origin) {
    const must = 'be given the results of run or validate, or the places of saved models';
    throw new InvalidDataError(sentence('`ensemble`', must, results), { code: 'no_models' });
  }
  if (models.some((model) => model !== null)) return { models, origin };
  const way = "Use keepModels: 'memory' or 'save'.";
  throw new InvalidDataError(sentence('The results', 'hold the models of their folds', phrase('none'), way), {
    code: 'no_models',
  });
}

/** What `loadModel` does. */
export async function modelFrom(place: SavedPlace, input: LoadModelOptions): Promise<RefittedModel | FoldEnsemble> {
  const options = loadModelOptions.resolve(input);
  const { parts, ensemble } = await readParts(place, options);
  if (!ensemble) return new RefittedModel(parts[0]);
  return new FoldEnsemble(ensemble, { load: async () => (await readParts(place, options)).parts, loaded: parts });
}

/** The models in a place, all or none. */
function readParts(place: SavedPlace, options: Loading) {
  return readModel(place, async (saved, at, has) => {
    const ensemble = 'members' in saved ? saved : undefined;
    if (ensemble) refuseMixed(ensemble.members);
    const { adapter, adapterOptions, modules } = options;
    const loads = membersOf(saved).map((each, k) => async () => {
      const path = ensemble ? `${k}/` : '';
      const preparation = has(`${path}${PREPARATION}`)
        ? (await import('../preprocessing/preparation.js')).loadingPreparation({ modules })
        : undefined;
      const found = adapter ? checkAdapter(adapter) : await registeredAdapter(each.framework);
      if (found.name !== each.framework) {
        const must = `be the one that saved the model, '${nameText(each.framework)}'`;
        throw new InvalidOptionError(sentence('The `adapter` option of loadModel', must, found.name));
      }
      checkSavesModels(found, 'load');
      return [await loadPart(await at(`${path}model`), each, { adapter: found, adapterOptions, preparation })];
    });
    return { parts: await loadAll(loads), ensemble };
  });
}

/** Mean probabilities and the labels that follow, by the mean threshold of the folds; the mean of numbers and of curves elsewhere. */
function meanOf(tables: readonly Coded[], members: readonly SavedFacts[]): Coded {
  const [{ facts, positive }] = members;
  const all = tables.flatMap(({ yProba }) => yProba ?? []);
  const everyHas = all.length === tables.length;
  if (hasNumbers(facts.task))
    return { yPred: mean(tables.map(({ yPred }) => yPred)), ...(everyHas ? { yProba: mean(all) } : {}) };
  if (!everyHas) {
    const must = 'fit models that give labels alone';
    throw new InvalidOptionError(sentence(COMBINE, must, 'mean', "Use 'vote' instead."));
  }
  const yProba = mean(all);
  const thresholds = thresholdsOf(members);
  if (thresholds.length > 0) {
    const [threshold] = mean(thresholds);
    return { yProba, yPred: Int32Array.from(yProba, (p) => (p >= threshold ? positive : 1 - positive)) };
  }
  return { yProba, yPred: labelsFromProbabilities(yProba, { ...facts, positive }) };
}

const thresholdsOf = (members: readonly SavedFacts[]) =>
  members.flatMap(({ adjustment }) => (adjustment?.threshold ? [[adjustment.threshold.threshold]] : []));

/** The code that most models give; of a tie the lowest. */
function voteOf(tables: readonly Coded[], { facts }: SavedFacts): Coded {
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
