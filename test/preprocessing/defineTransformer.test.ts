import { describe, expect, it } from 'vitest';
import * as steps from '../../src/preprocessing/index.js';
import { matrix } from '../helpers/matrix.js';
import { likeScikitLearn } from '../helpers/transformerCases.js';

describe.each([
  ['StandardScaler', (options: never) => new steps.StandardScaler(options)],
  ['MinMaxScaler', (options: never) => new steps.MinMaxScaler(options)],
  ['RobustScaler', (options: never) => new steps.RobustScaler(options)],
  ['SimpleImputer', (options: never) => new steps.SimpleImputer(options)],
  ['OneHotEncoder', (options: never) => new steps.OneHotEncoder(options)],
  ['OrdinalEncoder', (options: never) => new steps.OrdinalEncoder(options)],
  ['PCA', (options: never) => new steps.PCA(options)],
  ['SelectKBest', (options: never) => new steps.SelectKBest(options)],
  ['VarianceThreshold', (options: never) => new steps.VarianceThreshold(options)],
] as const)('%s', (name, make) => likeScikitLearn(name, make));

describe('what was learnt', () => {
  const plain = (...numbers: ArrayLike<number>[]) => numbers.map((each) => Array.from(each));
  const diagonal = [0, 1, 2].map((value) => [value, value]);

  it('scalers (hand calculation)', async () => {
    const { dataMin, dataMax } = await new steps.MinMaxScaler().fit([[1], [5]]);
    expect(plain(dataMin, dataMax)).toEqual([[1], [5]]);
    const robust = await new steps.RobustScaler().fit([[1], [2], [3], [4], [5]]);
    expect(plain(robust.center, robust.scale)).toEqual([[3], [2]]);
    const scaler = await new steps.StandardScaler().fit([1, 3].map((value) => [value, 10]));
    const copy = await scaler.clone().fitTransform([5, 7].map((value) => [value, 5]));
    expect(copy).toEqual([-1, 1].map((value) => [value, 0]));
    expect(plain(scaler.mean, scaler.variance, scaler.scale)).toEqual(matrix('2 10 | 1 0 | 1 1'));
  });

  it('encoders', async () => {
    const hot = await new steps.OneHotEncoder({ minFrequency: 2 }).fit([['a'], ['a'], ['b'], [null]]);
    expect([hot.categories, hot.infrequentCategories]).toEqual([[['a', 'b', null]], [['b', null]]]);
    expect(hot.getFeatureNamesOut()).toEqual(['x0_a', 'x0_infrequent']);
    const ordinal = new steps.OrdinalEncoder({ categories: [['low', 'middle', 'high']] });
    expect(await ordinal.fitTransform([['high'], ['low'], [null]])).toEqual([[2], [0], [Number.NaN]]);
    expect(ordinal.categories).toEqual([['low', 'middle', 'high']]);
  });

  it('imputers take null, undefined and empty text for missing, too', async () => {
    const imputer = new steps.SimpleImputer({ strategy: 'median' });
    expect(await imputer.fitTransform([[1], [null], [undefined], [''], [4]])).toEqual([[1], [2.5], [2.5], [2.5], [4]]);
    expect(imputer.statistics).toEqual([2.5]);
    const keeping = new steps.SimpleImputer({ strategy: 'mostFrequent', keepEmptyFeatures: true });
    expect(await keeping.fitTransform([{ age: null, sex: 'f' }])).toEqual([[0, 'f']]);
  });

  it('selections and components', async () => {
    const selection = await new steps.VarianceThreshold().fit([2, 4].map((value) => [1, value]));
    expect([selection.getSupport(), ...plain(selection.variances)]).toEqual([
      [false, true],
      [0, 1],
    ]);
    const pca = await new steps.PCA().fit(diagonal);
    expect(pca.components[0][0]).toBeCloseTo(Math.SQRT1_2, 12);
    expect(pca.explainedVarianceRatio[0]).toBeCloseTo(1, 12);
    expect(pca.explainedVariance[0]).toBeCloseTo(2, 12);
  });
});

it('columns, blocks of numbers and rows are taken alike', async () => {
  const rows = matrix('1 4 | 2 9 | 6 5');
  const expected = await new steps.StandardScaler().fitTransform(rows);
  const dense = { data: Float64Array.from(rows.flat()), shape: [3, 2] };
  expect(await new steps.StandardScaler().fitTransform(dense)).toEqual(expected);
  expect(await new steps.StandardScaler().fitTransform({ a: [1, 2, 6], b: [4, 9, 5] })).toEqual(expected);
});
