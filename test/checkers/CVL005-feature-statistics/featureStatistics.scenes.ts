import { randomSource } from '../../../src/core/random.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

const random = randomSource(3);
const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());

/** Five visits of 40 patients, in the order of a first and a second scanner; the second reads higher. */
const patients = Array.from({ length: 40 }, (_, patient) => ({
  patient,
  level: normal(),
  scanner: patient < 20 ? 0 : 1.5,
}));
const visits = patients.flatMap(({ patient, level, scanner }) =>
  Array.from({ length: 5 }, () => ({ groups: `patient-${patient}`, row: [level + scanner + normal() / 3, normal()] })),
);
const X = visits.map(({ row }) => row);
const groups = visits.map((visit) => visit.groups);

/** Unshuffled halves, one per scanner, and shuffled ones of whole patients. */
export const featureStatisticsScenes: CheckScenes = {
  leaking: { X, data: { groups }, splitter: new KFold({ nSplits: 2 }) },
  clean: {
    X: visits.map(({ row }, at) => [row[0] - patients[Math.floor(at / 5)].scanner, row[1]]),
    data: { groups },
    splitter: new KFold({ nSplits: 2 }),
  },
};
