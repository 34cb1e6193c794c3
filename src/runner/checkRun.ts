/** What a run refuses before it begins: options and callbacks that would have no effect, or a wrong one. */
import { AdapterError, CVKitError, InvalidOptionError, phrase, sentence, suggestion } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { rejectUnusedOption } from '../core/options.js';
import { modulePlaces } from '../core/pathOfPlace.js';
import type { Labels } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import { metricsFor } from '../metrics/metricsFor.js';
import { metricRegistry } from '../metrics/registry.js';
import type { Preparation } from '../preprocessing/preparation.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import { adapterRegistry } from './adapterRegistry.js';
import type { CVCallback } from './callback.js';
import type { FoldServices } from './executor.js';
import { type AdapterSession, ask, type FrameworkAdapter } from './frameworkAdapter.js';
import { boundCallback, callbackList, callbackName, partOf } from './hooks.js';
import { savesModels } from './modelFolder.js';
import { refuseOnePlace } from './modelPlace.js';
import { moduleUrl } from './modelSource.js';
import type { RunCall } from './runOptions.js';
import type { Scorer } from './scoring.js';

type Run = RunCall['run'];

/** Refuses callbacks that decide by rows set aside from training when there are none. */
export function refuseMonitors(callbacks: readonly CVCallback[], got: string, instead?: string): void {
  const callback = callbacks.find(({ monitor }) => monitor?.startsWith('val_'));
  if (!callback) return;
  const subject = `The callback ${callbackName(callback)}, which monitors ${callback.monitor},`;
  const must = 'watch validation rows cut from the training rows, never the test fold';
  throw new InvalidOptionError(sentence(subject, must, phrase(got), instead), { code: 'monitors_test_fold' });
}

/** Names of the metrics that callbacks monitor as `val_*`, by that log; one that is not of this task is refused. */
export const watchedMetrics = (callbacks: readonly CVCallback[], task: Labels['task']): Record<string, string> =>
  Object.fromEntries(
    callbacks.flatMap(({ monitor }) => {
      const name = monitor?.startsWith('val_') ? monitor.slice(4) : '';
      return metricRegistry.has(name) ? [[monitor, metricsFor([name], task)[0].name]] : [];
    }),
  );

export const needsEpochs = (callback: CVCallback): boolean => Boolean(partOf(callback, 'needsEpochs'));

export function refuseEpochCallbacks(callbacks: readonly CVCallback[], adapter: string): void {
  const idle = callbacks.find(needsEpochs);
  if (!idle) return;
  const why = `${callbackName(idle)} acts between epochs, and the adapter '${nameText(adapter)}' has none`;
  rejectUnusedOption('run', 'callbacks', why);
}

/** Training options that the adapter cannot use are refused rather than ignored. `raw`: the adapter without a preparation. */
export function rejectUnusedTraining(
  adapter: FrameworkAdapter,
  changed: ReadonlySet<string>,
  hasAuxiliary: boolean,
  raw: FrameworkAdapter,
): void {
  for (const [name, reason] of unusedTraining(adapter, raw)) {
    if (name === 'auxiliary' ? hasAuxiliary : changed.has(name)) {
      rejectUnusedOption(name === 'auxiliary' ? 'data' : 'run', name, reason);
    }
  }
}

export function unusedTraining(
  { name: adapter, capabilities }: FrameworkAdapter,
  raw: FrameworkAdapter,
): ReadonlyMap<string, string> {
  const { trains, epochs, augments, auxiliary, why } = capabilities;
  const named = `the adapter '${nameText(adapter)}'`;
  const unused = new Map<string, string>();
  const add = (reason: string, ...names: string[]) => names.forEach((name) => void unused.set(name, reason));
  if (!epochs) add(why ?? `${named} does not train in epochs`, ...OF_EPOCHS);
  else if (!augments) add(`${named} does not augment`, 'augment');
  if (!auxiliary) add(why ?? `${named} trains towards y alone`, 'auxiliary');
  // A preparation is refitted and trained again; class weights are for the model alone.
  if (!trains) add(why ?? `${named} does not train`, 'classWeight', 'refit', 'verifyIsolation');
  else if (!raw.capabilities.trains) add(raw.capabilities.why ?? `${named} does not train`, 'classWeight');
  return unused;
}

const OF_EPOCHS = ['epochs', 'batchSize', 'optimizer', 'lossFn', 'validation', 'augment'];

/** Refuses, before the first model is made, to save models that have no place of their own. */
export function checkPlaces({ options, changed }: Run, nFolds: number): void {
  const { keepModels, modelPath } = options;
  if (keepModels !== 'save') {
    for (const name of ['modelPath', 'overwrite']) {
      if (changed.has(name)) rejectUnusedOption('run', name, "it is for keepModels: 'save'");
    }
    return;
  }
  const subject = 'The `modelPath` option of run';
  if (modelPath === undefined) {
    const message = sentence(subject, "be given with keepModels: 'save'", phrase('nothing'), "Use 'models/{fold}'.");
    throw new InvalidOptionError(message, { code: 'missing_option' });
  }
  refuseOnePlace(modelPath, nFolds, subject);
  if (typeof modelPath === 'string' && modelPath.includes('{epoch}')) {
    throw new InvalidOptionError(sentence(subject, 'hold {fold} alone', modelPath, 'ModelCheckpoint saves by epoch.'));
  }
}

/** Refuses what cannot be both saved and loaded: a model that cannot be read again is of no use. */
export function checkSaves(
  { raw, first, preparation }: { raw: FrameworkAdapter; first: unknown; preparation: Preparation | undefined },
  { keepModels }: Run['options'],
): void {
  if (keepModels !== 'save') return;
  const bound = preparation && refusedBy(() => preparation.toJSON());
  const why = savesModels(raw)
    ? (ask(raw, 'notSavedBecause', first) ??
      (bound && 'a step of `preprocessing` that cannot be written as plain data'))
    : `the adapter '${nameText(raw.name)}', which cannot save and load models`;
  if (why === undefined) return;
  const must = `be 'none' or 'memory' with ${why}`;
  throw new InvalidOptionError(sentence('The `keepModels` option of run', must, keepModels), { code: 'unable' });
}

const FLAGS = ['trains', 'epochs', 'probabilities', 'saves'];
const MORE_FLAGS = ['labelsFromProbabilities', 'savesToMemory', 'augments', 'auxiliary'];

/** A misspelt capability would be one that is not there. */
export function checkCapabilities({ name, capabilities }: FrameworkAdapter): void {
  const known = [...FLAGS, ...MORE_FLAGS];
  for (const flag of new Set([...FLAGS, ...Object.keys(capabilities)])) {
    const value: unknown = Reflect.get(capabilities, flag);
    const isKnown = known.includes(flag);
    if (flag === 'why' || (isKnown && (typeof value === 'boolean' || (!value && !FLAGS.includes(flag))))) continue;
    const subject = `The capability \`${nameText(flag)}\` of the adapter '${nameText(name)}'`;
    const must = isKnown ? 'be true or false' : 'be one that adapters have';
    const message = sentence(subject, must, value, isKnown ? undefined : suggestion(flag, known));
    throw new AdapterError(message, { code: 'invalid_adapter' });
  }
}

/** Throws {@link InvalidOptionError}, with ways out, where this process does not know it. */
export async function registeredAdapter(name: string): Promise<FrameworkAdapter> {
  if (adapterRegistry.has(name)) return adapterRegistry.get(name).load();
  const known = suggestion(name, adapterRegistry.names());
  const way = 'Call registerAdapter first (for threads in the module of the model), or pass the `adapter`.';
  const message = `There is no framework '${nameText(name)}'. ${known}${known.startsWith('Known') ? ` ${way}` : ''}`;
  throw new InvalidOptionError(message, { code: 'unknown_framework' });
}

/** Places in the plan of the folds to run, ascending; all of them when the caller names none. */
export function chosenFolds(plan: FoldPlan, wanted: readonly (number | string)[] | undefined): number[] {
  if (wanted === undefined) return [...plan.ids.keys()];
  const places = new Map<unknown, number>(plan.ids.map((id, at) => [id, at]));
  for (const at of plan.ids.keys()) places.set(at, at);
  const chosen = wanted.map((each) => {
    const found = places.get(each);
    if (found !== undefined) return found;
    const must = `name folds of the plan, 0 to ${plan.length - 1}`;
    throw new InvalidOptionError(sentence('The `folds` option of run', must, each));
  });
  if (chosen.length === 0) {
    throw new InvalidOptionError(sentence('The `folds` option of run', 'name at least one fold', phrase('none')));
  }
  return [...new Set(chosen)].sort((a, b) => a - b);
}

interface Checked {
  readonly X: Rows;
  readonly localTraining: FoldServices['training'];
  readonly scorers: readonly Scorer[];
  readonly preparation: Preparation | undefined;
  /** A module gives the rows and labels. */
  readonly hasModule: boolean;
}

const MODULE = 'the module of the model';
const BY_MODULE = "Put it into a file of its own, and pass { module: new URL('./own.mjs', import.meta.url) }.";

export function checkElsewhere(
  { runner, run }: RunCall,
  { X, localTraining, scorers, preparation, hasModule }: Checked,
): void {
  const { executor, adapter, adapterOptions } = runner.options;
  if (executor === 'inline' || !executor.elsewhere) return;
  const refuse = (option: string, must: string, got: string, way: string) => {
    const subject = `The \`${option}\` option with the executor '${nameText(executor.name)}'`;
    throw new InvalidOptionError(sentence(subject, must, phrase(got), way), { code: 'bound_to_thread' });
  };
  const { model, keepModels } = run.options;
  if (moduleUrl(model) === undefined) {
    refuse(
      'model',
      `be ${modulePlaces()}, since a function cannot leave its thread`,
      typeof model === 'function' ? 'a function' : isText(model) ? 'another address' : 'a model',
      "Put `export default (ctx) => ...` into a file of its own, model.mjs, and pass new URL('./model.mjs', import.meta.url).",
    );
  }
  if (adapter) {
    const way = `Call registerAdapter in ${MODULE}, and pass its name as \`framework\`.`;
    refuse('adapter', 'be left out, since an object cannot leave its thread', 'an adapter', way);
  }
  const bound = Object.keys(localTraining)[0];
  if (bound) {
    const must = 'be a name or a function by its module, since a function cannot leave its thread';
    refuse(bound, must, 'a function or an object', BY_MODULE);
  }
  const options = Object.entries(adapterOptions).find(([, value]) => typeof value === 'function');
  if (options) {
    refuse(`adapterOptions.${options[0]}`, 'be plain data', 'a function', BY_MODULE);
  }
  const own = scorers.find(({ recomputable }) => !recomputable);
  if (own) {
    const way = 'Score the table: (table) => number.';
    refuse('scoring', 'hold functions of the table', `'${nameText(own.name)}', a function of the model`, way);
  }
  const unable = preparation && refusedBy(() => preparation.toJSON());
  if (unable) refuse('preprocessing', 'be steps that plain data tell', unable, 'Run the folds in this thread.');
  if (keepModels === 'memory') {
    const way = "Use keepModels: 'save' with a `modelPath`.";
    refuse('keepModels', "be 'none' or 'save', since a model cannot leave its thread", "'memory'", way);
  }
  if (executor.elsewhere === 'machines') {
    const callback = boundCallback(callbackList(run.options.callbacks));
    if (callback) {
      const must = 'be EarlyStopping, ReduceLROnPlateau or LearningRateScheduler, or have hooks of folds alone';
      const way = 'What it does between epochs is not known on another machine.';
      refuse('callbacks', must, callbackName(callback), way);
    }
    const { copyData, runDirectory } = run.options;
    if (!copyData && !hasModule) {
      const must = 'be named by its module, { module, export, kwArgs }, since rows do not leave this machine';
      const way =
        'Put the function that reads them into a file of its own; or pass copyData: true, which writes them into the `runDirectory`.';
      refuse('data', must, 'rows', way);
    }
    if (copyData && runDirectory === undefined)
      refuse('runDirectory', 'be there with `copyData`', 'none', 'Name a folder.');
  }
  if (holdsSource(X)) {
    refuse('data', 'hold rows in memory, since a row source cannot leave its thread', 'a row source', 'Load the rows.');
  }
}

function refusedBy(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof CVKitError) return `one that they do not. ${error.message.replace(/\.$/, '')}`;
    throw error;
  }
}

const isText = (model: unknown) => typeof model === 'string' || model instanceof URL;

const holdsSource = ({ kind, parts }: Rows): boolean =>
  kind === 'source' || Object.values(parts ?? {}).some(holdsSource);

export function checkEngineElsewhere({ runner }: RunCall, { elsewhere }: AdapterSession): void {
  const { executor } = runner.options;
  if (executor === 'inline' || executor.elsewhere !== true || !elsewhere?.refused) return;
  const subject = `The engine of models with the executor '${nameText(executor.name)}'`;
  const must = 'be one that other threads can open';
  throw new AdapterError(sentence(subject, must, phrase(elsewhere.refused)), { code: 'bound_to_thread' });
}
