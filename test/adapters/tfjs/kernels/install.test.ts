import { describe, expect, it, vi } from 'vitest';
import { installGradient, installKernel } from '../../../../adapters/tfjs/kernels/install.js';
import { tf } from '../../../helpers/tfjsModels.js';

describe('installKernel', () => {
  it('registers where there is none, hands over the one that is there, keeps its set-up, and does it once', () => {
    const warn = vi.spyOn(console, 'warn');
    const setupFunc = () => undefined;
    const first = () => [];
    tf.registerKernel({ kernelName: 'Ours', backendName: 'none', kernelFunc: first, setupFunc });
    let given: unknown;
    const put = () =>
      installKernel(tf, 'Ours', 'none', (original) => {
        given = original;
        return () => [];
      });
    put();
    const kernel = tf.getKernel('Ours', 'none');
    expect(given).toBe(first);
    expect(kernel.setupFunc).toBe(setupFunc);
    put();
    expect(tf.getKernel('Ours', 'none')).toBe(kernel);
    installKernel(tf, 'New', 'none', (original) => {
      expect(original).toBeUndefined();
      return () => [];
    });
    expect(tf.getKernel('New', 'none')).toBeDefined();
    expect(warn).not.toHaveBeenCalled();
    for (const name of ['Ours', 'New']) tf.unregisterKernel(name, 'none');
  });
});

describe('installGradient', () => {
  it('hands over the one that is there, and does it once', () => {
    const first = { kernelName: 'Ours', gradFunc: () => ({}) };
    tf.registerGradient(first);
    const put = () => installGradient(tf, 'Ours', (original) => ({ ...original, gradFunc: () => ({}) }));
    put();
    const gradient = tf.getGradient('Ours');
    expect(gradient).not.toBe(first);
    put();
    expect(tf.getGradient('Ours')).toBe(gradient);
    tf.unregisterGradient('Ours');
  });
});
