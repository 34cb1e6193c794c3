import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AXES,
  BLOCK,
  type BlockKernel,
  blockKernel,
  pairsWithin,
  plainKernel,
  simdKernel,
} from '../../../src/checkers/CVL003-near-duplicate/pairsWithin.js';
import { randomSource } from '../../../src/core/random.js';
import { normal } from './normal.js';

const random = randomSource(4);
/** Blocks of whole numbers: sums of squares are exact also in 24 bits. */
const [rows, columns] = [0, 1].map(() =>
  Float32Array.from({ length: BLOCK * AXES }, () => Math.round(3 * normal(random))),
);

const hitsOf = (kernel: BlockKernel, bound: number) => {
  kernel.rows.set(rows);
  kernel.columns.set(columns);
  const hits: string[] = [];
  kernel.compare(bound, (row, other) => hits.push(`${row} ${other}`));
  return hits.sort();
};

function brute(bound: number): string[] {
  const hits: string[] = [];
  for (let row = 0; row < BLOCK; row++) {
    for (let other = 0; other < BLOCK; other++) {
      let sum = 0;
      for (let axis = 0; axis < AXES; axis++) sum += (rows[row * AXES + axis] - columns[axis * BLOCK + other]) ** 2;
      if (sum <= bound) hits.push(`${row} ${other}`);
    }
  }
  return hits.sort();
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each([
  ['simdKernel', simdKernel],
  ['plainKernel', plainKernel],
])('%s', (_, make) => {
  it('finds the pairs of two blocks that are near, the bound among them', () => {
    const kernel = make()!;
    for (const bound of [0, 60, 113, 288, 1e9]) expect(hitsOf(kernel, bound)).toEqual(brute(bound));
    expect(brute(113).length).toBeGreaterThan(10);
  });

  it('serves the search', async () => {
    const data = Float32Array.from({ length: 300 * 20 }, () => normal(random));
    data.copyWithin(299 * 20, 0, 20);
    const { pairs } = await pairsWithin({ data, width: 20 }, 0.1, random, undefined, make());
    expect(pairs).toEqual([{ first: 0, second: 299, distance: 0 }]);
  });
});

describe('blockKernel', () => {
  it('is the plain one where WebAssembly is absent, without SIMD, or forbidden', () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(simdKernel()).toBeUndefined();
    expect(hitsOf(blockKernel(), 113)).toEqual(brute(113));
    vi.unstubAllGlobals();
    const { CompileError } = WebAssembly;
    const refusing = (error: Error) => ({
      CompileError,
      validate: () => true,
      Module: class {
        constructor() {
          throw error;
        }
      },
    });
    vi.stubGlobal('WebAssembly', { CompileError, validate: () => false });
    expect(simdKernel()).toBeUndefined();
    vi.stubGlobal('WebAssembly', refusing(new CompileError('refused by the policy of the page')));
    expect(simdKernel()).toBeUndefined();
    vi.stubGlobal('WebAssembly', refusing(new Error('boom')));
    expect(() => simdKernel()).toThrow('boom');
  });
});
