import { describe, expect, it } from 'vitest';
import { workloadOf } from '../../../adapters/tfjs/workload.js';
import { network, tf } from '../../helpers/tfjsModels.js';

const { layers: l } = tf;
const model = (...layers: unknown[]) => tf.sequential({ layers: layers as tf.layers.Layer[] });

/** A graph model by the members that tell it apart: see graphModel.ts. */
const graph = (ops: string[], weights: number) => ({
  inputs: [{ shape: [-1, 2] }],
  outputs: [{}],
  inputNodes: ['x'],
  outputNodes: ['y'],
  modelSignature: {},
  weights: { w: [{ size: weights }] },
  executor: { graph: { nodes: Object.fromEntries(ops.map((op, at) => [`node${at}`, { op }])) } },
  execute: () => undefined,
  executeAsync: () => undefined,
  predict: () => undefined,
  dispose: () => undefined,
});

describe('workloadOf', () => {
  it('finds convolutions, also inside wrappers and models', () => {
    const conv = () => l.conv1d({ filters: 1, kernelSize: 2, inputShape: [4, 1] });
    expect(workloadOf(model(conv()))).toBe('convolutions');
    expect(workloadOf(model(model(conv())))).toBe('convolutions');
    expect(workloadOf(model(l.timeDistributed({ layer: conv(), inputShape: [2, 4, 1] })))).toBe('convolutions');
    expect(workloadOf(model(l.convLstm2d({ filters: 1, kernelSize: 2, inputShape: [2, 3, 3, 1] })))).toBe(
      'convolutions',
    );
  });

  it('counts weights, those of embeddings left aside', () => {
    const dense = (units: number) => model(l.dense({ units, inputShape: [299] }));
    expect(workloadOf(network())).toBe('small layers');
    expect(workloadOf(dense(99))).toBe('small layers'); // 99 * 300 = 29,700
    expect(workloadOf(dense(100))).toBe('large layers'); // 30,000
    expect(workloadOf(model(l.lstm({ units: 80, inputShape: [3, 20] })))).toBe('large layers'); // 4 * 80 * (80 + 20 + 1)
    expect(workloadOf(model(l.embedding({ inputDim: 5000, outputDim: 32, inputLength: 4 })))).toBe('small layers');
  });

  it('reads the operations and weights of graph models', () => {
    expect(workloadOf(graph(['Placeholder', '_FusedConv2D'], 9))).toBe('convolutions');
    expect(workloadOf(graph(['Placeholder', 'DepthwiseConv2dNative'], 9))).toBe('convolutions');
    expect(workloadOf(graph(['Placeholder', 'MatMul'], 30_000))).toBe('large layers');
    expect(workloadOf(graph(['Placeholder', 'MatMul'], 9))).toBe('small layers');
  });

  it('takes what it does not know for small layers', () => {
    expect(workloadOf(undefined)).toBe('small layers');
    expect(workloadOf({ predict: () => [] })).toBe('small layers');
  });
});
