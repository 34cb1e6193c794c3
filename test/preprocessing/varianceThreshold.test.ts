import { describe, expect, it } from 'vitest';
import { VarianceThreshold } from '../../src/preprocessing/varianceThreshold.js';
import { likeScikitLearn } from '../helpers/transformerCases.js';

describe('VarianceThreshold', () => {
  likeScikitLearn('VarianceThreshold', (options) => new VarianceThreshold(options));

  it('tells what it keeps, and refuses to keep nothing', async () => {
    const selection = await new VarianceThreshold().fit([
      [1, 2],
      [1, 4],
    ]);
    expect([selection.getSupport(), Array.from(selection.variances)]).toEqual([
      [false, true],
      [0, 1],
    ]);
  });
});
