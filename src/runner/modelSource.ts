/** Turns the `model` option into what an adapter builds from: a guarded factory, or an instance to copy. */

import { AdapterError, phrase, sentence, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isClass } from '../core/isClass.js';
import { isOfStep } from '../core/names.js';
import { exportOf, modulePlaces, moduleUrlOf } from '../core/pathOfPlace.js';
import { withSeededRandom } from '../core/seededRandom.js';
import { within } from '../core/timeLimit.js';
import { hasPipelineShape } from '../data/modelShapes.js';
import type { ModelPipeline } from '../preprocessing/pipeline.js';
import { sameRun } from './activeRuns.js';
import {
  checkAnswer,
  type FoldContext,
  type FrameworkAdapter,
  type ModelFactory,
  methodOf,
} from './frameworkAdapter.js';

/** A factory, an instance, the path or URL of an `.onnx` file, or the absolute path or file: URL (in pages a URL of their own origin) of a module whose default export is a factory or a Pipeline. */
export type ModelOption = ModelFactory | object | string | URL;

/** What the fold loop builds models from. `first` is the model (or instance) that tells which adapter fits. */
export interface ModelSource {
  /** The first model only tells the adapter: no fold trains it. */
  readonly isProbe?: boolean;
  /** What adapters have built, and what they must copy: none of it may be built again. */
  readonly built: WeakSet<object>;
  readonly source: ModelFactory | object;
  first(ctx: FoldContext): Promise<FirstModel>;
  /** Gives up the first model when no fold has taken it; the caller must dispose it. */
  forgetFirst(): unknown;
}

interface FirstModel {
  /** Of a Pipeline, the one at its end. */
  readonly model: unknown;
  /** The Pipeline that is the model; where no factory gives it, `source` is it, too. */
  readonly pipeline?: ModelPipeline;
}

interface ParamsFirst {
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
  limits: { readonly signal?: AbortSignal | undefined; readonly foldTimeout?: number | undefined } = {},
): Promise<ModelSource> {
  const option = `The \`${tuning ? 'modelFn' : 'model'}\` option`;
  const resolved: unknown = await within(limits.signal, limits.foldTimeout, async () => {
    if (isOnnxFile(model)) return { onnx: model };
    return typeof model === 'string' || model instanceof URL ? importFactory(model) : model;
  });
  if (isPipeline(resolved)) {
    const { source, ...atEnd } = await modelSource(resolved.model[1], undefined, limits);
    const first: ModelSource['first'] = async (ctx) => ({ ...(await atEnd.first(ctx)), pipeline: resolved });
    return { ...atEnd, source: resolved.withModel(source), first };
  }
  if (typeof resolved !== 'function') {
    if (tuning) {
      const must =
        'be a function (params, ctx) => model, a Pipeline with a model at its end, or the file: URL of a module that exports one';
      throw invalidModel(option, must, resolved);
    }
    if (typeof resolved !== 'object' || resolved === null)
      throw invalidModel(option, 'be a factory, a model, or the file: URL of a module', resolved);
    return {
      built: new WeakSet([resolved]),
      source: resolved,
      first: async () => ({ model: resolved }),
      forgetFirst: () => undefined,
    };
  }
  if (isClass(resolved)) {
    const way = `Use (${tuning ? 'params' : ''}) => new ${resolved.name}(${tuning ? 'params' : '...'}) instead.`;
    throw invalidModel(option, 'be a factory', phrase(`the class ${resolved.name}`), way);
  }
  return tuning ? fromParams(resolved as FromParams, tuning) : guardedFactory(resolved as ModelFactory);
}

/** Whether a model is a Pipeline with a model at its end: by structure, since few runs need the room of transformers. */
export const isPipeline = (model: unknown): model is ModelPipeline => hasPipelineShape(model);

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
    const model = await withSeededRandom(ctx.seed, async () => factory(ctx)).catch(
      threw('The model factory', 'return a model', 'factory_failed'),
    );
    if (typeof model !== 'object' || model === null) throw invalidModel('The model factory', 'return a model', model);
    return newModel(models, model, 'The model factory');
  };
  const taken = () => {
    const model = waiting?.model;
    waiting = undefined;
    return model;
  };
  let atEnd: ModelSource | undefined;
  return {
    built: new WeakSet(),
    async first(ctx) {
      const model = await make(ctx);
      waiting = { fold: ctx.fold, model };
      if (!isPipeline(model)) return { model };
      atEnd = await modelSource(model.model[1]);
      return { ...(await atEnd.first(ctx)), pipeline: model };
    },
    source: async (ctx: FoldContext) => {
      if (typeof ctx?.fold !== 'string') {
        const must = 'hand its `ctx` to the factory: await source(ctx)';
        throw new AdapterError(sentence('`build` of an adapter', must, ctx), { code: 'invalid_adapter' });
      }
      return waiting?.fold === ctx.fold ? taken() : make(ctx);
    },
    forgetFirst() {
      const model = taken();
      if (!isPipeline(model)) return model;
      const [, last] = model.model;
      return typeof last === 'function' ? atEnd?.forgetFirst() : last;
    },
  };
}

/** `model`, which `subject` gave; throws {@link AdapterError} where it is one of `models`: training would carry over. */
function newModel<M extends object>(models: WeakSet<object>, model: M, subject: string): M {
  if (models.has(model)) {
    const message = sentence(subject, 'return a new model for every fold', phrase('the same object twice'));
    throw new AdapterError(message, { code: 'same_model_twice' });
  }
  models.add(model);
  return model;
}

/** What `build` of an adapter gave: a new model, unless it is one that nothing trains. */
export function builtModel<M>(adapter: FrameworkAdapter, built: ModelSource['built'], model: M): M {
  checkAnswer(adapter, 'build', 'give a model', model, model !== undefined && model !== null);
  if (adapter.capabilities.trains && model instanceof Object) newModel(built, model, methodOf(adapter, 'build'));
  return model;
}

/** The URL of the module that `model` names; undefined where it is anything else. */
export const moduleUrl = (model: unknown): string | undefined =>
  typeof model === 'string' || model instanceof URL ? moduleUrlOf(model) : undefined;

async function importFactory(place: string | URL): Promise<unknown> {
  if (/\.json([?#]|$)/i.test(String(place))) {
    const way = 'Use `model: () => loadNetwork(place)`, of cvkit/adapters/tfjs.';
    throw invalidModel('The `model` option', 'be a model, or make one', phrase('the place of a saved network'), way);
  }
  const url = moduleUrlOf(place);
  if (url === undefined) {
    const must = `be a factory, a model, or ${modulePlaces()}`;
    throw invalidModel('The `model` option', must, String(place), "Use new URL('./model.js', import.meta.url).");
  }
  const named = nameText(String(place), 300);
  const found = await exportOf(url).catch(threw(`The model module ${named}`, 'load', 'invalid_model'));
  if (typeof found === 'function' || isPipeline(found)) return found;
  throw invalidModel(`The default export of ${named}`, 'be a model factory or a Pipeline with a model', found);
}

const invalidModel = (subject: string, must: string, got: unknown, way?: string) =>
  new AdapterError(sentence(subject, must, got, way), { code: 'invalid_model' });
