import { describe, expect, it } from 'vitest';
import { givenTestSet } from '../../src/validator/givenTestSet.js';
import { failure } from '../helpers/failure.js';

const sets = { model: {}, XTrain: [[1], [2], [3]], yTrain: [0, 1, 0], XTest: [[4], [5]], yTest: [1, 0] };
const given = (change: object = {}) =>
  givenTestSet({ ...sets, ...change } as unknown as Parameters<typeof givenTestSet>[0]);

describe('givenTestSet', () => {
  it('puts the test set after the training set, and keeps them apart', () => {
    const { data, splitter, task, masks } = given({ groups: ['a', 'b', 'a'], testGroups: ['c', 'd'] });
    expect(data).toMatchObject({ y: [0, 1, 0, 1, 0], groups: ['a', 'b', 'a', 'c', 'd'] });
    expect([...splitter.split(5)]).toEqual([{ id: 'test', train: Int32Array.of(0, 1, 2), test: Int32Array.of(3, 4) }]);
    expect([task, masks]).toEqual(['binary', false]);
  });

  it('keeps masks in bytes, however they were given', () => {
    const yTrain = { data: Float32Array.of(0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1), shape: [3, 2, 2] };
    const yTest = [0, 1].map((pixel) => [
      [pixel, 0],
      [1, pixel],
    ]);
    const { data, masks } = given({ yTrain, yTest });
    expect(data.y).toEqual({ data: Uint8Array.of(...yTrain.data, 0, 0, 1, 0, 1, 0, 1, 1), shape: [5, 2, 2] });
    expect(masks).toBe(true);
  });

  it('says which of the sets the lengths differ in', () => {
    const got = [
      { yTrain: [0, 1] },
      { yTest: [0] },
      { groups: [1, 2], testGroups: [3, 4] },
      { groups: [1, 2, 3], testGroups: [4] },
      { sampleWeight: [1, 1, 1], sampleWeightTest: [1] },
      { auxiliary: { age: [61, 47] } },
    ].map((change) => failure(() => given(change)));
    expect(got).toEqual([
      'length_mismatch: yTrain must have as many values as XTrain has rows, 3. Got 2.',
      'length_mismatch: yTest must have as many values as XTest has rows, 2. Got 1.',
      'length_mismatch: groups must have as many values as XTrain has rows, 3. Got 2.',
      'length_mismatch: testGroups must have as many values as XTest has rows, 2. Got 1.',
      'length_mismatch: sampleWeightTest must have as many values as XTest has rows, 2. Got 1.',
      'length_mismatch: auxiliary.age must have as many values as XTrain has rows, 3. Got 2.',
    ]);
  });
});
