import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../src/core/errors.js';
import { fingerprint } from '../../src/core/fingerprint.js';
import { foldsFromJSON } from '../../src/splitters/foldsFromJSON.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { foldsToJSON } from '../../src/splitters/foldsToJSON.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { PurgedKFoldCV } from '../../src/splitters/temporal/purgedKFoldCV.js';
import { refusal } from '../helpers/messages.js';
import { givenFolds } from './givenFolds.js';

describe('foldsFromJSON', () => {
  it('gives back the same folds, ids, repeats and excluded rows', () => {
    const designs = [
      new RepeatedKFold({ nSplits: 3, nRepeats: 2 }),
      new BootstrapValidation({ nIterations: 4 }),
      new PurgedKFoldCV({ nSplits: 2, purgeGap: 1 }),
    ];
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 40 }), fc.constantFrom(...designs), (n, design) => {
        const plan = foldsOf(design, n);
        const back = foldsOf(foldsFromJSON(foldsToJSON(plan)), n);
        expect([...back]).toEqual([...plan]);
        expect(back.fingerprint).toBe(plan.fingerprint);
      }),
    );
  });

  it('reads index lists of scikit-learn, as text or as the value', () => {
    const folds = [...new KFold({ nSplits: 3 }).split(9)];
    const text = foldsToJSON(folds, { format: 'sklearn' });
    for (const json of [text, JSON.parse(text)]) {
      expect(fingerprint(foldsFromJSON(json).split(9))).toBe(fingerprint(folds));
    }
  });

  it('reads splits_final.json and writes it back byte for byte (test/reference/givenFolds.json)', () => {
    const { cases: ids, nnunet } = givenFolds;
    const folds = foldsFromJSON(nnunet, { ids }).split(ids.length);
    expect(foldsToJSON(folds, { format: 'nnunet', ids })).toBe(nnunet);
  });

  it('reads past a byte order mark', () => {
    expect(foldsFromJSON('\uFEFF[[[0],[1]]]').getNSplits()).toBe(1);
  });

  it('takes a case for all of its rows', () => {
    const json = [{ train: ['b'], val: ['a'] }];
    const [{ train, test }] = foldsFromJSON(json, { ids: ['a', 'b', 'a'] }).split(3);
    expect([[...train], [...test]]).toEqual([[1], [0, 2]]);
  });

  it('refuses data with another number of rows than the folds are for', () => {
    const text = foldsToJSON(foldsOf(new KFold({ nSplits: 2 }), 4));
    expect(() => foldsFromJSON(text).split(6)).toThrow(refusal('length_mismatch', 6, 4));
    const cases = [{ train: ['b'], val: ['a'] }];
    expect(() => foldsFromJSON(cases, { ids: ['a', 'b'] }).split(3)).toThrow(refusal('length_mismatch', 3, 2));
  });

  it('takes a file that does not tell its number of rows', () => {
    const folds = [...new KFold({ nSplits: 2 }).split(4)];
    expect(fingerprint(foldsFromJSON(foldsToJSON(folds)).split(6))).toBe(fingerprint(folds));
  });

  it('refuses what are no folds', () => {
    const ids = ['a', 'b'];
    expect(() => foldsFromJSON([{ train: ['a'], val: ['c'] }], { ids })).toThrow(refusal('invalid_data', 'ids'));
  });

  it('refuses our own file when it is not as we write it', () => {
    const own = (file: object) => () => foldsFromJSON({ format: 'cvkit folds 1', ...file });
    const message = /^The value for foldsFromJSON must be folds of cvkit, .* Got an object with the keys format/;
    const folds = [{ train: [0], test: [1] }];
    for (const file of [{}, { folds: [] }, { folds: [[[0], [1]]] }, { folds: [{ train: [0] }] }, { folds, n: '2' }]) {
      expect(own(file)).toThrow(InvalidDataError);
      expect(own(file)).toThrow(message);
    }
  });

  it.each(['../../x', '/etc/x', 'a b', 'a\nb', '..', '', 'patient Ü', 'x'.repeat(101), 7])(
    'refuses the id %j',
    (id) => {
      const folds = [{ id, train: [0], test: [1] }];
      for (const file of [folds, { format: 'cvkit folds 1', folds, fingerprint: fingerprint(folds) }]) {
        expect(() => foldsFromJSON(file)).toThrow(InvalidDataError);
        expect(() => foldsFromJSON(file)).toThrow(
          /^The id of fold 0 of PredefinedSplit must have letters, digits, `-`, `_` and `.` alone, at most 100\. Got /,
        );
      }
    },
  );

  it('refuses our own file when its folds were changed', () => {
    const text = foldsToJSON(new KFold({ nSplits: 2 }).split(4));
    expect(() => foldsFromJSON(text.replace('"test":[0,1]', '"test":[0]'))).toThrow(/the file was changed/);
  });
});
