import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

const X = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(3 * i)]);
const y = X.map((_, i) => i % 2);
const groups = X.map((_, i) => `patient-${i % 20}`);

/** Shuffled rows of patients with three rows each, and whole patients. */
export const patientOverlapScenes: CheckScenes = {
  leaking: { X, y, data: { groups }, splitter: new KFold({ nSplits: 5, shuffle: true, randomState: 1 }) },
  clean: { X, y, data: { groups }, splitter: new GroupKFold({ nSplits: 5, randomState: 1 }) },
};
