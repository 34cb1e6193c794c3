import { describe, expect, it } from 'vitest';
import { splitPatients } from '../../src/runner/metadataOf.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';

const groups = [0, 0, 1, 1, 2, 2, 3, 3];
const warned = (splitter: Splitter, ids: readonly unknown[] | undefined, folds = [0, 1]) =>
  splitPatients({
    plan: foldsOf(splitter, 8, { groups } as never),
    data: (ids ? { groups: ids } : {}) as never,
    folds,
  });

describe('splitPatients', () => {
  it('counts patients on both sides of a fold', () => {
    // Rows 0 to 3 and 4 to 7: no pair is cut.
    expect(warned(new KFold({ nSplits: 2 }), groups)).toEqual([]);
    expect(warned(new KFold({ nSplits: 2 }), [0, 1, 2, 3, 0, 1, 4, 5])[0]).toMatch(
      /^2 patients stood on both sides of a fold/,
    );
  });

  it('says nothing where patients are not known, or the splitter promises to keep them whole', () => {
    expect(warned(new KFold({ nSplits: 2 }), undefined)).toEqual([]);
    expect(warned(new GroupKFold({ nSplits: 2 }), groups)).toEqual([]);
  });

  it('looks at the folds that run alone', () => {
    const plan = foldsOf(new KFold({ nSplits: 4 }), 8);
    const ids = [0, 1, 2, 3, 4, 5, 0, 6];
    expect(splitPatients({ plan, data: { groups: ids } as never, folds: [1, 2] })).toEqual([]);
    expect(splitPatients({ plan, data: { groups: ids } as never, folds: [3] })).toHaveLength(1);
  });
});
