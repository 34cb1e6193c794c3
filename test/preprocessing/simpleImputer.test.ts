import { describe, expect, it } from 'vitest';
import { SimpleImputer } from '../../src/preprocessing/simpleImputer.js';
import { thrown } from '../helpers/thrown.js';
import { likeScikitLearn } from '../helpers/transformerCases.js';

describe('SimpleImputer', () => {
  likeScikitLearn('SimpleImputer', (options) => new SimpleImputer(options));

  it('takes null, undefined and empty text for missing, too', async () => {
    const imputer = new SimpleImputer({ strategy: 'median' });
    expect(await imputer.fitTransform([[1], [null], [undefined], [''], [4]])).toEqual([[1], [2.5], [2.5], [2.5], [4]]);
    expect(imputer.statistics).toEqual([2.5]);
  });

  it('refuses a column without values, means of text and a value that has no effect', async () => {
    const empty = [
      { age: null, sex: 'f' },
      { age: null, sex: 'm' },
    ];
    expect(await thrown(() => new SimpleImputer({ strategy: 'mostFrequent' }).fit(empty))).toMatchInlineSnapshot(
      `"InvalidDataError (empty_column): The column 'age' for SimpleImputer must have a value. Got missing cells alone. Leave the column out, or pass keepEmptyFeatures: true."`,
    );
    expect(await new SimpleImputer({ strategy: 'mostFrequent', keepEmptyFeatures: true }).fitTransform(empty)).toEqual([
      [0, 'f'],
      [0, 'm'],
    ]);
    expect(await thrown(() => new SimpleImputer().fit([['f'], ['m']]))).toMatchInlineSnapshot(
      `"InvalidDataError (not_numeric): The column 'x0' for SimpleImputer by mean must hold numbers. Got a string. Use strategy: 'mostFrequent' for text."`,
    );
    expect(await thrown(() => new SimpleImputer({ fillValue: 3 }))).toMatchInlineSnapshot(
      `"InvalidOptionError (idle_option): The \`fillValue\` option of SimpleImputer must be for the strategy 'constant'. Got 'mean'."`,
    );
  });
});
