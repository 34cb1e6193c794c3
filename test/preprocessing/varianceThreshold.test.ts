import { describe, expect, it } from 'vitest';
import { VarianceThreshold } from '../../src/preprocessing/varianceThreshold.js';
import { thrown } from '../helpers/thrown.js';
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
    expect(await thrown(() => new VarianceThreshold({ threshold: 9 }).fit([[1], [2]]))).toMatch(
      /\(no_columns\): .*Got .*\b1\b/,
    );
  });
});
