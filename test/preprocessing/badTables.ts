import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import * as steps from '../../src/preprocessing/index.js';
import type { PreprocessingOption } from '../../src/preprocessing/preparation.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';

export const y = Array.from({ length: 40 }, (_, row) => ((row * 7) % 5 < 2 ? 1 : 0));
export const records = y.map((_, row) => ({
  age: 40 + ((row * 13) % 17),
  dose: 1 + (row % 4),
  sex: row % 2 ? 'f' : 'm',
}));
export const numbers = records.map(({ age, dose }) => [age, dose]);
export const cv = new KFold({ nSplits: 4 });
const { StandardScaler, ColumnTransformer, FunctionTransformer, OneHotEncoder, OrdinalEncoder, tabular } = steps;
export const own = (transform: (X: number[][]) => unknown) => ({ fit: () => undefined, transform });

export interface Given {
  readonly X: object[];
  readonly preprocessing?: PreprocessingOption;
  readonly featureNames?: string[];
}

export const run = ({ X, preprocessing, featureNames }: Given) =>
  new UniversalCVRunner({ cvSplitter: cv, verbose: 0 }).run({
    model: () => new LogisticRegression(),
    data: { X, y, featureNames } as never,
    preprocessing,
    metrics: ['accuracy'],
  });
const scale = new StandardScaler();
const encoded = (step: steps.OneHotEncoder | steps.OrdinalEncoder) => ({
  X: records.map((row, at) => ({ ...row, sex: at === 3 ? 'x' : row.sex })),
  preprocessing: new ColumnTransformer([['cat', step, 'categorical']]),
});
const images = numbers.map((row) => [row, row]);
const twice = new ColumnTransformer(
  [
    ['a', new StandardScaler(), ['age']],
    ['b', new StandardScaler(), ['age', 'dose']],
  ],
  { verboseFeatureNamesOut: false },
);
const seen = (cell: (at: number) => unknown) => records.map((row, at) => ({ ...row, seen: cell(at) }));

/** Tables that a preparation or a model cannot take. */
export const BAD: Record<string, Given> = {
  'a category that training rows lack': encoded(new OneHotEncoder()),
  'the same, as codes': encoded(new OrdinalEncoder()),
  'a column without a value': { X: records.map((row) => ({ ...row, lab: null })), preprocessing: tabular() },
  'dates for an encoder': { X: seen((at) => new Date(at)), preprocessing: tabular() },
  'dates and texts for an encoder': { X: seen((at) => (at % 2 ? 'never' : new Date(at))), preprocessing: tabular() },
  'dates for a scaler': { X: records.map(({ age }, at) => ({ age, seen: new Date(at) })), preprocessing: scale },
  'images for a scaler': { X: images, preprocessing: scale },
  'images for a model': { X: images, preprocessing: new FunctionTransformer((X: number[][][]) => X) },
  'a column without a value that is only scaled': { X: numbers.map((row) => [...row, null]), preprocessing: scale },
  'constant columns alone': { X: numbers.map(() => [7, 3]), preprocessing: new steps.VarianceThreshold() },
  'an infinite number': { X: numbers.map((row, at) => (at === 3 ? [Infinity, 1] : row)), preprocessing: scale },
  'one name for two columns': { X: numbers, featureNames: ['age', 'age'], preprocessing: scale },
  'one name for two columns after a step': { X: records, preprocessing: twice },
  'a column asked for twice': { X: records, preprocessing: new ColumnTransformer([['a', scale, ['age', 'age']]]) },
  'fewer rows than were given': { X: numbers, preprocessing: own((X) => X.slice(1)) },
  'more rows than were given': { X: numbers, preprocessing: own((X) => [...X, X[0]]) },
  'rows of different lengths': { X: numbers, preprocessing: own((X) => X.map((row, at) => (at ? row : [1]))) },
  'nothing in the place of rows': { X: numbers, preprocessing: own(() => undefined) },
};
