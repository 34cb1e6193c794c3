import { describe, expect, it } from 'vitest';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { thrown } from '../helpers/thrown.js';

const half = (X: number[][]) => X.map((row) => row.map((value) => value / 2));

describe('FunctionTransformer', () => {
  it('prepares rows by a function, images too', async () => {
    expect(await new FunctionTransformer(half).transform([[2, 4]])).toEqual([[1, 2]]);
    const images = [
      [
        [2, 4],
        [6, 8],
      ],
    ];
    const byPixel = new FunctionTransformer((X: number[][][]) => X.map((image) => half(image)));
    expect(await byPixel.transform(images)).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
    ]);
    const later = new FunctionTransformer(async (X) => half(X));
    expect(await later.transform([[2]])).toEqual([[1]]);
  });

  it('is known by its name, and as global where it says so', () => {
    const made = new FunctionTransformer(half, { scope: 'global' });
    expect([made.describe(), made.globalSteps()]).toEqual(['FunctionTransformer(half)', ['half']]);
    expect(new FunctionTransformer(half).globalSteps()).toEqual([]);
  });

  it('says what it cannot do', async () => {
    expect(await thrown(() => new FunctionTransformer('log' as never))).toMatchInlineSnapshot(
      `"InvalidOptionError (invalid_option): The argument of FunctionTransformer must be a function of rows. Got 'log'."`,
    );
    expect(await thrown(() => JSON.stringify(new FunctionTransformer(half)))).toMatchInlineSnapshot(
      `"InvalidOptionError (not_plain): A step to be written as JSON must be told by plain data. Got the function half."`,
    );
    const broken = new FunctionTransformer(() => {
      throw new Error('no rows');
    });
    expect(await thrown(() => broken.transform([[1]]))).toMatchInlineSnapshot(
      `"AdapterError (transform_failed): The function without a name must prepare the rows. It threw: no rows"`,
    );
  });
});
