/** Turns the `model` option into what an adapter builds from: a guarded factory, or an instance to copy. */

import { AdapterError, phrase, sentence, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isOfStep } from '../core/names.js';
import { exportOf, fileUrlOf } from '../core/pathOfPlace.js';
import { withSeededRandom } from '../core/seededRandom.js';
import { within } from '../core/timeLimit.js';
import { sameRun } from './activeRuns.js';
import type { FoldContext, ModelFactory } from './frameworkAdapter.js';

/** A factory, an instance, the path or URL of an `.onnx` file, or the absolute path or file: URL of a module whose default export is a factory. */
export type ModelOption = ModelFactory | object | string | URL;

/** What the fold loop builds models from. `first` is the model (or instance) that tells which adapter fits. */
export interface ModelSource {
  /** The first model only tells the adapter: no fold trains it. */
  readonly isProbe?: boolean;
  readonly source: ModelFactory | object;
  first(ctx: FoldContext): Promise<unknown>;
  /** Gives up the first model when no fold has taken it; the caller must dispose it. */
  forgetFirst(): unknown;
}

export interface ParamsFirst {
  /** Parameters to make the first model from; the next ones where it cannot be made. Left out: those of its fold. */
  readonly first?: (() => Iterable<Readonly<Record<string, unknown>>>) | undefined;
}

/**
 * Every call of the caller's factory runs with `Math.random` seeded by the fold, so unseeded weights are reproducible; a
 * factory that gives the same object twice is refused, since training would carry over.
 */
export async function modelSource(
  model: ModelOption,
  tuning?: ParamsFirst,
  {
    signal,
    foldTimeout,
  }: { readonly signal?: AbortSignal | undefined; readonly foldTimeout?: number | undefined } = {},
): Promise<ModelSource> {
  const option = tuning ? 'modelFn' : 'model';
  const resolved: unknown = await within(signal, foldTimeout, async () => {
    if (isOnnxFile(model)) return { onnx: model };
    return typeof model === 'string' || model instanceof URL ? importFactory(model) : model;
  });
  if (typeof resolved !== 'function') {
    if (tuning) {
      const must = 'be a function (params, ctx) => model, or the file: URL of a module that exports one';
      throw new AdapterError(sentence('The `modelFn` option', must, resolved), { code: 'invalid_model' });
    }
    if (typeof resolved !== 'object' || resolved === null) {
      throw new AdapterError(
        sentence('The `model` option', 'be a factory, a model, or the file: URL of a module', resolved),
        {
          code: 'invalid_model',
        },
      );
    }
    return { source: resolved, first: async () => resolved, forgetFirst: () => undefined };
  }
  if (/^class[\s{]/.test(Function.prototype.toString.call(resolved))) {
    const got = phrase(`the class ${resolved.name}`);
    const way = `Use (${tuning ? 'params' : ''}) => new ${resolved.name}(${tuning ? 'params' : '...'}) instead.`;
    throw new AdapterError(sentence(`The \`${option}\` option`, 'be a factory', got, way), { code: 'invalid_model' });
  }
  return tuning ? fromParams(resolved as FromParams, tuning) : guardedFactory(resolved as ModelFactory);
}

type FromParams = (params: Readonly<Record<string, unknown>>, ctx: FoldContext) => unknown;

/** Makes each model from the parameters of its fold: those that are no parameters of a step of `preprocessing`. */
function fromParams(modelFn: FromParams, { first }: ParamsFirst): ModelSource {
  const source = guardedFactory((ctx) =>
    modelFn(Object.fromEntries(Object.entries(ctx.params).filter(([name]) => !isOfStep(name))), ctx),
  );
  if (!first) return source;
  return {
    ...source,
    isProbe: true,
    async first(ctx) {
      let refused: unknown;
      for (const params of first()) {
        try {
          return await source.first(sameRun(ctx, Object.freeze({ ...ctx, fold: 'first-look', params })));
        } catch (error) {
          refused ??= error;
        }
      }
      throw refused;
    },
  };
}

/** An `.onnx` file is a model itself, not a module that makes one. */
const isOnnxFile = (model: ModelOption): model is string | URL =>
  (typeof model === 'string' || model instanceof URL) && /\.onnx([?#]|$)/i.test(String(model));

function guardedFactory(factory: ModelFactory): ModelSource {
  const models = new WeakSet<object>();
  let waiting: { fold: string; model: unknown } | undefined;
  const make = async (ctx: FoldContext): Promise<unknown> => {
    const model = await withSeededRandom(ctx.seed, async () => factory(ctx)).catch(factoryFailed);
    if (typeof model !== 'object' || model === null) {
      throw new AdapterError(sentence('The model factory', 'return a model', model), { code: 'invalid_model' });
    }
    if (models.has(model)) {
      const must = 'return a new model for every fold';
      const got = phrase('the same object twice');
      throw new AdapterError(sentence('The model factory', must, got), { code: 'same_model_twice' });
    }
    models.add(model);
    return model;
  };
  return {
    async first(ctx) {
      const model = await make(ctx);
      waiting = { fold: ctx.fold, model };
      return model;
    },
    source: async (ctx: FoldContext) => {
      if (typeof ctx?.fold !== 'string') {
        const must = 'hand its `ctx` to the factory: await source(ctx)';
        throw new AdapterError(sentence('`build` of an adapter', must, ctx), { code: 'invalid_adapter' });
      }
      if (waiting?.fold !== ctx.fold) return make(ctx);
      const { model } = waiting;
      waiting = undefined;
      return model;
    },
    forgetFirst() {
      const model = waiting?.model;
      waiting = undefined;
      return model;
    },
  };
}

const factoryFailed = threw('The model factory', 'return a model', 'factory_failed');

/** The file: URL of the module that `model` names; undefined where it is anything else. */
export const moduleUrl = (model: unknown): string | undefined =>
  typeof model === 'string' || model instanceof URL ? fileUrlOf(model) : undefined;

async function importFactory(place: string | URL): Promise<unknown> {
  const url = fileUrlOf(place);
  if (url === undefined) {
    const must = 'be a factory, a model, or the absolute path or file: URL of a module';
    const way = "Use new URL('./model.js', import.meta.url).";
    throw new AdapterError(sentence('The `model` option', must, String(place), way), { code: 'invalid_model' });
  }
  const named = nameText(String(place), 300);
  const found = await exportOf(url).catch(threw(`The model module ${named}`, 'load', 'invalid_model'));
  if (typeof found === 'function') return found;
  const subject = `The default export of ${named}`;
  throw new AdapterError(sentence(subject, 'be a model factory', found), { code: 'invalid_model' });
}
