import { describe, expect, it } from 'vitest';
import { einsumCase, expectCentralDifferences, expectWasmEqualsCpu } from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

describe('the gradient of einsum', () => {
  it('equals central differences', async () => {
    const equations = ['ij,jk->ik', 'bij,bjk->bik', 'ij->ji', 'ij,ij->', 'i,ij->'];
    await expectCentralDifferences('cpu', equations.map(einsumCase), 0.1);
  });

  it('equals them where an axis of one tensor alone was summed, and leaks nothing', async () => {
    const equations = ['ij,k->i', 'ij,jk->i', 'i,jk->ij', 'ij,kl->', 'ij,jkl->'];
    await expectCentralDifferences('cpu', equations.map(einsumCase), 0.1);
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
});

const CASES = [
  'ij,jk->ik',
  'ij,jk->ki',
  'ij,ij->i',
  'ij,ij->',
  'i,j->ij',
  'ij->ji',
  'ij->j',
  'ij->',
  'ij,k->i',
  'ij,jk->i',
  'bij,bjk->bik',
  'ijk,kd->ijd',
  'abc,cde->abde', // a dense layer into heads
  'aecd,abcd->acbe', // scores of attention
  'acbe,aecd->abcd', // values of attention
].map(einsumCase);

describe('einsum on wasm', () => {
  it('equals the cpu backend, gradients included, and leaks nothing', async () => {
    await expectWasmEqualsCpu(CASES);
  });

  it('equals central differences', async () => {
    await expectCentralDifferences('wasm', CASES, 0.1);
  });

  it('refuses sizes that do not match', async () => {
    await onBackend('wasm', () =>
      tf.tidy(() => {
        expect(() => tf.einsum('ij,jk->ik', tf.ones([2, 3]), tf.ones([4, 2]))).toThrow(/\[2,3\]|3|dimension/);
      }),
    );
  });
});
