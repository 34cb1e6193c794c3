import * as tf from '@tensorflow/tfjs';
import { expect, it } from 'vitest';
import { copyInstance } from '../../src/data/copyInstance.js';
import { joinRows } from '../../src/data/joinRows.js';
import { labelsOf } from '../../src/data/labels.js';
import { labelValues } from '../../src/data/labelValues.js';
import { positiveCode } from '../../src/data/positiveCode.js';
import { rowCount } from '../../src/data/rowKinds.js';
import { rowsOf } from '../../src/data/rows.js';
import { checkLength, checkSideData, groupsOf, patientsOf, timesOf, weightsOf } from '../../src/data/sideData.js';
import { texts } from '../helpers/messages.js';
import { NearestMean } from '../helpers/nearestMean.js';

/** The sentences of this room, reviewed in the file of snapshots. Other tests assert codes and facts. */
it('listKinds', async () => {
  expect(
    await texts({
      'Row 1 of X: 1': () => rowsOf([{ a: 1, b: 2 }, { a: 1 }]),
      "Column 'b' of X: 1": () => rowsOf({ a: [1, 2], b: [1] }),
      "Column 'b' of X: a number above 0": () => rowsOf({ a: [1, 2], b: 1 }),
    }),
  ).toMatchSnapshot();
});

it('listRows', async () => {
  expect(
    await texts({
      'X row 1 column 1: a string': () =>
        rowsOf([
          [1, 2],
          [3, 'male'],
        ]).toDense(),
      "X row 0 column 'sex': a string": () => rowsOf([{ sex: 'male' }]).toDense(),
      "XTest row 1 column 'sex': a string": () => rowsOf({ sex: [0, 'f'] }, 'XTest').toDense(),
    }),
  ).toMatchSnapshot();
});

it('rowKinds', async () => {
  const X = [
    [1, 2],
    [3, 4],
  ];
  expect(
    await texts({
      'X: none': () => rowsOf([]),
      'X: the keys X, y, groups': () => rowsOf({ X, y: [0, 1], groups: ['a', 'a'] }),
      'X: a flat array of 3 values': () => rowsOf([1, 2, 3]),
      'shape of X: [2]': () => rowsOf({ data: Float64Array.of(1, 2), shape: [2] }),
      'X: dtype string': () => rowsOf(tf.tensor2d(['a', 'b'], [2, 1])),
      'X: rank 1': () => rowsOf(tf.tensor1d([1, 2])),
      'X: 5': () => rowsOf({ data: new Float64Array(5), shape: [2, 3] }),
      'window of X: 0': () => rowsOf({ length: 3, window: 0, take: () => [[1]] }),
      'X: an object of class Map': () => rowsOf(new Map()),
      'X: 0': () => rowCount(0),
    }),
  ).toMatchSnapshot();
});

it('nestedLists', async () => {
  expect(
    await texts({
      'Row 1 of X: 1': () => rowsOf([[1, 2], [3]]),
      'Row 1 of X: a number above 0': () => rowsOf([[1, 2], 3]),
      'Row 1 of XTrain: [1, 1]': () => rowsOf([[[1], [2]], [[1]]], 'XTrain'),
    }),
  ).toMatchSnapshot();
});

it('inputRows', async () => {
  const image = { data: new Float32Array(12), shape: [3, 2, 2] };
  const X = { image: [[[1]], [[2]]], sex: ['m', 'f'] };
  expect(
    await texts({
      "Input 'age' of X: 2": () => rowsOf({ image, age: [61, 47] }),
      'X.age: a number above 0': () => rowsOf({ image, age: 61 }),
      'XTrain.age: rank 1': () => rowsOf({ image, age: tf.tensor1d([61, 47, 72]) }, 'XTrain'),
      'Row 1 of X.note: 2': () => rowsOf({ image, note: [[1], [2, 3], [4]] }),
      "X.sex row 0 column 'sex': a string": () => rowsOf(X).toInputs(),
    }),
  ).toMatchSnapshot();
});

it('labels', async () => {
  const mask = [
    [0, 1],
    [1, 0],
  ];
  expect(
    await texts({
      'y row 1: NaN': () => labelsOf([0, Number.NaN]),
      'yTrain row 1: Infinity': () => labelsOf([0.5, Number.POSITIVE_INFINITY], { name: 'yTrain' }),
      'y row 1: null': () => labelsOf([0, null, 1]),
      'y row 1: a number above 0': () => labelsOf(['a', 1]),
      'y row 1: a string': () => labelsOf([1, 'a']),
      'y row 1: a number above 0, 2': () => labelsOf([true, 1]),
      'y: none': () => labelsOf([]),
      'y row 1 column 0: a number above 0, with decimals': () =>
        labelsOf([
          [0, 1],
          [0.5, 0.5],
        ]),
      'y row 0 at [0, 1]: a number above 0': () => labelsOf(tf.tensor3d([1, 2, 3, 4], [1, 2, 2])),
      'y of a binary task: masks of 2 x 2': () => labelsOf([mask], { task: 'binary' }),
      'y of a regression task: masks of 2 x 2': () => labelsOf(labelsOf([mask]), { task: 'regression' }),
      'y of a binary task: 3': () => labelsOf(['a', 'b', 'c'], { task: 'binary' }),
      'y of a regression: a string': () => labelsOf(['a', 'b'], { task: 'regression' }),
      'y of a multilabel task: single values': () => labelsOf([0, 1], { task: 'multilabel' }),
      'y of a multiclass task: 2 columns of 0 and 1': () =>
        labelsOf(
          [
            [1, 1],
            [0, 1],
          ],
          { task: 'multiclass' },
        ),
      'y of a binary task: 3 columns of 0 and 1': () =>
        labelsOf(
          [
            [0, 1, 0],
            [0, 0, 1],
          ],
          { task: 'binary' },
        ),
      'y of a regression task: 2 columns of 0 and 1': () =>
        labelsOf(
          [
            [0, 1],
            [1, 0],
          ],
          { task: 'regression' },
        ),
    }),
  ).toMatchSnapshot();
});

it('copyInstance', async () => {
  const copyOf = (model: unknown) =>
    copyInstance(model, { noun: 'model', is: (copy) => typeof (copy as NearestMean).predict === 'function' });
  const self = new NearestMean();
  const own = Object.assign(self, { clone: () => self });
  expect(
    await texts({
      'a clone() that gives itself': () => copyOf(own),
    }),
  ).toMatchSnapshot();
});

it('sideData', async () => {
  expect(
    await texts({
      'groups row 1: null': () => groupsOf(['a', null as unknown as string], 2),
      'patientIds row 1: NaN': () => groupsOf([1, Number.NaN], 2, 'patientIds'),
      'hierarchy.patient row 0: null': () =>
        patientsOf({ hierarchy: { patient: [null as unknown as string, 'a'] } }, 2),
      'groups: 3': () => groupsOf([1, 2, 3], 2),
      'groups: a number above 0': () => groupsOf(5 as never, 2),
      'y: 1': () => checkLength([1], 3, 'y'),
      'y: null': () => checkLength(null, 3, 'y'),
      'timestamps row 0: a string': () => timesOf(['2024-02-30'], 1),
      'timestamps row 1: Infinity': () => timesOf([1, Number.POSITIVE_INFINITY], 2),
      'labelEndTimes row 1: a number above 0': () => timesOf([new Date(0), 1], 2, 'labelEndTimes'),
      'timestamps row 1: an invalid Date': () => timesOf(['2024-01-01', new Date(Number.NaN)], 2),
      'timestamps: 1': () => timesOf([1], 2),
      'labelEndTimes row 1: a string': () => checkSideData({ labelEndTimes: [1, '2024'] }, 2),
      'sampleWeight row 1: a number below 0': () => weightsOf([1, -1], 2),
      'sampleWeightTest: only zeros': () => weightsOf([0, 0], 2, 'sampleWeightTest'),
      'sampleWeight: 1': () => weightsOf([1], 2),
    }),
  ).toMatchSnapshot();
});

it('sourceRows', async () => {
  const take = () => {
    throw new Error('disk gone');
  };
  const lazy = { length: 4, take: () => [[1]] };
  expect(
    await texts({
      'a source that throws': () => rowsOf({ length: 2, take }).toDense(),
      'row source X: 1': () => rowsOf(lazy).take(Int32Array.of(0, 1)).toDense(),
    }),
  ).toMatchSnapshot();
});

it('joinRows', async () => {
  const image = (n: number, from = 0) => ({
    data: Float32Array.from({ length: 4 * n }, (_, i) => from + i),
    shape: [n, 2, 2],
  });
  const inputs = (n: number, from: number) => ({
    image: image(n, from),
    age: Array.from({ length: n }, (_, i) => from + i),
  });
  const source = (X: ReturnType<typeof inputs>) => ({
    length: X.age.length,
    take: async (rows: Int32Array) => ({
      image: await rowsOf(X.image).take(rows).toDense(),
      age: Array.from(rows, (row) => X.age[row]),
    }),
  });
  const [A2, B3] = [inputs(2, 100), inputs(3, 200)];
  const { image: only } = B3;
  const other = { image: { ...only, shape: [3, 4, 1] }, age: B3.age };
  const late = joinRows(rowsOf(source(A2)), rowsOf({ length: 3, take: () => [[1], [2], [3]] }));
  expect(
    await texts({
      'test rows: columns without names': () => joinRows(rowsOf(A2), rowsOf(only)),
      'test rows: the inputs age, image': () => joinRows(rowsOf(A2), rowsOf({ age: B3.age, image: only })),
      'test rows: [4,1]': () => joinRows(rowsOf(A2), rowsOf(other)),
      'test rows: one without a name': () => late.toInputs(),
    }),
  ).toMatchSnapshot();
});

it('labelValues', async () => {
  const read = (y: unknown) => {
    const { values, shape } = labelValues(y, 'y');
    return { values: Array.from(values), shape };
  };
  expect(
    await texts({
      'y: undefined': () => read(undefined),
      'column: an empty object': () => read({}),
      'y: shape []': () => read(tf.scalar(1)),
      'Row 1 of y: 1': () => read([[0, 1], [1]]),
      'Row 1 of y: a number above 0': () => read([[0, 1], 1]),
      'y: 7': () => read({ data: new Uint8Array(7), shape: [2, 2, 2] }),
    }),
  ).toMatchSnapshot();
});

it('positiveCode', async () => {
  expect(
    await texts({
      'positiveLabel option: nothing': () => positiveCode(['treated', 'untreated']),
      'positiveLabel option: nothing, 2': () => positiveCode(['yes']),
      'positiveLabel option: 2': () => positiveCode([0, 1], 2),
      "positiveLabel option: '1'": () => positiveCode([0, 1], '1'),
    }),
  ).toMatchSnapshot();
});
