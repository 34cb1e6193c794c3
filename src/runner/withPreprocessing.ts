/** Models that come with their preparation: fitted in each fold on the rows that are fitted, applied to all that is predicted. */
import { files, readText } from '#io';
import { cleanupOnError } from '../core/cleanup.js';
import { AdapterError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { MemoryPlace } from '../core/memoryPlace.js';
import { filePlace } from '../core/pathOfPlace.js';
import { deriveSeed } from '../core/random.js';
import { parsedJSON } from '../core/shape.js';
import { writeWhole } from '../core/wholeFile.js';
import { withRowNumbers } from '../core/withRowNumbers.js';
import { gather } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import type { FittedPreparation, Preparation } from '../preprocessing/preparation.js';
import { sameRun } from './activeRuns.js';
import { loadAdaptersOf } from './adapterRegistry.js';
import type { PlainTraining } from './executor.js';
import { inputShapeOf, labelsOfRows } from './foldRows.js';
import {
  type Batch,
  disposeOwned,
  type FitOptions,
  type FoldContext,
  type FrameworkAdapter,
  type ModelFactory,
  type ModelPlace,
  methodOf,
} from './frameworkAdapter.js';
import { builtModel, isPipeline, type ModelSource, modelSource } from './modelSource.js';
import { readBy } from './readBy.js';

/**
 * A model with the preparation of its rows, both fitted on the same rows.
 *
 * @example
 * const kept = await runner.run({ model, data: [X, y], preprocessing, keepModels: 'memory' });
 * const [first] = kept.models; // of the first fold, with what was fitted before it
 * console.log(first.model.predict(await first.preprocessing.transform(newRows)));
 */
export class PreparedModel<M = unknown> {
  /** The fitted steps: `transform(X)` prepares rows, `toJSON()` keeps them. */
  readonly preprocessing: FittedPreparation['step'];
  /** Takes rows that are prepared. */
  readonly model: M;
  readonly #preparation: FittedPreparation;

  constructor(preparation: FittedPreparation, model: M) {
    this.#preparation = preparation;
    this.preprocessing = preparation.step;
    this.model = model;
  }

  /** The rows as the model takes them; they are prepared when they are read. */
  prepared(X: Rows): Rows {
    return this.#preparation.through(X);
  }
}

/** Built once its rows are prepared: only then their shape is known. */
class Unbuilt {
  fitted: PreparedModel | undefined;

  /**
   * @param preparation with the parameters of the trial
   * @param waiting the model that is there already, with its steps
   */
  constructor(
    readonly preparation: Preparation,
    readonly build: (inputShape: FoldContext['inputShape']) => Promise<unknown>,
    readonly waiting?: unknown,
  ) {}
}

export function withPreprocessing(
  adapter: FrameworkAdapter,
  preparation: Preparation,
  built: ModelSource['built'] = new WeakSet(),
): FrameworkAdapter<Unbuilt | PreparedModel> {
  const { givesBoth, snapshot, learningRate, save, load } = adapter;
  const inner = (held: Unbuilt | PreparedModel) => preparedOf(held).model;
  return {
    ...adapter,
    // The preparation is fitted, whatever the model is.
    capabilities: { ...adapter.capabilities, trains: true },
    build: async (source, ctx) => {
      const own = preparation.ofModel
        ? await partsOf(adapter, source, ctx)
        : { source, preparation: preparation.withParams(ctx.params), waiting: undefined };
      const build: Unbuilt['build'] = async (inputShape) => {
        const model = await adapter.build(own.source as object, sameRun(ctx, Object.freeze({ ...ctx, inputShape })));
        return builtModel(adapter, built, model);
      };
      return new Unbuilt(own.preparation, build, own.waiting);
    },
    async fit(held, train, options, hooks) {
      const { batch, model, prepared, preprocessSeconds } = await preparedBy(held as Unbuilt, train, options.seed);
      if (!adapter.capabilities.trains) return { epochs: [], preprocessSeconds };
      const { validation: rows } = options;
      const watched = rows && { validation: { ...rows, X: prepared.through(rows.X, rows.indices) } };
      const all = withWeights(model, batch, { ...options, ...watched });
      const history = await withRowNumbers(batch.indices, () =>
        readBy(methodOf(adapter, 'fit'), batch.X, (X) => adapter.fit(model, { ...batch, X }, all, hooks)),
      );
      return { ...history, preprocessSeconds };
    },
    predict: (held, X, y, options) => {
      const { model, X: rows } = insideOf(held, X);
      return readBy(methodOf(adapter, 'predict'), rows, (read) => adapter.predict(model, read, y, options));
    },
    async dispose(held) {
      const model = builtOf(held)?.model ?? (held as Unbuilt).waiting;
      if (model) await disposeOwned(adapter, model);
    },
    borrowed: () => false,
    ...(givesBoth && { givesBoth: (held) => givesBoth(inner(held)) }),
    ...(snapshot && { snapshot: (held) => snapshot(inner(held)) }),
    ...(learningRate && {
      learningRate: {
        get: (held) => learningRate.get(inner(held)),
        set: (held, rate) => learningRate.set(inner(held), rate),
      },
    }),
    ...(save && {
      save: async (held, where) => {
        const { preprocessing, model } = preparedOf(held);
        const put = preparationPlace(where);
        // Before the model is written: a step of the caller may be no plain data.
        const text = `${JSON.stringify(preprocessing)}\n`;
        await save(model, where);
        await put.write(text);
      },
    }),
    ...(load && {
      load: async (where) => {
        const json = parsedJSON(await preparationPlace(where).read(), 'The preparation of a saved model');
        await loadAdaptersOf(json);
        return new PreparedModel(preparation.load(json), await load(where));
      },
    }),
  };
}

/** Of a Pipeline, or of the one that a factory gives for this fold: its steps as the preparation, and its model. */
async function partsOf(adapter: FrameworkAdapter, source: ModelFactory | object, ctx: FoldContext) {
  const { preparationOf } = await import('../preprocessing/preparation.js');
  let pipeline: unknown = source;
  let waiting: unknown;
  if (typeof source === 'function') {
    const make = async () => {
      pipeline = await (source as ModelFactory)(ctx);
      const atEnd = isPipeline(pipeline) ? pipeline.model[1] : pipeline;
      return typeof atEnd === 'function' ? undefined : atEnd;
    };
    waiting = await (adapter.buildTracked?.(make) ?? make());
  }
  const split = async () => {
    if (!isPipeline(pipeline)) {
      const way = 'Return a Pipeline in each fold, or in none.';
      const message = sentence('The model factory', 'return a Pipeline as in the first fold', pipeline, way);
      throw new AdapterError(message, { code: 'invalid_model' });
    }
    const { steps, model } = pipeline.parts(ctx.params);
    const isOfFactory = typeof source === 'function' && waiting === undefined;
    const atEnd = isOfFactory ? (await modelSource(model)).source : model;
    return { preparation: preparationOf(steps), waiting, source: waiting ? () => model : atEnd };
  };
  return cleanupOnError(split, async () => waiting && disposeOwned(adapter, waiting));
}

async function preparedBy(held: Unbuilt, train: Batch, foldSeed: number) {
  const started = performance.now();
  const seed = deriveSeed(foldSeed, 'preprocessing');
  const { X, y, sampleWeight: weight, indices: places } = train;
  const { prepared, rows, ...fitted } = await held.preparation.fit(X, y, { seed, weight, places });
  const batch = fittedBatch(train, fitted.X, rows);
  const preprocessSeconds = (performance.now() - started) / 1000;
  const model = await held.build(inputShapeOf(fitted.X));
  held.fitted = new PreparedModel(prepared, model);
  return { batch, model, prepared, preprocessSeconds };
}

/** The model then predicts what it knew before. */
export async function prepareAlone(held: unknown, train: Batch, seed: number): Promise<void> {
  if (held instanceof Unbuilt) await preparedBy(held, train, seed);
}

/** Options of a fit, with balanced weights counted on its rows; not before a preparation, which may change how often each class is there. */
export function withWeights(model: unknown, batch: Batch, { classWeight, ...options }: UnweightedFit): FitOptions {
  const isCounted = classWeight === 'balanced' && !(model instanceof Unbuilt);
  const weights = isCounted ? balancedWeights(batch) : classWeight;
  return { ...options, ...(weights ? { classWeight: weights } : {}) } as FitOptions;
}

type UnweightedFit = Omit<FitOptions, 'classWeight'> & Pick<PlainTraining, 'classWeight'>;

/** n / (classes x rows of the class), as scikit-learn has it; a row of weight 2 counts as two. */
function balancedWeights({ y, sampleWeight }: Batch): Readonly<Record<string, number>> {
  const counts = y.classes.map(() => 0);
  for (const [row, code] of y.codes.entries()) counts[code] += sampleWeight?.[row] ?? 1;
  const present = counts.filter((count) => count > 0);
  const mean = present.reduce((sum, count) => sum + count, 0) / present.length;
  return Object.fromEntries(y.classes.map((label, code) => [label, counts[code] ? mean / counts[code] : 1]));
}

const builtOf = (held: Unbuilt | PreparedModel) => (held instanceof PreparedModel ? held : held.fitted);

function preparedOf(held: Unbuilt | PreparedModel): PreparedModel {
  const built = builtOf(held);
  if (built) return built;
  const must = 'be fitted before it is used';
  throw new InvalidOptionError(sentence('A model with `preprocessing`', must, phrase('neither')));
}

/** What results hold of a model: without what it was built from. */
export const fittedModel = (model: unknown): unknown => (model instanceof Unbuilt ? preparedOf(model) : model);

export function unprepared(model: unknown): unknown {
  const fitted = fittedModel(model);
  return fitted instanceof PreparedModel ? fitted.model : fitted;
}

/** A model and rows as the functions of `scoring` take them: prepared, where there is a preparation. */
export function insideOf(model: unknown, X: Rows): { readonly model: unknown; readonly X: Rows } {
  const fitted = fittedModel(model);
  return fitted instanceof PreparedModel ? { model: fitted.model, X: fitted.prepared(X) } : { model, X };
}

/** The prepared rows of a batch with what comes beside them; `rows`: places in the batch, where they were resampled. */
function fittedBatch(train: Batch, X: Rows, rows: Int32Array | undefined): Batch {
  if (!rows) return { ...train, X };
  const { sampleWeight: weight, ...taken } = train;
  return { ...labelsOfRows({ ...taken, weight }, rows), X, indices: gather(train.indices, rows) };
}

/** Name of the file of the preparation of a model that is saved as `model`. */
export const PREPARATION = 'model.preprocessing.json';

/** Where the preparation of the model at `where` is saved: beside it. Throws {@link InvalidOptionError} where nothing can be. */
function preparationPlace(where: ModelPlace) {
  const name = '.preprocessing.json';
  if (where instanceof MemoryPlace) {
    return { write: async (text: string) => where.write(name, text), read: async () => where.text(name) };
  }
  const path = filePlace(where);
  const disk = files;
  if (path !== undefined && disk) {
    const file = `${path}${name}`;
    return { write: (text: string) => writeWhole(disk, file, text), read: () => readText(file) };
  }
  const subject = 'The place of a model with its preparation';
  const must = 'be a path, so that both can be saved to files';
  const got = phrase(files ? 'an address of another kind, or a handler' : 'a browser');
  const way = 'Save `model` and JSON.stringify(preprocessing) by yourself.';
  throw new InvalidOptionError(sentence(subject, must, got, way), { code: 'unable' });
}
