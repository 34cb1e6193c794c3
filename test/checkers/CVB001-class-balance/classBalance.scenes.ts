import { KFold } from '../../../src/splitters/iid/kFold.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

/** Rows in the order of their classes. */
const X = Array.from({ length: 90 }, (_, row) => [Math.cos(row)]);
const y = X.map((_, row) => ['benign', 'malignant', 'unclear'][Math.floor(row / 30)]);

/** Unshuffled thirds, each a class that the others train without, and stratified ones. */
export const classBalanceScenes: CheckScenes = {
  leaking: { X, y, data: {}, splitter: new KFold({ nSplits: 3 }) },
  clean: { X, y, data: {}, splitter: new StratifiedKFold({ nSplits: 3 }) },
};
