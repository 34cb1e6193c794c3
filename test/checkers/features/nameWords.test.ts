import { expect, it } from 'vitest';
import { nameWords, patientLevelOf } from '../../../src/checkers/features/nameWords.js';

it('takes a name apart', () => {
  expect(['patient_nbr', 'imagingCentre', 'siteID', 'Region 2', 'MRN', '_1_'].map(nameWords)).toEqual([
    ['patient', 'nbr'],
    ['imaging', 'centre'],
    ['site', 'id'],
    ['region'],
    ['mrn'],
    [],
  ]);
});

it('finds the level of the patients', () => {
  expect(patientLevelOf({ subject: [], patient: [] })).toBe('patient');
  expect(patientLevelOf({ site: [], subject_id: [], Patient: [] })).toBe('subject_id');
  expect(patientLevelOf({ site: [], patient_visit: [] })).toBeUndefined();
  expect(patientLevelOf({})).toBeUndefined();
});
