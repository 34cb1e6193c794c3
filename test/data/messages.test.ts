import * as tf from '@tensorflow/tfjs';
import { expect, it } from 'vitest';
import { refuseKerasLabels } from '../../src/data/asInKeras.js';
import { copyInstance } from '../../src/data/copyInstance.js';
import { joinRows } from '../../src/data/joinRows.js';
import { labelsOf, type TaskOption } from '../../src/data/labels.js';
import { labelValues } from '../../src/data/labelValues.js';
import { positiveCode } from '../../src/data/positiveCode.js';
import { rowCount } from '../../src/data/rowKinds.js';
import { rowsOf } from '../../src/data/rows.js';
import { checkLength, checkSideData, groupsOf, patientsOf, timesOf, weightsOf } from '../../src/data/sideData.js';
import { texts } from '../helpers/messages.js';
import { NearestMean } from '../helpers/nearestMean.js';

it('rows', async () => {
  const take = () => {
    throw new Error('disk gone');
  };
  const rows = {
    'no rows': () => rowsOf([]),
    'no count of rows': () => rowCount(0),
    'the arguments of a call': () => rowsOf({ X: [[1], [2]], y: [0, 1], groups: ['a', 'a'] }),
    'a table that was read': () => rowsOf({ X: { a: [1] }, y: [0], sha256: '' }),
    'a flat array': () => rowsOf([1, 2, 3]),
    'a shape of one dimension': () => rowsOf({ data: Float64Array.of(1, 2), shape: [2] }),
    'a shape that the data do not fill': () => rowsOf({ data: new Float64Array(5), shape: [2, 3] }),
    'a tensor of text': () => rowsOf(tf.tensor2d(['a', 'b'], [2, 1])),
    'a tensor of rank 1': () => rowsOf(tf.tensor1d([1, 2])),
    'something else': () => rowsOf(new Map()),
    'no window': () => rowsOf({ length: 3, window: 0, take: () => [[1]] }),
    'records of different keys': () => rowsOf([{ a: 1, b: 2 }, { a: 1 }]),
    'columns of different lengths': () => rowsOf({ a: [1, 2], b: [1] }),
    'a column that is no array': () => rowsOf({ a: [1, 2], b: 1 }),
    'rows of different lengths': () => rowsOf([[1, 2], [3]]),
    'a row that is no array': () => rowsOf([[1, 2], 3]),
    'images of different shapes': () => rowsOf([[[1], [2]], [[1]]], 'XTrain'),
    'text in a row': () => rowsOf([['male']]).toDense(),
    'text in a record': () => rowsOf([{ sex: 'male' }]).toDense(),
    'a source that throws': () => rowsOf({ length: 2, take }).toDense(),
    'a source that gives too little': () =>
      rowsOf({ length: 4, take: () => [[1]] })
        .take(Int32Array.of(0, 1))
        .toDense(),
  };
  expect(await texts(rows)).toMatchSnapshot();
});

it('data as Keras has them', async () => {
  const [a, b] = [2, 3].map((width) => Array.from({ length: 4 }, () => Array<number>(width).fill(0)));
  const y = [0, 1, 0, 1];
  const labels = (y: unknown, X: unknown = a) => refuseKerasLabels(y, rowsOf(X, 'XTrain'), ['yTrain', 'XTrain']);
  const rows = {
    'a list of tables': () => rowsOf([a, b]),
    'a list of tables of one width': () => labels(y, [a, a]),
    'a list of tensors': () => rowsOf([tf.tensor2d(a), tf.tensor2d(b)]),
    'a list of numbers with a shape': () => rowsOf([{ data: new Float32Array(4), shape: [4, 1] }, b], 'XTrain'),
    'a stream': () => rowsOf(tf.data.array(a)),
    'a record of outputs': () => labels({ risk: y, stage: y }),
    'a list of outputs': () => labels([y, y]),
  };
  expect(await texts(rows)).toMatchSnapshot();
});

it('several inputs, and rows that are joined', async () => {
  const image = { data: new Float32Array(12), shape: [3, 2, 2] };
  const age = [61, 47, 72];
  const both = rowsOf({ image, age });
  const source = async (rows: Int32Array) => ({
    image: await rowsOf(image).take(rows).toDense(),
    age: Array.from(rows, (row) => age[row]),
  });
  const late = joinRows(rowsOf({ length: 3, take: source }), rowsOf({ length: 3, take: () => [[1], [2], [3]] }));
  const itself = new NearestMean();
  const own = Object.assign(itself, { clone: () => itself });
  const rows = {
    'inputs of different lengths': () => rowsOf({ image, age: [61, 47] }),
    'a number for an input': () => rowsOf({ image, age: 61 }),
    'an input of rank 1': () => rowsOf({ image, age: tf.tensor1d(age) }, 'XTrain'),
    'an input of rows of different lengths': () => rowsOf({ image, note: [[1], [2, 3], [4]] }),
    'text in an input': () => rowsOf({ image: [[[1]], [[2]]], sex: ['m', 'f'] }).toInputs(),
    'one input for two': () => joinRows(both, rowsOf(image)),
    'inputs in another order': () => joinRows(both, rowsOf({ age, image })),
    'an input of another shape': () => joinRows(both, rowsOf({ image: { ...image, shape: [3, 4, 1] }, age })),
    'one input of a source for two': () => late.toInputs(),
    'a clone() that gives itself': () =>
      copyInstance(own, { noun: 'model', is: (copy) => typeof (copy as NearestMean).predict === 'function' }),
  };
  expect(await texts(rows)).toMatchSnapshot();
});

it('labels', async () => {
  const pair = (...row: unknown[]) => [[0, 1], row];
  const mask = pair(1, 0);
  const as = (task: TaskOption, y: unknown) => labelsOf(y, { task });
  const read = (y: unknown) => labelValues(y, 'y');
  const rows = {
    'no labels': () => labelsOf([]),
    NaN: () => labelsOf([0, Number.NaN]),
    'Infinity under another name': () => labelsOf([0.5, Number.POSITIVE_INFINITY], { name: 'yTrain' }),
    null: () => labelsOf([0, null, 1]),
    'a number among texts': () => labelsOf(['a', 1]),
    'a text among numbers': () => labelsOf([1, 'a']),
    'a number among booleans': () => labelsOf([true, 1]),
    'a share in rows of 0 and 1': () => labelsOf(pair(0.5, 0.5)),
    'null in rows of 0 and 1': () => labelsOf(pair(0, null)),
    'a number above 1 in a mask': () => labelsOf(tf.tensor3d([1, 2, 3, 4], [1, 2, 2])),
    'null in a mask': () => labelsOf([mask, pair(1, null)]),
    'masks for a binary task': () => as('binary', [mask]),
    'masks for a regression': () => as('regression', labelsOf([mask])),
    'three classes for a binary task': () => as('binary', ['a', 'b', 'c']),
    'three columns for a binary task': () => as('binary', [[0, 1, 0]]),
    'texts for a regression': () => as('regression', ['a', 'b']),
    'two columns of text for a regression': () => as('regression', [['a', 'b']]),
    'two columns for classes': () => as('multiclass', pair(1, 1)),
    'single values for several labels': () => as('multilabel', [0, 1]),
    'no array': () => read(undefined),
    'no column': () => read({}),
    'a scalar': () => read(tf.scalar(1)),
    'rows of different lengths': () => read([[0, 1], [1]]),
    'a row that is no array': () => read([[0, 1], 1]),
    'a shape that the data do not fill': () => read({ data: new Uint8Array(7), shape: [2, 2, 2] }),
    'two classes, neither known as positive': () => positiveCode(['treated', 'untreated']),
    'one class, not known as positive': () => positiveCode(['yes']),
    'a number that is no class': () => positiveCode([0, 1], 2),
    'a text that is no class': () => positiveCode([0, 1], '1'),
  };
  expect(await texts(rows)).toMatchSnapshot();
});

it('side data', async () => {
  const rows = {
    'a group that is null': () => groupsOf(['a', null as unknown as string], 2),
    'a patient that is NaN': () => groupsOf([1, Number.NaN], 2, 'patientIds'),
    'a patient of a hierarchy that is null': () =>
      patientsOf({ hierarchy: { patient: [null as unknown as string, 'a'] } }, 2),
    'too many groups': () => groupsOf([1, 2, 3], 2),
    'a number for groups': () => groupsOf(5 as never, 2),
    'too few labels': () => checkLength([1], 3, 'y'),
    'no labels': () => checkLength(null, 3, 'y'),
    'a day that is none': () => timesOf(['2024-02-30'], 1),
    'a time that is Infinity': () => timesOf([1, Number.POSITIVE_INFINITY], 2),
    'a number among dates': () => timesOf([new Date(0), 1], 2, 'labelEndTimes'),
    'an invalid Date': () => timesOf(['2024-01-01', new Date(Number.NaN)], 2),
    'a text among end times': () => checkSideData({ labelEndTimes: [1, '2024'] }, 2),
    'too few times': () => timesOf([1], 2),
    'a weight below 0': () => weightsOf([1, -1], 2),
    'weights of 0 alone': () => weightsOf([0, 0], 2, 'sampleWeightTest'),
    'too few weights': () => weightsOf([1], 2),
  };
  expect(await texts(rows)).toMatchSnapshot();
});
