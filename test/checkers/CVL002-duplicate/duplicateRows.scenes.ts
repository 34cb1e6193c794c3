import { KFold } from '../../../src/splitters/iid/kFold.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

const X = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(3 * i), Math.sin(5 * i)]);
const y = X.map((_, i) => i % 2);
const splitter = new KFold({ nSplits: 5 });

/** Three rows of the first fold again in the last, and all rows different. */
export const duplicateRowsScenes: CheckScenes = {
  leaking: { X: X.map((row, i) => (i >= 57 ? [...X[i - 57]] : row)), y, data: {}, splitter },
  clean: { X, y, data: {}, splitter },
};
