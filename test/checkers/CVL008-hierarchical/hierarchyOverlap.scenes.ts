import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

const X = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(3 * i)]);
const y = X.map((_, i) => i % 2);
const patient = X.map((_, i) => `patient-${i % 20}`);
const site = X.map((_, i) => `site-${(i % 20) % 4}`);
const data = { groups: patient, hierarchy: { site, patient, visit: X.map((_, i) => `visit-${i}`) } };

/** Shuffled visits of patients with three each, and whole patients of shared sites. */
export const hierarchyOverlapScenes: CheckScenes = {
  leaking: { X, y, data, splitter: new KFold({ nSplits: 5, shuffle: true, randomState: 1 }) },
  clean: { X, y, data, splitter: new GroupKFold({ nSplits: 5, randomState: 1 }) },
};
