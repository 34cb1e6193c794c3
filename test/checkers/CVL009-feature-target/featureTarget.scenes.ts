import { KFold } from '../../../src/splitters/iid/kFold.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

const y = Array.from({ length: 120 }, (_, row) => Number(Math.sin(row ** 2) > 0));
const X = y.map((label, row) => [Math.cos(3 * row ** 2), label + 2 * Math.sin(5 * row ** 2)]);
const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 1 });

/** A true predictor, and beside it y in another unit. */
export const featureTargetScenes: CheckScenes = {
  leaking: { X: X.map((row, at) => [...row, Math.exp(y[at]) + 0.01 * row[0]]), y, data: {}, splitter },
  clean: { X, y, data: {}, splitter },
};
