import { describe, expect, it } from 'vitest';
import { rowWeights } from '../../adapters/rowWeights.js';
import { labelsOf } from '../../src/data/labels.js';

const y = labelsOf(['no', 'yes', 'no', 'no']);

describe('rowWeights', () => {
  it('is nothing without weights', () => {
    expect(rowWeights({ y }, undefined)).toBeUndefined();
  });

  it('gives sample weights as they are, or scaled to a mean of 1', () => {
    const weights = (sampleWeight: Float64Array, meanOne: boolean) =>
      Array.from(rowWeights({ y, sampleWeight }, undefined, { meanOne }) ?? []);
    expect(weights(Float64Array.of(1, 2, 3, 2), false)).toEqual([1, 2, 3, 2]);
    const expected = [0.5, 1, 1.5, 1]; // by hand: times 4 / 8
    expect(weights(Float64Array.of(1, 2, 3, 2), true)).toEqual(expected);
    expect(weights(Float64Array.of(5, 10, 15, 10), true)).toEqual(expected);
  });

  it('multiplies them with the weight of the class', () => {
    expect(Array.from(rowWeights({ y }, { no: 1, yes: 3 }) ?? [])).toEqual([1, 3, 1, 1]);
    const both = rowWeights({ y, sampleWeight: Float64Array.of(1, 2, 3, 2) }, { no: 2, yes: 3 });
    expect(Array.from(both ?? [])).toEqual([2, 6, 6, 4]);
  });

  it('gives zeros where all rows weigh nothing', () => {
    expect(Array.from(rowWeights({ y, sampleWeight: new Float64Array(4) }, undefined) ?? [])).toEqual([0, 0, 0, 0]);
  });
});
