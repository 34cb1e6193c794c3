import { describe, expect, it } from 'vitest';
import { MinMaxScaler } from '../../src/preprocessing/minMaxScaler.js';
import { likeScikitLearn } from '../helpers/transformerCases.js';

describe('MinMaxScaler', () => {
  likeScikitLearn('MinMaxScaler', (options) => new MinMaxScaler(options));

  it('tells the ranges, and refuses one that is none', async () => {
    const scaler = await new MinMaxScaler().fit([[1], [5]]);
    expect([scaler.dataMin, scaler.dataMax].map((each) => each[0])).toEqual([1, 5]);
  });
});
