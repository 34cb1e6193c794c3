/**
 * The one fold loop. Nothing else in the package builds, fits or predicts; the runner, the validator, tuning and the
 * executors are consumers of this file.
 */
import { withCleanup } from '../core/cleanup.js';
import { AdapterError, FoldError, InvalidDataError, LeakageError, sentence, show } from '../core/errors.js';
import type { Labels } from '../core/labels.js';
import { gather } from '../core/labels.js';
import { deriveSeed } from '../core/random.js';
import type { Rows } from '../core/rows.js';
import type { SideData } from '../core/sideData.js';
import type { Score } from '../metrics/metric.js';
import { copyTable } from '../metrics/scoreTable.js';
import type { CheckedFold, FoldPlan } from '../splitters/foldsOf.js';
import { CallbackError, type CVCallback, callHooks } from './callback.js';
import { checkPredictions } from './checkPredictions.js';
import type { CompletedFold, FoldResult } from './foldResult.js';
import type {
  Batch,
  FitHistory,
  FitHooks,
  FitOptions,
  FoldContext,
  FrameworkAdapter,
  ModelFactory,
} from './frameworkAdapter.js';
import type { ValidationOption } from './runOptions.js';
import type { Scorer } from './scoring.js';
import { validationRows } from './validationRows.js';

/** Everything the loop needs, checked before. */
export interface FoldJob {
  readonly plan: FoldPlan;
  /** Places in the plan of the folds to run, ascending. */
  readonly folds: readonly number[];
  readonly X: Rows;
  readonly y: Labels;
  readonly data: SideData;
  readonly weight: Float64Array | undefined;
  /** Code of the positive class, -1 where there is none. */
  readonly positive: number;
  readonly inputShape: readonly number[] | undefined;
  readonly adapter: FrameworkAdapter;
  readonly source: ModelFactory | object;
  readonly fitOptions: Omit<FitOptions, 'seed' | 'validation'>;
  readonly validation: ValidationOption | undefined;
  readonly scorers: readonly Scorer[];
  readonly callbacks: readonly CVCallback[];
  readonly randomState: number | string;
  readonly keepModels: 'none' | 'memory';
  /** What releases the models that are kept, for the caller to use when the run fails later. */
  readonly kept: (() => unknown)[];
  readonly onFoldError: 'throw' | 'record';
}

/** Runs the folds one after the other; ends early when a callback says so. */
export async function runFolds(job: FoldJob): Promise<FoldResult[]> {
  const results: FoldResult[] = [];
  for (const index of job.folds) {
    job.fitOptions.signal?.throwIfAborted();
    const fold = job.plan.at(index);
    const ctx = foldContext(job, fold);
    await callHooks(job.callbacks, 'onFoldStart', ctx);
    const result = await runFold(job, fold, ctx);
    results.push(result);
    if ((await callHooks(job.callbacks, 'onFoldEnd', ctx, forCallbacks(result))) === 'stop') break;
  }
  return results;
}

/** A copy of the table: what a callback does to it must not reach the scores. */
const forCallbacks = (result: FoldResult): FoldResult =>
  result.status === 'completed' ? { ...result, table: copyTable(result.table) } : result;

/** A private copy of an instance, so that every fold starts from the weights it had when `run` was called. */
export async function snapshotOf(
  adapter: FrameworkAdapter,
  source: ModelFactory | object,
  ctx: FoldContext,
): Promise<{ source: ModelFactory | object; release(): Promise<void> }> {
  if (typeof source === 'function') return { source, release: async () => undefined };
  const copy = await adapter.build(source, ctx);
  return { source: copy, release: async () => adapter.dispose?.(copy) };
}

async function runFold(job: FoldJob, fold: CheckedFold, ctx: FoldContext): Promise<FoldResult> {
  const started = performance.now();
  const { train: _train, inner: _inner, ...kept } = fold;
  try {
    const completed = await trainAndPredict(job, fold, ctx);
    return { ...completed, fold: kept, ctx, status: 'completed', seconds: (performance.now() - started) / 1000 };
  } catch (error) {
    if (endsTheRun(error, job.fitOptions.signal)) throw error;
    const failure = new FoldError(fold.id, error);
    if (job.onFoldError === 'throw') throw failure;
    const missing: Score = { value: null, reason: `fold failed: ${failure.message}` };
    const scores = Object.fromEntries(job.scorers.map(({ name }) => [name, missing]));
    return { fold: kept, ctx, status: 'failed', error: failure, scores, seconds: (performance.now() - started) / 1000 };
  }
}

/** The loop body: build, fit on the training rows, predict the test rows once, score, dispose. */
async function trainAndPredict(
  job: FoldJob,
  fold: CheckedFold,
  ctx: FoldContext,
): Promise<Pick<CompletedFold, 'table' | 'history' | 'scores' | 'model' | 'stoppedEarly'>> {
  const { adapter } = job;
  const { y, data } = job;
  const rows = validationRows(job.validation, fold, { y, data, seed: ctx.seed, epochs: adapter.capabilities.epochs });
  const test = batch(job, fold.test);
  const options: FitOptions = {
    ...job.fitOptions,
    seed: ctx.seed,
    ...(rows.validation ? { validation: batch(job, rows.validation) } : {}),
  };
  checkLearnable(job, rows.train);
  const model = await adapter.build(job.source, ctx);
  let kept = false;
  const work = async () => {
    const hooks = fitHooks(job, ctx);
    const history = adapter.capabilities.trains
      ? checkHistory(adapter, await adapter.fit(model, batch(job, rows.train), options, hooks))
      : { epochs: [] };
    job.fitOptions.signal?.throwIfAborted();
    const predictions = await adapter.predict(model, test.X, { task: job.y.task, classes: job.y.classes });
    const table = checkPredictions(predictions, test.y, job.positive, test.sampleWeight);
    const scores: Record<string, Score> = {};
    for (const scorer of job.scorers) scores[scorer.name] = await scorer.score(table, model, test);
    kept = job.keepModels === 'memory';
    if (kept) job.kept.push(() => adapter.dispose?.(model));
    return { table, history, scores, stoppedEarly: hooks.stopped(), ...(kept ? { model } : {}) };
  };
  return withCleanup(work, () => (kept ? undefined : adapter.dispose?.(model)));
}

/** Training rows of one class, or without any weight, teach nothing; a score of them would look like a result. */
function checkLearnable({ y, weight }: FoldJob, train: Int32Array): void {
  const only = y.codes[train[0]];
  if (y.codes.length > 0 && train.every((row) => y.codes[row] === only)) {
    throw new InvalidDataError(
      sentence('The training rows', 'hold at least two classes', {
        text: `only ${show(y.classes[only])} in all ${train.length}`,
      }),
      { code: 'one_class' },
    );
  }
  if (weight && !train.some((row) => weight[row] > 0)) {
    throw new InvalidDataError(sentence('The training rows', 'hold a weight above 0', { text: 'only zeros' }));
  }
}

function checkHistory(adapter: FrameworkAdapter, history: FitHistory): FitHistory {
  if (Array.isArray(history?.epochs)) return history;
  throw new AdapterError(sentence(`The fit of the adapter '${adapter.name}'`, 'return { epochs: [...] }', history), {
    code: 'invalid_adapter',
  });
}

function batch({ X, y, weight }: FoldJob, indices: Int32Array): Batch {
  return {
    X: X.take(indices),
    y: y.take(indices),
    indices,
    ...(weight ? { sampleWeight: gather(weight, indices) } : {}),
  };
}

function fitHooks(job: FoldJob, ctx: FoldContext): FitHooks & { stopped(): boolean } {
  const { epochs } = job.fitOptions;
  let stopped = false;
  return {
    async onEpochStart(epoch) {
      await callHooks(job.callbacks, 'onEpochStart', { ...ctx, epoch, epochs });
    },
    async onEpochEnd(epoch, logs) {
      const answer = await callHooks(job.callbacks, 'onEpochEnd', { ...ctx, epoch, epochs }, logs);
      if (answer === 'stop' && epoch + 1 < epochs) stopped = true;
      return answer;
    },
    stopped: () => stopped,
  };
}

/** The read-only context of one fold; its seed depends on (randomState, repeat, fold) alone. */
export function foldContext(
  job: Pick<FoldJob, 'plan' | 'inputShape' | 'y' | 'randomState'>,
  fold: CheckedFold,
): FoldContext {
  return Object.freeze({
    fold: fold.id,
    index: fold.index,
    repeat: fold.repeat,
    nSplits: job.plan.length,
    nTrain: fold.train.length,
    nTest: fold.test.length,
    seed: deriveSeed(job.randomState, fold.repeat, fold.number),
    inputShape: job.inputShape,
    classes: job.y.classes,
    task: job.y.task,
    params: {},
  });
}

/** A failing callback, a leak that must stop the run and an abort end the run whatever `onFoldError` says. */
function endsTheRun(error: unknown, signal: AbortSignal | undefined): boolean {
  return (
    error instanceof CallbackError ||
    error instanceof LeakageError ||
    (signal?.aborted === true && error === signal.reason)
  );
}
