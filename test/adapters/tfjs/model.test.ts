import { describe, expect, it } from 'vitest';
import { createTfjsAdapter } from '../../../adapters/tfjs/index.js';
import { copyForFold, disposeModel, modelFromFactory, readWeights, snapshot } from '../../../adapters/tfjs/model.js';
import { context, network, weightsOf as numbersOf, onBackend, stack, tf, viewOf } from '../../helpers/tfjsModels.js';
import { hasTfjsNode } from '../../helpers/tfjsNode.js';
import { thrown } from '../../helpers/thrown.js';

const factory = (make: () => unknown) => modelFromFactory(tf, make, context());
const compiled = (optimizer: string | tf.Optimizer) => {
  const model = network();
  model.compile({ optimizer, loss: 'binaryCrossentropy', metrics: ['accuracy'] });
  return model;
};

describe('modelFromFactory', () => {
  it.each([
    ['a name', () => compiled('adam')],
    ['one made for it', () => compiled(tf.train.adam())],
    ['one with moments', () => compiled(tf.train.momentum(0.1, 0.9))],
    ['none', () => network()],
  ])('leaves nothing behind when the optimizer is %s', async (_, make) => {
    const before = tf.memory().numTensors;
    disposeModel(await factory(make));
    expect(tf.memory().numTensors).toBe(before);
  });

  it('leaves an optimizer that several models share', async () => {
    const shared = tf.train.adam();
    disposeModel(await factory(() => compiled(shared)));
    expect((shared as unknown as { accBeta1: tf.Variable }).accBeta1.isDisposed).toBe(false);
  });

  it('adopts the optimizer of a first model when it is made, for no fold may ever build it', async () => {
    const adapter = createTfjsAdapter({ tf });
    const before = tf.memory().numTensors;
    disposeModel(viewOf((await adapter.buildTracked?.(async () => compiled(tf.train.adam()))) as tf.Sequential));
    expect(tf.memory().numTensors).toBe(before);
    const first = await adapter.buildTracked?.(async () => compiled(tf.train.adam()));
    disposeModel(await factory(() => first));
    expect(tf.memory().numTensors).toBe(before);
  });

  it('refuses what it cannot use, and releases it', async () => {
    const before = tf.memory().numTensors;
    const lstm = () => tf.layers.lstm({ units: 1, stateful: true, batchInputShape: [4, 3, 2] });
    const empty = () => stack(tf.layers.maxPooling2d({ inputShape: [1, 28, 28] }), tf.layers.flatten());
    for (const make of [() => ({ predict: () => 1 }), () => tf.sequential(), () => stack(lstm()), empty]) {
      expect(await thrown(() => factory(make))).toContain('invalid_model');
    }
    expect(tf.memory().numTensors).toBe(before);
  });

  it('frees what a factory made that throws half way', async () => {
    const before = tf.memory().numTensors;
    const halfWay = async () => {
      network();
      tf.train.adam();
      tf.layers.dense({ units: 2 }).apply(tf.zeros([1, 3]));
      await Promise.resolve();
      throw new Error('half way');
    };
    expect(await thrown(() => factory(halfWay))).toContain('half way');
    expect(tf.memory().numTensors).toBe(before);
  });

  it('refuses an optimizer that is disposed, and weights inside a model inside', async () => {
    const before = tf.memory().numTensors;
    const model = compiled(tf.train.adam());
    model.optimizer.dispose();
    expect(await thrown(() => factory(() => model))).toMatch(/\(invalid_model\): .*Got a model whose/);
    const input = tf.input({ shape: [3] });
    const inner = network();
    const outer = tf.model({ inputs: input, outputs: inner.apply(input) as tf.SymbolicTensor });
    for (const weight of inner.weights) (weight.read() as tf.Variable).dispose();
    expect(await thrown(() => factory(() => outer))).toContain('must hold its weights');
    expect(tf.memory().numTensors).toBe(before);
  });

  it('refuses a layer that two models use', async () => {
    const shared = tf.layers.dense({ units: 1, inputShape: [3] });
    const make = () => {
      const input = tf.input({ shape: [3] });
      return tf.model({ inputs: input, outputs: shared.apply(input) as tf.SymbolicTensor });
    };
    disposeModel(await factory(make));
    expect(await thrown(() => factory(make))).toContain('already disposed');
    const model = network();
    model.dispose();
    expect(await thrown(() => factory(() => model))).toMatch(/\(invalid_model\): .*Got a model whose/);
  });
});

describe('disposeModel', () => {
  const input = () => tf.input({ shape: [3] });
  const apply = (layer: unknown, to: tf.SymbolicTensor) => (layer as tf.layers.Layer).apply(to) as tf.SymbolicTensor;

  it('frees a layer and a model that are applied twice', () => {
    const before = tf.memory().numTensors;
    const dense = tf.layers.dense({ units: 3 });
    const inner = stack(tf.layers.dense({ units: 3, inputShape: [3] }));
    const x = input();
    const outputs = apply(inner, apply(inner, apply(dense, apply(dense, x))));
    disposeModel(viewOf(tf.model({ inputs: x, outputs })));
    expect(tf.memory().numTensors).toBe(before);
  });

  it('leaves a layer that another model applies too', () => {
    const base = tf.layers.dense({ units: 3 });
    const model = () => {
      const x = input();
      return tf.model({ inputs: x, outputs: apply(tf.layers.dense({ units: 1 }), apply(base, x)) });
    };
    const [first, second] = [model(), model()];
    disposeModel(viewOf(first));
    expect(weightsNow(second).some((weight) => weight.isDisposed)).toBe(false);
    disposeModel(viewOf(second));
  });
});

const weightsNow = (model: tf.LayersModel) => model.weights.map((weight) => weight.read());

describe('copyForFold', () => {
  const copy = async (model: tf.LayersModel) => copyForFold(tf, viewOf(model), await readWeights(tf, viewOf(model)));

  it('copies layers, weights and compiled state, and shares nothing', async () => {
    const model = compiled(tf.train.adam(0.3));
    (model.layers[0] as tf.layers.Layer).trainable = false;
    const state = () => [tf.memory().numTensors, numbersOf(model), JSON.stringify(model.optimizer)];
    const before = state();
    const made = await copy(model);
    expect(numbersOf(made as never)).toEqual(numbersOf(model));
    expect([made.loss, made.metrics]).toEqual([model.loss, model.metrics]);
    expect(made.optimizer?.getConfig()).toEqual(model.optimizer.getConfig());
    expect(made.optimizer).not.toBe(model.optimizer);
    expect((made.layers[0] as unknown as tf.layers.Layer).trainable).toBe(false);
    const weights = made as unknown as tf.LayersModel;
    tf.tidy(() => weights.setWeights(made.getWeights().map((weight) => tf.zerosLike(weight))));
    disposeModel(made);
    expect(state()).toEqual(before);
  });
});

/** Moving statistics, and a constraint that changes weights whenever they are set. */
function normalised(): tf.Sequential {
  const model = stack(
    tf.layers.dense({ units: 4, inputShape: [3], kernelConstraint: tf.constraints.unitNorm({ axis: 0 }) }),
    tf.layers.batchNormalization(),
    tf.layers.dense({ units: 1, activation: 'sigmoid' }),
  );
  model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
  return model;
}

async function train(model: tf.LayersModel): Promise<void> {
  const [x, y] = [tf.randomNormal([16, 3]), tf.ones([16, 1])];
  await model.fit(x, y, { epochs: 2, verbose: 0 });
  tf.dispose([x, y]);
}

describe.each([
  ['cpu', true],
  ['wasm', true],
  ['tensorflow', hasTfjsNode],
])('a snapshot on %s', (backend, runs) => {
  it.runIf(runs)('gives back the same bits as often as asked, moving statistics too, and leaves no tensor', () =>
    onBackend(backend, async () => {
      const model = normalised();
      await train(model);
      const [expected, held] = [numbersOf(model), tf.memory()];
      const taken = snapshot(viewOf(model));
      // Clones share their numbers; those of wasm are copies.
      if (backend !== 'wasm') expect(tf.memory().numDataBuffers).toBe(held.numDataBuffers);
      for (let again = 0; again < 2; again++) {
        await train(model);
        expect(numbersOf(model)).not.toEqual(expected);
        taken.restore();
        expect(numbersOf(model)).toEqual(expected);
      }
      await train(model);
      taken.restore();
      taken.release();
      expect(numbersOf(model)).toEqual(expected);
      expect(tf.memory().numTensors).toBe(held.numTensors);
      await train(model);
      model.dispose();
    }),
  );
});
