import { describe, expect, it } from 'vitest';
import { PredefinedSplit, type PredefinedSplitOptions } from '../../../src/splitters/iid/predefinedSplit.js';
import { matrix } from '../../helpers/matrix.js';
import { refusal } from '../../helpers/messages.js';
import { givenFolds } from '../givenFolds.js';

const pairs = (options: PredefinedSplitOptions, n: number) =>
  Array.from(new PredefinedSplit(options).split(n), ({ train, test }) => [[...train], [...test]]);

describe('PredefinedSplit', () => {
  it('reads testFold as scikit-learn does (test/reference/givenFolds.json)', () => {
    const { testFold, predefined } = givenFolds;
    expect(pairs({ testFold }, testFold.length)).toEqual(predefined);
    expect(pairs({ testFold: Int8Array.from(testFold) }, testFold.length)).toEqual(predefined);
  });

  it('takes folds as objects or pairs, in any order of rows, and copies them', () => {
    const train = [3, 2];
    const split = new PredefinedSplit({ folds: [{ train, test: [1, 0], id: 'site-A', repeat: 2 }, [[0], [3]]] });
    const [first, second] = split.split(4);
    expect(first).toEqual({ id: 'site-A', repeat: 2, train: Int32Array.of(2, 3), test: Int32Array.of(0, 1) });
    expect(second).toEqual({ id: 'fold-1', train: Int32Array.of(0), test: Int32Array.of(3) });
    expect(train).toEqual([3, 2]);
    expect(split.getNSplits()).toBe(2);
  });

  it('takes any integers as numbers of folds', () => {
    expect(pairs({ testFold: [3e9, 0, -1, 3e9] }, 4)).toEqual([[[0, 2, 3], [1]], matrix('1 2 | 0 3')]);
  });

  it('claims a partition only where every row is tested', () => {
    expect(new PredefinedSplit({ testFold: [0, 1, 0] }).claims).toEqual({ given: true, partition: true });
    expect(new PredefinedSplit({ testFold: [0, -1, 0] }).claims).toEqual({ given: true, partition: false });
    expect(new PredefinedSplit({ folds: [[[0], [1]]] }).claims).toEqual({ given: true, partition: false });
  });
});

describe('PredefinedSplit refuses', () => {
  it('a DataView, which has bytes and no entries', () => {
    const view = new DataView(new ArrayBuffer(8)) as never;
    expect(() => new PredefinedSplit({ folds: [[view, [0]]] })).toThrow(/must be a list of/);
    expect(() => new PredefinedSplit({ folds: [{ train: [0], test: view }] })).toThrow(/must be a list of/);
  });

  it('folds that are no folds of X, at the call of split', () => {
    expect(() => new PredefinedSplit({ folds: [[[0], [1]]], n: 2 }).split(4)).toThrow(refusal('length_mismatch', 4, 2));
  });
});
