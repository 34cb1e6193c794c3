import { afterEach, expect, it, vi } from 'vitest';
import { INT, leb, OP, simdFunction } from '../../../src/checkers/features/simdFunction.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The sum of two whole numbers. */
const SUM = [0, ...OP.get, 0, ...OP.get, 1, ...OP.add, ...OP.end];

it('runs instructions, and has as many pages of memory as asked for', () => {
  const { call, buffer } = simdFunction([INT, INT], [INT], SUM, 200)!;
  expect(call(20, 22)).toBe(42);
  expect(buffer.byteLength).toBe(200 * 2 ** 16);
});

it('is undefined where WebAssembly is absent or does not know the instructions', () => {
  expect(simdFunction([INT], [INT], [0, 0xfd, 0xff, 0x7f, ...OP.end], 1)).toBeUndefined();
  vi.stubGlobal('WebAssembly', undefined);
  expect(simdFunction([INT, INT], [INT], SUM, 1)).toBeUndefined();
});

it('is undefined where there is no room for its memory', () => {
  const { CompileError, Module } = WebAssembly;
  const Instance = class {
    constructor() {
      throw new RangeError('Out of memory');
    }
  };
  vi.stubGlobal('WebAssembly', { CompileError, Module, Instance, validate: () => true });
  expect(simdFunction([INT, INT], [INT], SUM, 1)).toBeUndefined();
});

it('writes numbers in the variable-length form', () => {
  // WebAssembly core specification, section 5.2.2: LEB128.
  expect([leb(3), leb(127), leb(128), leb(624_485)]).toEqual([[3], [127], [128, 1], [0xe5, 0x8e, 0x26]]);
  expect([leb(63, true), leb(64, true), leb(1024, true)]).toEqual([[63], [0xc0, 0], [0x80, 8]]);
});
