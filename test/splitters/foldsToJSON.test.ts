import { describe, expect, it } from 'vitest';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { foldsToJSON } from '../../src/splitters/foldsToJSON.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { refusal } from '../helpers/messages.js';
import { givenFolds } from './givenFolds.js';

describe('foldsToJSON', () => {
  const folds = foldsOf(new KFold({ nSplits: 2 }), 4);

  it('keeps ids, the number of rows and the fingerprint', () => {
    expect(JSON.parse(foldsToJSON(folds))).toEqual({
      format: 'cvkit folds 1',
      n: 4,
      fingerprint: folds.fingerprint,
      folds: [
        { id: 'fold-0', repeat: 0, train: [2, 3], test: [0, 1] },
        { id: 'fold-1', repeat: 0, train: [0, 1], test: [2, 3] },
      ],
    });
  });

  it('leaves the number of rows out where the folds do not tell it', () => {
    expect(JSON.parse(foldsToJSON([...folds]))).not.toHaveProperty('n');
  });

  it('writes the pairs that `cv=` of scikit-learn takes', () => {
    expect(foldsToJSON(folds, { format: 'sklearn' })).toBe('[[[2,3],[0,1]],[[0,1],[2,3]]]');
  });

  it('writes what nnU-Net writes, byte for byte (test/reference/givenFolds.json)', () => {
    const { cases, nnunet } = givenFolds;
    const theirs = new KFold({ nSplits: 5, shuffle: true, randomState: 12345 });
    expect(foldsToJSON(theirs.split(cases.length), { format: 'nnunet', ids: cases })).toBe(nnunet);
  });

  it('names a case with several rows once', () => {
    const text = foldsToJSON(folds, { format: 'nnunet', ids: ['a', 'a', 'b', 'b'] });
    expect(JSON.parse(text)[0]).toEqual({ train: ['b'], val: ['a'] });
  });

  it('refuses what are no folds', () => {
    for (const wrong of [new KFold(), null, [], [{ train: 1, test: 2 }]]) {
      expect(() => foldsToJSON(wrong as never)).toThrow(/^The folds for foldsToJSON must be folds\. Got /);
    }
  });

  it('refuses what would not be the folds', () => {
    expect(() => foldsToJSON(folds, { format: 'nnunet', ids: [1, 2] })).toThrow(
      refusal('invalid_data', 'ids', 'row 2'),
    );
    expect(() => foldsToJSON(folds, { format: 'nnunet', ids: ['a', 'b', 'a', 'b'] })).toThrow(
      /^Fold fold-0 must keep every case on one side\. Got cases (#[0-9a-f]{8}, ){1}#[0-9a-f]{8} on both\.$/,
    );
  });
});

describe('cases of nnU-Net', () => {
  it.each([[null], [undefined], [''], [' '], [Number.NaN]])('have a name: not %j', (name) => {
    const folds = foldsOf(new KFold({ nSplits: 2 }), 4);
    const ids = ['a', 'b', name, 'd'] as string[];
    expect(() => foldsToJSON(folds, { format: 'nnunet', ids })).toThrow(/^ids must name the case of row 2\./);
  });
});
