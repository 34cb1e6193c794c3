import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

/** Two rows of each of 60 patients, the healthy ones first. */
const X = Array.from({ length: 120 }, (_, row) => [Math.sin(row)]);
const groups = X.map((_, row) => `patient-${Math.floor(row / 2)}`);
const y = X.map((_, row) => (row < 60 ? 'healthy' : 'ill'));

/** Unshuffled thirds, and whole patients in random order. */
export const labelDistributionScenes: CheckScenes = {
  leaking: { X, y, data: { groups }, splitter: new KFold({ nSplits: 3 }) },
  clean: { X, y, data: { groups }, splitter: new GroupKFold({ nSplits: 3, randomState: 4 }) },
};
