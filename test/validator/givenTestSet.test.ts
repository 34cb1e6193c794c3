import { describe, expect, it } from 'vitest';
import { testSetProblem } from '../../src/validator/givenTestSet.js';
import { failure } from '../helpers/failure.js';

const sets = { model: {}, XTrain: [[1], [2], [3]], yTrain: [0, 1, 0], XTest: [[4], [5]], yTest: [1, 0] };
const given = (change: object = {}) =>
  testSetProblem({ ...sets, ...change } as unknown as Parameters<typeof testSetProblem>[0]);

describe('givenTestSet', () => {
  it('puts the test set after the training set, and keeps them apart', () => {
    const { data, splitter } = given({ groups: ['a', 'b', 'a'], testGroups: ['c', 'd'] });
    expect(data.y.toArray()).toEqual([0, 1, 0, 1, 0]);
    expect(data).toMatchObject({ groups: ['a', 'b', 'a', 'c', 'd'] });
    expect([...splitter.split(5)]).toEqual([{ id: 'test', train: Int32Array.of(0, 1, 2), test: Int32Array.of(3, 4) }]);
    expect(data.y).toMatchObject({ task: 'binary', why: 'yTrain has 2 distinct integers' });
  });

  it('keeps masks in bytes, however they were given', () => {
    const yTrain = { data: Float32Array.of(0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1), shape: [3, 2, 2] };
    const yTest = [0, 1].map((pixel) => [
      [pixel, 0],
      [1, pixel],
    ]);
    const { y } = given({ yTrain, yTest }).data;
    expect(y).toMatchObject({ indicators: Uint8Array.of(...yTrain.data, 0, 0, 1, 0, 1, 0, 1, 1), shape: [2, 2] });
    expect(y.length).toBe(5);
  });

  it('refuses a class that the training set lacks: at once, and guessed ones when the fold is asked for', () => {
    const unseen = 'unseen_class: yTest row 1 must be a class that yTrain has. Got';
    expect(failure(() => given({ yTrain: [0, 1, 2], task: 'multiclass', yTest: [1, 7] }))).toBe(
      `${unseen} a number above 0.`,
    );
    const guessed = given({ yTrain: [0, 1, 2], yTest: [1, 7] });
    expect(failure(() => guessed.splitter.split(5))).toBe(`${unseen} a number above 0.`);
  });
});
