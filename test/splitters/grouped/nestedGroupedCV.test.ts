import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldsOf, hasInner, innerFoldsOf } from '../../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { NestedGroupedCV } from '../../../src/splitters/grouped/nestedGroupedCV.js';
import { nestedFolds } from '../../helpers/nestedFolds.js';

describe('the inner folds of NestedGroupedCV', () => {
  it('never hold an outer test row or group, whatever the data', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 14 }), { minLength: 40, maxLength: 80 }), (groups) => {
        fc.pre(new Set(groups).size >= 8);
        const nested = new NestedGroupedCV({
          outerCv: new GroupKFold({ nSplits: 3, randomState: 1 }),
          innerCv: new GroupKFold({ nSplits: 2 }),
        });
        for (const { test, inner } of nestedFolds(nested, groups.length, undefined, { groups })) {
          const outside = new Set(Array.from(test, (row) => groups[row]));
          for (const fold of inner) {
            const trained = new Set(Array.from(fold.train, (row) => groups[row]));
            const tested = Array.from(fold.test, (row) => groups[row]);
            expect([...trained, ...tested].some((group) => outside.has(group))).toBe(false);
            expect(tested.some((group) => trained.has(group))).toBe(false);
          }
        }
      }),
    );
  });

  it('are the same on every look, also with a fresh random state', () => {
    const groups = Array.from({ length: 60 }, (_, row) => row % 20);
    const [fold] = foldsOf(new NestedGroupedCV(), 60, undefined, { groups });
    if (!hasInner(fold)) throw new Error('no inner folds');
    expect(innerFoldsOf(fold, 60).fingerprint).toBe(innerFoldsOf(fold, 60).fingerprint);
  });
});
