import { describe, expect, it } from 'vitest';
import { RobustScaler } from '../../src/preprocessing/robustScaler.js';
import { likeScikitLearn } from '../helpers/transformerCases.js';

describe('RobustScaler', () => {
  likeScikitLearn('RobustScaler', (options) => new RobustScaler(options));

  it('tells what it has learnt, and refuses quantiles that are none', async () => {
    const scaler = await new RobustScaler().fit([[1], [2], [3], [4], [5]]);
    expect([scaler.center[0], scaler.scale[0]]).toEqual([3, 2]);
  });
});
