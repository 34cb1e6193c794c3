/** Lists of inputs, several outputs and streams of tfjs, at each door that reads rows. */
import * as tf from '@tensorflow/tfjs';
import { describe, expect, it } from 'vitest';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { rowsOf } from '../../src/data/rows.js';
import { readData } from '../../src/runner/readData.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { recommendCv } from '../../src/validator/recommendCv.js';
import { failure } from '../helpers/failure.js';
import { NearestMean } from '../helpers/nearestMean.js';
import { thrown } from '../helpers/thrown.js';

const n = 12;
const table = (width: number) =>
  Array.from({ length: n }, (_, row) => Array.from({ length: width }, (_, i) => row + i));
const y = Array.from({ length: n }, (_, row) => row % 2);
const model = () => new NearestMean();
const doors: Record<string, (X: never, y: never) => unknown> = {
  run: async (X, labels) => readData([X, labels], {}),
  validate: (X, labels) => new CVKitValidator().validate({ model, X, y: labels, verbose: 0 }),
  fitValidate: (X, labels) =>
    new CVKitValidator().fitValidate({ model, XTrain: X, yTrain: labels, XTest: X, yTest: labels, verbose: 0 }),
  check: (X, labels) => new DataLeakageChecker().check(X, labels),
  recommendCv: (X, labels) => recommendCv({ X, y: labels }),
};
const { check: _options, ...named } = doors;

describe('a list of inputs', () => {
  const lists: Record<string, unknown[]> = {
    'of different widths': [table(2), table(3)],
    'of one width': [table(2), table(2)],
    'with records': [table(2).map(([a, b]) => ({ a, b })), table(2)],
    'of tensors': [tf.tensor2d(table(2)), tf.tensor2d(table(2))],
    'of numbers with a shape': [{ data: new Float32Array(n), shape: [n, 1] }, table(2)],
  };
  it.each(Object.entries(lists))('%s is named at every door', async (_, X) => {
    for (const [door, call] of Object.entries(doors)) {
      expect([door, await thrown(async () => call(X as never, y as never))]).toEqual([
        door,
        expect.stringMatching(/list_of_inputs.*\{ image, table \}/),
      ]);
    }
  });

  it('is none where its entries are rows', () => {
    expect(rowsOf([table(3), table(3)]).rowShape).toEqual([n, 3]);
    expect(rowsOf(table(40)).rowShape).toEqual([40]);
    expect(failure(() => rowsOf([table(3), table(3).slice(1)]))).toMatch(/^ragged_rows/);
    // Two rows of as many columns as there are labels are columns in the place of rows, not inputs.
    expect(failure(() => readData([[y, y], y], {}))).toMatch(/^length_mismatch/);
  });
});

describe('several outputs', () => {
  it.each([
    ['a record', { risk: y, stage: y }],
    ['a list', [y, y]],
    ['a list of three', [y, y, y]],
    ['a record of tensors', { risk: tf.tensor1d(y), stage: tf.tensor1d(y) }],
  ])('as %s are told about `auxiliary`', async (_, outputs) => {
    for (const [door, call] of Object.entries(Array.isArray(outputs) ? doors : named)) {
      expect([door, await thrown(async () => call(table(2) as never, outputs as never))]).toEqual([
        door,
        expect.stringMatching(/several_outputs.*auxiliary/),
      ]);
    }
  });

  it('are none where y is a column, a shape with numbers or rows of 0 and 1', () => {
    const read = (labels: never) => readData([table(2), labels], {}).y.length;
    for (const labels of [{ values: y }, { data: Float32Array.from(y), shape: [n] }, y.map((one) => [one, 1 - one])]) {
      expect(read(labels as never)).toBe(n);
    }
  });
});

it('a tf.data.Dataset is a stream, and folds take rows by number', async () => {
  const X = tf.data.array(table(2));
  for (const call of Object.values(doors)) {
    expect(await thrown(async () => call(X as never, y as never))).toMatch(/stream_of_rows.*\{ length, take \}/);
  }
});
