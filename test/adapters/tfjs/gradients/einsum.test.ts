import { describe, expect, it } from 'vitest';
import { einsumCase, expectCentralDifferences } from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

// That wasm gives the same is in ../wasm/einsum.test.ts.
describe('the gradient of einsum', () => {
  it('equals central differences', async () => {
    await expectCentralDifferences(
      'cpu',
      ['ij,jk->ik', 'bij,bjk->bik', 'ij->ji', 'ij,ij->', 'i,ij->'].map(einsumCase),
      0.1,
    );
  });

  it('is there where an axis of one tensor alone was summed', async () => {
    await expectCentralDifferences('cpu', ['ij,k->i', 'ij,jk->i'].map(einsumCase), 0.1);
  });

  it('is the same all along an axis that was summed', async () => {
    await onBackend('cpu', () =>
      tf.tidy(() => {
        const gradient = tf.grad((x) => tf.einsum('ij->i', x).mul([1, 2]).sum())(tf.ones([2, 3]));
        expect(gradient.arraySync()).toEqual([
          [1, 1, 1],
          [2, 2, 2],
        ]);
      }),
    );
  });
});
