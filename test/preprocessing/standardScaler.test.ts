import { describe, expect, it } from 'vitest';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { thrown } from '../helpers/thrown.js';
import { likeScikitLearn } from '../helpers/transformerCases.js';

describe('StandardScaler', () => {
  likeScikitLearn('StandardScaler', (options) => new StandardScaler(options));

  it('tells what it has learnt, and refuses to be used before', async () => {
    const scaler = new StandardScaler();
    expect(await thrown(() => scaler.mean)).toMatchInlineSnapshot(
      `"CVKitError (not_fitted): A StandardScaler must be fitted before it is used. Got one that is not. Call fit."`,
    );
    await scaler.fit([
      [1, 10],
      [3, 10],
    ]);
    expect([scaler.mean, scaler.variance, scaler.scale].map((each) => Array.from(each))).toEqual([
      [2, 10],
      [1, 0],
      [1, 1],
    ]);
    expect(
      await scaler.clone().fitTransform([
        [5, 5],
        [7, 5],
      ]),
    ).toEqual([
      [-1, 0],
      [1, 0],
    ]);
    expect(Array.from(scaler.mean)).toEqual([2, 10]);
  });

  it('refuses text, other columns and unknown options', async () => {
    expect(await thrown(() => new StandardScaler().fit([{ age: 1, sex: 'f' }]))).toMatchInlineSnapshot(
      `"InvalidDataError (not_numeric): The column 'sex' for StandardScaler must hold numbers. Got a string. Encode it first: OneHotEncoder or OrdinalEncoder in a ColumnTransformer, or tabular()."`,
    );
    const scaler = await new StandardScaler().fit([
      { age: 1, weight: 2 },
      { age: 2, weight: 3 },
    ]);
    expect(await thrown(() => scaler.transform([{ weight: 1, age: 2 }]))).toMatchInlineSnapshot(
      `"InvalidDataError (column_mismatch): Column 0 for StandardScaler must be 'age', as when it was fitted. Got 'weight'."`,
    );
    expect(await thrown(() => scaler.transform([[1]]))).toMatchInlineSnapshot(
      `"InvalidDataError (column_mismatch): Rows for StandardScaler must have the 2 columns that it was fitted on. Got 1 columns."`,
    );
    expect(await thrown(() => new StandardScaler({ withMeans: true } as never))).toMatchInlineSnapshot(
      `"InvalidOptionError (unknown_option): StandardScaler has no option \`withMeans\`. Did you mean \`withMean\`?"`,
    );
  });

  it('takes columns, blocks of numbers and matrices alike', async () => {
    const rows = [
      [1, 4],
      [2, 9],
      [6, 5],
    ];
    const expected = await new StandardScaler().fitTransform(rows);
    const dense = { data: Float64Array.from(rows.flat()), shape: [3, 2] };
    expect(await new StandardScaler().fitTransform(dense)).toEqual(expected);
    expect(await new StandardScaler().fitTransform({ a: [1, 2, 6], b: [4, 9, 5] })).toEqual(expected);
  });
});
