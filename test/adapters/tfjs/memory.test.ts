import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { forgetModels, freeingOnError, heldMemory } from '../../../adapters/tfjs/memory.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { network, table, tf } from '../../helpers/tfjsModels.js';

const held = () => tf.memory().numTensors;
const fails = (make: () => unknown) => expect(freeingOnError(tf, make)).rejects.toThrow('half way');
function later() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((go) => {
    resolve = go;
  });
  return { promise, resolve };
}
const halfWay = (): never => {
  throw new Error('half way');
};

describe('heldMemory', () => {
  it('counts tensors and their bytes', () => {
    const before = heldMemory(tf);
    const tensor = tf.zeros([10, 3]);
    expect(heldMemory(tf)).toEqual({ tensors: before.tensors + 1, bytes: before.bytes + 120 });
    tensor.dispose();
  });
});

describe('freeingOnError', () => {
  it('frees layers, optimizers and tensors of what fails, and nothing that is older', async () => {
    const older = network();
    const before = held();
    const make = () => {
      const model = network({ dropout: 0.5 });
      model.compile({ optimizer: tf.train.momentum(0.1, 0.9), loss: 'meanSquaredError' });
      tf.ones([3]);
    };
    await fails(() => {
      make();
      halfWay();
    });
    await fails(async () => {
      make();
      await Promise.resolve();
      halfWay();
    });
    expect(held()).toBe(before);
    expect(older.getWeights().some((weight) => weight.isDisposed)).toBe(false);
    older.dispose();
  });

  it('leaves what succeeds', async () => {
    const before = held();
    const tensor = await freeingOnError(tf, () => tf.ones([2]));
    expect(held()).toBe(before + 1);
    tensor.dispose();
  });

  it('leaves what others make while an async factory waits, and the engine as it was', async () => {
    const before = held();
    const { promise, resolve } = later();
    const failing = fails(async () => {
      tf.ones([2]);
      await promise;
      halfWay();
    });
    expect(Object.hasOwn(tf.engine(), 'trackTensor')).toBe(false);
    const cache = tf.ones([3]);
    resolve();
    await failing;
    expect(cache.isDisposed).toBe(false);
    expect(held()).toBe(before + 1);
    cache.dispose();
  });
});

describe('forgetModels', () => {
  it('lets go of the layers of every fold', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const layers: WeakRef<object>[] = [];
    const model = () => {
      const made = network();
      layers.push(new WeakRef(made.layers[0]));
      return made;
    };
    const { X, y } = table();
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0 });
    await runner.run({ model, data: [X, y], optimizer: 'adam', lossFn: 'binaryCrossentropy' });
    // What was looked at in this turn of the event loop is kept until the next.
    await new Promise((resolve) => setTimeout(resolve, 0));
    collectGarbage();
    expect(layers.map((layer) => layer.deref())).toEqual([undefined, undefined, undefined]);
  });

  it('leaves the size of the cache as it was', () => {
    const entries = () => tf.env().getNumber('TOPOLOGICAL_SORT_CACHE_MAX_ENTRIES');
    const before = entries();
    forgetModels(tf);
    expect(entries()).toBe(before);
  });
});
