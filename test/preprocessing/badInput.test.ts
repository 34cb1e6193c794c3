/** What a run and `validate` say of tables that a preparation or a model cannot take. */
import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import * as steps from '../../src/preprocessing/index.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import type { Transformer } from '../../src/preprocessing/transformer.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { thrown } from '../helpers/thrown.js';
import { BAD, cv, type Given, numbers, run, y } from './badTables.js';

const validate = (given: Given) =>
  new CVKitValidator({ cv, checkLeakage: false, checkBalance: false, returnConfidenceIntervals: false }).validate({
    ...given,
    model: () => new LogisticRegression(),
    y,
    metrics: ['accuracy'],
    verbose: 0,
  } as never);

describe('bad input', () => {
  it('is named by a run as by validate', async () => {
    for (const [name, given] of Object.entries(BAD)) {
      expect(await thrown(() => validate(given)), name).toBe(await thrown(() => run(given)));
    }
  });

  const preprocessing = new StandardScaler();
  const SEPARATE =
    'LogisticRegression: the training rows separate the classes perfectly, so that the penalty `C` alone bounds the coefficients, and probabilities near 0 and 1 mean little. (4 of 4 folds)';

  it.each<[string, Given, string[]]>([
    ['a constant column', { X: numbers.map((row) => [...row, 7]), preprocessing }, []],
    ['columns that are sums of others', { X: numbers.map(([a, b]) => [a, b, a + b, 2 * a]), preprocessing }, []],
    ['classes that the rows separate', { X: y.map((label, row) => [10 * label + (row % 3)]) }, [SEPARATE]],
  ])(
    'is no error where the ridge penalty has an answer, and is told where it means something: %s',
    async (_, given, told) => {
      const results = await run(given);
      expect(results.estimates.accuracy).toBeGreaterThan(0);
      expect(results.metadata.warnings.filter((text) => text.startsWith('LogisticRegression'))).toEqual(told);
    },
  );
});

/** scikit-learn 1.5 refuses infinite numbers in `fit` and in `transform` of each of these ("Input X contains infinity"). */
describe('an infinite number', () => {
  const fit = [1, 2, 1, 4].map((value) => [value, 0.5 - value]);
  const code = async (work: () => Promise<unknown>) => /\((\w+)\)/.exec(String(await thrown(work)))?.[1];

  it.each<[string, () => Transformer]>([
    ['StandardScaler', () => new StandardScaler()],
    ['MinMaxScaler', () => new steps.MinMaxScaler()],
    ['RobustScaler', () => new steps.RobustScaler()],
    ['SimpleImputer', () => new steps.SimpleImputer()],
    ['VarianceThreshold', () => new steps.VarianceThreshold()],
    ['SelectKBest', () => new steps.SelectKBest({ k: 1 })],
    ['PCA', () => new steps.PCA()],
    ['OneHotEncoder', () => new steps.OneHotEncoder({ handleUnknown: 'ignore' })],
    ['OrdinalEncoder', () => new steps.OrdinalEncoder({ handleUnknown: 'useEncodedValue', unknownValue: -1 })],
    ['tabular', () => steps.tabular()],
  ])('is refused by %s, in fit and in transform', async (_, make) => {
    for (const infinite of [Infinity, -Infinity]) {
      const X = fit.map((row, at) => (at === 2 ? [row[0], infinite] : row));
      const y = [0, 1, 1, 0];
      expect(await code(() => make().fit(X, y))).toBe('infinite_cells');
      expect(await code(() => make().fitTransform(X, y))).toBe('infinite_cells');
      const fitted = await make().fit(fit, y);
      expect(await code(() => fitted.transform(X))).toBe('infinite_cells');
      expect(await fitted.transform(fit)).toHaveLength(4);
    }
  });
});

describe('a number whose square is none', () => {
  it('is refused by SimpleImputer where the mean is none, and not where the median is one', async () => {
    const X = [[1.7e308], [1.7e308], [Number.NaN]];
    expect(await thrown(() => new steps.SimpleImputer({ strategy: 'mean' }).fit(X))).toContain(
      "The column 'x0' for SimpleImputer by mean must hold numbers that can be added up. Got larger ones.",
    );
    expect((await new steps.SimpleImputer({ strategy: 'median' }).fit(X)).statistics).toEqual([1.7e308]);
  });

  const X = [1, 2, 1, 4, 3].map((value, row) => [value, 1e200 * (1 - 2 * (row % 2))]);
  const y = [0, 1, 1, 0, 1];

  it.each<[string, () => { fit(X: number[][], y: number[]): Promise<unknown> }]>([
    ['StandardScaler', () => new StandardScaler()],
    ['MinMaxScaler', () => new steps.MinMaxScaler()],
    ['RobustScaler', () => new steps.RobustScaler()],
    ['VarianceThreshold', () => new steps.VarianceThreshold()],
    ['SelectKBest', () => new steps.SelectKBest({ k: 1 })],
    ['PCA', () => new steps.PCA()],
    ['SMOTE', () => ({ fit: (rows, labels) => new steps.SMOTE({ kNeighbors: 1 }).fitResample(rows, labels) })],
  ])('is refused by %s, which would learn something else from it', async (name, make) => {
    expect(await thrown(() => make().fit(X, y))).toContain(`The column 'x1' for ${name} must have no huge cells.`);
  });
});
