import { describe, expect, it } from 'vitest';
import { tidied } from '../../../adapters/tfjs/kept.js';
import { predict } from '../../../adapters/tfjs/predict.js';
import { train } from '../../../adapters/tfjs/train.js';
import { rowsOf } from '../../../src/data/rows.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { batchOf, fitOptions, NO_HOOKS, network, onBackend, table, tf, viewOf } from '../../helpers/tfjsModels.js';

const { layers: l } = tf;
const { y } = table(70);
const DROPOUT = { units: 3, dropout: 0.3, recurrentDropout: 0.2 };
const [series, clips] = [
  [4, 2],
  [3, 4, 4, 1],
] as const;
const lstm = (more = {}) => l.lstm({ ...DROPOUT, ...more });
const lstmCell = () => l.lstmCell(DROPOUT);

/** Recurrent layers with dropout, and the shape of a row that they take. */
const LAYERS: [string, readonly number[], (inputShape: number[]) => tf.layers.Layer][] = [
  ['LSTM', series, (inputShape) => lstm({ inputShape })],
  ['GRU', series, (inputShape) => l.gru({ ...DROPOUT, inputShape })],
  ['SimpleRNN', series, (inputShape) => l.simpleRNN({ ...DROPOUT, inputShape })],
  [
    'Bidirectional',
    series,
    (inputShape) => l.bidirectional({ layer: lstm() as tf.RNN, mergeMode: 'concat', inputShape }),
  ],
  ['TimeDistributed', [2, ...series], (inputShape) => l.timeDistributed({ layer: lstm(), inputShape })],
  ['ConvLSTM2D', clips, (inputShape) => l.convLstm2d({ ...DROPOUT, filters: 2, kernelSize: 2, inputShape } as never)],
  ['RNN of a cell', series, (inputShape) => l.rnn({ cell: lstmCell(), inputShape })],
  [
    'RNN of stacked cells',
    series,
    (inputShape) =>
      l.rnn({ cell: l.stackedRNNCells({ cells: [lstmCell(), l.gruCell(DROPOUT)] }) as never, inputShape }),
  ],
];

function recurrent(shape: readonly number[], make: (inputShape: number[]) => tf.layers.Layer) {
  const model = tf.sequential({ layers: [make([...shape])] });
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
  it('frees what was kept after an error, except what is the optimizer’s, and leaves it after success', async () => {
    await onBackend('cpu', async () => {
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
    });
  });

  it('frees the masks of a step that fails', async () => {
    await onBackend('cpu', async () => {
      const model = recurrent(series, (inputShape) => lstm({ inputShape }));
      const before = tf.memory().numTensors;
      const lossFn = (): never => {
        throw new Error('half way');
      };
      const learning = train(
        tf,
        viewOf(model),
        batchOf(rowsOfShape(series), y),
        fitOptions({ optimizer: 'sgd', lossFn }),
        NO_HOOKS,
      );
      await expect(learning).rejects.toThrow();
      viewOf(model).optimizer?.dispose();
      expect(tf.memory().numTensors).toBe(before);
    });
  });

  it('puts the engine back', () => {
    const { keep } = tf.engine();
    tidied(tf, viewOf(network()), () => 1);
    expect(tf.engine().keep).toBe(keep);
    expect(Object.hasOwn(tf.engine(), 'keep')).toBe(false);
  });
});
