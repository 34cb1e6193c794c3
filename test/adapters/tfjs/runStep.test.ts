import { beforeAll, describe, expect, it } from 'vitest';
import { runStep } from '../../../adapters/tfjs/runStep.js';
import { tf } from '../../helpers/tfjsModels.js';

describe('runStep', () => {
  beforeAll(() => void tf.setBackend('cpu'));

  it('gives numbers by name, of every kind of scalar', () => {
    const logs = () => ({ loss: tf.scalar(0.5), hits: tf.scalar(3, 'int32'), one: tf.tensor1d([2]) });
    expect(runStep(tf, undefined, logs)).toEqual({ loss: 0.5, hits: 3, one: 2 });
    expect(runStep(tf, undefined, () => ({ loss: tf.scalar(0.25) }))).toEqual({ loss: 0.25 });
    expect(runStep(tf, undefined, () => ({}))).toEqual({});
  });

  it('frees what is kept on the way, also after an error, and keeps what is the optimizer’s', () => {
    const optimizer = tf.train.sgd(0.1);
    const before = tf.memory().numTensors;
    runStep(tf, optimizer, () => {
      tf.keep(tf.scalar(1));
      optimizer.setLearningRate(0.2);
      return { loss: tf.scalar(2) };
    });
    const failing = () =>
      runStep(tf, optimizer, () => {
        tf.keep(tf.scalar(1));
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(tf.memory().numTensors).toBe(before);
    const weight = tf.variable(tf.scalar(1));
    optimizer.minimize(() => tf.mul(weight, 1) as tf.Scalar);
    expect(weight.dataSync()[0]).toBeCloseTo(0.8, 6);
    tf.dispose(weight);
    optimizer.dispose();
  });

  it('puts the engine back', () => {
    const { keep } = tf.engine();
    runStep(tf, undefined, () => ({ loss: tf.scalar(1) }));
    expect(tf.engine().keep).toBe(keep);
  });
});
