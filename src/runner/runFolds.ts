/**
 * The one fold loop. Nothing else in the package builds, fits or predicts; the runner, the validator, tuning and the
 * executors are consumers of this file.
 */

import { withCleanup } from '../core/cleanup.js';
import {
  AdapterError,
  FoldError,
  InvalidDataError,
  InvalidOptionError,
  LeakageError,
  phrase,
  sentence,
} from '../core/errors.js';
import { hasReason } from '../core/hasReason.js';
import { concat } from '../core/labels.js';
import type { Rows } from '../core/rows.js';
import { type Score, score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { joinTables } from '../metrics/tableRows.js';
import type { CheckedFold } from '../splitters/foldsOf.js';
import { type Adjustment, adjusted, adjustmentOf, type HeldOut } from './adjustment.js';
import { CallbackError } from './callback.js';
import { checkPredictions } from './checkPredictions.js';
import type { FoldJob } from './foldJob.js';
import { type CompletedFold, type FoldResult, forCallbacks } from './foldResult.js';
import { batch, checkLearnable, factsOf, foldContext } from './foldRows.js';
import { type FoldTraining, foldTraining } from './foldTraining.js';
import {
  type Batch,
  checkHistory,
  type EpochLogs,
  type FitOptions,
  type FoldContext,
  type FrameworkAdapter,
  growth,
  type HeldMemory,
  type LabelFacts,
  type ModelFactory,
  type Predictions,
  type PredictOptions,
} from './frameworkAdapter.js';
import { callHooks } from './hooks.js';
import { innerJob } from './innerFolds.js';
import { type PlaceOption, placeFor } from './modelPlace.js';
import { type LabelsAsked, tiedRows, withLabels } from './ownLabels.js';
import { validationRows } from './validationRows.js';

/** Runs the folds one after the other; ends early when a callback says so. */
export async function runFolds(job: FoldJob): Promise<FoldResult[]> {
  const results: FoldResult[] = [];
  for (const index of job.folds) {
    job.fitOptions.signal?.throwIfAborted();
    const fold = job.plan.at(index);
    const ctx = foldContext(job, fold);
    // Whole folds of their own, so they run before the hooks of this one; an error is this fold's.
    const [inner] = await Promise.allSettled([innerTable(job, fold)]);
    await callHooks(job.callbacks, 'onFoldStart', ctx);
    const result = await runFold(job, fold, ctx, inner);
    results.push(result);
    if ((await callHooks(job.callbacks, 'onFoldEnd', ctx, forCallbacks(result))) === 'stop') break;
  }
  return results;
}

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

/** Predictions of all training rows by models of inner folds, where an adjustment is fitted on them. */
async function innerTable(job: FoldJob, fold: CheckedFold): Promise<HeldOut | undefined> {
  const inner = innerJob(job, fold);
  if (!inner) return undefined;
  const results = await runFolds(inner);
  if (results.length < inner.folds.length) {
    throw new InvalidOptionError(
      sentence('A callback', 'let the inner folds of an adjustment end', phrase(`'stop' after ${results.length}`)),
    );
  }
  const completed = results.filter((result) => result.status === 'completed');
  const rows = concat(completed.map((result) => result.fold.test));
  return { table: joinTables(completed.map(({ table }) => table)), rows, from: 'inner folds' };
}

async function runFold(
  job: FoldJob,
  fold: CheckedFold,
  ctx: FoldContext,
  inner: PromiseSettledResult<HeldOut | undefined>,
): Promise<FoldResult> {
  const started = performance.now();
  const before = heldBefore(job, fold);
  const { train: _train, inner: _inner, ...kept } = fold;
  const facts = () => ({
    fold: kept,
    ctx,
    left: growth(before, job.keepModels === 'memory' ? undefined : job.adapter.memory?.()) ?? null,
    seconds: (performance.now() - started) / 1000,
  });
  try {
    if (inner.status === 'rejected') throw inner.reason;
    const completed = await trainAndPredict(job, fold, ctx, inner.value);
    return { ...completed, ...facts(), status: 'completed' };
  } catch (error) {
    if (endsTheRun(error, job.fitOptions.signal)) throw error;
    const failure = new FoldError(fold.id, error);
    // A wrong option is wrong in every fold: recorded, it would be a run without a single score.
    if (job.onFoldError === 'throw' || rootOf(error) instanceof InvalidOptionError) throw failure;
    const missing: Score = { value: null, reason: `fold failed: ${failure.message}` };
    const scores = Object.fromEntries(job.scorers.map(({ name }) => [name, missing]));
    return { ...facts(), status: 'failed', error: failure, scores };
  }
}

/** What failed in an inner fold, where it was one. */
const rootOf = (error: unknown): unknown => (error instanceof FoldError ? rootOf(error.cause) : error);

/** What the library held before the fold began; the model that waits for the first fold is part of that fold. */
function heldBefore({ adapter, folds, waiting }: FoldJob, { index }: CheckedFold): HeldMemory | undefined {
  const held = adapter.memory?.();
  if (!held || !waiting || index !== folds[0]) return held;
  return { tensors: held.tensors - waiting.tensors, bytes: held.bytes - waiting.bytes };
}

/** The loop body: build, fit on the training rows, predict the test rows once, score, dispose. */
async function trainAndPredict(
  job: FoldJob,
  fold: CheckedFold,
  ctx: FoldContext,
  inner: HeldOut | undefined,
): Promise<Omit<CompletedFold, 'fold' | 'ctx' | 'left' | 'seconds' | 'status'>> {
  const { adapter } = job;
  const { y, data } = job;
  const rows = validationRows(job.validation, fold, { y, data, seed: ctx.seed, epochs: adapter.capabilities.epochs });
  const test = batch(job, fold.test);
  const validation = rows.validation && batch(job, rows.validation);
  checkLearnable(job, rows.train);
  const model = await adapter.build(job.source, ctx);
  let kept = false;
  const training = foldTraining({
    adapter,
    model,
    ctx,
    epochs: job.fitOptions.epochs,
    callbacks: job.callbacks,
    watch: (logs) => watchedLogs(job, model, validation, logs),
  });
  const work = async () => {
    const options = { ...job.fitOptions, seed: ctx.seed, ...(validation ? { validation } : {}) };
    const outcome = await trainModel(job, model, batch(job, rows.train), options, training);
    job.fitOptions.signal?.throwIfAborted();
    const looked = { train: rows.train, nTest: fold.test.length };
    const asked = await job.ownLabels(job, looked, (each) =>
      predictRows(adapter, model, job.X.take(each), factsOf(job)),
    );
    const predict = (given: Batch) => predictBatch(job, model, given, asked);
    const watched = rows.validation;
    const adjustment = await adjustmentOf(job, inner, async () => {
      if (!validation || !watched) return undefined;
      return { table: await predict(validation), rows: watched, from: 'validation rows' };
    });
    const raw = await predict(test);
    const { table, scores } = await adjustAndScore(job, model, test, raw, adjustment);
    const whole = job.returnTrainScores ? batch(job, fold.train) : undefined;
    const seen = whole && (await adjustAndScore(job, model, whole, await predict(whole), adjustment));
    const compared = { train: rows.train, test: fold.test, table: raw };
    await job.fixedModels?.look(compared, (each) => predict(batch(job, each)));
    kept = job.keepModels === 'memory';
    if (kept) job.kept.push(() => adapter.dispose?.(model));
    const counts = { nFitted: rows.train.length, nValidation: rows.validation?.length ?? 0 };
    const onTraining = seen ? { trainTable: seen.table, trainScores: seen.scores } : {};
    return { ...outcome, ...counts, table, scores, adjustment, ...onTraining, ...(await keptModel(job, model, ctx)) };
  };
  return withCleanup(
    () => withCleanup(work, () => training.release()),
    () => (kept ? undefined : adapter.dispose?.(model)),
  );
}

/** Predictions of some rows as they count, and their scores. */
async function adjustAndScore(
  job: FoldJob,
  model: unknown,
  rows: Batch,
  raw: ScoreTable,
  adjustment: Adjustment | null,
) {
  const table = adjustment ? adjusted(raw, adjustment) : raw;
  const scores: Record<string, Score> = {};
  for (const scorer of job.scorers) scores[scorer.name] = await scorer.score(table, model, rows);
  return { table, scores };
}

/** Trains, and gives the model the weights that a callback kept. */
async function trainModel(
  job: FoldJob,
  model: unknown,
  rows: Batch,
  options: FitOptions,
  { hooks, finish }: FoldTraining,
) {
  const { adapter } = job;
  if (!adapter.capabilities.trains) return finish({ epochs: [] });
  return finish(checkHistory(adapter, await adapter.fit(model, rows, options, hooks)));
}

/** What the result holds of the model: itself, its place, or nothing. */
async function keptModel(job: FoldJob, model: unknown, ctx: FoldContext): Promise<{ model?: unknown }> {
  if (job.keepModels === 'none') return {};
  if (job.keepModels === 'memory') return { model };
  const place = placeFor(job.modelPath as PlaceOption, ctx);
  if (job.places.has(place)) {
    throw new InvalidOptionError(
      sentence('The `modelPath` option of run', 'give every fold a place of its own', place),
      { code: 'one_place' },
    );
  }
  job.places.add(place);
  await job.adapter.save?.(model, place);
  return { model: place };
}

/** Predictions for rows whose truth is known, held to what they must be. */
async function predictBatch(
  job: FoldJob,
  model: unknown,
  { X, y, sampleWeight }: Batch,
  asked: LabelsAsked,
): Promise<ScoreTable> {
  const facts = factsOf(job);
  const predictions = await predictRows(job.adapter, model, X, facts, { labels: asked === 'all' });
  const table = checkPredictions(predictions, y, job.positive, sampleWeight);
  const { yProba } = table;
  if (asked === 'all' || predictions.values !== undefined || !yProba) return table;
  const tied = tiedRows({ ...table, yProba });
  if (tied.length === 0) return table;
  const own = checkPredictions(
    await predictRows(job.adapter, model, X.take(tied), facts),
    y.take(tied),
    job.positive,
    undefined,
  );
  return withLabels(table, tied, own.yPred);
}

/** Predicts rows with a trained model; an ensemble of fold models asks here, too. */
export const predictRows = (
  adapter: FrameworkAdapter,
  model: unknown,
  X: Rows,
  facts: LabelFacts,
  asked: PredictOptions = {},
): Promise<Predictions> => adapter.predict(model, X, facts, asked);

/** The metrics that callbacks monitor, computed on the validation rows unless the adapter logs them. */
async function watchedLogs(
  job: FoldJob,
  model: unknown,
  validation: Batch | undefined,
  logs: EpochLogs,
): Promise<EpochLogs> {
  const missing = Object.entries(job.watched).filter(([log]) => !(log in logs));
  if (!validation || missing.length === 0) return {};
  const table = await predictBatch(job, model, validation, 'all');
  return Object.fromEntries(
    missing.map(([log, metric]) => {
      const { value, ...why } = score(metric, table);
      if (value !== null) return [log, value];
      throw new InvalidDataError(
        sentence(
          `The log ${log}`,
          'have a value in every epoch',
          phrase(`none: ${hasReason(why) ? why.reason : ''}`),
          'Monitor val_loss, or watch more rows.',
        ),
        { code: 'undefined_monitor' },
      );
    }),
  );
}

/** A failing callback, a leak, an engine that broke down and an abort end the run whatever `onFoldError` says. */
function endsTheRun(error: unknown, signal: AbortSignal | undefined): boolean {
  return (
    error instanceof CallbackError ||
    error instanceof LeakageError ||
    (error instanceof AdapterError && error.code === 'backend_lost') ||
    (signal?.aborted === true && error === signal.reason)
  );
}
