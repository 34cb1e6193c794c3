import { describe, expect, it } from 'vitest';
import { completeGradients } from '../../../../adapters/tfjs/gradients/index.js';
import { tf } from '../../../helpers/tfjsModels.js';

const NAMES = ['Conv2D', 'Conv3D', 'DepthwiseConv2dNative', 'Einsum', 'Conv3DBackpropInputV2', 'Greater', 'Any'];

describe('completeGradients', () => {
  it('registers every gradient once, and leaves others as they are', () => {
    const relu = tf.getGradient('Relu');
    completeGradients(tf);
    const gradients = NAMES.map((name) => tf.getGradient(name));
    completeGradients(tf);
    NAMES.forEach((name, at) => {
      expect(tf.getGradient(name), name).toBe(gradients[at]);
      expect(gradients[at].kernelName).toBe(name);
    });
    expect(tf.getGradient('Relu')).toBe(relu);
  });
});
