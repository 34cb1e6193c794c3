/** What a run and `validate` say of tables that a preparation or a model cannot take: each message is read here. */
import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import * as steps from '../../src/preprocessing/index.js';
import type { PreprocessingOption } from '../../src/preprocessing/preparation.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { thrown } from '../helpers/thrown.js';

const y = Array.from({ length: 40 }, (_, row) => ((row * 7) % 5 < 2 ? 1 : 0));
const records = y.map((_, row) => ({ age: 40 + ((row * 13) % 17), dose: 1 + (row % 4), sex: row % 2 ? 'f' : 'm' }));
const numbers = records.map(({ age, dose }) => [age, dose]);
const cv = new KFold({ nSplits: 4 });
const { StandardScaler, ColumnTransformer, FunctionTransformer, OneHotEncoder, OrdinalEncoder, tabular } = steps;
const own = (transform: (X: number[][]) => unknown) => ({ fit: () => undefined, transform });

interface Given {
  readonly X: object[];
  readonly preprocessing?: PreprocessingOption;
  readonly featureNames?: string[];
}

const run = ({ X, preprocessing, featureNames }: Given) =>
  new UniversalCVRunner({ cvSplitter: cv, verbose: 0 }).run({
    model: () => new LogisticRegression(),
    data: { X, y, featureNames } as never,
    preprocessing,
    metrics: ['accuracy'],
  });
const validate = (given: Given) =>
  new CVKitValidator({ cv, checkLeakage: false, checkBalance: false, returnConfidenceIntervals: false }).validate({
    ...given,
    model: () => new LogisticRegression(),
    y,
    metrics: ['accuracy'],
    verbose: 0,
  } as never);

const BAD: Record<string, Given> = {
  'a category that training rows lack': {
    X: records.map((row, at) => ({ ...row, sex: at === 3 ? 'x' : row.sex })),
    preprocessing: new ColumnTransformer([['cat', new OneHotEncoder(), 'categorical']]),
  },
  'the same, as codes': {
    X: records.map((row, at) => ({ ...row, sex: at === 3 ? 'x' : row.sex })),
    preprocessing: new ColumnTransformer([['cat', new OrdinalEncoder(), 'categorical']]),
  },
  'a column without a value': { X: records.map((row) => ({ ...row, lab: null })), preprocessing: tabular() },
  'dates for an encoder': {
    X: records.map((row, at) => ({ ...row, seen: new Date(at) })),
    preprocessing: tabular(),
  },
  'dates and texts for an encoder': {
    X: records.map((row, at) => ({ ...row, seen: at % 2 ? 'never' : new Date(at) })),
    preprocessing: tabular(),
  },
  'dates for a scaler': {
    X: records.map(({ age }, at) => ({ age, seen: new Date(at) })),
    preprocessing: new StandardScaler(),
  },
  'images for a scaler': { X: numbers.map((row) => [row, row]), preprocessing: new StandardScaler() },
  'images for a model': {
    X: numbers.map((row) => [row, row]),
    preprocessing: new FunctionTransformer((X: number[][][]) => X),
  },
  'a column without a value that is only scaled': {
    X: numbers.map((row) => [...row, null]),
    preprocessing: new StandardScaler(),
  },
  'constant columns alone': { X: numbers.map(() => [7, 3]), preprocessing: new steps.VarianceThreshold() },
  'an infinite number': {
    X: numbers.map((row, at) => (at === 3 ? [Number.POSITIVE_INFINITY, 1] : row)),
    preprocessing: new StandardScaler(),
  },
  'one name for two columns': { X: numbers, featureNames: ['age', 'age'], preprocessing: new StandardScaler() },
  'one name for two columns after a step': {
    X: records,
    preprocessing: new ColumnTransformer(
      [
        ['a', new StandardScaler(), ['age']],
        ['b', new StandardScaler(), ['age', 'dose']],
      ],
      { verboseFeatureNamesOut: false },
    ),
  },
  'a column asked for twice': {
    X: records,
    preprocessing: new ColumnTransformer([['a', new StandardScaler(), ['age', 'age']]]),
  },
  'fewer rows than were given': { X: numbers, preprocessing: own((X) => X.slice(1)) },
  'more rows than were given': { X: numbers, preprocessing: own((X) => [...X, X[0]]) },
  'rows of different lengths': { X: numbers, preprocessing: own((X) => X.map((row, at) => (at ? row : [1]))) },
  'nothing in the place of rows': { X: numbers, preprocessing: own(() => undefined) },
};

describe('bad input', () => {
  it('is named in one sentence, by a run as by validate', async () => {
    const said: Record<string, string> = {};
    for (const [name, given] of Object.entries(BAD)) {
      said[name] = await thrown(() => run(given));
      expect(await thrown(() => validate(given)), name).toBe(said[name]);
    }
    expect(said).toMatchInlineSnapshot(`
      {
        "a category that training rows lack": "FoldError (unknown_category): Fold fold-0 failed: Row 3 of the column 'sex' for OneHotEncoder must be one of its categories. Got another one. Pass handleUnknown: 'ignore' or 'infrequent'.",
        "a column asked for twice": "FoldError (duplicate_column): Fold fold-0 failed: The columns of 'a' in ColumnTransformer must be different ones. Got 'age' twice.",
        "a column without a value": "FoldError (empty_column): Fold fold-0 failed: The column 'lab' for tabular() must have a value. Got missing cells alone. Leave the column out.",
        "a column without a value that is only scaled": "FoldError (not_finite): Fold fold-0 failed: Row 0, column 2 for LogisticRegression must be a finite number. Got a missing cell or text. Prepare the rows: \`preprocessing: tabular()\`, or a SimpleImputer and a OneHotEncoder.",
        "an infinite number": "FoldError (not_finite): Fold fold-0 failed: Row 3, column 0 for LogisticRegression must be a finite number. Got Infinity. Write null for what is not known, and fill it by a SimpleImputer.",
        "constant columns alone": "FoldError (no_columns): Fold fold-0 failed: The columns for VarianceThreshold must vary by more than 0. Got none of 2.",
        "dates and texts for an encoder": "FoldError (mixed_column): Fold fold-0 failed: The column 'seen' for tabular must hold cells of one kind. Got Date and string. Write dates as numbers before the run, such as the days since a fixed day.",
        "dates for a scaler": "FoldError (not_numeric): Fold fold-0 failed: The column 'seen' for StandardScaler must hold numbers. Got a Date. Write dates as numbers before the run, such as the days since a fixed day.",
        "dates for an encoder": "FoldError (mixed_column): Fold fold-0 failed: The column 'seen' for tabular must hold texts, numbers or booleans. Got Date. Write dates as numbers before the run, such as the days since a fixed day.",
        "fewer rows than were given": "FoldError (rows_changed): Fold fold-0 failed: The transform of a transformer of the caller must give the 30 rows that it got. Got 29. Leave rows out before the run, so that labels and groups go with them.",
        "images for a model": "FoldError (not_a_table): Fold fold-0 failed: Rows for LogisticRegression must be a table, one number per row and column. Got rows of shape [2, 2]. Flatten each row by new FunctionTransformer((X) => X.map((row) => row.flat(Infinity))), or take the vectors of an OnnxEmbedding.",
        "images for a scaler": "FoldError (not_a_table): Fold fold-0 failed: X must be a table, one cell per row and column. Got rows of shape [2, 2]. Flatten each row by new FunctionTransformer((X) => X.map((row) => row.flat(Infinity))), or take the vectors of an OnnxEmbedding.",
        "more rows than were given": "FoldError (rows_changed): Fold fold-0 failed: The transform of a transformer of the caller must give the 30 rows that it got. Got 31. Leave rows out before the run, so that labels and groups go with them.",
        "nothing in the place of rows": "FoldError (invalid_data): Fold fold-0 failed: X after a transformer of the caller must be rows (arrays, records, columns, { data, shape }, a matrix, a tensor, a data frame, a row source, a record of inputs). Got undefined.",
        "one name for two columns": "InvalidDataError (duplicate_feature_name): featureNames must be all different. Got 'age' twice.",
        "one name for two columns after a step": "FoldError (duplicate_feature_name): Fold fold-0 failed: The columns after a ColumnTransformer must have different names. Got 'age' twice. Leave verboseFeatureNamesOut at true.",
        "rows of different lengths": "FoldError (ragged_rows): Fold fold-0 failed: Row 1 of X after a transformer of the caller must have 1 values, as row 0 has. Got 2.",
        "the same, as codes": "FoldError (unknown_category): Fold fold-0 failed: Row 3 of the column 'sex' for OrdinalEncoder must be one of its categories. Got another one. Pass handleUnknown: 'useEncodedValue'.",
      }
    `);
  });

  it.each<[string, Given, string[]]>([
    ['a constant column', { X: numbers.map((row) => [...row, 7]), preprocessing: new StandardScaler() }, []],
    [
      'columns that are sums of others',
      { X: numbers.map(([a, b]) => [a, b, a + b, 2 * a]), preprocessing: new StandardScaler() },
      [],
    ],
    [
      'classes that the rows separate',
      { X: y.map((label, row) => [10 * label + (row % 3)]) },
      [
        'LogisticRegression: the training rows separate the classes perfectly, so that the penalty `C` alone bounds the coefficients, and probabilities near 0 and 1 mean little. (4 of 4 folds)',
      ],
    ],
  ])(
    'is no error where the ridge penalty has an answer, and is told where it means something: %s',
    async (_, given, told) => {
      const results = await run(given);
      expect(results.estimates.accuracy).toBeGreaterThan(0);
      expect(results.metadata.warnings.filter((text) => text.startsWith('LogisticRegression'))).toEqual(told);
    },
  );
});
