import { describe, expect, it } from 'vitest';
import { einsumCase, expectCentralDifferences } from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

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
    await expectCentralDifferences(
      'cpu',
      ['ij,k->i', 'ij,jk->i', 'i,jk->ij', 'ij,kl->', 'ij,jkl->'].map(einsumCase),
      0.1,
    );
  });
});
