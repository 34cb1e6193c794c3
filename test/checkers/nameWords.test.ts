import { expect, it } from 'vitest';
import { nameWords } from '../../src/checkers/nameWords.js';

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
