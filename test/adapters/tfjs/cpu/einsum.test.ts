import { describe, expect, it } from 'vitest';
import { expectCentralDifferences, type KernelCase } from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

const SIZES: Record<string, number> = { i: 2, j: 3, k: 4, l: 2 };
const einsum = (equation: string): KernelCase => ({
  name: equation,
  shapes: equation
    .split('->')[0]
    .split(',')
    .map((axes) => [...axes].map((axis) => SIZES[axis])),
  compute: (...inputs) => tf.einsum(equation, ...inputs),
});

describe('einsum on cpu', () => {
  it('sums over axes that one tensor alone has', async () => {
    await onBackend('cpu', () =>
      tf.tidy(() => {
        const [x, y] = [tf.tensor2d([1, 2, 3, 4, 5, 6], [2, 3]), tf.tensor1d([1, 10])];
        expect(tf.einsum('ij,k->i', x, y).arraySync()).toEqual([6 * 11, 15 * 11]);
        expect(tf.einsum('i,jk -> ij', y, x).arraySync()).toEqual([
          [6, 15],
          [60, 150],
        ]);
        expect(tf.einsum('ij,kl->', x, x).arraySync()).toBe(21 * 21);
        expect(tf.einsum('ij->i', x).arraySync()).toEqual([6, 15]);
      }),
    );
  });

  it('has gradients that equal central differences, and leaks nothing', async () => {
    await expectCentralDifferences('cpu', ['ij,k->i', 'ij,jk->i', 'i,jk->ij', 'ij,kl->', 'ij,jkl->'].map(einsum), 0.1);
  });
});
