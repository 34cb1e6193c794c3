import { randomSource } from '../../../src/core/random.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';
import { normal } from './normal.js';

const random = randomSource(3);
const clean = Array.from({ length: 120 }, () => Array.from({ length: 6 }, () => normal(random)));
const y = clean.map((_, row) => row % 2);
const groups = clean.map((_, row) => `patient-${row}`);
/** The last rows are the first ones once more, with noise of .02 SD, as rows of other patients. */
const copied = clean.map((cells, row) => (row < 112 ? cells : clean[row - 112].map((x) => x + 0.02 * normal(random))));
const splitter = new GroupKFold({ nSplits: 5, shuffle: true, randomState: 1 });

export const nearDuplicatesScenes: CheckScenes = {
  leaking: { X: copied, y, data: { groups }, splitter },
  clean: { X: clean, y, data: { groups }, splitter },
};
