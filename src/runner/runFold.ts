/** One fold, from its task to its outcome. Nothing else in the package builds, fits or predicts. */
import { withCleanup } from '../core/cleanup.js';
import { errorOf, errorRecord } from '../core/errorRecord.js';
import { FoldError, InvalidOptionError, phrase, sentence, threw } from '../core/errors.js';
import { functionOf, isModuleFunction } from '../core/moduleFunction.js';
import { isList } from '../core/options.js';
import { deriveSeed } from '../core/random.js';
import { withHostRandom, withSeededRandom } from '../core/seededRandom.js';
import { isReason, isTimeout, orAborted, within } from '../core/timeLimit.js';
import { withRowNumbers } from '../core/withRowNumbers.js';
import { concat, gather, type Labels } from '../data/labels.js';
import { noting } from '../data/notedCells.js';
import type { Rows } from '../data/rows.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { joinTables } from '../metrics/tableRows.js';
import { type Adjustment, adjusted, adjustmentOf, fixedAdjustment, type HeldOutPredictions } from './adjustment.js';
import { checkPredictions } from './checkPredictions.js';
import type { FoldServices, FoldTask, LabelsNeeded, PlainTraining } from './executor.js';
import { foldLabels } from './foldLabels.js';
import {
  errorIn,
  type FoldOutcome,
  type FoldSeconds,
  failedAtOnce,
  failedOutcome,
  type Outcome,
} from './foldResult.js';
import { batch, labelFacts, ofFold, saveFold } from './foldRows.js';
import { type FoldTraining, foldTraining, historyShape } from './foldTraining.js';
import {
  ask,
  type Batch,
  checkAnswer,
  disposeOwned,
  type FoldContext,
  growth,
  type HeldMemory,
  heldBy,
  type LabelFacts,
  methodOf,
  type Predictions,
  type PredictOptions,
} from './frameworkAdapter.js';
import type { ImportancePlan } from './importanceOptions.js';
import { builtModel } from './modelSource.js';
import { labelsFollow, labelsNeeded, undecidedRows, withLabels } from './ownLabels.js';
import { readBy } from './readBy.js';
import { fittedModel, prepareAlone, unprepared, withWeights } from './withPreprocessing.js';

interface Meter {
  readonly started: number;
  readonly seconds: { -readonly [P in keyof FoldSeconds]: number };
  fits: number;
  innerFits: number;
}

/** Trains and tests the model of one fold. What goes wrong in it is its outcome; only what ends the run is thrown. */
export async function runFold(task: FoldTask, services: FoldServices): Promise<FoldOutcome> {
  const started = performance.now();
  const { signal: ofRun } = services;
  const emit: FoldServices['emit'] = (...event) =>
    withHostRandom(() => orAborted(ofRun, () => services.emit(...event)));
  const work = (signal = ofRun) => {
    const modelScores: FoldServices['modelScores'] = (...of) => orAborted(signal, () => services.modelScores(...of));
    const y = foldLabels(task, services);
    return runWithin(task, { ...services, y, signal, seed: task.ctx.seed, emit, modelScores });
  };
  return within(ofRun, task.timeout, work).catch((error) => {
    // What never ends is a hook, or freeing the model.
    if (isReason(error, ofRun) || !isTimeout(error)) throw error;
    return failedOutcome(failedAtOnce(task.ctx, started, error), error);
  });
}

/** Calls code of an adapter: `Math.random` is a stream of `seed`, and a call that never settles ends with the fold. */
const called = <T>(signal: AbortSignal | undefined, seed: number, work: () => T | Promise<T>): Promise<T> =>
  withSeededRandom(seed, () => orAborted(signal, work));

type Building = Pick<FoldServices, 'adapter' | 'source' | 'built' | 'signal'>;

const buildModel = ({ adapter, source, built, signal }: Building, ctx: FoldContext) =>
  called(signal, deriveSeed(ctx.seed, 'build'), async () =>
    builtModel(adapter, built, await adapter.build(source, ctx)),
  );

async function runWithin(task: FoldTask, services: FoldServices): Promise<FoldOutcome> {
  const { emit, signal } = services;
  const inner = { ctx: task.ctx, inner: task.outer !== undefined };
  signal?.throwIfAborted();
  const seconds = { inner: 0, preprocess: 0, fit: 0, predict: 0 };
  const meter: Meter = { started: performance.now(), seconds, fits: 0, innerFits: 0 };
  // Whole folds of their own, so they run before the start of this one is told; an error is this fold's.
  const [heldOut] = await Promise.allSettled([innerPredictions(task, services, meter)]);
  const { batches = false } = await emit({ ...inner, type: 'foldStart' });
  const alone = services.watchMemory();
  const before = heldBefore(task, services);
  const facts = () => ({
    ctx: task.ctx,
    seconds: (performance.now() - meter.started) / 1000,
    secondsOf: { ...seconds },
    fits: meter.fits,
    innerFits: meter.innerFits,
    left: (task.keepModel !== 'memory' && alone() && growth(before, heldBy(services.adapter))) || null,
  });
  try {
    if (heldOut.status === 'rejected') throw heldOut.reason;
    if (task.fault) throw errorOf(task.fault);
    const completed = await trainAndPredict(task, services, meter, heldOut.value, batches);
    return { ...completed, ...facts(), status: 'completed' };
  } catch (thrown) {
    // Aborted work may throw anything.
    const error = signal?.aborted ? signal.reason : thrown;
    return failedOutcome({ ...facts(), status: 'failed', error: errorRecord(error) }, error);
  }
}

/** The model that waits for the first fold is part of that fold. */
function heldBefore({ ctx }: FoldTask, { adapter, waiting }: FoldServices): HeldMemory | undefined {
  const held = heldBy(adapter);
  if (!held || waiting?.fold !== ctx.fold) return held;
  return { tensors: held.tensors - waiting.held.tensors, bytes: held.bytes - waiting.held.bytes };
}

async function timed<T>({ seconds }: Meter, part: keyof FoldSeconds, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  return withCleanup(work, () => {
    seconds[part] += (performance.now() - started) / 1000;
  });
}

async function innerPredictions(
  task: FoldTask,
  services: FoldServices,
  meter: Meter,
): Promise<HeldOutPredictions | undefined> {
  const { ctx, inner } = task;
  if (inner.length === 0) return undefined;
  const tables: ScoreTable[] = [];
  await timed(meter, 'inner', async () => {
    for (const [at, each] of inner.entries()) {
      const outcome = await runFold(each, services);
      meter.fits += outcome.fits;
      meter.innerFits += outcome.fits;
      if (outcome.status === 'failed') throw new FoldError(each.ctx.fold, errorIn(outcome));
      tables.push(outcome.table);
      const event = { type: 'innerEnd', ctx, inner: false, done: at + 1, total: inner.length, outcome } as const;
      const { stop } = await services.emit(event);
      if (!stop || at + 1 === inner.length) continue;
      const must = 'let the inner folds of an adjustment end';
      throw new InvalidOptionError(sentence('A callback', must, phrase(`'stop' after ${at + 1}`)));
    }
  });
  return { table: joinTables(tables), rows: concat(inner.map(({ test }) => test)), from: 'inner folds' };
}

async function trainAndPredict(
  task: FoldTask,
  services: FoldServices,
  meter: Meter,
  heldOut: HeldOutPredictions | undefined,
  batches: boolean,
) {
  const { adapter } = services;
  const ctx = services.contextOf(task.ctx);
  const test = batch(services, task.test);
  const { X: testX, cells } = noting(test.X);
  const watched = task.watch && batch(services, task.watch);
  const model = await timed(meter, 'fit', () => buildModel(services, ctx));
  let keptHere = false;
  const watch = watched && (() => predictBatch(services, model, watched, 'all'));
  const training = foldTraining(task, services, model, batches, watch);
  const work = async () => {
    const trained = await timed(meter, 'fit', () => trainModel(task, services, { model, watched, training, meter }));
    // Times are not part of a history, which is the same wherever a fold is trained.
    const { preprocessSeconds = 0, ...history } = trained.history;
    meter.seconds.preprocess += preprocessSeconds;
    meter.seconds.fit -= preprocessSeconds;
    services.signal?.throwIfAborted();
    const labels = await labelsNeeded(services, task, model, (rows) =>
      predictRows(services, model, services.X.take(rows), labelFacts(services)),
    );
    const predictWith = (labels: LabelsNeeded) => (rows: Batch, first?: Rows) =>
      predictBatch(services, model, rows, labels, first);
    const adjustment = await adjustmentFor(task, services, heldOut, watched && (() => predictWith('none')(watched)));
    const predict = predictWith(adjustment?.threshold ? 'none' : labels.needed);
    const tableOf = (raw: ScoreTable) => (adjustment ? adjusted(raw, adjustment) : raw);
    const predicted = async (rows: Batch, first?: Rows) => {
      const raw = await predict(rows, first);
      const table = tableOf(raw);
      return { raw, table, scores: await services.modelScores(model, rows, table) };
    };
    const tested = await timed(meter, 'predict', () => predicted(test, testX));
    const { train } = task;
    const trainRows = train && (await timed(meter, 'predict', () => predicted(batch(services, train))));
    const probed = task.probe && (await predict(batch(services, task.probe)));
    const importance =
      task.importance &&
      (await timed(meter, 'predict', async () =>
        (
          await import('./importance.js')
        ).foldImportance(task.importance as ImportancePlan, {
          ...{ test, table: tested.table, groups: services.data.groups, seed: task.ctx.seed },
          predict: async (rows) => tableOf(await predict(rows)),
        }),
      ));
    const own = labels.own || (labels.looked > 0 && hasOwnLabels(tested.raw));
    keptHere = task.keepModel === 'memory';
    if (keptHere) services.models.set(task.ctx.fold, fittedModel(model));
    if (task.keepModel === 'save') {
      const place = services.placeOf(ctx.fold);
      const save = () => saveFold(services, model, place, ofFold(ctx.fold, adjustment, own), services.saving);
      await orAborted(services.signal, save);
    }
    return {
      ...trained,
      history,
      table: tested.table,
      modelScores: tested.scores,
      ...(adjustment && { raw: tested.raw }),
      ...(trainRows && { trainTable: trainRows.table, trainModelScores: trainRows.scores }),
      ...(probed && { probed }),
      ...(importance && { importance }),
      adjustment,
      labels: { looked: labels.looked, own },
      about: {
        name: ask(adapter, 'nameOf', unprepared(model)) ?? null,
        idle: ask(adapter, 'notTrainedBecause', unprepared(model)) ?? null,
        ...(cells.length > 0 && { cells }),
      },
    };
  };
  return withCleanup(
    () => withCleanup(work, training.release),
    () => (keptHere ? undefined : disposeOwned(adapter, model)),
  );
}

interface Trained {
  readonly model: unknown;
  readonly watched: Batch | undefined;
  readonly training: FoldTraining;
  readonly meter: Meter;
}

/** Settings of training with the functions that modules are named for. */
async function loadedTraining(training: PlainTraining): Promise<Omit<PlainTraining, keyof Loaded> & Loaded> {
  const entries = Object.entries(training).map(async ([name, value]) => {
    return [name, isModuleFunction(value) ? await functionOf(value, `the \`${name}\` option of run`) : value];
  });
  return Object.fromEntries(await Promise.all(entries)) as PlainTraining & Loaded;
}

type Loaded = FoldServices['training'];

async function trainModel(
  task: FoldTask,
  services: FoldServices,
  { model, watched, training, meter }: Trained,
): Promise<Outcome> {
  const { adapter, signal } = services;
  if (!adapter.capabilities.trains) return training.finish({ epochs: [] });
  const options = {
    ...(await loadedTraining(task.training)),
    ...services.training,
    seed: task.ctx.seed,
    ...(watched ? { validation: watched } : {}),
    ...(signal ? { signal } : {}),
  };
  const rows = batch(services, task.fit);
  const history = await withRowNumbers(rows.indices, () =>
    called(signal, deriveSeed(task.ctx.seed, 'fit'), () =>
      readBy(methodOf(adapter, 'fit'), rows.X, (X) =>
        adapter.fit(model, { ...rows, X }, withWeights(model, rows, options), training.hooks),
      ),
    ),
  );
  meter.fits++;
  const holds = !historyShape(history, '');
  return training.finish(checkAnswer(adapter, 'fit', 'return { epochs: [...] }', history, holds));
}

async function adjustmentFor(
  { adjust, adjustment, watch }: FoldTask,
  { data, y }: FoldServices,
  heldOut: HeldOutPredictions | undefined,
  predictWatched: (() => Promise<ScoreTable>) | undefined,
): Promise<Adjustment | null> {
  if (adjustment || !adjust) return adjustment ?? null;
  const fromWatched = async (): Promise<HeldOutPredictions | undefined> =>
    predictWatched && watch && { table: await predictWatched(), rows: watch, from: 'validation rows' };
  const rows = fixedAdjustment(adjust) ? undefined : (heldOut ?? (await fromWatched()));
  return adjustmentOf(adjust, rows, { groups: data.groups, n: y.length });
}

async function predictBatch(
  services: FoldServices,
  model: unknown,
  { X, y, sampleWeight, indices }: Batch,
  needed: LabelsNeeded,
  first = X,
): Promise<ScoreTable> {
  const { positive } = services;
  const facts = labelFacts(services);
  const predicted = async (rows: Rows, truth: Labels, weight?: Float64Array, ask?: PredictOptions) => {
    const predictions = await predictRows(services, model, rows, facts, ask);
    const table = checkPredictions(predictions, truth, positive, weight);
    return { gaveLabels: predictions.values !== undefined, table };
  };
  const all = (rows: Rows, ask?: PredictOptions) =>
    withRowNumbers(indices, () => predicted(rows, y, sampleWeight, ask));
  const { gaveLabels, table } = await all(first, { labels: needed === 'all' });
  const { yProba } = table;
  if (typeof needed === 'string' || gaveLabels || !yProba) return table;
  const open = undecidedRows({ ...table, yProba }, needed.sureFrom);
  if (open.length === 0) return table;
  const ofOpen = () => predicted(X.take(open), y.take(open));
  const { yPred } = (await withRowNumbers(gather(indices, open), ofOpen)).table;
  const found = withLabels(table, open, yPred);
  return hasOwnLabels(found) ? (await all(X)).table : found;
}

const hasOwnLabels = ({ yProba, ...table }: ScoreTable) => yProba !== undefined && !labelsFollow({ ...table, yProba });

export const predictRows = async (
  { adapter, signal, seed = 0 }: Pick<FoldServices, 'adapter'> & Partial<Pick<FoldServices, 'signal' | 'seed'>>,
  model: unknown,
  X: Rows,
  facts: LabelFacts,
  options: PredictOptions = {},
): Promise<Predictions> => {
  const predicted = await readBy(methodOf(adapter, 'predict'), X, (rows) =>
    called(signal, deriveSeed(seed, 'predict'), () => adapter.predict(model, rows, facts, options)),
  ).catch((error) => {
    if (isReason(error, signal)) throw error;
    return threw(methodOf(adapter, 'predict'), 'give predictions', 'predict_failed')(error);
  });
  const { values = [] } = Object(predicted) as Partial<Predictions>;
  const holds = typeof predicted === 'object' && predicted !== null && isList(values);
  return checkAnswer(adapter, 'predict', 'give { values } or { probabilities }', predicted, holds);
};

/** A private copy of an instance, so that every fold starts from the weights it had when `run` was called. */
export async function snapshotOf({ source, ...building }: Building, ctx: FoldContext) {
  if (typeof source === 'function') return { source, release: async () => undefined };
  const copy: object = await buildModel({ source, ...building }, ctx);
  return { source: copy, release: () => disposeOwned(building.adapter, copy) };
}

/** What a copy of an instance, which no fold uses, predicts before it is fitted. A preparation is fitted on the training rows. */
export const predictedBeforeFit = (
  others: Omit<FoldServices, 'emit'>,
  { ctx, fit, timeout }: Pick<FoldTask, 'ctx' | 'fit'> & { readonly timeout: number | undefined },
  rows: Int32Array,
): Promise<ScoreTable> =>
  within(others.signal, timeout, async (signal) => {
    const services = { ...others, signal, emit: async () => ({}), seed: ctx.seed };
    const copy = await buildModel(services, services.contextOf(ctx));
    const predicted = async () => {
      await called(signal, ctx.seed, () => prepareAlone(copy, batch(services, fit), ctx.seed));
      return predictBatch(services, copy, batch(services, rows), 'all');
    };
    return withCleanup(predicted, () => disposeOwned(others.adapter, copy));
  });
