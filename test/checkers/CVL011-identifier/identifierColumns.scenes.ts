import { randomSource } from '../../../src/core/random.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

const random = randomSource(8);
const PATIENTS = 40;
const patients = Array.from({ length: PATIENTS }, () => ({
  number: 1e6 + Math.floor(1e6 * random.random()),
  traits: Array.from({ length: 5 }, () => random.random()),
}));
const rows = Array.from({ length: 160 }, (_, row) => {
  const { number, traits } = patients[row % PATIENTS];
  return { number, ...traits.map((trait) => trait + 0.3 * random.random()) };
});
const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 1 });

/** Four rows of each patient, with the number of the patient among the features and without. */
export const identifierColumnsScenes: CheckScenes = {
  leaking: { X: rows, data: {}, splitter },
  clean: { X: rows.map(({ number, ...traits }) => traits), data: {}, splitter },
};
