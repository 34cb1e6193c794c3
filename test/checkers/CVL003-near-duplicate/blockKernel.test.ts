import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AXES,
  BLOCK,
  type BlockKernel,
  blockKernel,
  type Places,
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

const WHOLE = [0, BLOCK] as const;
const hitsOf = (
  kernel: BlockKernel,
  bound: number,
  parts: readonly (readonly [Places, Places])[] = [[WHOLE, WHOLE]],
) => {
  kernel.rows.set(rows);
  kernel.columns.set(columns);
  const hits: string[] = [];
  for (const [rows, others] of parts) kernel.compare(bound, rows, others, (row, other) => hits.push(`${row} ${other}`));
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

  it('compares the places that are asked for, and none of an empty range', () => {
    const kernel = make()!;
    const some = hitsOf(kernel, 113, [
      [
        [16, 32],
        [0, 48],
      ],
      [
        [32, 64],
        [60, 64],
      ],
      [
        [0, 64],
        [16, 16],
      ],
      [
        [8, 8],
        [0, 64],
      ],
    ]);
    const expected = brute(113).filter((hit) => {
      const [row, other] = hit.split(' ').map(Number);
      return (row >= 16 && row < 32 && other < 48) || (row >= 32 && other >= 60);
    });
    expect(some).toEqual(expected);
    expect(some.length).toBeGreaterThan(3);
  });

  it('serves the search', () => {
    const data = Float32Array.from({ length: 300 * 20 }, () => normal(random));
    data.copyWithin(299 * 20, 0, 20);
    const { first, second } = pairsWithin({ data, width: 20 }, 0.1, random, undefined, make());
    expect([[...first], [...second]]).toEqual([[0], [299]]);
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
