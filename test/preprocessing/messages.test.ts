import { expect, it } from 'vitest';
import { rowsOf } from '../../src/data/rows.js';
import * as steps from '../../src/preprocessing/index.js';
import { type PreprocessingOption, preparationOf } from '../../src/preprocessing/preparation.js';
import { checkStepParams } from '../../src/tuning/tunedRun.js';
import { matrix } from '../helpers/matrix.js';
import { texts } from '../helpers/messages.js';
import { BAD, numbers, own, records, run } from './badTables.js';

const { ColumnTransformer, FunctionTransformer, OneHotEncoder, OrdinalEncoder, PCA, Pipeline, RandomOverSampler } =
  steps;
const { SelectKBest, SimpleImputer, SMOTE, StandardScaler, tabular, transformerFromJSON, VarianceThreshold } = steps;
const scale = new StandardScaler();
const notOurs = own((X) => X);

it('runs with tables that cannot be taken', async () => {
  const rows = Object.fromEntries(Object.entries(BAD).map(([what, bad]) => [what, () => run(bad)]));
  expect(await texts(rows)).toMatchSnapshot();
});

it('runs with steps that cannot be taken', async () => {
  const infinite = records.map((row, at) => ({ ...row, dose: at === 19 ? Number.POSITIVE_INFINITY : row.dose }));
  const image = ({ age, dose }: { age: number; dose: number }) => [[age, dose]];
  const roots = (row: unknown) => (row as number[][]).map((line) => line.map((x) => Math.sqrt(x - 50)));
  const lessMost = (X: unknown) => {
    const doses = (X as number[][][]).map(([[, dose]]) => dose);
    return doses.map((dose) => [[1, dose - Math.max(...doses)]]);
  };
  const bad = (preprocessing: PreprocessingOption, X: object[] = numbers) => run({ X, preprocessing });
  const columns = new ColumnTransformer([
    ['lab', new StandardScaler(), 'categorical'],
    ['other', new StandardScaler(), []],
  ]);
  const rows = {
    'a root of a number below 0': () =>
      bad(
        new FunctionTransformer((X: number[][]) => X.map((row) => row.map((x) => Math.sqrt(x - 50))), { name: 'root' }),
      ),
    'a choice that matches no column': () => bad(new ColumnTransformer([['s', new StandardScaler(), /^lab/]])),
    'two choices that match no column': () => bad(columns),
    'a function that leaves out all columns': () =>
      bad(new FunctionTransformer((X: object[]) => X.map(() => []), { name: 'empty' })),
    'a step of the caller that leaves out all columns': () => bad(own((X) => X.map(() => ({})))),
    'an infinite number that makes other rows worse': () =>
      bad(
        new StandardScaler(),
        infinite.map(({ age, dose }) => ({ age, dose })),
      ),
    'an infinite number in an image that makes other rows worse': () => bad(own(lessMost), infinite.map(image)),
    'a root of a number below 0 in an image': () =>
      bad(
        own((X) => X.map(roots)),
        records.map(image),
      ),
    'a step that turns the rows about': () => bad(own((X) => X.toReversed())),
  };
  expect(await texts(rows)).toMatchSnapshot();
});

it('steps for each of several inputs', async () => {
  const X = { image: { data: new Float32Array(160), shape: [40, 2, 2, 1] }, table: numbers };
  const bad = (preprocessing: unknown) => run({ X: X as never, preprocessing: preprocessing as PreprocessingOption });
  const gaps = new FunctionTransformer((X: number[][]) => X.map(() => [Number.NaN]), { name: 'gaps' });
  const rows = {
    'an unknown name': () => bad({ tabel: scale }),
    'another name': () => bad({ lab: scale }),
    'rows of one input': () => run({ X: numbers, preprocessing: { table: scale } }),
    'a step that resamples one input': () => bad({ table: [scale, new SMOTE()] }),
    'a model for one input': () => bad({ table: new Pipeline([scale, { fit: () => 0, predict: () => [] }]) }),
    'what is no step': () => bad({ table: scale, image: 5 }),
    'a step that makes cells missing': () => bad({ table: gaps }),
    'a step of tables for all of them': () => bad(scale),
    'names of columns': () => new Pipeline([{ table: scale }]).getFeatureNamesOut(),
    'parameters of none': () => preparationOf({ table: scale }).withParams({ tabel__standardscaler__withMean: 1 }),
    'parameters without a step': () => preparationOf({ table: scale }).withParams({ table__withMean: false }),
    'JSON of something else': () =>
      transformerFromJSON({ transformer: 'ByInput', cvkit: '1', options: { inputs: [['table']] }, fitted: null }),
    'JSON of a step alone': () =>
      transformerFromJSON({ transformer: 'ByInput', options: { inputs: [['table', scale.toJSON()]] }, fitted: null }),
  };
  expect(await texts(rows)).toMatchSnapshot();
});

it('images', async () => {
  const { CenterCrop, ChannelScaler, Pad, Resize, SequenceScaler } = steps;
  const images = { data: new Float32Array(12).fill(2), shape: [1, 2, 2, 3] };
  const nested = new FunctionTransformer((X) => X.map((row: number[]) => row), { name: 'nested' });
  const noChannel = { data: new Float32Array(8), shape: [2, 2, 2] };
  const colours = await new ChannelScaler().fit(images);
  const rows = {
    'a size that is none': () => new Resize({ size: [4] }),
    'a filter that is none': () => new Resize({ size: 4, interpolation: 'cubic' } as never),
    'no size': () => new Pad({} as never),
    'a table': () => new Resize({ size: 4 }).transform(matrix('1 2')),
    'images for a volume size': () => new Resize({ size: [1, 2, 2] }).transform(images),
    'images for a volume': () => new Resize({ size: [2, 2, 2] }).transform(matrix('1 2')),
    'images that are too small': () => new CenterCrop({ size: 3 }).transform(images),
    'a scaler that is not fitted': () => new ChannelScaler().transform(images),
    'other channels': () => colours.transform(noChannel),
    'a sequence of padding': () => new SequenceScaler().fit(noChannel),
    'an infinite pixel': () => new ChannelScaler().fit({ data: Float32Array.of(Infinity, 1), shape: [1, 1, 2] }),
    'names of columns': () => colours.getFeatureNamesOut(),
    'a function of nested arrays': () => nested.transform(images),
    'a step of nested arrays': () => new Pipeline([own((X) => X.map((row) => row))]).fitTransform(images),
  };
  expect(await texts(rows)).toMatchSnapshot();
});

it('scalers, imputer and selection', async () => {
  const fitted = await new StandardScaler().fit([
    { age: 1, weight: 2 },
    { age: 2, weight: 3 },
  ]);
  const X = [[1], [2], [6], [4]];
  const chi2 = () => new SelectKBest({ k: 1, scoreFunc: 'chi2' });
  const rows = {
    'a scaler that is not fitted': () => new StandardScaler().mean,
    'a scaler of text': () => new StandardScaler().fit([{ age: 1, sex: 'f' }]),
    'columns in another order': () => fitted.transform([{ weight: 1, age: 2 }]),
    'other columns': () => fitted.transform([[1]]),
    'no option': () => new StandardScaler({ withMeans: true } as never),
    'too few weights': () => new StandardScaler().fit(X, null, [1, 2]),
    'a weight below 0': () => new StandardScaler().fit(X, null, [1, 2, -1, 0]),
    'a range that is none': () => new steps.MinMaxScaler({ featureRange: [1, 0] }),
    'percentages that are none': () => new steps.RobustScaler({ quantileRange: [0.25, 101] }),
    'an empty column': () => new SimpleImputer({ strategy: 'mostFrequent' }).fit([{ age: null }, { age: null }]),
    'a mean of text': () => new SimpleImputer().fit([['f'], ['m']]),
    'a value to fill with that has no effect': () => new SimpleImputer({ fillValue: 3 }),
    'columns that vary too little': () => new VarianceThreshold({ threshold: 9 }).fit([[1], [2]]),
    'a missing cell for PCA': () => new PCA().fit(matrix('1 NaN | 2 3')),
    'too many components': () => new PCA({ nComponents: 3 }).fit(matrix('1 2 | 2 3')),
    'no labels': () => new SelectKBest({ k: 1 }).fit(X),
    'more columns than there are': () => new SelectKBest().fit(X, [0, 1, 0, 1]),
    'numbers for classes': () => chi2().fit(X, [0.5, 1.5, 2.5, 3]),
    'a count below 0': () => chi2().fit([[-1], [2]], [0, 1]),
  };
  expect(await texts(rows)).toMatchSnapshot();
});

it('encoders, and classes that are made larger', async () => {
  const y = [0, 0, 0, 0, 1, 1];
  const X = y.map((_, row) => [row]);
  const notes = Array.from({ length: 60 }, (_, row) => ({ age: row, note: `text ${row}` }));
  const over = (samplingStrategy: unknown, labels = y) =>
    new RandomOverSampler({ samplingStrategy: samplingStrategy as never }).fitResample(X, labels);
  const rows = {
    'a code without its option': () => new OrdinalEncoder({ unknownValue: 1 }),
    'text and numbers': () => new OneHotEncoder().fit([['a'], [1]]),
    'too few lists of categories': () => new OneHotEncoder({ categories: [['a']] }).fit([['a', 'b']]),
    'a share above 1': () => new OneHotEncoder({ minFrequency: 1.5 }),
    'too many texts': () => tabular().fit(notes),
    'too few rows for SMOTE': () => new SMOTE().fitResample(X, y),
    'text for SMOTE': () => new SMOTE({ kNeighbors: 1 }).fitResample([...X.slice(1), ['a']], y),
    'a missing cell for SMOTE': () => new SMOTE({ kNeighbors: 1 }).fitResample([...X.slice(1), [null]], y),
    'a share that the classes have': () => over(0.1),
    'a share above 1 of the classes': () => over(2),
    'fewer rows than a class has': () => over({ 1: 1 }),
    'no class of y': () => over({ 7: 9 }),
    'labels of a regression': () => over('auto', [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
  };
  expect(await texts(rows)).toMatchSnapshot();
});

it('steps within steps', async () => {
  const prepare = (columns: unknown) =>
    new ColumnTransformer([['num', new StandardScaler(), columns as never]]).fit(records);
  const made = (...list: unknown[]) => new ColumnTransformer(list as never);
  const line = (...list: unknown[]) => new Pipeline(list as never);
  const rows = {
    'no column, and a name near it': () => prepare('ages'),
    'no column of that place': () => prepare(7),
    'one name for two transformers': () => made(['a', 'drop', 'x'], ['a', 'drop', 'y']),
    'no transformer': () => made(['a', {}, 'x']),
    'a step that resamples': () => made(['s', new SMOTE(), 'numeric']),
    'a pipeline with a step that resamples': () => made(['s', line(scale, new SMOTE()), 'numeric']),
    'a pipeline that is not fitted': () => line(new StandardScaler()).transform([[1]]),
    'a copy of a step of the caller': () => line(notOurs).clone(),
    'no steps': () => line(),
    'a class as a step': () => line(StandardScaler, { fit: () => 1, predict: () => 1 }),
    'a model before the end': () => line({ fit: () => 1, predict: () => 1 }, scale),
    'a model alone': () => line({ fit: () => 1, predict: () => 1 }),
    'one name for two steps': () => line(['a', scale], ['a', scale]),
    'an empty name': () => line(['', scale]),
  };
  expect(await texts(rows)).toMatchSnapshot();
});

it('functions and JSON', async () => {
  const module = new URL('../node/models/steps.mjs', import.meta.url);
  const made = (argument: unknown) => new FunctionTransformer(argument as never);
  const fails = made(() => {
    throw new Error('no rows');
  });
  const chosen = () => preparationOf(() => new StandardScaler(), { byParams: true });
  const rows = {
    'no function': () => made('log'),
    'an object that names no function': () => made({}),
    'an object that names more than a function': () => made({ module, name: 'x' }),
    'a module on the web': () => made({ module: 'https://example.org/steps.mjs' }),
    'an export that is not there': () => made({ module, export: 'none' }).transform([[1]]),
    'a relative path': () => made({ module: './steps.mjs' }),
    'an export without a name': () => made({ module, export: '' }),
    'arguments that JSON cannot hold': () => made({ module, kwArgs: { by: () => 1 } }),
    'an export that is no function': () => made({ module, export: 'notOne' }).transform([[1]]),
    'a module that is not there': () => made({ module: new URL('./none.mjs', import.meta.url) }).transform([[1]]),
    'a function that throws': () => fails.transform([[1]]),
    'JSON of a function': () =>
      JSON.stringify(
        made(function half(X: unknown) {
          return X;
        }),
      ),
    'JSON of a step of the caller': () => JSON.stringify(new Pipeline([notOurs])),
    'JSON of steps that a function chooses': () => chosen().toJSON(),
    'steps without the parameters that choose them': () =>
      chosen().fit(rowsOf([[1]]), undefined as never, { seed: 1, weight: undefined }),
    'no JSON of a step': () => transformerFromJSON({ transformer: 'Scaler' }),
    'a name that every object has': () => transformerFromJSON({ transformer: 'constructor' }),
    'null for JSON': () => transformerFromJSON(null),
    'an empty object for JSON': () => transformerFromJSON({}),
    'JSON of another class': () => StandardScaler.fromJSON(new PCA().toJSON()),
  };
  const found = Object.entries(await texts(rows));
  const plain = (text: string) =>
    text.replaceAll(/file:\S*\//g, 'file:///x/').replace(/load\. It threw: .*/, 'load. It threw');
  expect(Object.fromEntries(found.map(([what, text]) => [what, plain(text)]))).toMatchSnapshot();
});

it('parameters of steps', async () => {
  const preparation = preparationOf([['scale', scale]]);
  class Own {
    constructor(readonly setParams?: () => unknown) {}
    fit = () => undefined;
    transform = (X: unknown[]) => X;
    clone = (): Own => new Own(this.setParams);
  }
  const throws = () => {
    throw new Error('no k');
  };
  const pipeline = new Pipeline([
    [
      'columns',
      new ColumnTransformer([
        ['num', new StandardScaler(), 'numeric'],
        ['sex', 'passthrough', [1]],
      ]),
    ],
    ['pca', new PCA({ nComponents: 1 })],
    ['outer', new Pipeline([['scale', scale]])],
    ['own', new Own()],
    ['mine', new Own(throws)],
    ['late', new Own(async () => 0)],
  ]);
  const filled = new SimpleImputer({ strategy: 'constant', fillValue: 1 });
  const inner = new ColumnTransformer([['num', new Pipeline([new StandardScaler()]), [0]]]);
  const rows = {
    'a step of no preparation': () => checkStepParams({ scale__withMean: false }, undefined),
    'no step, and a name near it': () => checkStepParams({ scaler__withMean: false }, preparation),
    'no step, and no name near it': () => checkStepParams({ clf__C: 1 }, preparation),
    'no step within a step': () => pipeline.withParams({ columns__nums__withMean: true }),
    'no option of a step, and a name near it': () => pipeline.withParams({ columns__num__withMeen: true }),
    'no option of a step, and no name near it': () => pipeline.withParams({ pca__n: 1 }),
    'a value of another kind': () => pipeline.withParams({ columns__num__withMean: 3 }),
    'a number that is too small': () => pipeline.withParams({ pca__nComponents: -2 }),
    'one option under two names': () =>
      pipeline.withParams({ columns__num__withMean: true, columns__num__with_mean: true }),
    'no word of the list': () => pipeline.withParams({ columns__remainder: 'keep' }),
    'a word in the place of a step': () => pipeline.withParams({ columns__sex__withMean: true }),
    'a step without an option': () => pipeline.withParams({ pca: new PCA() }),
    'a step of the caller without setParams': () => pipeline.withParams({ own__k: 1 }),
    'a setParams that throws': () => pipeline.withParams({ mine__k: 1 }),
    'a setParams that gives a promise': () => pipeline.withParams({ late__k: 1 }),
    'an option without effect': () => filled.withParams({ strategy: 'mean' }),
    'an option without effect, in a step': () => new Pipeline([filled]).withParams({ simpleimputer__strategy: 'mean' }),
    'no step within a pipeline within': () => pipeline.withParams({ outer__scal__withMean: true }),
    'no name of an option': () => pipeline.withParams({ pca__: 1 }),
    'no name of a step': () => pipeline.withParams({ __proto: 1 }),
    'a name that every object has': () => pipeline.withParams({ pca____proto__: 1 }),
    'no option of a step that resamples': () => new SMOTE().withParams({ k: 2 }),
    'no step before the option': () => inner.withParams({ num__withMean: true }),
    'another step before the option': () => inner.withParams({ num__scaler__withMean: true }),
    'no option of tabular': () => tabular().withParams({ remainder: 'drop' }),
    'arguments of a function that has none': () => new FunctionTransformer((X) => X).withParams({ kwArgs: {} }),
  };
  expect(await texts(rows)).toMatchSnapshot();
});
