import { describe, expect, it } from 'vitest';
import { copyTrainable, refusals } from '../../../adapters/tfjs/layers.js';
import { copyForFold, readWeights } from '../../../adapters/tfjs/model.js';
import type { Layer, LayersModel } from '../../../adapters/tfjs/structures.js';
import type { TrainStepContext } from '../../../src/runner/frameworkAdapter.js';
import {
  batchOf,
  itOn,
  learn,
  network,
  onBackend,
  stack,
  table,
  tf,
  viewOf,
  weightsOf,
} from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const { X, y } = table(16);

const freezeOne = (layer: tf.layers.Layer) => {
  layer.trainable = false;
};
const freezeAll = (below: tf.LayersModel): void => {
  for (const layer of below.layers) {
    layer.trainable = false;
    if ('layers' in layer) freezeAll(layer as unknown as tf.LayersModel);
  }
};

/** Something like a model that was trained before: dense, batch normalisation, and a model inside. */
function base() {
  const { dense, batchNormalization } = tf.layers;
  const inner = stack(dense({ units: 3, inputShape: [4] }), batchNormalization());
  return tf.sequential({
    name: 'base',
    layers: [dense({ units: 4, inputShape: [3], activation: 'relu' }), batchNormalization(), inner],
  });
}
const withHead = (below: tf.Sequential) =>
  stack(below, tf.layers.dense({ units: 1, activation: 'sigmoid', name: 'head' }));
/** The same, functional: here the base is a layer of its own. */
function functionalHead(below: tf.Sequential) {
  const input = tf.input({ shape: [3] });
  const top = tf.layers.dense({ units: 1, activation: 'sigmoid', name: 'head' });
  return tf.model({ inputs: input, outputs: top.apply(below.apply(input)) as tf.SymbolicTensor });
}
/** By name: tfjs lists weights in another order once a model was compiled. */
const namedWeights = (model: tf.LayersModel) =>
  Object.fromEntries(model.weights.map((weight) => [weight.name, Array.from(weight.read().dataSync())]));
const options = { epochs: 3, optimizer: 'adam', lossFn: 'binaryCrossentropy' };
const run = (model: tf.LayersModel, parts = {}) => learn(model, batchOf(X, y), { ...options, ...parts });

describe.each(['cpu', 'wasm'])('only the head trains on %s', (backend) => {
  it.each([
    ['a frozen model', freezeOne],
    ['frozen layers', freezeAll],
  ])('%s keeps every weight, moving statistics included', async (_, freeze) => {
    await onBackend(backend, async () => {
      for (const build of [withHead, functionalHead]) {
        const below = base();
        const model = build(below);
        freeze(below);
        const before = namedWeights(below);
        const head = weightsOf(model.getLayer('head'));
        await run(model);
        expect(namedWeights(below)).toEqual(before);
        expect(weightsOf(model.getLayer('head'))).not.toEqual(head);
      }
    });
  });

  itOn(backend, 'holds in a step of the caller that minimizes over everything', async () => {
    for (const build of [withHead, functionalHead]) {
      const below = base();
      const model = build(below);
      below.trainable = false;
      const before = namedWeights(below);
      const trainStep = ({ model, optimizer, x, y: targets }: TrainStepContext) =>
        optimizer.minimize(() => tf.mean(tf.square(tf.sub(targets, model.apply(x, { training: true })))), true);
      await learn(model, batchOf(X, y), { ...options, lossFn: undefined }, { trainStep });
      expect(namedWeights(below)).toEqual(before);
    }
  });

  itOn(
    backend,
    'normalises frozen layers by their moving statistics, so that the loss of the first epoch is that of evaluate',
    async () => {
      const below = base();
      const model = withHead(below);
      below.trainable = false;
      model.compile({ optimizer: 'sgd', loss: 'binaryCrossentropy' });
      const expected = tf.tidy(() => {
        const score = model.evaluate(tf.tensor2d(X), tf.tensor2d(y, [16, 1])) as tf.Scalar;
        return score.dataSync()[0];
      });
      const { epochs } = await run(model, { epochs: 1, batchSize: 16 });
      expect(epochs[0].loss).toBeCloseTo(expected, 5);
    },
  );

  itOn(backend, 'leaves batch normalisation that trains as it is in tfjs', async () => {
    const below = base();
    const model = withHead(below);
    const before = namedWeights(below);
    await run(model);
    for (const [name, values] of Object.entries(namedWeights(below))) {
      // A bias before batch normalisation has no effect, hence no gradient but rounding.
      if (!name.endsWith('bias')) expect(values, name).not.toEqual(before[name]);
    }
  });
});

it('a model in which nothing is trainable is refused', async () => {
  const model = network();
  for (const layer of model.layers) layer.trainable = false;
  expect(await thrown(() => run(model))).toContain('nothing_trainable');
});

describe('copyTrainable', () => {
  // A name that was taken before has a number at its end.
  const plainWeights = (model: tf.LayersModel) =>
    Object.fromEntries(
      Object.entries(namedWeights(model)).map(([name, values]) => [name.replace(/_\d+$/, ''), values]),
    );

  it('lets a copy of a compiled instance have the weights of the original in their places', async () => {
    for (const build of [withHead, functionalHead]) {
      const below = base();
      below.trainable = false;
      const model = build(below);
      model.weights.forEach((weight, at) => void weight.write(tf.fill(weight.shape as number[], at + 1)));
      model.compile({ optimizer: 'sgd', loss: 'binaryCrossentropy' });
      const copy = await copyForFold(tf, viewOf(model), await readWeights(tf, viewOf(model)));
      expect(plainWeights(copy as never)).toEqual(plainWeights(model));
    }
  });

  const flags = (model: Layer): unknown => [
    model.trainable,
    (model.layers ?? []).map(flags),
    (model as unknown as LayersModel).trainableWeights.length,
  ];

  it('freezes in a copy what is frozen in the original, so that their weights are in the same order', async () => {
    for (const freeze of [
      freezeOne,
      (below: tf.LayersModel) => freezeOne(below.layers[0]),
      (below: tf.LayersModel) => {
        below.trainable = false;
        below.trainable = true;
        below.layers[2].trainable = false;
      },
    ]) {
      const original = withHead(base());
      freeze(original.layers[0] as tf.LayersModel);
      const copy = (await tf.models.modelFromJSON(original.toJSON(null, false) as never)) as tf.Sequential;
      copyTrainable(viewOf(original), viewOf(copy));
      expect(flags(viewOf(copy))).toEqual(flags(viewOf(original)));
      const shapes = (model: tf.LayersModel) => model.getWeights().map(({ shape }) => shape);
      expect(shapes(copy)).toEqual(shapes(original));
    }
  });
});

const { layers: l } = tf;
const BACKENDS = ['cpu', 'wasm', 'tensorflow', 'webgl', 'webgpu'];

const first = () =>
  l.separableConv2d({ filters: 1, kernelSize: 2, dataFormat: 'channelsFirst', inputShape: [1, 5, 5], name: 'first' });
const leaping = () =>
  l.conv3d({ filters: 1, kernelSize: 1, strides: 2, padding: 'same', inputShape: [4, 4, 4, 1], name: 'far' });

// Which layers are refused where is held against their gradients in gradientAudit.test.ts.
describe('refusals', () => {
  it('depends on the backend', () => {
    const refusing = BACKENDS.filter((backend) => refusals(viewOf(stack(leaping())), backend).length > 0);
    expect(refusing).toEqual(['cpu', 'webgl', 'webgpu']);
    const transposed = l.conv3dTranspose({
      ...{ filters: 1, kernelSize: 1, strides: 2, padding: 'same', inputShape: [2, 2, 2, 1] },
    } as never);
    expect(BACKENDS.filter((backend) => refusals(viewOf(stack(transposed)), backend).length > 0)).toEqual(refusing);
    const average = viewOf(stack(l.averagePooling1d({ padding: 'same', inputShape: [5, 1] })));
    expect(BACKENDS.filter((backend) => refusals(average, backend).length > 0)).toEqual(['webgl', 'webgpu']);
  });

  it('takes the last axis by its number, too', () => {
    const normalized = (axis: number) =>
      refusals(viewOf(stack(l.batchNormalization({ axis, inputShape: [4, 4, 2] }))), 'cpu').length;
    expect([-1, 1, 2, 3].map(normalized)).toEqual([0, 1, 1, 0]);
  });

  it('looks inside models and wrappers', () => {
    const inner = stack(first());
    expect(refusals(viewOf(stack(inner, l.flatten())), 'cpu')[0]).toContain("'first'");
    const wrapped = l.timeDistributed({ layer: first(), inputShape: [2, 1, 5, 5] });
    expect(refusals(viewOf(stack(wrapped)), 'cpu')[0]).toContain("'first'");
    const rows = l.timeDistributed({ layer: l.batchNormalization({ axis: 1, name: 'rows' }), inputShape: [2, 5, 3] });
    expect(refusals(viewOf(stack(rows)), 'cpu')[0]).toContain("'rows'");
    const softmax = (axis: number, layer = l.softmax({ axis, name: 'across' })) =>
      refusals(viewOf(stack(l.timeDistributed({ layer, inputShape: [2, 5, 3] }))), 'cpu').length;
    expect([1, 2, -1].map((axis) => softmax(axis))).toEqual([1, 0, 0]);
    const twice = l.timeDistributed({ layer: l.softmax({ axis: 1 }) });
    expect(refusals(viewOf(stack(l.timeDistributed({ layer: twice, inputShape: [2, 2, 5, 3] }))), 'cpu')).toHaveLength(
      1,
    );
  });
});
