import { describe, expect, it } from 'vitest';
import { createTfjsAdapter, tfjsAdapter } from '../../../adapters/tfjs/index.js';
import type { Predictions } from '../../../src/runner/frameworkAdapter.js';
import { batchOf, context, fitOptions, NO_HOOKS, network, table, tf, weightsOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const { X, y } = table(24);
const adapter = createTfjsAdapter({ tf });

async function run(source: object, open?: unknown, meanwhile?: () => void): Promise<Predictions> {
  const session = await adapter.open?.({ backend: 'cpu' }, open);
  meanwhile?.();
  try {
    const model = await adapter.build(source, context());
    try {
      await adapter.fit(
        model,
        batchOf(X, y),
        fitOptions({ optimizer: 'adam', lossFn: 'binaryCrossentropy' }),
        NO_HOOKS,
      );
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
    const given = createTfjsAdapter({
      tf,
      imports: { '@tensorflow/tfjs': () => Promise.reject(new Error('not asked')) },
    });
    const session = await given.open?.({ backend: 'cpu' });
    expect(session?.info.backend).toBe('cpu');
    await session?.close();
  });

  it('says what to install', async () => {
    const without = createTfjsAdapter({ imports: { '@tensorflow/tfjs': () => Promise.reject(new Error('missing')) } });
    expect(await thrown(() => without.open?.({}))).toMatchInlineSnapshot(
      `"MissingPackageError (missing_package): Training a tfjs model needs the package '@tensorflow/tfjs', which could not be loaded. Run: npm install @tensorflow/tfjs"`,
    );
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

  it('refuses an instance of something else', async () => {
    expect(await thrown(() => adapter.build({ predict: () => 1 }, context()))).toMatchInlineSnapshot(
      `"AdapterError (invalid_model): The model must be a tf.LayersModel or a factory of one. Got an object with the keys predict."`,
    );
  });
});
