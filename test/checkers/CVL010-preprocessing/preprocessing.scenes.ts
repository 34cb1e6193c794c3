import { KFold } from '../../../src/splitters/iid/kFold.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

const X = Array.from({ length: 60 }, (_, row) => [Math.sin(row ** 2) * 9 + 50, Math.exp(Math.cos(3 * row ** 2))]);
const y = X.map((_, row) => row % 2);
const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 1 });
const mean = (at: number) => X.reduce((sum, row) => sum + row[at], 0) / X.length;
const sd = (at: number) => Math.sqrt(X.reduce((sum, row) => sum + (row[at] - mean(at)) ** 2, 0) / X.length);

/** Standardised over all rows, and as measured: that X alone bears no trace proves nothing. */
export const preprocessingScenes: CheckScenes = {
  leaking: { X: X.map((row) => row.map((value, at) => (value - mean(at)) / sd(at))), y, data: {}, splitter },
  clean: { X, y, data: {}, splitter },
  silence: 'not_evaluated',
};
