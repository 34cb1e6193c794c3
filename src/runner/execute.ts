/** A run that is ready, from its first hook to its results. */
import { recordedOptions } from '../core/recorded.js';
import { freshName } from '../core/wholeFile.js';
import { contentHashes } from '../data/contentHashes.js';
import { rowNumbers } from '../data/labels.js';
import { iterableFold } from '../splitters/fold.js';
import { hadNoCompany, ofRun } from './activeRuns.js';
import type { RunContext } from './callback.js';
import { type Crew, endsTheRun, type PlannedTask, runTasks } from './coordinate.js';
import { CVResults, type CVResultsParts, frozenResults } from './cvResults.js';
import { describeRun } from './describeRun.js';
import type { Executor, FoldLink } from './executor.js';
import {
  type Answers,
  comparedRows,
  type FixedModelWatch,
  fixedBecause,
  fixedModelWatch,
  type ModelHistory,
  NO_HISTORY,
} from './fixedModel.js';
import type { ModelOrigin } from './foldEnsemble.js';
import { type FoldResult, keptOf } from './foldResult.js';
import { factsOf, foldContext, savedFacts } from './foldRows.js';
import type { FoldServices } from './foldServices.js';
import { foldTask, type TaskExtras } from './foldTasks.js';
import { ask } from './frameworkAdapter.js';
import { callHooks, trainingCallbacks } from './hooks.js';
import { inlineExecutor } from './inlineExecutor.js';
import { metadataOf } from './metadataOf.js';
import { modelPlaces, refuseTaken } from './modelPlace.js';
import { auxiliaryRun, type Prepared } from './prepare.js';
import { RefittedModel, refitNote } from './refittedModel.js';
import { runContext } from './runContext.js';
import { predictedBeforeFit } from './runFold.js';
import { fitWarnings, runWarnings } from './runWarnings.js';
import { modelScoring } from './scoring.js';
import type { Session } from './session.js';
import { verifyIsolation } from './verifyIsolation.js';

/** Tells callbacks that the run begins; `said` is given what they say. */
export async function begin(
  prepared: Prepared,
  { adapter }: Session,
  said: string[],
  checks?: RunContext['checks'],
): Promise<void> {
  const warn = (sentence: string) => void said.push(sentence);
  const given = () => [Object.freeze(runContext(prepared, adapter, warn, checks))] as [RunContext];
  await callHooks(prepared.callbacks, 'onCvStart', given, prepared.call.run.options.signal);
}

/**
 * Runs the folds between the first and the last hook.
 *
 * @param found what checks had to say before
 * @param checks what they found
 * @param refuse throws where the run must not go on, once callbacks know what was found
 */
export async function execute(
  prepared: Prepared,
  session: Session,
  found: readonly string[] = [],
  checks?: RunContext['checks'],
  refuse?: () => unknown,
): Promise<CVResults> {
  const said = [...found];
  prepared.call.run.options.signal?.throwIfAborted();
  await begin(prepared, session, said, checks);
  refuse?.();
  return executeBegun(prepared, session, said);
}

/** The same after {@link begin}. */
export async function executeBegun(prepared: Prepared, session: Session, said: string[]): Promise<CVResults> {
  const parts = await runAll(prepared, session, said);
  await callHooks(prepared.callbacks, 'onCvEnd', () => [frozenResults(parts)], prepared.call.run.options.signal);
  return new CVResults(parts);
}

async function runAll(prepared: Prepared, session: Session, said: string[]): Promise<CVResultsParts> {
  const { plan, folds, scorers, call, nameOf } = prepared;
  const { options } = call.run;
  const { adapter } = session;
  const startedAt = new Date();
  const began = performance.now();
  const recorded = call.isFurther ? {} : await recordedOptions(call.written);
  const place = prepared.keepModels === 'save' ? options.modelPath : undefined;
  const places = modelPlaces(place);
  if (!options.overwrite)
    await refuseTaken(
      folds.map((index) => plan.ids[index]),
      place,
    );
  const sha256 = call.isFurther ? null : await contentHashes({ ...prepared, folds: plan });
  const crew = crewOf(prepared, session, places.of, sha256?.data);
  const { services } = crew;
  const watch = adapter.capabilities.trains ? await watchModels(prepared, session, services) : undefined;
  const done: FoldResult[] = [];
  const watching = { watch, reserve: places.reserve };
  const { all, verifiedFolds, thrown } = await trainAll(prepared, session, crew, watching, done).catch((error) => {
    if (done.length === 0 || call.isFurther) throw error;
    return { all: undefined, verifiedFolds: null, thrown: { error } };
  });
  const results = thrown ? done.map((result) => ({ ...result, model: undefined })) : done;
  const ownWarnings = runWarnings(prepared, adapter, results);
  const metadata = await metadataOf({
    prepared,
    session,
    results,
    startedAt,
    began,
    modelsTrained: crew.count.fits,
    sha256,
    verifiedFolds,
    history: historyOf(watch, session),
    options: recorded,
    warnings: [...ownWarnings, ...fitWarnings(results), ...said],
  });
  const completed = results.flatMap((result) => (result.status === 'completed' ? [result] : []));
  const origin = {
    adapter: session.opener,
    adapterOptions: call.runner.options.adapterOptions,
    preparation: prepared.preparation,
    facts: factsOf(prepared),
    positive: prepared.positive,
    ownLabels: completed.some(({ labels, adjustment }) => labels.own && !adjustment),
    savedBy: prepared.keepModels === 'save' ? services.saving.run : null,
    design: plan.design,
    nFolds: results.length,
    adjustments: results.map((result) => (result.status === 'completed' ? result.adjustment : null)),
  };
  const parts = {
    results,
    apparent: options.apparent ? all : undefined,
    refitted: options.refit && all ? refittedOf(all, origin, services, prepared) : null,
    plan,
    scorers,
    groups: prepared.data.groups,
    metadata,
    ownWarnings,
    origin,
    nameOf,
  };
  if (!thrown) return parts;
  session.done.results = new CVResults(parts);
  throw thrown.error;
}

/** Trains the folds, which are `done` one by one, and then what comes beside them. */
async function trainAll(prepared: Prepared, session: Session, crew: Crew, watching: Watching, done: FoldResult[]) {
  const { apparent, refit, verifyIsolation: verifies } = prepared.call.run.options;
  await runTasks(prepared, planned(prepared, session, watching), {
    ...crew,
    scored: async (_, result) => void done.push(result),
    seen: ({ task: { test, probe } }, outcome) => {
      if (outcome.status === 'failed') return;
      const { raw, table, probed } = outcome;
      watching.watch?.seen({ test, table: raw ?? table, probed: probed && probe && { rows: probe, table: probed } });
    },
  });
  const services = { ...crew.services, waiting: undefined };
  const beside = { ...crew, services, callbacks: trainingCallbacks(prepared.callbacks) };
  // None where a callback ended the run.
  const wanted = (apparent || refit) && done.length === prepared.folds.length;
  const [all] = wanted ? await runOnAllRows(prepared, session, beside) : [];
  const isolation = { ...beside, callbacks: [] };
  const verifiedFolds = verifies ? await verifyIsolation(auxiliaryRun(prepared), session, isolation, done) : null;
  return { all, verifiedFolds, thrown: undefined };
}

/** What is known of the model's past. A model that cannot be trained is fixed, whatever is fitted before it. */
function historyOf(watch: FixedModelWatch | undefined, { raw }: Session): ModelHistory {
  if (!watch) return { ...NO_HISTORY, fixedModel: fixedBecause(raw) };
  const seen = watch.verdict();
  if (raw.capabilities.trains) return seen;
  return { ...NO_HISTORY, [seen.fixedModel === null ? 'trainedBefore' : 'fixedModel']: fixedBecause(raw) };
}

/** The model of all rows. Throws where its training failed: it is what was asked for. */
function refittedOf(
  all: FoldResult,
  origin: ModelOrigin,
  services: FoldLink['services'],
  { plan, folds, call }: Prepared,
): RefittedModel {
  if (all.status === 'failed') throw all.error;
  const nTrain = folds.map((index) => plan.at(index).train.length);
  const { model, adjustment } = all;
  const note = [refitNote(plan.n, nTrain, all.nValidation), call.tuning?.refitNote ?? []].flat().join(' ');
  return new RefittedModel({ origin, model, saved: savedFacts(services, { fold: null, adjustment, note }) });
}

/** What earlier folds showed and later folds need. */
interface Watching {
  readonly watch: FixedModelWatch | undefined;
  readonly reserve: NonNullable<TaskExtras['reserve']>;
}

/** The tasks of the folds that were chosen, made one by one. */
function* planned(prepared: Prepared, { adapter }: Session, { watch, reserve }: Watching): Generator<PlannedTask> {
  for (const index of prepared.folds) {
    const fold = prepared.plan.at(index);
    const probe = watch && ((fit: Int32Array) => watch.probe(fold.test, fit));
    yield { task: foldTask(prepared, adapter, fold, { ...(probe ? { probe } : {}), reserve }), fold: keptOf(fold) };
  }
}

/** A model that is trained on all rows and predicts them: for the apparent performance, and to be kept. */
function runOnAllRows(prepared: Prepared, { adapter }: Session, crew: Crew): Promise<FoldResult[]> {
  const { plan } = prepared;
  const rows = () => rowNumbers(plan.n);
  const fold = iterableFold({
    id: 'all-rows',
    index: plan.length,
    repeat: plan.repeats,
    number: 0,
    train: rows(),
    test: rows(),
  });
  if (!prepared.call.run.options.refit) {
    const all = auxiliaryRun(prepared);
    return runTasks(all, [{ task: foldTask(all, adapter, fold), fold: keptOf(fold) }], crew);
  }
  // The model stays in this process, whatever runs the folds.
  const kept: Prepared = { ...auxiliaryRun(prepared), keepModels: 'memory' };
  const task = foldTask(kept, adapter, fold);
  return runTasks(kept, [{ task, fold: keptOf(fold) }], { ...crew, executor: inlineExecutor });
}

/** Who does the work of a run. */
export function crewOf(
  prepared: Prepared,
  session: Session,
  placeOf: FoldServices['placeOf'],
  data: Readonly<Record<string, string | null>> | null = null,
): Crew {
  const { call, callbacks, X, preparation } = prepared;
  const { overwrite } = call.run.options;
  const run = `${freshName()}${freshName()}`;
  const about = { featureNames: X.featureNames ?? null, preprocessing: preparation?.described ?? null };
  const saving = { framework: session.opener.name, run, data, ...about, overwrite };
  const executor = call.runner.options.executor === 'inline' ? inlineExecutor : call.runner.options.executor;
  const services = { ...servicesOf(prepared, session, executor, placeOf), saving };
  return { executor, services, describe: describeRun(prepared, session, saving), callbacks, count: { fits: 0 } };
}

function servicesOf(
  prepared: Prepared,
  { adapter, source, active, models, waiting }: Session,
  executor: Executor,
  placeOf: FoldServices['placeOf'],
): Omit<FoldLink['services'], 'saving'> {
  const { X, y, auxiliary, data, weight, positive, scorers, plan, folds } = prepared;
  const alone = hadNoCompany(active);
  return {
    adapter,
    source,
    X,
    y,
    auxiliary,
    data,
    weight,
    positive,
    training: prepared.localTraining,
    modelScores: modelScoring(scorers),
    signal: prepared.call.run.options.signal,
    models,
    placeOf,
    waiting: waiting && alone() ? { fold: plan.at(folds[0]).id, held: waiting } : undefined,
    watchMemory: () => (executor.concurrency > 1 ? () => false : hadNoCompany(active)),
    contextOf: (ctx) => ofRun(active, Object.freeze({ ...ctx })),
  };
}

/** Looks for models that `fit` does not change, and for what an instance knew before its first fit. */
async function watchModels(
  prepared: Prepared,
  { adapter, first, fromInstance }: Session,
  services: FoldLink['services'],
): Promise<FixedModelWatch> {
  const asksFirst = fromInstance && ask(adapter, 'isUntrained', first) !== true;
  const before = asksFirst ? await answersBeforeFit(prepared, services) : undefined;
  return fixedModelWatch(prepared.y, ask(adapter, 'notTrainedBecause', first), before);
}

/** What an instance predicts for training rows of the first fold before any fit; undefined where it does not answer. */
async function answersBeforeFit(prepared: Prepared, services: FoldLink['services']): Promise<Answers | undefined> {
  const fold = prepared.plan.at(prepared.folds[0]);
  const rows = comparedRows(fold.train, prepared.y);
  const timeout = prepared.call.run.options.foldTimeout;
  try {
    const task = { ctx: foldContext(prepared, fold), fit: fold.train, timeout };
    return { rows, table: await predictedBeforeFit(services, task, rows) };
  } catch (error) {
    // An untrained model may throw anything. That it throws tells that it was not trained.
    if (endsTheRun(error, services.signal)) throw error;
    return undefined;
  }
}
