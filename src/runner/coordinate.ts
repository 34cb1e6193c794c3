/** Runs tasks with an executor: calls hooks, scores what comes back, and decides what a failed fold means. */

import {
  AdapterError,
  atOnce,
  CVKitError,
  FoldError,
  InvalidOptionError,
  kindOf,
  LeakageError,
  messageOf,
  phrase,
  sentence,
  show,
} from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { asModule } from '../core/moduleFunction.js';
import { isList } from '../core/options.js';
import * as is from '../core/shape.js';
import { isReason, isTimeout, within } from '../core/timeLimit.js';
import { freshName } from '../core/wholeFile.js';
import { yieldToPage } from '../core/yieldToPage.js';
import { gather, type Labels } from '../data/labels.js';
import { portableRows } from '../data/portable.js';
import type { Score } from '../metrics/metric.js';
import { labelWidth, probaWidth, type ScoreTable } from '../metrics/scoreTable.js';
import { ofRun, ranAlone } from './activeRuns.js';
import { CallbackError, type CVCallback } from './callback.js';
import { hasNumbers, truthTable } from './checkPredictions.js';
import type {
  Executor,
  FoldLink,
  FoldServices,
  FoldTask,
  RecordFacts,
  RunForMachines,
  RunRecord,
  RunRows,
  SavingRun,
} from './executor.js';
import { foldLabels } from './foldLabels.js';
import {
  type CompletedOutcome,
  completedFold,
  errorIn,
  type FoldOutcome,
  type FoldResult,
  type KeptFold,
  keptOf,
} from './foldResult.js';
import { unitsIn } from './foldRows.js';
import { historyShape } from './foldTraining.js';
import { disposeOwned } from './frameworkAdapter.js';
import { eventAnswers, innerResultOf, plainCallbacks } from './hooks.js';
import { inlineExecutor } from './inlineExecutor.js';
import { moduleUrl } from './modelSource.js';
import type { Prepared } from './prepare.js';
import { retried } from './retries.js';
import { type KeptOutcomes, keptOrRun, missingTasks, type RunDirectory } from './runDirectory.js';
import { portableRun } from './runFoldElsewhere.js';
import { modelScoring } from './scoring.js';
import type { Session } from './session.js';

export interface PlannedTask {
  readonly task: FoldTask;
  readonly fold: KeptFold;
}

export interface TaskEnvironment {
  readonly executor: Executor;
  readonly services: FoldLink['services'];
  readonly describe: FoldLink['describe'];
  readonly forMachines: () => Omit<RunForMachines, 'directory'>;
  readonly callbacks: readonly CVCallback[];
  /** What is on the disk of these tasks, with a run directory. */
  readonly kept?: (() => Promise<KeptOutcomes>) | undefined;
  readonly count: { fits: number };
  /** Called with each outcome, in the order of the tasks, before it is scored. */
  readonly onOutcome?: (planned: PlannedTask, outcome: FoldOutcome) => void;
  readonly onResult?: (planned: PlannedTask, result: FoldResult) => Promise<void>;
}

/**
 * The results in the order of the tasks, whatever order they come back in. A callback may end the run after a fold: later
 * folds that are done already do not count, so that the results are the same for every executor. With `onFoldError: 'throw'`
 * a fold that failed ends the run as soon as it comes back.
 */
export const runTasks = (
  prepared: Prepared,
  planned: Iterable<PlannedTask>,
  environment: TaskEnvironment,
): Promise<FoldResult[]> =>
  within(environment.services.signal, undefined, () => runInOrder(prepared, planned, environment));

async function runInOrder(
  prepared: Prepared,
  planned: Iterable<PlannedTask>,
  { executor, services, describe, forMachines, callbacks, kept, count, onOutcome, onResult }: TaskEnvironment,
): Promise<FoldResult[]> {
  const { signal } = services;
  const results: FoldResult[] = [];
  /** Tasks that are under way, in their order. A task that is done is dropped, since it holds all its rows. */
  const underWay: PlannedTask[] = [];
  const taken = new Set<string>();
  const arrived = new Map<string, FoldOutcome>();
  const taskOf = (fold: unknown) => underWay.find(({ task }) => task.ctx.fold === fold);
  const answers = eventAnswers(callbacks, services, (event) =>
    innerResultOf(taskOf(event.ctx.fold)?.task as FoldTask)(event),
  );
  let allTaken = false;
  function* tasks(): Generator<FoldTask> {
    for (const each of planned) {
      signal?.throwIfAborted();
      underWay.push(each);
      taken.add(each.task.ctx.fold);
      yield each.task;
    }
    allTaken = true;
  }
  const foldEnd = ({ ctx, timeout }: FoldTask, result: FoldResult) =>
    within(signal, timeout, () => answers.foldEnd(result)).catch((error) => {
      throw isTimeout(error) ? new FoldError(ctx.fold, error) : error;
    });
  /** Takes what has come back in the order of the tasks; tells whether a callback ends the run. */
  const takeInOrder = async (): Promise<'stop' | undefined> => {
    for (;;) {
      const next = underWay[0];
      const found = next && arrived.get(next.task.ctx.fold);
      if (!found) return undefined;
      arrived.delete(next.task.ctx.fold);
      underWay.shift();
      count.fits += found.fits;
      const failure = answers.failure();
      if (failure) throw failure.error;
      onOutcome?.(next, found);
      const result = await foldResult(prepared, next, found, services);
      results.push(result);
      await onResult?.(next, result);
      if ((await foldEnd(next.task, result)) === 'stop') return 'stop';
    }
  };
  let stopped = false;
  try {
    const disk = await kept?.();
    const { retries } = prepared.call.run.options;
    const link: FoldLink = {
      ...{ services, describe, emit: answers.emit },
      forMachines: () => ({ ...forMachines(), directory: disk }),
    };
    const once = (some: Iterable<FoldTask>) => outcomesOf(executor, some, link);
    const failed = async (task: FoldTask, outcome: FoldOutcome) => {
      // An abort, or a failing callback, is no failure of the fold.
      signal?.throwIfAborted();
      if (answers.failure()) throw answers.failure()?.error;
      answers.forget(task);
      await disk?.write(disk.keyOf(task), task, outcome);
    };
    const run = (some: Iterable<FoldTask>) => (retries > 0 ? retried(some, retries, once, failed) : once(some));
    const runMissing = (of: KeptOutcomes) => keptOrRun(tasks(), of, (some) => run(missingTasks(prepared, of, some)));
    for await (const received of disk ? runMissing(disk) : run(tasks())) {
      const fold = (received as Partial<FoldOutcome> | null | undefined)?.ctx?.fold;
      const one = taskOf(fold);
      if (!one || arrived.has(fold as string)) {
        const got = taken.has(fold as string) ? `${nameText(fold as string)} twice` : show(fold ?? received);
        throw badExecutor(executor, 'return one outcome of `runFold` for each task that it took', got);
      }
      const outcome = withRule(
        executor === inlineExecutor ? received : checkedOutcome(received, one.task, prepared, executor),
        prepared.y,
      );
      arrived.set(one.task.ctx.fold, outcome);
      stopped = (await takeInOrder()) === 'stop';
      if (stopped) break;
      // Not in its turn, which may be long in coming: this throws.
      if (outcome.status === 'failed' && prepared.onFoldError === 'throw')
        await foldResult(prepared, one, outcome, services);
    }
  } catch (error) {
    // The fold that was told of a failing callback throws it, too, perhaps as a copy.
    throw answers.failure()?.error ?? error;
  }
  if (stopped) for (const { task } of underWay) await forgetModel(task, services);
  if (stopped || (allTaken && underWay.length === 0)) return results;
  const lacks = underWay[0]?.task.ctx.fold ?? 'tasks that it did not take';
  throw badExecutor(executor, 'give an outcome for every fold', `none for ${lacks}`);
}

async function foldResult(
  prepared: Prepared,
  { task, fold }: PlannedTask,
  outcome: FoldOutcome,
  services: FoldLink['services'],
): Promise<FoldResult> {
  const { ctx } = task;
  const { left, innerFits } = outcome;
  const started = performance.now();
  const facts = () => {
    const scoring = (performance.now() - started) / 1000;
    const secondsOf = { ...outcome.secondsOf, predict: outcome.secondsOf.predict + scoring };
    const known = { fold: keptOf(fold), ctx, left, innerFits, ...(outcome.kept ? { kept: outcome.kept } : {}) };
    return { ...known, seconds: outcome.seconds + scoring, secondsOf };
  };
  try {
    if (outcome.status === 'failed') {
      services.signal?.throwIfAborted();
      throw errorIn(outcome);
    }
    const scored = await within(services.signal, task.timeout, () => withScores(prepared, task, outcome));
    return completedFold(outcome, { ...scored, ...keptModel(task, services), ...facts() });
  } catch (error) {
    await forgetModel(task, services);
    if (endsTheRun(error, services.signal)) throw error;
    const failure = new FoldError(ctx.fold, error);
    // A wrong option is wrong in every fold: recorded, it would be a run without a single score.
    const { onFoldError } = prepared;
    if (onFoldError === 'throw' || (onFoldError === 'record' && rootOf(error) instanceof InvalidOptionError))
      throw failure;
    const missing: Score = { value: null, reason: `fold failed: ${failure.message}` };
    const scores = Object.fromEntries(prepared.scorers.map(({ name }) => [name, missing]));
    return { ...facts(), status: 'failed', error: failure, scores };
  }
}

function keptModel({ ctx, keepModel }: FoldTask, { models, placeOf }: FoldLink['services']): { model?: unknown } {
  if (keepModel === 'none') return {};
  return { model: keepModel === 'memory' ? models.get(ctx.fold) : placeOf(ctx.fold) };
}

/** Releases the model of a fold that failed, since no result will hold it. */
async function forgetModel({ ctx, timeout }: FoldTask, { adapter, models, signal }: FoldLink['services']) {
  const model = models.get(ctx.fold);
  if (models.delete(ctx.fold)) await within(signal, timeout, () => disposeOwned(adapter, model));
}

/** A function that makes one prediction of those of a patient is in no outcome. */
function withRule<O extends FoldOutcome>(outcome: O, { aggregate }: Labels): O {
  if (typeof aggregate !== 'function' || outcome.status === 'failed') return outcome;
  const { table, trainTable } = outcome;
  return {
    ...outcome,
    table: { ...table, aggregate },
    ...(trainTable && { trainTable: { ...trainTable, aggregate } }),
  };
}

async function withScores({ scorers, ...prepared }: Prepared, task: FoldTask, outcome: CompletedOutcome) {
  const { table, trainTable } = outcome;
  const scoresOf = async (of: ScoreTable, known: Readonly<Record<string, Score>>) => {
    const scores: Record<string, Score> = {};
    for (const scorer of scorers) {
      await yieldToPage();
      scores[scorer.name] = scorer.recomputable ? await scorer.score(of) : known[scorer.name];
    }
    return scores;
  };
  return {
    scores: await scoresOf(table, outcome.modelScores),
    ...(trainTable ? { trainTable, trainScores: await scoresOf(trainTable, outcome.trainModelScores ?? {}) } : {}),
    nFitted: task.fit.length,
    nValidation: task.watch?.length ?? 0,
    nUnitsFitted: task.watch ? unitsIn(prepared, task.fit) : null,
  };
}

const rootOf = (error: unknown): unknown => (error instanceof FoldError ? rootOf(error.cause) : error);

/** A failing callback, a leak, an engine that broke down and an abort end the run whatever `onFoldError` says. */
export const endsTheRun = (error: unknown, signal: AbortSignal | undefined): boolean =>
  error instanceof CallbackError ||
  error instanceof LeakageError ||
  (error instanceof CVKitError && error.code === 'backend_lost') ||
  isReason(error, signal);

/** The outcomes of the tasks. What the executor throws is told as its fault; errors of cvkit and of the signal pass. */
async function* outcomesOf(executor: Executor, tasks: Iterable<FoldTask>, link: FoldLink): AsyncGenerator<FoldOutcome> {
  try {
    const outcomes: unknown = atOnce(executor.run(tasks, link), `\`run\` of ${named(executor)}`);
    if (typeof (outcomes as Partial<AsyncIterable<unknown>> | null)?.[Symbol.asyncIterator] !== 'function') {
      throw badExecutor(executor, 'have a `run` that returns an async iterable', show(outcomes));
    }
    yield* outcomes as AsyncIterable<FoldOutcome>;
  } catch (error) {
    // Aborted work may throw anything.
    link.services.signal?.throwIfAborted();
    if (error instanceof CVKitError || executor === inlineExecutor) throw error;
    const must = 'put what goes wrong in a fold into its outcome, and throw nothing';
    throw badExecutor(executor, must, messageOf(error), error);
  }
}

const named = ({ name }: Executor) => `the executor '${nameText(String(name))}'`;

const badExecutor = ({ name }: Executor, must: string, got: string, cause?: unknown) => {
  const subject = `The executor '${nameText(String(name))}'`;
  return new AdapterError(sentence(subject, must, phrase(got)), { code: 'invalid_executor', cause });
};

const { finite, hasFields, orNull, whole } = is;
const part = orNull(is.recordOfAny);
const adjustment = hasFields({ nRows: whole(), recalibration: part, threshold: part });
const facts = {
  ...{ status: is.oneText('completed', 'failed'), seconds: finite, fits: whole(), innerFits: whole() },
  secondsOf: hasFields({ inner: finite, preprocess: finite, fit: finite, predict: finite }),
  left: orNull(hasFields({ tensors: finite, bytes: finite })),
};
const trained = {
  ...{ ...facts, history: historyShape, stoppedEarly: is.flag, keptEpoch: orNull(finite) },
  ...{ decisions: is.list(is.recordOfAny), labels: hasFields({ looked: whole(), own: is.flag }) },
  about: hasFields({ name: orNull(is.text), idle: orNull(is.text), cells: is.leftOutOr(is.list(is.list(is.cell, 3))) }),
};

const error = hasFields({ name: is.text, message: is.text, facts: is.recordOfAny, suppressed: is.list(is.anyValue) });

const column = (length: number, must: string, accepts: (value: number, at: number) => boolean): is.Shape =>
  is.leaf(`be ${length} ${must}`, (v) => isList(v) && v.length === length && (v as number[]).every(accepts));

/** The outcome, held to be one of the task. What is known of its rows (truth, weights, classes) is not taken from it. */
function checkedOutcome<O extends FoldOutcome>(
  outcome: O,
  task: FoldTask,
  { y, weight, positive, scorers }: Pick<Prepared, 'y' | 'weight' | 'positive' | 'scorers'>,
  executor: Executor,
): O {
  const checked = (shapes: Readonly<Record<string, is.Shape>>) => {
    const fault = hasFields(shapes)(outcome, '');
    if (!fault) return outcome;
    const subject = `The field ${fault.at} of what ${named(executor)} returns for ${task.ctx.fold}`;
    throw new AdapterError(sentence(subject, fault.must, kindOf(fault.got)), { code: 'invalid_executor' });
  };
  if (outcome.status === 'failed') return checked({ ...facts, error });
  const needModel = scorers.flatMap(({ name, recomputable }) => (recomputable ? [] : [name]));
  const scores = hasFields(Object.fromEntries(needModel.map((name) => [name, hasFields({ value: orNull(finite) })])));
  const adjusts = task.adjust || task.adjustment;
  checked({ ...trained, adjustment: adjusts ? adjustment : orNull(adjustment), modelScores: scores });
  if (task.train) checked({ trainModelScores: scores });
  if (task.importance) {
    const drop = hasFields({ feature: is.text, value: orNull(finite) });
    checked({ importance: hasFields({ metric: is.text, drops: is.list(drop, task.importance.columns.length) }) });
  }
  const rowsOf = { table: task.test, trainTable: task.train, raw: adjusts && task.test, probed: task.probe };
  const known = foldLabels(task, { y, positive, weight });
  const tables = Object.entries(rowsOf).flatMap(([name, rows]) => {
    if (!rows) return [];
    const truth = truthTable(known.take(rows), positive, weight && gather(weight, rows));
    const { task: kind, yTrue, length, classes } = truth;
    const codes = kind === 'multilabel' ? 2 : classes.length;
    const isCode = (v: number) => Number.isInteger(v) && v >= 0 && v < codes;
    const isShare = (v: number) => Number.isFinite(v) && v >= 0 && v <= 1;
    const shapes = {
      yTrue: column(yTrue.length, 'values, the truth of its rows', (v, at) => v === yTrue[at]),
      yPred: column(length * labelWidth(truth), 'predictions', hasNumbers(kind) ? Number.isFinite : isCode),
      yProba: is.leftOutOr(column(length * probaWidth(truth), 'probabilities', isShare)),
    };
    const { yPred, yProba } = (checked({ [name]: hasFields(shapes) }) as unknown as Record<string, ScoreTable>)[name];
    return [[name, { ...truth, yPred, ...(yProba ? { yProba: Float64Array.from(yProba) } : {}) }]];
  });
  return { ...outcome, ...Object.fromEntries(tables) };
}

export function taskEnvironment(
  prepared: Prepared,
  session: Session,
  placeOf: FoldServices['placeOf'],
  data: Readonly<Record<string, string | null>> | null = null,
): TaskEnvironment {
  const { call, callbacks, X, preparation } = prepared;
  const { overwrite } = call.run.options;
  const run = session.directory?.id ?? `${freshName()}${freshName()}`;
  const about = { featureNames: X.featureNames ?? null, preprocessing: preparation?.described ?? null };
  const saving = { framework: session.opener.name, run, data, ...about, overwrite };
  const executor = call.runner.options.executor === 'inline' ? inlineExecutor : call.runner.options.executor;
  const { adapter, source, built, active, models, waiting } = session;
  const alone = ranAlone(active);
  const services: FoldLink['services'] = {
    ...{ adapter, source, built, models, placeOf, saving },
    ...{ X, y: prepared.y, auxiliary: prepared.auxiliary, data: prepared.data },
    ...{ weight: prepared.weight, positive: prepared.positive, training: prepared.localTraining },
    modelScores: modelScoring(prepared.scorers),
    signal: call.run.options.signal,
    waiting: waiting && alone() ? { fold: prepared.plan.at(prepared.folds[0]).id, held: waiting } : undefined,
    watchMemory: () => (executor.concurrency > 1 ? () => false : ranAlone(active)),
    contextOf: (ctx) => ofRun(active, Object.freeze({ ...ctx })),
  };
  const facts = () => factsOf(prepared, session, saving);
  let record: Promise<RunRecord> | undefined;
  const describe = () => {
    record ??= rowsOf(prepared, session).then((rows) => ({ ...facts(), ...rows }));
    return record;
  };
  const forMachines = () => {
    const { training } = prepared;
    return { facts: facts(), training, callbacks: plainCallbacks(callbacks), data: dataModule(prepared) };
  };
  const kept = session.directory && (() => (session.directory as RunDirectory).outcomesOf(services));
  return { executor, services, describe, forMachines, callbacks, kept, count: { fits: 0 } };
}

/** Rows and labels as one module gives them. */
export const dataModule = ({ X, y, origin }: Prepared) =>
  origin?.X === X && origin.y === y ? origin.module : undefined;

function rowsOf(prepared: Prepared, { portable }: Session): Promise<RunRows> {
  const rows = portable.get(prepared.X) ?? portableRows(prepared.X);
  portable.set(prepared.X, rows);
  return portableRun(prepared, rows);
}

function factsOf(
  { positive, call, preparation }: Prepared,
  { session, opener }: Session,
  saving: SavingRun,
): RecordFacts {
  const { elsewhere } = session;
  return {
    id: saving.run,
    model: moduleUrl(call.run.options.model) as string, // see checkElsewhere
    takesParams: call.tuning !== undefined,
    framework: opener.name,
    adapterOptions: asPlain(elsewhere?.options ?? call.runner.options.adapterOptions),
    engine: session.info,
    preprocessing: preparation?.toJSON(),
    positive,
    saving,
  };
}

/** A URL of a module cannot be sent; its text can. */
const asPlain = (options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, asModule(value, `the \`${name}\` option`)]));
