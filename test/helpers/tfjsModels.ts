/** Small tfjs models and data for tests of the adapter. */

import * as tf from '@tensorflow/tfjs';
import { it } from 'vitest';
import { tfjsAdapter } from '../../adapters/tfjs/index.js';
import type { Layer, LayersModel, Network } from '../../adapters/tfjs/structures.js';
import { type TrainSettings, train } from '../../adapters/tfjs/train.js';
import { type Labels, labelsOf } from '../../src/data/labels.js';
import { type Rows, rowsOf } from '../../src/data/rows.js';
import type { Batch, FitHooks, FitOptions, FoldContext } from '../../src/runner/frameworkAdapter.js';

export { tf };

/** Runs `work` while the adapter has `backend` open. */
export async function onBackend<T>(backend: string, work: () => T | Promise<T>): Promise<T> {
  const session = await tfjsAdapter.open?.({ backend });
  try {
    return await work();
  } finally {
    await session?.close();
  }
}

export const itOn = (backend: string, name: string, work: () => Promise<void>) =>
  it(name, () => onBackend(backend, work));

/** The adapter's view of a model that tfjs made. */
export const viewOf = (model: tf.LayersModel) => model as unknown as LayersModel & Layer;

export const NO_HOOKS: FitHooks = { onEpochStart: async () => undefined, onEpochEnd: async () => undefined };

export const context = (parts: Partial<FoldContext> = {}): FoldContext => ({
  fold: 'fold-0',
  index: 0,
  repeat: 0,
  nSplits: 2,
  nTrain: 20,
  nTest: 10,
  seed: 7,
  inputShape: [3],
  classes: [0, 1],
  task: 'binary',
  params: {},
  ...parts,
});

export const fitOptions = (parts: Partial<FitOptions> = {}): FitOptions => ({
  epochs: 2,
  batchSize: 8,
  seed: 7,
  ...parts,
});

/** Trains a model in the loop of the adapter. */
export const learn = (
  model: tf.LayersModel,
  batch: Batch,
  options: Partial<FitOptions> = {},
  settings: TrainSettings = {},
  hooks = NO_HOOKS,
) => train(tf, viewOf(model), batch, fitOptions(options), hooks, settings);

/** All rows of `X` and `y` as a batch. */
export function batchOf(X: unknown, y: unknown, parts: Partial<Batch> = {}): Batch {
  const rows: Rows = rowsOf(X);
  const labels: Labels = labelsOf(y);
  return { X: rows, y: labels, indices: Int32Array.from({ length: rows.length }, (_, row) => row), ...parts };
}

/** Rows of three numbers that depend on their class, without any random draw. */
export function table(n = 24, classes = 2): { X: number[][]; y: number[] } {
  const y = Array.from({ length: n }, (_, row) => row % classes);
  const X = y.map((label, row) => [Math.sin(row * 1.7) + label, Math.cos(row * 2.3), Math.sin(row * 0.9) - label]);
  return { X, y };
}

/** A model of layers, each on the one before it. */
export const stack = (...layers: unknown[]) => tf.sequential({ layers: layers as tf.layers.Layer[] });

/** Rows that are made when they are asked for, and what was asked for. */
export function rowSource(rows: readonly unknown[], window?: number) {
  const asked: number[][] = [];
  const take = async (at: Int32Array) => {
    asked.push(Array.from(at));
    return Array.from(at, (row) => rows[row]);
  };
  return { asked, source: { length: rows.length, take, ...(window ? { window } : {}) } };
}

/** One dense layer into `units`; two layers with dropout when `dropout` is given. Weights are not seeded. */
export function network({
  units = 1,
  activation = units === 1 ? 'sigmoid' : 'softmax',
  dropout = 0,
}: {
  units?: number;
  activation?: 'sigmoid' | 'softmax' | 'linear';
  dropout?: number;
} = {}): tf.Sequential {
  const model = tf.sequential();
  model.add(tf.layers.dense({ units: 4, activation: 'tanh', inputShape: [3] }));
  if (dropout > 0) model.add(tf.layers.dropout({ rate: dropout }));
  model.add(tf.layers.dense({ units, activation }));
  return model;
}

/** Two linear layers on one input: `tumour` (sigmoid) and `size` (linear). All weights start at 0. */
export function twoHeads({ rate = 0.1, metrics = {} }: { rate?: number; metrics?: object } = {}): tf.LayersModel {
  const input = tf.input({ shape: [3] });
  const head = (name: string, activation: 'sigmoid' | 'linear') =>
    tf.layers.dense({ units: 1, activation, name, kernelInitializer: 'zeros' }).apply(input) as tf.SymbolicTensor;
  const model = tf.model({ inputs: input, outputs: [head('tumour', 'sigmoid'), head('size', 'linear')] });
  const loss = { tumour: 'binaryCrossentropy', size: 'meanSquaredError' };
  model.compile({ optimizer: tf.train.sgd(rate), loss, metrics: metrics as never });
  return model;
}

/** Weights as plain numbers. */
export const weightsOf = (model: { getWeights(): { dataSync(): ArrayLike<number> }[] }) =>
  model.getWeights().map((weight) => Array.from(weight.dataSync()));

/** Largest absolute difference of two lists of numbers. */
export const gap = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(
    a.length === b.length ? 0 : Number.POSITIVE_INFINITY,
    ...Array.from(a, (value, i) => Math.abs(value - b[i])),
  );

/** What the adapter sees of a model with these outputs: shapes of one row by name. */
export const withOutputs = (shapes: Record<string, readonly (number | null)[]>): Network => ({
  inputs: [{ shape: [null, 3] }],
  inputNames: ['x'],
  outputs: Object.values(shapes).map((shape) => ({ shape: [null, ...shape] })),
  outputNames: Object.keys(shapes),
  layers: [],
});

/** tfjs as it is before a backend package has been imported. */
export const bareTf = {
  ...tf,
  findBackendFactory: (name: string) => (name === 'cpu' ? tf.findBackendFactory(name) : undefined),
} as typeof tf;
