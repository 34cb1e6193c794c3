/** The fold loop: resolve options, make the folds, train and test each of them (`runFold.ts`), score, gather. */
import type { EventEmitter } from 'eventemitter3';
import { cleanupOnError, withCleanup } from '../core/cleanup.js';
import { AbortError, AdapterError, FoldError, phrase, sentence } from '../core/errors.js';
import { type OptionShape, type Parsed, rejectUnusedOption } from '../core/options.js';
import { deriveSeed, freshSeed, randomInterval, randomSource } from '../core/random.js';
import { recordedOptions } from '../core/recorded.js';
import { asAborted, within } from '../core/timeLimit.js';
import { yieldToPage } from '../core/yieldToPage.js';
import { contentHashes } from '../data/contentHashes.js';
import { isLabels, rowNumbers } from '../data/labels.js';
import { pseudonyms } from '../data/pseudonyms.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import { iterableFold, type Splitter, seeded } from '../splitters/splitter.js';
import { type ActiveRun, asRun } from './activeRuns.js';
import type { RunContext } from './callback.js';
import { endsTheRun, type PlannedTask, runTasks, type TaskEnvironment, taskEnvironment } from './coordinate.js';
import { CVResults, type CVResultsParts, frozenResults } from './cvResults.js';
import type { DryRun } from './dryRun.js';
import type { RunnerEvents } from './events.js';
import type { FurtherFits } from './expectedOf.js';
import {
  comparedRows,
  type FixedModelWatch,
  fixedModelWatch,
  type ModelHistory,
  NO_HISTORY,
  whyFixed,
} from './fixedModel.js';
import type { CompletedFold, FoldResult } from './foldResult.js';
import { foldContext, ofFold, savedFacts } from './foldRows.js';
import { foldTask, type TaskExtras } from './foldTasks.js';
import { ask, type FrameworkAdapter } from './frameworkAdapter.js';
import { callHooks, tearDown, trainingCallbacks } from './hooks.js';
import { inlineExecutor } from './inlineExecutor.js';
import { type ModelOrigin, RefittedModel, refitNote } from './keptModels.js';
import { checkProgress, emitterCallback, furtherProgress } from './listeners.js';
import { fitWarnings, metadataOf, runWarnings } from './metadataOf.js';
import { modelPlaces, refuseTaken } from './modelFolder.js';
import { auxiliaryRun, type Prepared, prepare, runContext } from './prepare.js';
import { ProgressLogger } from './progressLogger.js';
import { dataRecord, type Problem, readData, withData } from './readData.js';
import { inDirectory, refuseDrawnSeed, withDirectory, withResult } from './runDirectory.js';
import { predictedBeforeFit } from './runFold.js';
import type { runnerOptions } from './runnerOptions.js';
import { type RunCall, type RunOptions, runOptions } from './runOptions.js';
import { readAsImplied, releaseModels, type Session, withSession } from './session.js';

type ParsedRunner = Parsed<typeof runnerOptions.shape>;

/** What `UniversalCVRunner.run` does. */
export async function crossValidate(
  runner: ParsedRunner,
  input: RunOptions,
  emitter: EventEmitter<RunnerEvents>,
): Promise<CVResults | DryRun> {
  const run = runOptions.parse(await withData(input));
  const call = runCall(runner, run, emitter);
  const { data } = run.options;
  // Labels that were read before have their task from who read them.
  const { y } = dataRecord(data) as { readonly y: unknown };
  const task = isLabels(y) ? 'classification' : run.options.task;
  const { problem, source } = await readAsImplied({ ...runner.options, ...run.options, task }, (reading) => ({
    problem: readData(data, { ...run.options, ...reading }),
  }));
  const { dryRun } = run.options;
  const found = await withRun<CVResults | DryRun>({ ...call, source }, problem, (prepared, session) =>
    dryRun ? withoutTraining(prepared, session) : runFolds(prepared, session),
  );
  return withResult(run.options, found);
}

/** See {@link DryRun}. Few runs need it, so that it is loaded then. */
export async function withoutTraining(
  prepared: Prepared,
  session: Session,
  further: readonly FurtherFits[] = [],
): Promise<DryRun> {
  const { expectedOf } = await import('./expectedOf.js');
  const { environment, watching } = await beforeTasks(prepared, session);
  const folds = { environment, planned: planned(prepared, session, watching), onAllRows: onAllRows(prepared, session) };
  return expectedOf(prepared, session, folds, further);
}

export function runCall(
  runner: ParsedRunner,
  run: RunCall['run'] & Pick<Parsed<OptionShape>, 'owner' | 'shape' | 'written'>,
  emitter?: EventEmitter<RunnerEvents>,
  written: RunCall['written'] = [runner, run],
): RunCall {
  if (run.options.runDirectory !== undefined) refuseDrawnSeed(written);
  const randomState = runner.options.randomState ?? freshSeed();
  const cvSplitter = seeded(runner.options.cvSplitter, randomState);
  return {
    runner: { ...runner, options: { ...runner.options, cvSplitter } },
    run,
    // A seed that was drawn here is what repeats the run.
    written: written.map((table) =>
      table.options.randomState === null ? { ...table, options: { ...table.options, randomState } } : table,
    ),
    randomState,
    listeners: [...progressOf(runner.options.verbose), ...(emitter ? [emitterCallback(emitter)] : [])],
  };
}

const progressOf = (verbose: number) =>
  verbose > 0 ? [new ProgressLogger({ perEpoch: verbose > 1 }), checkProgress()] : [];

/**
 * Opens all that folds need (the threads of `nJobs`, the turn of the run, folds, adapter) and lets `work` go on. Afterwards,
 * whatever was thrown, callbacks are torn down and all is closed; models that are kept are released when anything failed.
 *
 * @param plan the folds, where they are made already
 */
export const withRun = <T>(
  call: RunCall,
  problem: Problem,
  work: (prepared: Prepared, session: Session) => Promise<T>,
  plan?: FoldPlan,
): Promise<T> => inDirectory(call, (original) => openRun(original, problem, work, plan));

function openRun<T>(
  original: RunCall,
  problem: Problem,
  work: (prepared: Prepared, session: Session) => Promise<T>,
  plan?: FoldPlan,
): Promise<T> {
  const { signal, foldTimeout } = original.run.options;
  let opened: Session | undefined;
  let thrown: unknown;
  const asEnded = (error: unknown) => {
    thrown = endedBy(error, signal, opened?.done.results?.());
    throw thrown;
  };
  return withExecutor(original, async (call, active) => {
    const prepared = await prepare(call, problem, plan);
    const inSession = () =>
      withDirectory(prepared, (directory) => {
        const named = directory ? { ...prepared, nameOf: pseudonyms(directory.salt) } : prepared;
        return withSession(named, active, (session, ready) => {
          opened = { ...session, directory };
          return work(ready, opened);
        });
      }).catch(asEnded);
    const released = async () => opened && releaseModels(opened);
    return cleanupOnError(
      () => withCleanup(inSession, () => tearDown(prepared.callbacks, thrown, signal)),
      () => within(signal, foldTimeout, released),
    );
  }).catch(asEnded);
}

function endedBy(error: unknown, signal: AbortSignal | undefined, results: CVResults | undefined): unknown {
  const ended = asAborted(error, signal);
  if (results && (ended instanceof AbortError || ended instanceof FoldError)) {
    Object.defineProperty(ended, 'results', { value: results, configurable: true });
  }
  return ended;
}

async function withExecutor<T>(call: RunCall, work: (call: RunCall, active: ActiveRun) => Promise<T>): Promise<T> {
  const { options } = call.runner;
  const { nJobs } = options;
  const begin = (opened: RunCall) => asRun(call.run.options.parent, (active) => work(opened, active));
  if (nJobs === 1) return begin(call);
  if (options.executor !== 'inline')
    rejectUnusedOption('UniversalCVRunner', 'nJobs', '`executor` says where folds run');
  const { threads } = await import('#node');
  const executor = threads({ workers: nJobs === -1 ? null : nJobs });
  const runner = { ...call.runner, options: { ...options, executor } };
  return withCleanup(
    () => begin({ ...call, runner }),
    () => executor.close(),
  );
}

interface BeforeFolds {
  readonly found?: readonly string[];
  readonly checks?: RunContext['checks'];
  /** Throws where the run must not go on, once callbacks know what was found. */
  refuse?(): unknown;
  /** Searches for what the folds are run with, after the first hook. */
  search?(): Promise<Prepared>;
}

export async function runFolds(
  prepared: Prepared,
  session: Session,
  { found = [], checks, refuse, search }: BeforeFolds = {},
): Promise<CVResults> {
  const { callbacks, call } = prepared;
  const { signal } = call.run.options;
  signal?.throwIfAborted();
  const warnings = [...found];
  const warn = (sentence: string) => void warnings.push(sentence);
  const context = () => [Object.freeze(runContext(prepared, session.adapter, warn, checks))] as [RunContext];
  await callHooks(callbacks, 'onCvStart', context, signal);
  refuse?.();
  const parts = await resultsOf((await search?.()) ?? prepared, session, warnings);
  await callHooks(callbacks, 'onCvEnd', () => [frozenResults(parts)], signal);
  await yieldToPage(0); // the results take long enough by themselves
  return new CVResults(parts);
}

/** What the folds of a run are made of and watched by. */
async function beforeTasks(prepared: Prepared, session: Session) {
  const { plan, folds, call, keepModels } = prepared;
  const { options } = call.run;
  const place = keepModels === 'save' ? options.modelPath : undefined;
  const places = modelPlaces(place);
  const ids = folds.map((index) => plan.ids[index]);
  if (!options.overwrite) await refuseTaken(ids, place);
  const sha256 = call.isFurther ? null : await contentHashes({ ...prepared, folds: plan });
  const environment = taskEnvironment(prepared, session, places.of, sha256?.data);
  const { trains } = session.adapter.capabilities;
  const watch = trains ? await watchModels(prepared, session, environment.services) : undefined;
  return { sha256, environment, watching: { watch, reserve: places.reserve } };
}

async function resultsOf(prepared: Prepared, session: Session, warnings: string[]): Promise<CVResultsParts> {
  const { plan, call, importance } = prepared;
  const { options } = call.run;
  const { adapter } = session;
  const startedAt = new Date();
  const began = performance.now();
  const recorded = call.isFurther ? {} : await recordedOptions(call.written);
  const { sha256, environment, watching } = await beforeTasks(prepared, session);
  const { services } = environment;
  const results: FoldResult[] = [];
  const { all, verifiedFolds, thrown } = await trainAll(prepared, session, environment, watching, results).catch(
    (error) => {
      if (results.length === 0 || call.isFurther) throw error;
      return { all: undefined, verifiedFolds: null, thrown: { error } };
    },
  );
  await yieldToPage();
  const ownWarnings = runWarnings(prepared, adapter, results);
  const metadata = await metadataOf(prepared, session, results, {
    startedAt,
    began,
    modelsTrained: environment.count.fits,
    sha256,
    verifiedFolds,
    history: modelHistory(watching.watch, session.raw),
    options: recorded,
    warnings: [...ownWarnings, ...fitWarnings(results), ...warnings],
  });
  const origin = originOf(prepared, session, services, results);
  const parts = {
    results,
    apparent: options.apparent ? all : undefined,
    importance:
      importance && (await import('./importance.js')).runImportance({ ...prepared, importance }, results, metadata),
    refitted: options.refit && all ? refittedOf(all, origin, services, prepared) : null,
    plan,
    scorers: prepared.scorers,
    groups: prepared.unnamed === 'test' ? undefined : prepared.data.groups,
    metadata,
    ownWarnings,
    origin,
    nameOf: prepared.nameOf,
  };
  // Models are released when the run ends early, also after the last fold.
  const kept = results.map((result) => ({ ...result, model: undefined }));
  if (!call.isFurther) session.done.results = () => new CVResults({ ...parts, results: kept, refitted: null });
  if (thrown) throw thrown.error;
  return parts;
}

async function trainAll(
  prepared: Prepared,
  session: Session,
  environment: TaskEnvironment,
  watching: Watching,
  done: FoldResult[],
) {
  const { apparent, refit, shard, verifyIsolation: verifies } = prepared.call.run.options;
  await runTasks(prepared, planned(prepared, session, watching), {
    ...environment,
    onResult: async (_, result) => void done.push(result),
    onOutcome: ({ task: { test, probe } }, outcome) => {
      if (outcome.status === 'failed') return;
      const { raw, table, probed, about } = outcome;
      const rows = probed && probe && { rows: probe, table: probed };
      watching.watch?.observe({ test, table: raw ?? table, probed: rows, idle: about.idle });
    },
  });
  const services = { ...environment.services, waiting: undefined };
  const further = { ...environment, services, callbacks: trainingCallbacks(prepared.callbacks) };
  // None where a callback ended the run.
  const wanted = (apparent || refit) && shard === undefined && done.length === prepared.folds.length;
  const [all] = wanted ? await runOnAllRows(prepared, session, further) : [];
  const isolation = { ...further, callbacks: [] };
  const verifiedFolds = verifies ? await verifyIsolation(auxiliaryRun(prepared), session, isolation, done) : null;
  return { all, verifiedFolds, thrown: undefined };
}

function originOf(
  { call, plan, keepModels, preparation }: Prepared,
  session: Session,
  services: TaskEnvironment['services'],
  results: readonly FoldResult[],
): ModelOrigin {
  return {
    adapter: session.opener,
    adapterOptions: call.runner.options.adapterOptions,
    preparation,
    savedBy: keepModels === 'save' ? services.saving.run : null,
    design: plan.design,
    members: results.map((result) => {
      if (result.status !== 'completed') return null;
      return savedFacts(services, ofFold(result.ctx.fold, result.adjustment, result.labels.own));
    }),
  };
}

interface Watching {
  readonly watch: FixedModelWatch | undefined;
  readonly reserve: NonNullable<TaskExtras['reserve']>;
}

function* planned(prepared: Prepared, { adapter }: Session, { watch, reserve }: Watching): Generator<PlannedTask> {
  const own = new Set(prepared.folds);
  for (const index of prepared.chosen) {
    const fold = prepared.plan.at(index);
    const probe = watch && ((fit: Int32Array) => watch.probe(fold.test, fit));
    // The folds of other parts are asked the same as in one run.
    if (!own.has(index)) probe?.(fold.train);
    else yield { task: foldTask(prepared, adapter, fold, { ...(probe ? { probe } : {}), reserve }), fold };
  }
}

/** A model that is trained on all rows and predicts them: for the apparent performance, and to be kept. */
function runOnAllRows(prepared: Prepared, session: Session, environment: TaskEnvironment): Promise<FoldResult[]> {
  const { refit } = prepared.call.run.options;
  // A model that is kept stays in this process, whatever runs the folds.
  const { executor } = refit ? { executor: inlineExecutor } : environment;
  return runTasks(auxiliaryRun(prepared), [onAllRows(prepared, session)], { ...environment, executor });
}

function onAllRows(prepared: Prepared, { adapter }: Session): PlannedTask {
  const { plan, call } = prepared;
  const sides = { train: rowNumbers(plan.n), test: rowNumbers(plan.n) };
  const fold = iterableFold({ id: 'all-rows', index: plan.length, repeat: plan.repeats, number: 0, ...sides });
  const { refit } = call.run.options;
  const all: Prepared = { ...auxiliaryRun(prepared), keepModels: refit ? 'memory' : 'none' };
  return { task: foldTask(all, adapter, fold), fold };
}

/** The model of all rows. Throws where its training failed: it is what was asked for. */
function refittedOf(
  all: FoldResult,
  origin: ModelOrigin,
  services: TaskEnvironment['services'],
  { plan, folds, call }: Prepared,
): RefittedModel {
  if (all.status === 'failed') throw all.error;
  const nTrain = folds.map((index) => plan.at(index).train.length);
  const { model, adjustment, labels } = all;
  const note = [refitNote(plan.n, nTrain, all.nValidation), call.tuning?.refitNote ?? []].flat().join(' ');
  const saved = savedFacts(services, ofFold(null, adjustment, labels.own, note));
  return new RefittedModel({ origin, model, saved });
}

interface Further {
  readonly cvSplitter: Splitter;
  readonly randomState: number | string;
  readonly problem: Problem;
  readonly plan?: FoldPlan | undefined;
  /** Options of `run` that are other, and of the runner. */
  readonly run?: Partial<RunCall['run']['options']>;
  readonly verbose?: number;
  /** What progress says of the run, in one line, unless the open run is silent. */
  readonly title?: string | undefined;
  readonly announced?: string | undefined;
}

/** The same model and training on other folds, rows or labels, with the adapter that is open. No model is kept. */
export async function runAgain(
  { call: { runner, run, written }, nameOf }: Prepared,
  session: Session,
  { cvSplitter, randomState, problem, plan, ...other }: Further,
): Promise<CVResults> {
  const { verbose } = runner.options;
  const call: RunCall = {
    runner: { ...runner, options: { ...runner.options, cvSplitter: seeded(cvSplitter, randomState) } },
    run: {
      ...run,
      options: { ...run.options, ...other.run },
      // What the caller wrote and does not hold here cannot be refused for having no effect.
      changed: new Set([...run.changed].filter((name) => !Object.hasOwn(other.run ?? {}, name))),
    },
    written,
    randomState,
    listeners:
      other.title !== undefined && verbose > 0
        ? [furtherProgress(other.title, other.announced)]
        : progressOf(other.verbose ?? 0),
    isFurther: true,
  };
  const prepared = { ...(await prepare(call, problem, plan)), preparation: session.preparation, nameOf };
  const further: Session = { ...session, waiting: undefined, models: new Map() };
  return runFolds(prepared, further);
}

/** Watches for models that `fit` does not change; an instance is asked what it predicts before its first fit. */
async function watchModels(
  prepared: Prepared,
  { adapter, first, fromInstance, directory }: Session,
  services: TaskEnvironment['services'],
): Promise<FixedModelWatch> {
  const { y, plan, chosen, call } = prepared;
  const watch = (before?: Parameters<typeof fixedModelWatch>[1]) => fixedModelWatch(y, before, directory !== undefined);
  if (!fromInstance || ask(adapter, 'isUntrained', first) === true) return watch();
  const fold = plan.at(chosen[0]);
  const rows = comparedRows(fold.train, y);
  const task = { ctx: foldContext(prepared, fold), fit: fold.train, timeout: call.run.options.foldTimeout };
  try {
    return watch({ rows, table: await predictedBeforeFit(services, task, rows) });
  } catch (error) {
    // An untrained model may throw anything. That it throws tells that it was not trained.
    if (endsTheRun(error, services.signal)) throw error;
    return watch();
  }
}

/** What is known of the model's past. A model that cannot be trained is fixed, whatever is fitted before it. */
function modelHistory(watch: FixedModelWatch | undefined, adapter: FrameworkAdapter): ModelHistory {
  if (!watch) return { ...NO_HISTORY, fixedModel: whyFixed(adapter) };
  const verdict = watch.verdict();
  if (adapter.capabilities.trains) return verdict;
  return { ...NO_HISTORY, [verdict.fixedModel === null ? 'trainedBefore' : 'fixedModel']: whyFixed(adapter) };
}

/**
 * Trains the first fold again after all others, then one that is drawn with the seed of the run, each with the decisions
 * that callbacks took in it, and compares histories and predictions bit for bit. The last one would not do: what earlier
 * folds left behind it met the first time, too. A store that the first fold fills and no later one changes is not seen.
 *
 * Gives the ids of the folds; none where fewer than two were completed. Throws {@link AdapterError} where a fold differs.
 */
async function verifyIsolation(
  prepared: Prepared,
  session: Session,
  environment: TaskEnvironment,
  results: readonly FoldResult[],
): Promise<readonly string[]> {
  const [first, ...others] = results.filter((result) => result.status === 'completed');
  if (others.length === 0) return [];
  const random = randomSource(deriveSeed(prepared.randomState, 'verifyIsolation'));
  const chosen = [first, others[randomInterval(random, others.length - 1)]];
  for (const inRun of chosen) await trainAgain(prepared, session, environment, inRun);
  return chosen.map(({ fold }) => fold.id);
}

async function trainAgain(
  prepared: Prepared,
  { adapter }: Session,
  environment: TaskEnvironment,
  inRun: CompletedFold,
): Promise<void> {
  const fold = prepared.plan.at(inRun.fold.index);
  const asBefore: Prepared = { ...prepared, scorers: [], onFoldError: 'throw' };
  const task = foldTask(asBefore, adapter, fold, {
    replay: inRun.decisions,
    ...(inRun.adjustment ? { adjustment: inRun.adjustment } : {}),
  });
  const [again] = await runTasks(asBefore, [{ task, fold: inRun.fold }], environment);
  const difference = differenceOf(inRun, again as CompletedFold);
  if (difference === undefined) return;
  const subject = `Fold ${inRun.fold.id} trained again after the others`;
  const must = 'give what it gave inside the run';
  const way =
    'Look for what outlives a fold: a layer, an optimizer or a store (Map, array) made outside the factory, a counter, a random number.';
  throw new AdapterError(sentence(subject, must, phrase(difference), way), { code: 'not_isolated' });
}

function differenceOf(inRun: CompletedFold, again: CompletedFold): string | undefined {
  const epochs = [inRun, again].map(({ history }) => history.epochs);
  for (let epoch = 0; epoch < Math.max(epochs[0].length, epochs[1].length); epoch++) {
    const [then, now] = epochs.map((each) => each[epoch] ?? {});
    const log = Object.keys({ ...then, ...now }).find((name) => !Object.is(then[name], now[name]));
    if (log) return `${log} ${now[log]} instead of ${then[log]} in epoch ${epoch}`;
  }
  for (const column of ['yProba', 'yPred'] as const) {
    const [then, now] = [inRun.table[column], again.table[column]];
    const width = (then?.length ?? 0) / inRun.fold.test.length;
    const at = Array.from(then ?? []).findIndex((value, i) => !Object.is(value, now?.[i]));
    if (at >= 0) return `${now?.[at]} instead of ${then?.[at]} for row ${inRun.fold.test[Math.floor(at / width)]}`;
  }
  return undefined;
}
