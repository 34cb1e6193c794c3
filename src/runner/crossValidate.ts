/** One cross-validation from checked options to results: what `UniversalCVRunner.run` loads when it is called. */

import type { EventEmitter } from 'eventemitter3';
import { cleanUpAll, cleanupOnError, withCleanup } from '../core/cleanup.js';
import { nameText } from '../core/foreignText.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { type Parsed, refuseIdle } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { isLabels, rowNumbers } from '../data/labels.js';
import { pseudonyms } from '../data/pseudonyms.js';
import { iterableFold } from '../splitters/fold.js';
import { foldsOf, hasInner } from '../splitters/foldsOf.js';
import { partOf } from '../splitters/partOf.js';
import { type Splitter, seeded } from '../splitters/splitter.js';
import { type ActiveRun, asRun, hadNoCompany } from './activeRuns.js';
import { askedAdjustment } from './adjustment.js';
import type { CVCallback } from './callback.js';
import { ProgressLogger } from './callbacks/progressLogger.js';
import {
  checkPlaces,
  checkSaves,
  chosenFolds,
  refuseEpochCallbacks,
  refuseIdleTraining,
  refuseMonitors,
  watchedMetrics,
} from './checkRun.js';
import { CVResults, type CVResultsParts, frozenResults } from './cvResults.js';
import { emitterCallback, type RunnerEvents } from './events.js';
import { fixedBecause, fixedModelWatch } from './fixedModel.js';
import { besideFolds, type FoldJob } from './foldJob.js';
import { factsOf, foldContext } from './foldRows.js';
import type { FrameworkAdapter } from './frameworkAdapter.js';
import { callbackList, callHooks, checkHooks, takeCallbacks, tearDown, trainingCallbacks } from './hooks.js';
import { asImplied, refuseImpliedTask, type TaskReading } from './impliedTask.js';
import { modelSource } from './modelSource.js';
import { withAdapter } from './openAdapter.js';
import { ownLabels } from './ownLabels.js';
import { type Problem, readData } from './readData.js';
import { answersBeforeFit, runFolds, snapshotOf } from './runFolds.js';
import { runMetadata } from './runMetadata.js';
import type { runnerOptions } from './runnerOptions.js';
import { type RunOptions, runOptions } from './runOptions.js';
import {
  idleTimes,
  leftBehind,
  looseValidation,
  unrepeatable,
  unusedRows,
  unweightedScores,
  watchedInnerFold,
} from './runWarnings.js';
import { scorersOf } from './scoring.js';
import { checkInnerFolds } from './validationRows.js';
import { verifyIsolation } from './verifyIsolation.js';

type Changed = ReadonlySet<string>;
type Settings = Parsed<typeof runOptions.shape>['options'];
type Job = Omit<FoldJob, 'adapter' | 'source'> & Pick<Problem, 'nGroups' | 'dataset'>;

/** What was said to the constructor and to `run`, and who emits the moments of the run. */
interface Call {
  readonly runner: Parsed<typeof runnerOptions.shape>;
  readonly run: Parsed<typeof runOptions.shape>;
  readonly emitter: EventEmitter<RunnerEvents>;
  readonly randomState: number | string;
}

type CallInput = Omit<Call, 'run' | 'randomState'> & { readonly input: RunOptions };

/** Reads the data, makes the folds, runs them and gives everything back that it took, also after an error. */
export async function crossValidate({ input, ...beside }: CallInput): Promise<CVResults> {
  const randomState = beside.runner.options.randomState ?? freshSeed();
  const cvSplitter = seeded(beside.runner.options.cvSplitter, randomState);
  const runner = { ...beside.runner, options: { ...beside.runner.options, cvSplitter } };
  const call: Call = { ...beside, runner, randomState, run: runOptions.parse(input) };
  return asRun(call.run.options.parent, (run) => oneRun(call, run));
}

async function oneRun(call: Call, active: ActiveRun): Promise<CVResults> {
  const { options } = call.run;
  const y = Array.isArray(options.data) ? options.data[1] : (options.data as { y?: unknown }).y;
  // Who gives labels that are read, as the validator does, reads them again himself.
  const readings: typeof asImplied = isLabels(y) ? (read) => read({}) : asImplied;
  const job = await readings((reading) => readJob(call, active, reading));
  const work = async () => {
    const parts = await readings(async ({ task, taskWhy }) => {
      if (!task) return openAndRun(call, job);
      const { callbacks, kept } = job;
      return openAndRun(call, { ...(await readJob(call, active, { task, taskWhy })), callbacks, kept });
    });
    await callHooks(job.callbacks, 'onCvEnd', () => [frozenResults(parts)]);
    return new CVResults(parts);
  };
  const giveBack = takeCallbacks(job.callbacks);
  const torn = () => withCleanup(work, () => tearDown(job.callbacks));
  return withCleanup(() => cleanupOnError(torn, () => cleanUpAll(job.kept)), giveBack);
}

/** Reads the rows and makes the folds. */
async function readJob(call: Call, active: ActiveRun, reading: TaskReading): Promise<Job> {
  const { options } = call.run;
  const problem = readData(options.data, { ...options, ...reading });
  return jobOf(call, active, problem, await foldsAndScorers(call, active, problem));
}

/** Where metrics or folds do not fit the classes that were guessed, the model may say that there are none. */
async function foldsAndScorers(call: Call, run: ActiveRun, problem: Problem): Promise<Pick<Job, 'plan' | 'scorers'>> {
  const { metrics, scoring } = call.run.options;
  const { X, y, data } = problem;
  try {
    const scorers = scorersOf(metrics, scoring, y.task, y.shape !== undefined);
    return { scorers, plan: foldsOf(call.runner.options.cvSplitter, X.length, y, data) };
  } catch (error) {
    if (y.guessed) await askModel(call, run, problem);
    throw error;
  }
}

/** Opens the adapter for the model of a fold that is not made yet, and asks it what its task is. */
async function askModel({ runner, run, randomState }: Call, active: ActiveRun, problem: Problem): Promise<void> {
  const { X, y, auxiliary } = problem;
  const all = rowNumbers(X.length);
  const fold = iterableFold({ id: 'fold-0', index: 0, repeat: 0, number: 0, train: all, test: all });
  const ctx = foldContext({ run: active, plan: { length: 1 }, inputShape: X.rowShape, y, randomState }, fold);
  const asked = { y, lossFn: run.options.lossFn, auxiliary: Object.keys(auxiliary ?? {}) };
  await withAdapter(runner.options, await modelSource(run.options.model), ctx, async ({ adapter, first }) =>
    refuseImpliedTask(adapter, first, asked),
  );
}

/** The folds of the rows, and what is to be done with them. */
function jobOf(call: Call, active: ActiveRun, problem: Problem, { plan, scorers }: Pick<Job, 'plan' | 'scorers'>): Job {
  const { options } = call.run;
  const given = callbackList(options.callbacks);
  return {
    run: active,
    ...problem,
    plan,
    folds: chosenFolds(plan, options.folds),
    inputShape: problem.X.rowShape,
    randomState: call.randomState,
    fitOptions: fitOptionsOf(options),
    validation: options.validation,
    scorers,
    callbacks: callbacksOf(call, given, options.validation !== undefined || hasInner(plan.at(0))),
    watched: watchedMetrics(given, problem.y.task),
    keepModels: options.keepModels,
    modelPath: options.modelPath,
    places: new Set(),
    kept: [],
    trained: { models: 0 },
    onFoldError: options.onFoldError,
    returnTrainScores: options.returnTrainScores,
    ownLabels: ownLabels(),
    adjust: askedAdjustment(options, { ...problem, plan, validation: options.validation }),
  };
}

/** Opens the adapter, runs the folds and puts the results together; releases kept models when it fails. */
async function openAndRun({ runner, run }: Call, job: Job): Promise<CVResultsParts> {
  const { plan, scorers, callbacks } = job;
  const { options, changed } = run;
  const onceOnly = unrepeatable(runner.options.cvSplitter, job);
  const startedAt = new Date();
  options.signal?.throwIfAborted();
  checkPlaces(run, job.folds.length);
  if (options.apparent && hasInner(plan.at(0))) {
    refuseIdle('run', 'apparent', 'the inner folds of a nested design are not those of all rows');
  }
  const model = await modelSource(options.model);
  const firstFold = foldContext(job, plan.at(job.folds[0]));
  const alone = hadNoCompany(job.run);
  return withAdapter(runner.options, model, firstFold, async ({ adapter, opener, session, first, waiting }) => {
    refuseImpliedTask(adapter, first, {
      y: job.y,
      lossFn: options.lossFn,
      auxiliary: Object.keys(job.auxiliary ?? {}),
    });
    // Validation rows that are not watched may still serve the adjustment.
    const trainedWith = job.adjust ? new Set([...changed].filter((name) => name !== 'validation')) : changed;
    refuseIdleTraining(adapter, trainedWith, job.auxiliary !== undefined);
    checkSaves(adapter, options);
    checkWatching(adapter, runner.options.cvSplitter, job);
    const { source, release } = await snapshotOf(adapter, model.source, firstFold);
    const said: string[] = [];
    const nameOf = pseudonyms();
    const work = async () => {
      const context = () => ({
        nSplits: job.folds.length,
        adapter: adapter.name,
        epochs: options.epochs,
        folds: job.folds.length < plan.length ? partOf(plan, job.folds) : plan,
        X: job.X,
        y: frozenCopy(job.y),
        data: frozenCopy(job.data),
        randomState: job.randomState,
        nameOf,
        warn: (sentence: string) => void said.push(sentence),
      });
      await callHooks(callbacks, 'onCvStart', () => [Object.freeze(context())]);
      const before = await answersBeforeFit({ ...job, adapter, source }, first);
      const idleFit = adapter.notTrainedBecause?.(first);
      const fixedModels = adapter.capabilities.trains ? fixedModelWatch(idleFit, before) : undefined;
      const foldJob = { ...job, adapter, source, waiting: alone() ? waiting : undefined, fixedModels };
      const results = await runFolds(foldJob);
      // None where a callback ended the run.
      const [apparent] =
        options.apparent && results.length === job.folds.length ? await runFolds(onAllRows(foldJob)) : [];
      const verifiedFolds = options.verifyIsolation ? await verifyIsolation(foldJob, results) : null;
      const overrides = overridden(runner.changed, changed);
      const metadata = runMetadata({
        ...job,
        adapter,
        session,
        results,
        startedAt,
        overridden: overrides,
        verifiedFolds,
        ...(fixedModels ? fixedModels.verdict() : { fixedModel: fixedBecause(adapter), trainedBefore: null }),
        warnings: [
          ...onceOnly,
          ...idleTimes(runner.options.cvSplitter, job.data),
          ...(watchesInner(adapter, job) ? watchedInnerFold(plan, job.folds[0]) : []),
          ...looseValidation(runner.options.cvSplitter, options.validation),
          ...unweightedScores(job.scorers, job.weight),
          ...unusedRows(results),
          ...leftBehind(results),
          ...said,
        ],
      });
      const origin = {
        adapter: opener,
        adapterOptions: runner.options.adapterOptions,
        facts: factsOf(job),
        positive: job.positive,
        ownLabels: job.ownLabels.found(),
        saved: job.keepModels === 'save',
        design: plan.design,
        nFolds: results.length,
        adjustments: results.map((result) => (result.status === 'completed' ? result.adjustment : null)),
      };
      return { results, apparent, plan, scorers, groups: job.data.groups, metadata, origin, nameOf };
    };
    return withCleanup(work, release);
  });
}

/** The job of one model that is trained on all rows and predicts them: no estimate of what it does on others. */
function onAllRows(job: FoldJob): FoldJob {
  const { plan } = job;
  const rows = () => rowNumbers(plan.n);
  const all = { id: 'all-rows', index: plan.length, repeat: plan.repeats, number: 0 };
  return {
    ...besideFolds(job),
    plan: { ...plan, at: () => iterableFold({ ...all, train: rows(), test: rows() }) },
    folds: [plan.length],
    callbacks: trainingCallbacks(job.callbacks),
  };
}

/** The caller's callbacks, checked, and ours. `watched`: training rows are set aside to be watched. */
function callbacksOf({ runner, emitter }: Call, callbacks: readonly CVCallback[], watched: boolean): CVCallback[] {
  for (const callback of callbacks) checkHooks(callback);
  if (!watched) refuseMonitors(callbacks, 'no `validation` option', 'Use validation: 0.2.');
  const { verbose } = runner.options;
  const progress = verbose > 0 ? [new ProgressLogger({ perEpoch: verbose > 1 })] : [];
  return [...callbacks, ...progress, emitterCallback(emitter)];
}

const fitOptionsOf = ({ epochs, batchSize, optimizer, lossFn, classWeight, augment, signal }: Settings) => ({
  epochs,
  batchSize,
  optimizer,
  lossFn,
  ...(classWeight ? { classWeight } : {}),
  ...(augment ? { augment } : {}),
  ...(signal ? { signal } : {}),
});

/** Inner folds are watched by what trains in epochs, unless the caller names the rows to watch. */
const watchesInner = (adapter: FrameworkAdapter, { validation }: Job) =>
  adapter.capabilities.epochs && validation === undefined;

/** What can be told once the adapter is known: inner folds are watched only by one that trains in epochs. */
function checkWatching(adapter: FrameworkAdapter, splitter: Splitter, job: Job): void {
  if (!adapter.capabilities.epochs) {
    refuseMonitors(job.callbacks, `the adapter '${nameText(adapter.name)}', which does not train in epochs`);
    refuseEpochCallbacks(job.callbacks, adapter.name);
  } else if (watchesInner(adapter, job)) {
    checkInnerFolds(splitter, job);
  }
}

function overridden(constructed: Changed, called: Changed): string[] {
  return [
    ...(constructed.has('adapter') && constructed.has('framework') ? ['`framework` by `adapter`'] : []),
    ...(called.has('scoring') && called.has('metrics') ? ['`metrics` by `scoring`'] : []),
  ];
}
