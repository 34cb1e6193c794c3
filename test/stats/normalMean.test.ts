import { describe, expect, it } from 'vitest';
import { normalMean } from '../../src/stats/sampleSize.js';

describe('normalMean', () => {
  it.each<[string, (z: number) => number, number]>([
    ['1', () => 1, 1],
    ['z^2', (z) => z * z, 1],
    ['z^4', (z) => z ** 4, 3],
    ['e^z', Math.exp, Math.exp(0.5)],
    ['cos z', Math.cos, Math.exp(-0.5)],
  ])('of %s is the known moment', (_, f, expected) => {
    expect(normalMean(f)).toBeCloseTo(expected, 13);
  });
});
