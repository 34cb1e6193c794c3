import { describe, expect, it } from 'vitest';
import { SimpleImputer } from '../../src/preprocessing/simpleImputer.js';
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
    expect(await new SimpleImputer({ strategy: 'mostFrequent', keepEmptyFeatures: true }).fitTransform(empty)).toEqual([
      [0, 'f'],
      [0, 'm'],
    ]);
  });
});
