import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { countSession, forgetModels, freeingOnError, heldMemory } from '../../../adapters/tfjs/memory.js';
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
    const stop = countSession(tf);
    const older = network();
    const before = held();
    await fails(async () => {
      const model = network({ dropout: 0.5 });
      model.compile({ optimizer: tf.train.momentum(0.1, 0.9), loss: 'meanSquaredError' });
      tf.ones([3]);
      await Promise.resolve();
      tf.variable(tf.ones([3]));
      halfWay();
    });
    expect(held()).toBe(before);
    expect(older.getWeights().some((weight) => weight.isDisposed)).toBe(false);
    older.dispose();
    stop();
  });

  it('leaves what succeeds', async () => {
    const stop = countSession(tf);
    const before = held();
    const tensor = await freeingOnError(tf, () => tf.ones([2]));
    expect(held()).toBe(before + 1);
    tensor.dispose();
    stop();
  });

  it('touches nothing while two runs are open, and the engine is as it was', async () => {
    const stops = [countSession(tf), countSession(tf)];
    const before = held();
    let kept: tf.Tensor | undefined;
    const { promise, resolve } = later();
    const waiting = freeingOnError(tf, () => promise);
    await fails(() => {
      kept = tf.ones([2]);
      halfWay();
    });
    resolve();
    await waiting;
    expect(held()).toBe(before + 1);
    kept?.dispose();
    expect(Object.hasOwn(tf.engine(), 'trackTensor')).toBe(false);
    stops[0]();
    stops[0](); // a session that is closed twice counts once
    await fails(() => {
      tf.ones([2]);
      halfWay();
    });
    expect(held()).toBe(before);
    stops[1]();
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
