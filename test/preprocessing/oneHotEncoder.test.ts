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
    expect(secret).toMatchInlineSnapshot(
      `"InvalidDataError (unknown_category): Row 1 of the column 'sex' for OneHotEncoder must be one of its categories. Got another one. Pass handleUnknown: 'ignore' or 'infrequent'."`,
    );
    expect(await thrown(() => new OneHotEncoder().fit([['a'], [1]]))).toMatchInlineSnapshot(
      `"InvalidDataError (mixed_column): The column 'x0' for OneHotEncoder must hold cells of one kind. Got string and number."`,
    );
    expect(await thrown(() => new OneHotEncoder({ categories: [['a']] }).fit([['a', 'b']]))).toMatchInlineSnapshot(
      `"InvalidDataError (length_mismatch): The \`categories\` option of OneHotEncoder must have a list for each of the 2 columns. Got 1."`,
    );
    expect(await thrown(() => new OneHotEncoder({ minFrequency: 1.5 }))).toMatchInlineSnapshot(
      `"InvalidOptionError (invalid_option): The \`minFrequency\` option of OneHotEncoder must be a count of rows >= 1 or a share between 0 and 1, or null. Got 1.5."`,
    );
  });
});
