import { describe, expect, it } from 'vitest';
import { expectCentralDifferences, expectWasmEqualsCpu, type KernelCase } from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

const SIZES: Record<string, number> = { a: 2, b: 3, c: 4, d: 2, e: 3, h: 2, i: 3, j: 4, k: 2 };

const einsum = (equation: string): KernelCase => ({
  name: equation,
  shapes: equation
    .split('->')[0]
    .split(',')
    .map((axes) => [...axes].map((axis) => SIZES[axis])),
  compute: (...inputs) => tf.einsum(equation, ...inputs),
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
].map(einsum);

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
