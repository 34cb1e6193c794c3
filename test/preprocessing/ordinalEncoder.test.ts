import { describe, expect, it } from 'vitest';
import { OrdinalEncoder } from '../../src/preprocessing/ordinalEncoder.js';
import { thrown } from '../helpers/thrown.js';
import { likeScikitLearn } from '../helpers/transformerCases.js';

describe('OrdinalEncoder', () => {
  likeScikitLearn('OrdinalEncoder', (options) => new OrdinalEncoder(options));

  it('keeps the order that it is given', async () => {
    const encoder = new OrdinalEncoder({ categories: [['low', 'middle', 'high']] });
    expect(await encoder.fitTransform([['high'], ['low'], [null]])).toEqual([[2], [0], [Number.NaN]]);
    expect(encoder.categories).toEqual([['low', 'middle', 'high']]);
  });

  it('asks for both options of unknown categories', async () => {
    expect(await thrown(() => new OrdinalEncoder({ unknownValue: 1 }))).toMatch(
      /\(invalid_option\): .*`unknownValue`.*'useEncodedValue'/,
    );
    expect(await thrown(() => new OrdinalEncoder({ handleUnknown: 'useEncodedValue' }))).toMatch(
      /\(invalid_option\): .*`unknownValue`.*'useEncodedValue'/,
    );
  });
});
