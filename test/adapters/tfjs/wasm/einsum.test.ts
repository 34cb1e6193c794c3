import { describe, expect, it } from 'vitest';
import { einsumCase, expectCentralDifferences, expectWasmEqualsCpu } from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

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
