/** Runs tasks with an executor: calls hooks, scores what comes back, and decides what a failed fold means. */

import { errorOf } from '../core/errorRecord.js';
import {
  AdapterError,
  CVKitError,
  FoldError,
  InvalidOptionError,
  LeakageError,
  phrase,
  sentence,
  show,
} from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { isReason, isTimeout, within } from '../core/timeLimit.js';
import type { Score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { CallbackError, type CVCallback, type EpochContext, type EpochModel } from './callback.js';
import type { EpochControl, Executor, FoldEvent, FoldLink, FoldReply } from './executor.js';
import { type CompletedOutcome, errorIn, type FoldOutcome } from './foldOutcome.js';
import { completedFold, type FoldResult, type KeptFold, keptOf } from './foldResult.js';
import { countUnits } from './foldRows.js';
import type { FoldTask } from './foldTask.js';
import { badExecutor, checkedOutcome, outcomesOf } from './foreignOutcomes.js';
import { disposeOwned, type FoldContext, type FrameworkAdapter } from './frameworkAdapter.js';
import { callHooks, handlersOf, hasHook, trainingCallbacks } from './hooks.js';
import { inlineExecutor } from './inlineExecutor.js';
import type { Prepared } from './prepare.js';

export interface PlannedTask {
  readonly task: FoldTask;
  readonly fold: KeptFold;
}

/** Who does the work of some tasks. */
export interface TaskEnvironment {
  readonly executor: Executor;
  readonly services: FoldLink['services'];
  readonly describe: FoldLink['describe'];
  readonly callbacks: readonly CVCallback[];
  /** Counts the models that were trained. */
  readonly count: { fits: number };
  /** Called with each outcome, in the order of the tasks, before it is scored. */
  readonly onOutcome?: (planned: PlannedTask, outcome: FoldOutcome) => void;
  readonly onResult?: (planned: PlannedTask, result: FoldResult) => Promise<void>;
}

/**
 * The results of the tasks, in their order, whatever order they come back in. A callback may end the run after a fold:
 * later folds that are done already do not count, so that the results are the same for every executor.
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
  { executor, services, describe, callbacks, count, onOutcome, onResult }: TaskEnvironment,
): Promise<FoldResult[]> {
  const { signal } = services;
  const results: FoldResult[] = [];
  /** Tasks that are under way, in their order. A task that is done is dropped, since it holds all its rows. */
  const underWay: PlannedTask[] = [];
  const taken = new Set<string>();
  const arrived = new Map<string, FoldOutcome>();
  const taskOf = (fold: unknown) => underWay.find(({ task }) => task.ctx.fold === fold);
  const answers = eventAnswers(callbacks, services, ({ ctx, done, outcome }) =>
    innerResult(taskOf(ctx.fold)?.task.inner[done - 1] as FoldTask, outcome),
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
    for await (const received of outcomesOf(executor, tasks(), { services, emit: answers.emit, describe })) {
      const fold = (received as Partial<FoldOutcome> | null | undefined)?.ctx?.fold;
      const one = taskOf(fold);
      if (!one || arrived.has(fold as string)) {
        const got = taken.has(fold as string) ? `${nameText(fold as string)} twice` : show(fold ?? received);
        throw badExecutor(executor, 'return one outcome of `runFold` for each task that it took', got);
      }
      const outcome = executor === inlineExecutor ? received : checkedOutcome(received, one.task, prepared, executor);
      arrived.set(one.task.ctx.fold, outcome);
      stopped = (await takeInOrder()) === 'stop';
      if (stopped) break;
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
  const { left, innerFits, secondsOf } = outcome;
  const started = performance.now();
  const facts = () => {
    const scoring = (performance.now() - started) / 1000;
    return {
      fold: keptOf(fold),
      ctx,
      left,
      innerFits,
      seconds: outcome.seconds + scoring,
      secondsOf: { ...secondsOf, predict: secondsOf.predict + scoring },
    };
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

/** The model of a fold, or its place. */
function keptModel({ ctx, keepModel }: FoldTask, { models, placeOf }: FoldLink['services']): { model?: unknown } {
  if (keepModel === 'none') return {};
  return { model: keepModel === 'memory' ? models.get(ctx.fold) : placeOf(ctx.fold) };
}

/** Releases the model of a fold that failed, since no result will hold it. */
async function forgetModel(
  { ctx, timeout }: FoldTask,
  { adapter, models, signal }: FoldLink['services'],
): Promise<void> {
  const model = models.get(ctx.fold);
  if (models.delete(ctx.fold)) await within(signal, timeout, () => disposeOwned(adapter, model));
}

/** Adds the scores that do not need the model. */
async function withScores({ scorers, ...prepared }: Prepared, task: FoldTask, outcome: CompletedOutcome) {
  const { table, trainTable } = outcome;
  const scoresOf = async (of: ScoreTable, known: Readonly<Record<string, Score>>) => {
    const scores: Record<string, Score> = {};
    for (const scorer of scorers)
      scores[scorer.name] = scorer.recomputable ? await scorer.score(of) : known[scorer.name];
    return scores;
  };
  return {
    scores: await scoresOf(table, outcome.modelScores),
    ...(trainTable ? { trainTable, trainScores: await scoresOf(trainTable, outcome.trainModelScores ?? {}) } : {}),
    nFitted: task.fit.length,
    nValidation: task.watch?.length ?? 0,
    nUnitsFitted: task.watch ? countUnits(prepared, task.fit) : null,
  };
}

/** The result of an inner fold, for the callbacks that are part of training: nothing of it is scored. */
function innerResult({ test, fit }: FoldTask, outcome: CompletedOutcome): FoldResult {
  const { fold: id, index, repeat } = outcome.ctx;
  const fold = { id, index, repeat, number: index, test };
  return completedFold(outcome, { fold, scores: {}, nFitted: fit.length });
}

/** The error itself, out of the errors of inner folds that wrap it. */
const rootOf = (error: unknown): unknown => (error instanceof FoldError ? rootOf(error.cause) : error);

/** A failing callback, a leak, an engine that broke down and an abort end the run whatever `onFoldError` says. */
export const endsTheRun = (error: unknown, signal: AbortSignal | undefined): boolean =>
  error instanceof CallbackError ||
  error instanceof LeakageError ||
  (error instanceof CVKitError && error.code === 'backend_lost') ||
  isReason(error, signal);

/** Answers the events of folds: calls the callbacks, and tells the fold what they ask for. */
function eventAnswers(
  callbacks: readonly CVCallback[],
  { adapter, contextOf }: FoldLink['services'],
  innerResult: (event: FoldEvent & { readonly type: 'innerEnd' }) => FoldResult,
) {
  const training = trainingCallbacks(callbacks);
  const handlers = new Map<string, readonly CVCallback[]>();
  let failure: { readonly error: unknown } | undefined;

  /** The handlers of one fold: the same ones from its first moment to its last. */
  const of = (ctx: FoldContext, inner: boolean): readonly CVCallback[] => {
    const found = handlers.get(ctx.fold) ?? handlersOf(inner ? training : callbacks, ctx);
    handlers.set(ctx.fold, found);
    return found;
  };
  const end = async (context: FoldContext, inner: boolean, result: FoldResult) => {
    const answer = await callHooks(of(context, inner), 'onFoldEnd', () => [contextOf(context), frozenCopy(result)]);
    handlers.delete(context.fold);
    return answer;
  };
  const answered = async (event: FoldEvent, control: EpochControl | undefined): Promise<FoldReply> => {
    const { ctx, inner } = event;
    const called = of(ctx, inner);
    if (event.type === 'foldStart') {
      await callHooks(called, 'onFoldStart', () => [contextOf(ctx)]);
      return { batches: hasHook(called, 'onBatchEnd') };
    }
    if (event.type === 'innerEnd') {
      const { done, total, outcome } = event;
      const stop = (await end(outcome.ctx, true, innerResult(event))) === 'stop';
      await callHooks(called, 'onInnerFit', () => [contextOf(ctx), Object.freeze({ done, total })]);
      return { stop };
    }
    const { epoch, epochs } = event;
    if (event.type === 'batchEnd') {
      const at = () => contextOf({ ...ctx, epoch, epochs });
      await callHooks(called, 'onBatchEnd', () => [at(), Object.freeze({ ...event.logs })]);
      return {};
    }
    const learningRates: number[] = [];
    const { model, close } = epochModel(adapter, event.learningRate, learningRates, control as EpochControl);
    const at = (): EpochContext => contextOf({ ...ctx, epoch, epochs, model });
    const answer = await (event.type === 'epochStart'
      ? callHooks(called, 'onEpochStart', () => [at()])
      : callHooks(called, 'onEpochEnd', () => [at(), Object.freeze({ ...event.logs })]));
    close();
    return { stop: event.type === 'epochEnd' && answer === 'stop', learningRates };
  };
  /** An error in a callback ends the run, whether or not the fold succeeds. */
  const watched = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failure) throw failure.error;
    try {
      return await work();
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };
  return {
    emit: (event: FoldEvent, control?: EpochControl) => watched(() => answered(event, control)),
    /** Tells that a fold has ended, and whether a callback ends the run. */
    foldEnd: (result: FoldResult) => watched(() => end(result.ctx, false, result)),
    /** What a callback threw, which ends the run. */
    failure: () => failure,
  };
}

function epochModel(
  adapter: FrameworkAdapter,
  learningRate: (FoldEvent & { readonly type: 'epochEnd' })['learningRate'],
  set: number[],
  control: EpochControl,
) {
  let open = true;
  /** Throws unless the adapter has that part and the call comes between epochs. */
  const checkAble = (part: 'snapshot' | 'save' | 'learningRate', verb: string) => {
    if (!open) {
      const got = phrase('a call during an epoch, or after training');
      throw new AdapterError(sentence('A callback', `${verb} between epochs`, got));
    }
    if (adapter[part]) return;
    const way = part === 'snapshot' ? 'EarlyStopping can do without: restoreBest: false.' : undefined;
    const subject = `The adapter '${nameText(adapter.name)}'`;
    throw new AdapterError(sentence(subject, `be able to ${verb}`, phrase(`one without \`${part}\``), way), {
      code: 'unable',
    });
  };
  const rateNow = (verb: string): number => {
    checkAble('learningRate', verb);
    if (typeof learningRate === 'number') return set.at(-1) ?? learningRate;
    throw learningRate ? errorOf(learningRate) : new AdapterError('The learning rate is not known.');
  };
  const model: EpochModel = Object.freeze({
    async keepWeights() {
      checkAble('snapshot', 'keep weights');
      await control.keepWeights();
    },
    async save(where, options) {
      checkAble('save', 'save models');
      await control.save(where, options);
    },
    getLearningRate: () => rateNow('tell its learning rate'),
    setLearningRate(rate) {
      rateNow('change its learning rate');
      if (!(Number.isFinite(rate) && rate >= 0)) {
        throw new AdapterError(sentence('A learning rate', 'be a number >= 0', rate), { code: 'learning_rate' });
      }
      set.push(rate);
    },
  } satisfies EpochModel);
  const close = () => {
    open = false;
  };
  return { model, close };
}
