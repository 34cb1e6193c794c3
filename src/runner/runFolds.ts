/**
 * The one fold loop. Nothing else in the package builds, fits or predicts; the runner, the validator, tuning and the
 * executors are consumers of this file.
 */
import { withCleanup } from '../core/cleanup.js';
import { AdapterError, FoldError, InvalidOptionError, LeakageError, phrase, sentence } from '../core/errors.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { concat } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import type { Score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { joinTables } from '../metrics/tableRows.js';
import type { CheckedFold } from '../splitters/foldsOf.js';
import { hadNoCompany } from './activeRuns.js';
import { type Adjustment, adjusted, adjustmentOf, type HeldOut } from './adjustment.js';
import { CallbackError, type CVCallback } from './callback.js';
import { checkPredictions } from './checkPredictions.js';
import { type Answers, comparedRows } from './fixedModel.js';
import { heldBefore, leftOver, type Spent, timed } from './foldCosts.js';
import type { FoldJob } from './foldJob.js';
import type { CompletedFold, FoldFacts, FoldResult } from './foldResult.js';
import { batch, checkLearnable, countUnits, factsOf, foldContext } from './foldRows.js';
import { type FoldTraining, foldTraining } from './foldTraining.js';
import {
  type Batch,
  checkHistory,
  type FitOptions,
  type FoldContext,
  type FrameworkAdapter,
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
    const inner = await innerPart(job, fold, ctx);
    await callHooks(job.callbacks, 'onFoldStart', () => [ctx]);
    const result = await runFold(job, fold, ctx, inner);
    results.push(result);
    if ((await callHooks(job.callbacks, 'onFoldEnd', () => [ctx, frozenCopy(result)])) === 'stop') break;
  }
  return results;
}

/** What the inner folds of a fold gave, or the error, and what they took. */
interface InnerPart {
  readonly outcome: PromiseSettledResult<HeldOut | undefined>;
  readonly seconds: number;
  readonly fits: number;
}

async function innerPart(job: FoldJob, fold: CheckedFold, ctx: FoldContext): Promise<InnerPart> {
  const [started, before] = [performance.now(), job.trained.models];
  const [outcome] = await Promise.allSettled([innerTable(job, fold, ctx)]);
  return { outcome, seconds: (performance.now() - started) / 1000, fits: job.trained.models - before };
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

/** What a copy of an instance predicts for training rows of the first fold before any fit; undefined where it does not. */
export async function answersBeforeFit(job: FoldJob, instance: unknown): Promise<Answers | undefined> {
  const { adapter, source } = job;
  if (!adapter.capabilities.trains || typeof source === 'function' || adapter.isUntrained?.(instance)) return undefined;
  const fold = job.plan.at(job.folds[0]);
  const rows = comparedRows(fold.train, job.y);
  const copy = await adapter.build(source, foldContext(job, fold));
  const ask = async () => {
    try {
      return { rows, table: await predictBatch(job, copy, batch(job, rows), 'all') };
    } catch (error) {
      if (endsTheRun(error, job.fitOptions.signal)) throw error;
      return undefined; // a model that is not trained yet may throw whatever it likes; that it does is the answer
    }
  };
  return withCleanup(ask, () => adapter.dispose?.(copy));
}

/** Predictions of all training rows by models of inner folds, where an adjustment is fitted on them. */
async function innerTable(job: FoldJob, fold: CheckedFold, ctx: FoldContext): Promise<HeldOut | undefined> {
  const inner = innerJob(job, fold);
  if (!inner) return undefined;
  let done = 0;
  const announced: CVCallback = {
    name: 'inner fits',
    async onFoldEnd() {
      done++;
      await callHooks(job.callbacks, 'onInnerFit', () => [ctx, Object.freeze({ done, total: inner.folds.length })]);
    },
  };
  const results = await runFolds({ ...inner, callbacks: [...inner.callbacks, announced] });
  if (results.length < inner.folds.length) {
    throw new InvalidOptionError(
      sentence('A callback', 'let the inner folds of an adjustment end', phrase(`'stop' after ${results.length}`)),
    );
  }
  const completed = results.filter((result) => result.status === 'completed');
  const rows = concat(completed.map((result) => result.fold.test));
  return { table: joinTables(completed.map(({ table }) => table)), rows, from: 'inner folds' };
}

async function runFold(job: FoldJob, fold: CheckedFold, ctx: FoldContext, inner: InnerPart): Promise<FoldResult> {
  const started = performance.now();
  const spent: Spent = { fit: 0, predict: 0 };
  const alone = hadNoCompany(job.run);
  const before = heldBefore(job, fold);
  const { train: _train, inner: _inner, ...kept } = fold;
  const facts = () => ({
    fold: kept,
    ctx,
    left: leftOver(job, before, alone),
    seconds: inner.seconds + (performance.now() - started) / 1000,
    secondsOf: { inner: inner.seconds, ...spent },
    innerFits: inner.fits,
  });
  try {
    if (inner.outcome.status === 'rejected') throw inner.outcome.reason;
    const completed = await trainAndPredict(job, fold, ctx, inner.outcome.value, spent);
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

/** The loop body: build, fit on the training rows, predict the test rows once, score, dispose. */
async function trainAndPredict(
  job: FoldJob,
  fold: CheckedFold,
  ctx: FoldContext,
  inner: HeldOut | undefined,
  spent: Spent,
): Promise<Omit<CompletedFold, keyof FoldFacts | 'status'>> {
  const { adapter, y, data } = job;
  const rows = validationRows(job.validation, fold, { y, data, seed: ctx.seed, epochs: adapter.capabilities.epochs });
  const test = batch(job, fold.test);
  const validation = rows.validation && batch(job, rows.validation);
  checkLearnable(job, rows.train);
  const model = await timed(spent, 'fit', () => adapter.build(job.source, ctx));
  let kept = false;
  const training = foldTraining({
    run: job.run,
    adapter,
    model,
    ctx,
    epochs: job.fitOptions.epochs,
    callbacks: job.callbacks,
    metrics: job.watched,
    watch: validation && (() => predictBatch(job, model, validation, 'all')),
  });
  const work = async () => {
    const options = { ...job.fitOptions, seed: ctx.seed, ...(validation ? { validation } : {}) };
    const outcome = await timed(spent, 'fit', () => trainModel(job, model, batch(job, rows.train), options, training));
    job.fitOptions.signal?.throwIfAborted();
    const looked = { train: rows.train, nTest: fold.test.length };
    const byModel = (each: Int32Array) => predictRows(adapter, model, job.X.take(each), factsOf(job));
    const asked = await job.ownLabels.look(job, looked, byModel);
    const predict = (given: Batch) => predictBatch(job, model, given, asked);
    const watched = rows.validation;
    const adjustment = await adjustmentOf(job, inner, async () => {
      if (!validation || !watched) return undefined;
      return { table: await predict(validation), rows: watched, from: 'validation rows' };
    });
    const scored = (of: Batch, raw: ScoreTable) => adjustAndScore(job, model, of, raw, adjustment);
    const raw = await timed(spent, 'predict', () => predict(test));
    const { table, scores } = await timed(spent, 'predict', () => scored(test, raw));
    const whole = job.returnTrainScores ? batch(job, fold.train) : undefined;
    const seen = whole && (await timed(spent, 'predict', async () => scored(whole, await predict(whole))));
    const compared = { train: rows.train, test: fold.test, table: raw };
    await job.fixedModels?.look(compared, (each) => predict(batch(job, each)));
    kept = job.keepModels === 'memory';
    if (kept) job.kept.push(() => adapter.dispose?.(model));
    const counts = {
      nFitted: rows.train.length,
      nValidation: rows.validation?.length ?? 0,
      nUnitsFitted: rows.train === fold.train ? null : countUnits(job, rows.train),
    };
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
  if (!job.adapter.capabilities.trains) return finish({ epochs: [] });
  const history = checkHistory(job.adapter, await job.adapter.fit(model, rows, options, hooks));
  job.trained.models++;
  return finish(history);
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

/** A failing callback, a leak, an engine that broke down and an abort end the run whatever `onFoldError` says. */
function endsTheRun(error: unknown, signal: AbortSignal | undefined): boolean {
  return (
    error instanceof CallbackError ||
    error instanceof LeakageError ||
    (error instanceof AdapterError && error.code === 'backend_lost') ||
    (signal?.aborted === true && error === signal.reason)
  );
}
