import { describe, expect, it } from 'vitest';
import { OrdinalEncoder } from '../../src/preprocessing/ordinalEncoder.js';
import { likeScikitLearn } from '../helpers/transformerCases.js';

describe('OrdinalEncoder', () => {
  likeScikitLearn('OrdinalEncoder', (options) => new OrdinalEncoder(options));

  it('keeps the order that it is given', async () => {
    const encoder = new OrdinalEncoder({ categories: [['low', 'middle', 'high']] });
    expect(await encoder.fitTransform([['high'], ['low'], [null]])).toEqual([[2], [0], [Number.NaN]]);
    expect(encoder.categories).toEqual([['low', 'middle', 'high']]);
  });
});
