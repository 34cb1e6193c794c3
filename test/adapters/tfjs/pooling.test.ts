import { describe, expect, it } from 'vitest';
import { averagePool, averagePoolGradient, maxPool, maxPoolGradient } from '../../../adapters/tfjs/pooling.js';
import { windowsOf } from '../../helpers/windows.js';

/** Windows of 2 over 3 pixels, padded at the end: {0, 1}, {1, 2} and {2} alone. */
const windows = windowsOf();
const pooled = (work: typeof maxPool, ...x: number[]) => {
  const y = new Float32Array(3);
  work(windows, Float32Array.from(x), y);
  return Array.from(y);
};

describe('maxPool', () => {
  it('takes the maximum, whatever its sign, and keeps NaN', () => {
    expect(pooled(maxPool, -3, -1, -2)).toEqual([-1, -1, -2]);
    expect(pooled(maxPool, Number.NaN, 1, 2)).toEqual([Number.NaN, 2, 2]);
    expect(pooled(maxPool, 0, Number.NaN, 2)).toEqual([Number.NaN, Number.NaN, 2]);
  });
});

describe('maxPoolGradient', () => {
  it('goes to the maximum, and to the first of equal ones', () => {
    const dx = new Float32Array(3);
    maxPoolGradient(windows, Float32Array.of(-3, -1, -2), Float32Array.of(1, 10, 100), dx);
    expect(Array.from(dx)).toEqual([0, 11, 100]);
    maxPoolGradient(windows, Float32Array.of(7, 7, 7), Float32Array.of(1, 10, 100), dx.fill(0));
    expect(Array.from(dx)).toEqual([1, 10, 100]);
  });
});

describe('averagePool', () => {
  it('does not count the padding', () => {
    expect(pooled(averagePool, 1, 3, 8)).toEqual([2, 5.5, 8]);
  });
});

describe('averagePoolGradient', () => {
  it('is shared by the pixels inside', () => {
    const dx = new Float32Array(3);
    averagePoolGradient(windows, Float32Array.of(2, 4, 8), dx);
    expect(Array.from(dx)).toEqual([1, 1 + 2, 2 + 8]);
  });
});
