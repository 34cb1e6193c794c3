/** The adapter for TensorFlow.js layers models: sequential and functional, on wasm, tfjs-node or plain JavaScript. */
import { AdapterError, sentence } from '../../src/core/errors.js';
import type { FrameworkAdapter, ModelFactory } from '../../src/runner/frameworkAdapter.js';
import { openBackend } from './backend.js';
import { copyOf, disposeModel, modelFromFactory, newestTensorId, type Weights, weightsOf } from './model.js';
import { defaultImports, type Imports, importPackage } from './packages.js';
import { predict } from './predict.js';
import { isLayersModel, type LayersModel, type Tf } from './structures.js';
import { train } from './train.js';

export interface TfjsAdapterOptions {
  /** The library, when it should not be imported: a namespace such as `import * as tf from '@tensorflow/tfjs'`. */
  readonly tf?: object;
  /** How optional packages are loaded, by package name. */
  readonly imports?: Partial<Imports>;
}

/**
 * Makes an adapter for tfjs models. Each fold gets its own model and its own optimizer; row order, weights and dropout
 * masks come from the fold's seed. A dropout layer with a `seed` of its own repeats one mask in every batch, as it does
 * in tfjs itself. While a session with the wasm backend has been open, the wasm backend has the gradient of conv2d and a
 * right gradient of max pooling.
 */
export function createTfjsAdapter({ tf: injected, imports }: TfjsAdapterOptions = {}): FrameworkAdapter {
  const packages: Imports = { ...defaultImports, ...imports };
  const library = async () =>
    (injected ?? (await importPackage(packages, '@tensorflow/tfjs', 'Training a tfjs model'))) as Tf;
  /** Weights of instances as they were when the run began. */
  const atOpen = new WeakMap<LayersModel, Weights>();
  let openedAt = Number.POSITIVE_INFINITY;

  return {
    name: 'tfjs',
    capabilities: { trains: true, epochs: true, probabilities: true, saves: false },
    matches: isLayersModel,
    async open(options, model) {
      const tf = await library();
      const known = isLayersModel(model) ? model : undefined;
      const weights = known && weightsOf(known);
      const session = await openBackend(tf, packages, options, known);
      if (known && weights) atOpen.set(known, weights);
      else openedAt = newestTensorId(tf);
      return {
        ...session,
        async close() {
          if (known) atOpen.delete(known);
          await session.close();
        },
      };
    },
    async build(source, ctx) {
      const tf = await library();
      if (typeof source === 'function') return modelFromFactory(tf, source as ModelFactory, ctx, openedAt);
      if (!isLayersModel(source)) {
        throw new AdapterError(sentence('The model', 'be a tf.LayersModel or a factory of one', source), {
          code: 'invalid_model',
        });
      }
      return copyOf(tf, source, atOpen.get(source) ?? weightsOf(source));
    },
    fit: async (model, batch, options, hooks) => train(await library(), model, batch, options, hooks),
    predict: async (model, X, y) => predict(await library(), model, X, y),
    dispose: (model) => disposeModel(model),
  };
}

/** The adapter with the packages that are installed. */
export const tfjsAdapter: FrameworkAdapter = createTfjsAdapter();
