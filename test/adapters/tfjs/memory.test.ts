import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { explained, freeingOnError, guardWasmMemory, tidied } from '../../../adapters/tfjs/memory.js';
import { predict } from '../../../adapters/tfjs/predict.js';
import { AdapterError, InvalidDataError } from '../../../src/core/errors.js';
import { rowsOf } from '../../../src/data/rows.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { batchOf, itOn, learn, network, onBackend, stack, table, tf, viewOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

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

it('forgetModels lets go of the layers of every fold', async () => {
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

const { layers: l } = tf;
const { y } = table(70);
const DROPOUT = { units: 3, dropout: 0.3, recurrentDropout: 0.2 };
const [series, clips] = [
  [4, 2],
  [3, 4, 4, 1],
] as const;
const lstm = (more = {}) => l.lstm({ ...DROPOUT, ...more });
const lstmCell = () => l.lstmCell(DROPOUT);
const stackedCells = () => l.stackedRNNCells({ cells: [lstmCell(), l.gruCell(DROPOUT)] });

/** Recurrent layers with dropout, and the shape of a row that they take. */
const LAYERS: [string, readonly number[], (inputShape: number[]) => tf.layers.Layer][] = [
  ['LSTM', series, (inputShape) => lstm({ inputShape })],
  ['GRU', series, (inputShape) => l.gru({ ...DROPOUT, inputShape })],
  ['SimpleRNN', series, (inputShape) => l.simpleRNN({ ...DROPOUT, inputShape })],
  [
    'Bidirectional',
    series,
    (inputShape) => l.bidirectional({ layer: lstm() as never, mergeMode: 'concat', inputShape }),
  ],
  ['TimeDistributed', [2, ...series], (inputShape) => l.timeDistributed({ layer: lstm(), inputShape })],
  ['ConvLSTM2D', clips, (inputShape) => l.convLstm2d({ ...DROPOUT, filters: 2, kernelSize: 2, inputShape } as never)],
  ['RNN of a cell', series, (inputShape) => l.rnn({ cell: lstmCell(), inputShape })],
  ['RNN of stacked cells', series, (inputShape) => l.rnn({ cell: stackedCells() as never, inputShape })],
];

function recurrent(shape: readonly number[], make: (inputShape: number[]) => tf.layers.Layer) {
  const model = stack(make([...shape]));
  if (model.outputs[0].rank > 2) model.add(l.flatten());
  model.add(l.dense({ units: 1, activation: 'sigmoid' }));
  return model;
}
const rowsOfShape = (shape: readonly number[]) => {
  const size = shape.reduce((product, each) => product * each, 1);
  return { data: Float32Array.from({ length: 70 * size }, (_, at) => Math.sin(at)), shape: [70, ...shape] };
};

describe('recurrent layers with dropout', () => {
  it.each(LAYERS)('leave no masks behind in a run: %s', async (_, shape, make) => {
    const before = tf.memory().numTensors;
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });
    await runner.run({
      model: () => recurrent(shape, make),
      data: [rowsOfShape(shape), y],
      epochs: 2,
      batchSize: 16, // the last one is smaller
      optimizer: 'adam',
      lossFn: 'binaryCrossentropy',
    });
    expect(tf.memory().numTensors).toBe(before);
  });

  it.each(LAYERS)('predict as LayersModel.predict does, batch by batch: %s', async (_, shape, make) => {
    await onBackend('cpu', async () => {
      const model = recurrent(shape, make);
      const { data } = rowsOfShape(shape);
      const rows = { data: data.slice(0, (data.length / 70) * 64), shape: [64, ...shape] };
      const expected = tf.tidy(() => (model.predict(tf.tensor(rows.data, rows.shape)) as tf.Tensor).dataSync());
      const { probabilities } = await predict(tf, viewOf(model), rowsOf(rows), { task: 'binary', classes: [0, 1] });
      // One unit is one column: P(positive).
      expect(probabilities?.shape).toEqual([64, 1]);
      expect(Array.from(probabilities?.data ?? [])).toEqual(Array.from(expected));
    });
  });
});

describe('tidied', () => {
  itOn(
    'cpu',
    'frees what was kept after an error, except what is the optimizer’s, and leaves it after success',
    async () => {
      const model = network();
      model.compile({ optimizer: tf.train.sgd(0.1), loss: 'meanSquaredError' });
      const before = tf.memory().numTensors;
      const failing = () =>
        tidied(tf, viewOf(model), () => {
          tf.keep(tf.scalar(1));
          (model.optimizer as tf.SGDOptimizer).setLearningRate(0.2);
          throw new Error('no');
        });
      expect(failing).toThrow('no');
      expect(tf.memory().numTensors).toBe(before);
      const kept = tidied(tf, viewOf(model), () => tf.keep(tf.scalar(3)));
      expect(kept.dataSync()[0]).toBe(3);
      kept.dispose();
      expect(tf.memory().numTensors).toBe(before);
    },
  );

  itOn('cpu', 'frees the masks of a step that fails', async () => {
    const model = recurrent(series, (inputShape) => lstm({ inputShape }));
    const before = tf.memory().numTensors;
    const options = { optimizer: 'sgd', lossFn: halfWay };
    await expect(learn(model, batchOf(rowsOfShape(series), y), options)).rejects.toThrow('half way');
    viewOf(model).optimizer?.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });
});

const failing = (error: unknown) =>
  explained(tf, () => {
    throw error;
  });
/** The error of compiled code that runs into `unreachable`: a module of one function without parameters, exported as f. */
function trapped(): Error {
  const bytes = [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // magic number and version
    [1, 4, 1, 0x60, 0, 0], // types: () => nothing
    [3, 2, 1, 0], // functions: one of type 0
    [7, 5, 1, 1, 0x66, 0, 0], // exports: "f", function 0
    [10, 5, 1, 3, 0, 0, 0x0b], // code: no locals, unreachable, end
  ];
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes.flat())));
  try {
    (exports.f as () => void)();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not trap.');
}
const plain = (text: string) => text.replace(/together with .* tensors/, 'together with <held>');

describe('explained', () => {
  it.each([
    new RangeError('Array buffer allocation failed'),
    new Error('OOM when allocating tensor with shape[100000,100000] and type float'),
    new Error('RESOURCE_EXHAUSTED: failed to allocate memory'),
    new Error('Cannot enlarge memory arrays to size 4294967296 bytes'),
    new Error('Requested texture size [20000x20000] greater than WebGL maximum on this browser / GPU [16384x16384].'),
    new AdapterError('The model factory must return a model. It threw: ...', {
      cause: new RangeError('Invalid typed array length: 10000000000'),
    }),
  ])('knows %s', async (error) => {
    expect(await thrown(() => failing(error))).toContain('AdapterError (out_of_memory)');
  });

  it.each([
    new RangeError('Invalid typed array length: -1'),
    new RangeError('Maximum call stack size exceeded'),
    new Error('Argument x must be a tensor'),
    new InvalidDataError('The allocation failed, says a message of ours'),
    'a text',
  ])('passes on everything else: %s', async (error) => {
    await expect(failing(error)).rejects.toBe(error);
  });

  const foreign = Object.assign(new Error('bad texture'), { name: 'RuntimeError' });
  it.each([
    ['cpu', 'another library', foreign],
    ['wasm', 'another library', foreign],
    ['cpu', 'another wasm module', trapped()],
  ])('passes on on %s the trap of %s, and goes on', async (backend, _, error) => {
    await onBackend(backend, async () => {
      await expect(failing(error)).rejects.toBe(error);
      expect(await explained(tf, () => 1)).toBe(1);
    });
  });

  it('trusts no wasm instance that broke down', async () => {
    const broken = {};
    const other = { ...tf, backend: () => broken, getBackend: () => 'wasm' } as unknown as typeof tf;
    const trap = trapped();
    const breakDown = () => {
      throw trap;
    };
    const first = await thrown(() => explained(other, breakDown));
    expect(first).toMatch(/\(backend_lost\): .*Got one that broke/);
    expect(await thrown(() => explained(other, () => 1))).toBe(first);
    expect(await explained(tf, () => 1)).toBe(1);
  });

  it('trusts no wasm instance that computes nothing any more', async () => {
    const broken: typeof tf = {
      ...tf,
      add: halfWay,
      backend: () => broken,
      getBackend: () => 'wasm',
    } as unknown as typeof tf;
    const aborting = () => {
      throw Object.assign(new Error('Aborted()'), { name: 'RuntimeError', stack: '' });
    };
    expect(await thrown(() => explained(broken, aborting))).toContain('backend_lost');
  });
});

describe('guardWasmMemory', () => {
  itOn('wasm', 'lets wasm go on after an allocation that failed', async () => {
    guardWasmMemory(tf);
    guardWasmMemory(tf);
    const before = tf.memory().numTensors;
    const watched = tf.tensor1d([1, 2, 3]);
    // 6.4e9 bytes: more than 32 bits hold, which tfjs would take for 2.1e9.
    const product = () => tf.tidy(() => tf.matMul(tf.ones([40_000, 1]), tf.ones([1, 40_000])));
    expect(plain(await thrown(() => explained(tf, product)))).toMatch(/\(out_of_memory\): .*Got .*\b6\.4\b/);
    expect(Array.from(watched.dataSync())).toEqual([1, 2, 3]);
    const small = tf.tidy(() => Array.from(tf.matMul(tf.ones([2, 3]), tf.ones([3, 2])).dataSync()));
    expect(small).toEqual([3, 3, 3, 3]);
    watched.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });

  it('throws where the heap of wasm is full', async () => {
    await onBackend('wasm', () => {
      const calls: number[] = [];
      const allocate = (bytes: number) => {
        calls.push(bytes);
        return bytes > 100 ? 0 : 64;
      };
      const wasm = { _malloc: allocate, _free: () => undefined };
      guardWasmMemory({ ...tf, backend: () => ({ wasm }) } as never);
      expect(wasm._malloc(8)).toBe(64);
      expect(() => wasm._malloc(400)).toThrow('allocation of 400 bytes failed');
      expect(() => wasm._malloc(2 ** 32)).toThrow('allocation of 4294967296 bytes failed');
      expect(calls).toEqual([8, 8, 400]);
    });
  });

  it('leaves other backends alone', () => onBackend('cpu', () => guardWasmMemory(tf)));
});
