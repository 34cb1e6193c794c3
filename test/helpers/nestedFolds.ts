import type { LabelsInput } from '../../src/data/labels.js';
import { foldsOf, hasInner, innerFoldsOf } from '../../src/splitters/foldsOf.js';
import type { Splitter } from '../../src/splitters/splitter.js';

/** Outer folds with the folds that their `inner` yields. */
export function nestedFolds(splitter: Splitter, n: number, y?: LabelsInput, data = {}) {
  return [...foldsOf(splitter, n, y, data)].map((fold) => {
    if (!hasInner(fold)) throw new Error(`fold ${fold.id} has no inner folds`);
    return { ...fold, inner: [...innerFoldsOf(fold, n)] };
  });
}
