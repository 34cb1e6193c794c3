import { describe, expect, it } from 'vitest';
import { PredefinedSplit, type PredefinedSplitOptions } from '../../../src/splitters/iid/predefinedSplit.js';
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
    expect(pairs({ testFold: [3e9, 0, -1, 3e9] }, 4)).toEqual([
      [[0, 2, 3], [1]],
      [
        [1, 2],
        [0, 3],
      ],
    ]);
  });

  it('claims a partition only where every row is tested', () => {
    expect(new PredefinedSplit({ testFold: [0, 1, 0] }).claims).toEqual({ given: true, partition: true });
    expect(new PredefinedSplit({ testFold: [0, -1, 0] }).claims).toEqual({ given: true, partition: false });
    expect(new PredefinedSplit({ folds: [[[0], [1]]] }).claims).toEqual({ given: true, partition: false });
  });
});

describe('PredefinedSplit refuses', () => {
  it('neither, both, or empty input', () => {
    expect(() => new PredefinedSplit()).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: PredefinedSplit must be given either \`testFold\` or \`folds\`. Got neither.]`,
    );
    expect(() => new PredefinedSplit({ testFold: [0], folds: [[[0], [1]]] })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: PredefinedSplit must be given either \`testFold\` or \`folds\`. Got both.]`,
    );
    expect(() => new PredefinedSplit({ folds: [] })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`folds\` option of PredefinedSplit must hold at least one. Got none.]`,
    );
    expect(() => new PredefinedSplit({ testFold: [-1, -1] })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`testFold\` option of PredefinedSplit must name a fold and leave rows to train on. Got the same value in every row.]`,
    );
    expect(() => new PredefinedSplit({ testFold: [2, 2, 2] })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`testFold\` option of PredefinedSplit must name a fold and leave rows to train on. Got the same value in every row.]`,
    );
    expect(() => new PredefinedSplit({ testFold: [] })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`testFold\` option of PredefinedSplit must name a fold and leave rows to train on. Got no rows.]`,
    );
    expect(() => new PredefinedSplit({ testFold: [0, 0.5] })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`testFold\` option of PredefinedSplit, row 1, must be an integer >= 0, or -1. Got a number from -1 to Infinity.]`,
    );
    expect(() => new PredefinedSplit({ folds: [[0, 1]] as never })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`folds\` option of PredefinedSplit must be a list of { train, test } or [train, test]. Got [0, 1] in place 0.]`,
    );
  });

  it('a number of rows beside testFold', () => {
    expect(() => new PredefinedSplit({ testFold: [0, 1], n: 2 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`n\` option of PredefinedSplit has no effect: \`testFold\` has a value for every row. Leave it out.]`,
    );
  });

  it('a DataView, which has bytes and no entries', () => {
    const view = new DataView(new ArrayBuffer(8)) as never;
    expect(() => new PredefinedSplit({ folds: [[view, [0]]] })).toThrow(/must be a list of/);
    expect(() => new PredefinedSplit({ folds: [{ train: [0], test: view }] })).toThrow(/must be a list of/);
  });

  it('folds that are no folds of X, at the call of split', () => {
    const split = (folds: unknown, n = 4) => new PredefinedSplit({ folds: folds as never }).split(n);
    expect(() => new PredefinedSplit({ testFold: [0, 1, 0] }).split(4)).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: testFold must have as many values as X has rows, 4. Got 3.]`,
    );
    expect(() => new PredefinedSplit({ folds: [[[0], [1]]], n: 2 }).split(4)).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: The folds of PredefinedSplit must speak of as many rows as X has, 4. Got 2.]`,
    );
    expect(() => split([[[0, 1], [7]]])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: Fold fold-0 of PredefinedSplit: test must hold row numbers from 0 to 3. Got 7.]`,
    );
    expect(() =>
      split([
        [
          [0, 1],
          [1, 2],
        ],
      ]),
    ).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: Fold fold-0 of PredefinedSplit must keep train and test apart. Got row 1 on both sides.]`,
    );
    expect(() => split([{ id: 'a', train: [0], test: [1.5] }])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: Fold a of PredefinedSplit: test must hold integers. Got 1.5.]`,
    );
    expect(() => split([{ train: [], test: [1] }])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: Fold fold-0 of PredefinedSplit: train must have at least one row. Got none.]`,
    );
  });
});
