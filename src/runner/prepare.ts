/** Everything a run is about, read once: rows, labels, folds, scores, settings. What is trained from it is in tasks. */
import { InfeasibleSplitError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { asModule, functionOf, isModuleFunction } from '../core/moduleFunction.js';
import { isPlainObject, rejectUnusedOption } from '../core/options.js';
import { orAborted } from '../core/timeLimit.js';
import type { Label, Labels } from '../data/labels.js';
import { pseudonyms } from '../data/pseudonyms.js';
import { asPassed, type Rows } from '../data/rows.js';
import { withShape } from '../data/withShape.js';
import type { Preparation, PreprocessingOption } from '../preprocessing/preparation.js';
import { derivedPlan } from '../splitters/derivedPlan.js';
import { type FoldPlan, foldsOf, hasInner } from '../splitters/foldsOf.js';
import type { Splitter } from '../splitters/splitter.js';
import { type AdjustmentOptions, requestedAdjustment } from './adjustment.js';
import type { CVCallback, RunContext } from './callback.js';
import { checkElsewhere, checkPlaces, chosenFolds, refuseMonitors, watchedMetrics } from './checkRun.js';
import type { FoldServices, PlainTraining } from './executor.js';
import { foldContext, type ParamsOf, type ValidationOption, validationRows } from './foldRows.js';
import type { FrameworkAdapter } from './frameworkAdapter.js';
import { callbackList, callHooks, checkCallbacks } from './hooks.js';
import type { ImportancePlan } from './importanceOptions.js';
import type { Problem } from './readData.js';
import type { RunMetadata } from './runMetadata.js';
import type { RunCall } from './runOptions.js';
import { type Scorer, scorersOf } from './scoring.js';

type OptionsOfRun = RunCall['run']['options'];

export interface Prepared extends Problem, Pick<OptionsOfRun, 'keepModels' | 'returnTrainScores'> {
  readonly validation: ValidationOption | undefined;
  readonly call: RunCall;
  readonly plan: FoldPlan;
  /** Those that this call does. */
  readonly folds: readonly number[];
  /** Those of all parts, with `shard`; else the same. */
  readonly chosen: readonly number[];
  readonly scorers: readonly Scorer[];
  readonly randomState: number | string;
  /** Parameters of each fold, which factories are given; empty outside tuning. */
  readonly paramsOf: ParamsOf;
  /** Training settings: what is plain data, and functions and objects of a library. */
  readonly training: PlainTraining;
  readonly localTraining: FoldServices['training'];
  readonly preparation: Preparation | undefined;
  readonly adjust: AdjustmentOptions | undefined;
  readonly importance: ImportancePlan | undefined;
  readonly callbacks: readonly CVCallback[];
  readonly nameOf: (id: Label) => string;
  readonly watchedMetrics: Readonly<Record<string, string>>;
  /** `each`: whatever went wrong is of this fold alone, as a wrong option is that a trial chose. */
  readonly onFoldError: 'throw' | 'record' | 'each';
}

/** Makes the folds, unless a run before has made them, and checks what was asked for against them. */
export async function prepare(call: RunCall, problem: Problem, checkedPlan?: FoldPlan): Promise<Prepared> {
  const { options } = call.run;
  const { validation, keepModels, onFoldError, returnTrainScores } = options;
  const { y } = problem;
  if (y.aggregate && options.threshold !== undefined) {
    const must =
      'be without `aggregate`, since predictions of patients are other numbers than those that it is chosen for';
    throw new InvalidOptionError(
      sentence('The `threshold` option of run', must, phrase('both'), 'Leave one of them out.'),
    );
  }
  if (options.classWeight !== undefined && y.task !== 'binary' && y.task !== 'multiclass')
    rejectUnusedOption('run', 'classWeight', `a ${y.task} task has no classes to weight`);
  const scorers = scorersOf(options.metrics, options.scoring, y);
  const plan = checkedPlan ?? foldsIn(call, problem);
  const X = await orAborted(options.signal, () => withShape(problem.X));
  const chosen = chosenFolds(plan, options.folds);
  const folds = partOfFolds(chosen, call);
  const callbacks = callbackList(options.callbacks);
  checkCallbacks(callbacks);
  if (validation === undefined && !hasInner(plan.at(0)))
    refuseMonitors(callbacks, 'no `validation` option', 'Use validation: 0.2.');
  checkPlaces(call.run, folds.length);
  checkIsolation(call);
  const training = trainingOf(options);
  const scoring = Object.values(options.scoring ?? {}).map((each) => ['scoring', each] as const);
  await loadModules([...Object.entries(training.training), ...scoring]);
  const preparation = await preparationFor(options.preprocessing, call.tuning !== undefined);
  preparation?.checkInputs(X);
  const origin = problem.origin?.X === problem.X ? { ...problem.origin, X } : problem.origin;
  const { localTraining } = training;
  checkElsewhere(call, { X: problem.X, localTraining, scorers, preparation, hasModule: origin?.y === y });
  const ofAllRows = hasInner(plan.at(0)) && (['apparent', 'refit'] as const).find((name) => options[name]);
  if (ofAllRows) rejectUnusedOption('run', ofAllRows, 'the inner folds of a nested design are not those of all rows');
  return {
    ...problem,
    ...training,
    ...{ X, origin, call, plan, folds, chosen, scorers, preparation },
    ...{ validation, keepModels, onFoldError, returnTrainScores },
    randomState: call.randomState,
    paramsOf: call.tuning?.paramsOf ?? (() => ({})),
    adjust: requestedAdjustment(options, { ...problem, plan, validation }),
    importance: await importanceFor(call, { ...problem, X, scorers }),
    callbacks: [...callbacks, ...call.listeners],
    nameOf: pseudonyms(),
    watchedMetrics: watchedMetrics(callbacks, y.task),
  };
}

async function preparationFor(preprocessing: PreprocessingOption | undefined, byParams: boolean) {
  if (preprocessing === undefined) return undefined;
  const { preparationOf } = await import('../preprocessing/preparation.js');
  return preparationOf(preprocessing, { byParams });
}

async function importanceFor(
  { runner, run }: RunCall,
  { X, y, data, unnamed, scorers }: Problem & Pick<Prepared, 'scorers'>,
) {
  const { importance } = run.options;
  if (importance === false) return undefined;
  const { importancePlan } = await import('./importance.js');
  const { executor } = runner.options;
  const elsewhere = executor !== 'inline' && Boolean(executor.elsewhere);
  return importancePlan(importance, { X, y, scorers, elsewhere, groups: unnamed === 'test' ? undefined : data.groups });
}

/** Every n-th fold, from that of the part on; fits beside the folds are made where the parts are joined. */
function partOfFolds(folds: readonly number[], { run, isFurther }: RunCall): readonly number[] {
  const { shard, runDirectory } = run.options;
  if (shard === undefined || isFurther) return folds;
  if (runDirectory === undefined) rejectUnusedOption('run', 'shard', 'no `runDirectory` keeps the part');
  const [part, parts] = shard.split('/').map(Number);
  const own = folds.filter((_, at) => at % parts === part - 1);
  if (own.length > 0) return own;
  const must = `name a part that has a fold: there are ${folds.length}`;
  throw new InvalidOptionError(sentence('The `shard` option of run', must, shard));
}

/** Where folds run at once, each may meet what others leave behind from the start: training one again shows nothing. */
function checkIsolation({ runner, run }: RunCall): void {
  const { executor } = runner.options;
  if (!run.options.verifyIsolation || executor === 'inline' || executor.concurrency === 1) return;
  const got = phrase(`the executor '${nameText(executor.name)}', which runs ${executor.concurrency} at once`);
  const must = 'be for folds that run one after the other';
  throw new InvalidOptionError(sentence('The `verifyIsolation` option of run', must, got));
}

function foldsIn({ runner }: RunCall, { X, y, data }: Problem): FoldPlan {
  const { cvSplitter } = runner.options;
  try {
    return foldsOf(cvSplitter, rowsFor(cvSplitter, X), y, data);
  } catch (error) {
    throw asGuessed(error, cvSplitter, y);
  }
}

/** A splitter of the caller's own may read the rows; ours need no more than their number. */
export const rowsFor = (splitter: Splitter, X: Rows) => ('facts' in splitter ? X.length : asPassed(X));

/** A stratified design may be impossible because numbers were taken for classes: the error then says so. */
function asGuessed(error: unknown, { claims }: Splitter, { why, guessed }: Labels): unknown {
  if (!guessed || !(error instanceof InfeasibleSplitError) || !claims?.stratified) return error;
  const way = `y is read as classes (${why}): pass task: 'regression' if it holds numbers.`;
  return new InfeasibleSplitError(`${error.message} ${way}`, { code: error.code, cause: error });
}

/** The same run for models beside those of the folds: they are not kept, and their training rows are not scored. */
export const auxiliaryRun = (prepared: Prepared): Prepared => {
  return { ...prepared, keepModels: 'none', returnTrainScores: false, importance: undefined };
};

/** What is plain data goes with the tasks, functions by their module, too; the rest stays in the process that has it. */
function trainingOf({ epochs, batchSize, classWeight, ...options }: OptionsOfRun) {
  const [training, localTraining]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const name of ['optimizer', 'lossFn', 'augment'] as const) {
    const value = asModule(options[name], `the \`${name}\` option of run`);
    if (value !== undefined) (isPlain(value) ? training : localTraining)[name] = value;
  }
  const plain = { epochs, batchSize, ...(classWeight ? { classWeight } : {}), ...training } as PlainTraining;
  return { training: plain, localTraining: localTraining as FoldServices['training'] };
}

/** A module that cannot be loaded ends the run before anything is trained. */
async function loadModules(options: readonly (readonly [name: string, value: unknown])[]): Promise<void> {
  for (const [name, value] of options) {
    const owner = `the \`${name}\` option of run`;
    const module = asModule(value, owner);
    if (isModuleFunction(module)) await functionOf(module, owner);
  }
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' ||
  isModuleFunction(value) ||
  (isPlainObject(value) && Object.values(value).every((each) => typeof each === 'string'));

/** Inner folds are watched by what trains in epochs, unless the caller names the rows to watch. */
export const watchesInner = (adapter: FrameworkAdapter, { validation }: Pick<Prepared, 'validation'>): boolean =>
  adapter.capabilities.epochs && validation === undefined;

export function preprocessingFacts({ preparation }: Prepared): RunMetadata['preprocessing'] {
  if (!preparation) return null;
  const { described, globalSteps, learns, frozen, resamplers, imputers } = preparation;
  return { steps: described, globalSteps, learns, frozen: frozen(), resamplers, imputers };
}

export const runContext = (
  prepared: Prepared,
  adapter: FrameworkAdapter,
  warn: RunContext['warn'],
  checks?: RunContext['checks'],
): RunContext => {
  const { X, plan, folds, data, unnamed, repeatedIds, randomState, nameOf } = prepared;
  return {
    ...{ X, repeatedIds, randomState, nameOf, warn },
    nSplits: folds.length,
    adapter: adapter.name,
    epochs: prepared.training.epochs,
    folds: folds.length < plan.length ? partOf(plan, folds) : plan,
    y: frozenCopy(prepared.y),
    data: frozenCopy(unnamed ? { ...data, groups: undefined } : data),
    preprocessing: preprocessingFacts(prepared),
    embeddings: prepared.preparation?.embedded(X),
    watchedRows: watchedRows(prepared, adapter),
    async checkStarts(check) {
      const { signal } = prepared.call.run.options;
      await callHooks(prepared.callbacks, 'onCheckStart', () => [Object.freeze(check)], signal);
    },
    checks: checks?.map(({ code, type, status, severity }) => Object.freeze({ code, type, status, severity })),
  };
};

/** The rows that a fold will watch, as its task will have them. */
export function watchedRows(prepared: Prepared, adapter: FrameworkAdapter): RunContext['watchedRows'] {
  const { validation, y, data } = prepared;
  if (validation === undefined && !watchesInner(adapter, prepared)) return undefined;
  const { epochs } = adapter.capabilities;
  return (fold) => {
    const { seed } = foldContext(prepared, fold);
    return validationRows(validation, fold, { y, data, seed, epochs }).validation ?? new Int32Array(0);
  };
}

/** Some folds of a plan, by ascending places, as a plan of their own. It makes no claim about all folds together. */
function partOf(plan: FoldPlan, places: readonly number[]): FoldPlan {
  const { partition: _partition, exhaustive: _exhaustive, ...claims } = plan.claims;
  const chosen = new Set(places);
  return derivedPlan(plan, {
    claims: Object.freeze({ ...claims }),
    ids: Object.freeze(places.map((place) => plan.ids[place])),
    // With several repeats, the folds say which one they belong to.
    repeats: plan.repeats === 1 ? 1 : new Set(places.map((place) => plan.at(place).repeat)).size,
    hashed: true,
    at: (index) => plan.at(places[index]),
    *sides() {
      let place = 0;
      for (const sides of plan.sides()) if (chosen.has(place++)) yield sides;
    },
  });
}
