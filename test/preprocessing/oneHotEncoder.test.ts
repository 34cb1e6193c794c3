import { describe, expect, it } from 'vitest';
import { OneHotEncoder } from '../../src/preprocessing/oneHotEncoder.js';
import { thrown } from '../helpers/thrown.js';
import { likeScikitLearn } from '../helpers/transformerCases.js';

describe('OneHotEncoder', () => {
  likeScikitLearn('OneHotEncoder', (options) => new OneHotEncoder(options));

  it('tells categories and which share a column', async () => {
    const encoder = await new OneHotEncoder({ minFrequency: 2 }).fit([['a'], ['a'], ['b'], [null]]);
    expect(encoder.categories).toEqual([['a', 'b', null]]);
    expect(encoder.infrequentCategories).toEqual([['b', null]]);
    expect(encoder.getFeatureNamesOut()).toEqual(['x0_a', 'x0_infrequent']);
  });

  it('refuses unknown and mixed cells by place, never by content', async () => {
    const encoder = await new OneHotEncoder().fit([{ sex: 'f' }, { sex: 'm' }]);
    const secret = await thrown(() => encoder.transform([{ sex: 'f' }, { sex: 'SECRET' }]));
    expect(secret).toMatch(/\(unknown_category\): .*Row 1.*'sex'/);
  });
});
