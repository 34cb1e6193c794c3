import { describe, expect, it } from 'vitest';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { RepeatedKFold } from '../../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold, type StratifiedKFoldOptions } from '../../../src/splitters/iid/stratifiedKFold.js';
import { refusal } from '../../helpers/messages.js';
import { labels } from '../sklearn.js';

describe('StratifiedKFold', () => {
  const tests = (y: ArrayLike<unknown>, options: StratifiedKFoldOptions = {}) =>
    Array.from(new StratifiedKFold(options).split(y.length, y), ({ test }) => [...test]);

  it('encodes classes by first appearance, so that no renaming moves a row', () => {
    const y = labels(60, 3);
    const names = ['z', 'a', 'm'];
    for (const options of [{}, { shuffle: true, randomState: 3 }]) {
      expect(tests(y, { nSplits: 3, ...options })).toEqual(
        tests(
          y.map((label) => names[label]),
          { nSplits: 3, ...options },
        ),
      );
    }
  });

  it('prints no values of a y that looks like ids', () => {
    const ids = Array.from({ length: 12 }, (_, row) => `anna${row}`);
    for (const y of [ids, ids.map((_, row) => 7000 + row), [...ids, ...ids]]) {
      expect(() => tests(y)).toThrow(/^The `nSplits` option of StratifiedKFold must be at most the number of rows/);
      expect(() => tests(y)).not.toThrow(/anna|70\d\d/);
      expect(() => tests(y)).toThrow('class number 0');
    }
    expect(() => tests(['a', 'b', 'c', 'd'])).toThrow("class 'a'");
  });

  it('takes one-hot rows, booleans and columns', () => {
    const y = labels(60, 2);
    const expected = tests(y);
    expect(tests(y.map((label) => [1 - label, label]))).toEqual(expected);
    expect(tests(y.map((label) => label === 1))).toEqual(expected);
    expect(tests(Float32Array.from(y))).toEqual(expected);
  });

  it('is KFold where all rows are of one class, as in scikit-learn', () => {
    const plain = Array.from(new KFold({ nSplits: 3 }).split(10), ({ test }) => [...test].length).sort();
    expect(
      tests(Array(10).fill('only'), { nSplits: 3 })
        .map((test) => test.length)
        .sort(),
    ).toEqual(plain);
  });

  it('merges equal quantiles, so that ties stay in one bin', () => {
    // by hand: quartiles of eight zeros and 1 2 3 4 are 0, 0, 1.25; the bins are 0 and 0 to 1.25 and above
    const y = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4];
    const { warnings } = new StratifiedKFold({ nSplits: 2, bins: 4 }).split(y.length, y);
    expect(warnings).toEqual([expect.stringContaining('(rows: 1 of bin 0 to 1.25)')]);
  });

  it('goes on with a warning where one class of several has fewer rows than folds', () => {
    const y = [...Array(40).fill('a'), ...Array(17).fill('b'), ...Array(3).fill('c')];
    for (const splitter of [new StratifiedKFold(), new RepeatedKFold({ stratify: true, randomState: 1 })]) {
      const { warnings } = foldsOf(splitter, y.length, y);
      expect(warnings).toEqual([expect.stringMatching(/fewer rows than the 5 folds \(rows: 3 of class 'c'\)\.$/)]);
    }
    expect(new StratifiedKFold({ nSplits: 3 }).split(y.length, y).warnings).toEqual([]);
  });

  it('refuses where a test fold would have one class alone, and where every class has fewer rows', () => {
    const counts = (...rows: number[]) => rows.flatMap((n, label) => Array(n).fill(label));
    expect(() => tests(counts(50, 2, 2))).toThrow(refusal('infeasible_split', 'nSplits', 5));
    expect(tests(counts(50, 3, 2))).toHaveLength(5);
    expect(() => tests(counts(4, 4, 4))).toThrow(refusal('infeasible_split', 'nSplits', 5));
    expect(() => tests(counts(50, 4))).toThrow(refusal('infeasible_split', 'nSplits', 5));
  });
});
