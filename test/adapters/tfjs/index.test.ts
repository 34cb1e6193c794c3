import { describe, expect, it } from 'vitest';
import { createTfjsAdapter, tfjsAdapter } from '../../../adapters/tfjs/index.js';
import { withSeededRandom } from '../../../src/core/seededRandom.js';
import type { Predictions } from '../../../src/runner/frameworkAdapter.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { batchOf, context, fitOptions, NO_HOOKS, network, table, tf, weightsOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const { X, y } = table(24);
const adapter = createTfjsAdapter({ tf });

const trainOn = (model: object, optimizer: string) =>
  adapter.fit(model, batchOf(X, y), fitOptions({ optimizer, lossFn: 'binaryCrossentropy' }), NO_HOOKS);

async function run(source: object, open?: unknown, meanwhile?: () => void): Promise<Predictions> {
  const session = await adapter.open?.({ backend: 'cpu' }, open);
  meanwhile?.();
  try {
    const model = await adapter.build(source, context());
    try {
      await trainOn(model, 'adam');
      return await adapter.predict(model, batchOf(X, y).X, { task: 'binary', classes: [0, 1] });
    } finally {
      adapter.dispose?.(model);
    }
  } finally {
    await session?.close();
  }
}

describe('createTfjsAdapter', () => {
  it('takes the library that is given', async () => {
    const notAsked = () => Promise.reject(new Error('not asked'));
    const given = createTfjsAdapter({ tf, imports: { '@tensorflow/tfjs': notAsked } });
    const session = await given.open?.({ backend: 'cpu' });
    expect(session?.info.backend).toBe('cpu');
    await session?.close();
  });

  it('closes its session when it cannot begin', async () => {
    await tf.setBackend('cpu');
    const held = tf.memory().numTensors;
    // The engine is there, and its memory is full when the adapter first touches it.
    const full = () => ({
      get wasm() {
        throw new RangeError('Array buffer allocation failed');
      },
    });
    const without = createTfjsAdapter({ tf: { ...tf, backend: full as never } });
    expect(await thrown(() => without.open?.({ backend: 'wasm' }))).toContain('AdapterError (out_of_memory)');
    expect([tf.getBackend(), tf.memory().numTensors]).toEqual(['cpu', held]);
    const next = await adapter.open?.({ backend: 'cpu' }); // wasm is not in use any more
    await next?.close();
  });
});

describe('tfjsAdapter', () => {
  it('trains an instance from the weights that it had when the run began', async () => {
    const instance = network();
    const before = weightsOf(instance);
    const tensors = tf.memory().numTensors;
    const expected = await run(instance, instance);
    expect(weightsOf(instance)).toEqual(before);
    expect(tf.memory().numTensors).toBe(tensors);
    const changed = () => instance.setWeights(instance.getWeights().map((weight) => tf.zerosLike(weight)));
    expect(await run(instance, instance, changed)).toEqual(expected);
    expect(await run(instance, instance)).not.toEqual(expected);
  });

  it('leaves the backend alone when the instance is refused', async () => {
    await tf.setBackend('cpu');
    const gone = network();
    gone.dispose();
    expect(await thrown(() => tfjsAdapter.open?.({ backend: 'wasm' }, gone))).toContain('invalid_model');
    expect(tf.getBackend()).toBe('cpu');
  });

  it('binds the options of a session to its adapter', async () => {
    const seen: number[] = [];
    const trainStep = ({ epoch, x, y, model, optimizer }: Record<string, never>) => {
      seen.push(epoch);
      const loss = () =>
        tf.mean(tf.squaredDifference((model as tf.LayersModel).predict(x) as tf.Tensor, y)) as tf.Scalar;
      return (optimizer as tf.Optimizer).minimize(loss, true);
    };
    const session = await adapter.open?.({ backend: 'cpu', trainStep }, undefined);
    const before = tf.memory().numTensors;
    const bound = session?.adapter ?? adapter;
    const model = await bound.build(() => network(), context());
    await bound.fit(model, batchOf(X, y), fitOptions({ optimizer: 'adam', epochs: 2, batchSize: 24 }), NO_HOOKS);
    expect(seen).toEqual([0, 1]);
    bound.dispose?.(model);
    expect(tf.memory().numTensors).toBe(before);
    await session?.close();
  });

  it('records the optimizer as training began with it', async () => {
    const model = network();
    const lower = { ...NO_HOOKS, onEpochEnd: async () => void adapter.learningRate?.set(model, 0.5) as undefined };
    const options = fitOptions({ optimizer: 'adam', lossFn: 'binaryCrossentropy', epochs: 2 });
    const history = await adapter.fit(model, batchOf(X, y), options, lower);
    expect(history.model).toMatchObject({ optimizer: { class: 'Adam', config: { learningRate: 0.001 } } });
    adapter.dispose?.(model);
  });

  it('reports what tfjs holds, also before tfjs is loaded', async () => {
    expect(adapter.memory?.()).toEqual({ tensors: tf.memory().numTensors, bytes: tf.memory().numBytes });
    expect(createTfjsAdapter().memory?.()).toEqual({ tensors: 0, bytes: 0 });
  });

  it('frees a fold that runs out of memory, says so, and trains the next one as if nothing had been', async () => {
    for (const backend of ['cpu', 'wasm']) {
      const session = await adapter.open?.({ backend });
      const before = tf.memory().numTensors;
      const tooLarge = () => {
        const model = network();
        model.add(tf.layers.dense({ units: 1e15 }));
        return model;
      };
      const train = async (make: () => object) => {
        const model = await adapter.build(() => withSeededRandom(7, make), context());
        await trainOn(model, 'sgd');
        const weights = weightsOf(model);
        adapter.dispose?.(model);
        return weights;
      };
      const expected = await train(() => network());
      expect(await thrown(() => train(tooLarge))).toContain(`must fit into the memory of the ${backend} backend`);
      expect(tf.memory().numTensors).toBe(before);
      expect(await train(() => network())).toEqual(expected);
      await session?.close();
    }
  });

  it('lets the other folds of a run go on after one without memory', async () => {
    const cvSplitter = new KFold({ nSplits: 3 });
    const runner = new UniversalCVRunner({ cvSplitter, adapterOptions: { backend: 'wasm' }, verbose: 0 });
    const run = (large: boolean) => {
      const model = ({ index }: { index: number }) => {
        const made = network();
        if (large && index === 1) made.add(tf.layers.dense({ units: 1e15 }));
        return made;
      };
      const options = { epochs: 2, optimizer: 'adam', lossFn: 'binaryCrossentropy', onFoldError: 'record' } as const;
      return runner.run({ model, data: [X, y], ...options });
    };
    const before = tf.memory().numTensors;
    const [sound, broken] = [await run(false), await run(true)];
    expect(tf.memory().numTensors).toBe(before);
    expect(broken.probabilities[1]).toBeNull();
    for (const fold of [0, 2]) expect(broken.probabilities[fold]).toEqual(sound.probabilities[fold]);
    const { reason } = broken.scores.accuracy[1] as { reason?: string };
    expect(reason).toMatch(/fold-1 .*wasm backend/);
  });

  it('frees what a first factory made before it threw, too', async () => {
    await tfjsAdapter.open?.({ backend: 'cpu' }).then((session) => session.close());
    const before = tf.memory().numTensors;
    const run = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0 }).run({
      model: () => {
        network();
        throw new Error('half way');
      },
      data: [X, y],
    });
    expect(await thrown(() => run)).toMatch(/\(factory_failed\):/);
    expect(tf.memory().numTensors).toBe(before);
  });

  it('does not let names of layers into predictions: tfjs numbers them over the whole process', async () => {
    const build = () => {
      const model = network();
      tf.tidy(() => model.setWeights(model.getWeights().map((weight) => tf.fill(weight.shape, 0.1))));
      return model;
    };
    const first = await run(build);
    for (let made = 0; made < 12; made++) network().dispose();
    expect(await run(build)).toEqual(first);
  });
});
