import { beforeAll, describe, expect, it } from 'vitest';
import { runStep } from '../../../adapters/tfjs/runStep.js';
import { network, tf, viewOf } from '../../helpers/tfjsModels.js';

describe('runStep', () => {
  beforeAll(() => void tf.setBackend('cpu'));
  const model = viewOf(network());

  it('gives numbers by name, of every kind of scalar', () => {
    const logs = () => ({ loss: tf.scalar(0.5), hits: tf.scalar(3, 'int32'), one: tf.tensor1d([2]) });
    expect(runStep(tf, model, logs)).toEqual({ loss: 0.5, hits: 3, one: 2 });
    expect(runStep(tf, model, () => ({ loss: tf.scalar(0.25) }))).toEqual({ loss: 0.25 });
    expect(runStep(tf, model, () => ({}))).toEqual({});
  });

  it('frees what is made on the way', () => {
    const before = tf.memory().numTensors;
    runStep(tf, model, () => ({ loss: tf.add(tf.scalar(1), 2) }));
    expect(tf.memory().numTensors).toBe(before);
  });
});
