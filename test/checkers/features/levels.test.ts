import { describe, expect, it } from 'vitest';
import { countedLevel, hierarchyLevels, pluralOf } from '../../../src/checkers/features/levels.js';

const patient = ['a', 'a', 'b', 'b', 'c', 'c'];
const facts = (data: Parameters<typeof hierarchyLevels>[0]) =>
  hierarchyLevels(data, 6).map(({ name, place, count, crossing, restarts }) => [
    name,
    place,
    count,
    crossing,
    ...(restarts ? ['restarts'] : []),
  ]);

describe('levelsOf', () => {
  it('places levels by who shares what', () => {
    const hierarchy = { site: ['N', 'N', 'N', 'N', 'S', 'S'], patient, slice: [1, 2, 3, 4, 5, 6] };
    expect(facts({ hierarchy })).toEqual([
      ['site', 'above', 2, 0],
      ['patient', 'patient', 3, 0],
      ['slice', 'within', 6, 0],
    ]);
  });

  it('takes groups for the patients', () => {
    expect(facts({ groups: patient, hierarchy: { site: ['N', 'N', 'N', 'N', 'S', 'S'] } })).toEqual([
      ['site', 'above', 2, 0],
      ['patient', 'patient', 3, 0],
    ]);
    expect(facts({ hierarchy: { scan: patient } })).toEqual([['scan', 'unplaced', 3, 0]]);
  });

  it('never takes a site for a patient, by its name', () => {
    for (const name of ['site', 'scanner_id', 'imagingCentre', 'siteID', 'Region 2']) {
      expect(facts({ hierarchy: { [name]: patient } })).toEqual([[name, 'above', 3, 0]]);
    }
    for (const name of ['parasite', 'sitting', 'visit']) {
      expect(facts({ hierarchy: { [name]: patient } })[0][1]).toBe('unplaced');
    }
    // Every patient was on both scanners: a place, unless it is listed within the patient.
    const scanner = ['A', 'B', 'A', 'B', 'A', 'B'];
    expect(facts({ hierarchy: { scanner, patient } })[0]).toEqual(['scanner', 'above', 2, 3]);
    expect(facts({ groups: patient, hierarchy: { scanner } })[0]).toEqual(['scanner', 'above', 2, 3]);
    for (const name of ['scanner', 'region', 'plate', 'device']) {
      expect(facts({ hierarchy: { patient, [name]: scanner } })[1]).toEqual([name, 'within', 6, 0, 'restarts']);
    }
  });

  it('takes a level for the patient by its whole name', () => {
    for (const name of ['Patient', 'subject_id', 'participantNo', 'PatientID', 'pid']) {
      expect(facts({ hierarchy: { site: [1, 1, 1, 1, 2, 2], [name]: patient } })[1]).toEqual([name, 'patient', 3, 0]);
      expect(facts({ groups: patient, hierarchy: { [name]: patient } })).toEqual([[name, 'patient', 3, 0]]);
    }
    for (const name of ['patient_visit', 'subject area', 'rapid', 'inpatient']) {
      expect(facts({ hierarchy: { [name]: patient } })[0][1]).toBe('unplaced');
    }
    // The level that is called so comes first.
    const subject = ['x', 'x', 'x', 'x', 'y', 'y'];
    expect(facts({ hierarchy: { subject, patient } })[1]).toEqual(['patient', 'patient', 3, 0]);
  });

  it('lets the order speak for ids that lie crosswise, unless hardly a patient has several', () => {
    // Of 12 patients, two rows each, 2 or 1 have lesions in both regions; half of the others in each.
    const patients = Array.from({ length: 24 }, (_, row) => `p${row >> 1}`);
    const regions = (several: number) =>
      patients.map((_, row) => ((row >> 1) % 2 === (row % 2 && row < 2 * several ? 1 : 0) ? 'liver' : 'lung'));
    const placed = (region: string[]) => hierarchyLevels({ hierarchy: { patient: patients, region } }, 24)[1];
    expect(placed(regions(2))).toMatchObject({ place: 'within', restarts: true });
    expect(placed(regions(2)).misplaced).toBeUndefined();
    expect(placed(regions(1))).toMatchObject({ place: 'above', crossing: 1, misplaced: true });
    // Hardly a patient came twice, but all have a visit 1.
    const visit = patients.map((_, row) => (row === 1 ? 2 : 1));
    expect(hierarchyLevels({ hierarchy: { patient: patients, visit } }, 24)[1]).toMatchObject({ place: 'within' });
    expect(hierarchyLevels({ groups: patients, hierarchy: { visit } }, 24)[0]).toMatchObject({ place: 'within' });
  });

  it('tells which level stands in the wrong place', () => {
    const ward = ['N', 'N', 'N', 'N', 'S', 'S'];
    const misplaced = (data: Parameters<typeof hierarchyLevels>[0]) =>
      hierarchyLevels(data, 6).flatMap(({ name, misplaced }) => (misplaced ? [name] : []));
    expect(misplaced({ hierarchy: { patient, ward } })).toEqual(['ward']);
    expect(misplaced({ hierarchy: { visit: [1, 2, 3, 4, 5, 6], patient } })).toEqual(['visit']);
    expect(misplaced({ hierarchy: { ward, patient, visit: [1, 2, 3, 4, 5, 6] } })).toEqual([]);
    expect(misplaced({ hierarchy: { visit: [1, 2, 1, 2, 1, 2], patient } })).toEqual(['visit']);
    // One id in all is in no place.
    expect(misplaced({ hierarchy: { patient, visit: [1, 1, 1, 1, 1, 1] } })).toEqual([]);
    // One id for each patient is both.
    expect(misplaced({ hierarchy: { patient, code: patient } })).toEqual([]);
    expect(misplaced({ hierarchy: { code: patient, patient } })).toEqual([]);
  });

  it('does not take few known ids for one id of each patient', () => {
    const few = ['N', null, 'S', null, null, null] as string[];
    const [level] = hierarchyLevels({ groups: patient, hierarchy: { site: few } }, 6);
    expect(level).toMatchObject({ place: 'above', unclear: true });
    expect(level.same).toBeUndefined();
    expect(hierarchyLevels({ hierarchy: { patient, code: few } }, 6)[1]).toMatchObject({
      place: 'within',
      unclear: true,
    });
    expect(hierarchyLevels({ hierarchy: { patient, code: patient } }, 6)[1]).toMatchObject({ same: true });
  });

  it('counts patients at several sites, and ids that several patients share', () => {
    expect(facts({ hierarchy: { site: ['N', 'S', 'N', 'N', 'S', 'S'], patient } })[0]).toEqual(['site', 'above', 2, 1]);
    expect(facts({ hierarchy: { patient, slice: [1, 2, 1, 3, 4, 5] } })[1]).toEqual(['slice', 'within', 5, 1]);
  });

  it('reads ids that start anew together with their patient', () => {
    expect(facts({ hierarchy: { patient, visit: [1, 2, 1, 2, 1, 2] } })[1]).toEqual([
      'visit',
      'within',
      6,
      0,
      'restarts',
    ]);
    // Without an order of levels: most patients have several.
    const visit = [1, 2, 1, 2, 1, 1];
    expect(facts({ groups: patient, hierarchy: { visit } })[0]).toEqual(['visit', 'within', 5, 0, 'restarts']);
    // Readers whom patients share do not start anew: hardly a patient has the first ones.
    const reader = ['r2', 'r3', 'r1', 'r3', 'r2', 'r3'];
    expect(facts({ groups: patient, hierarchy: { reader } })[0]).toEqual(['reader', 'above', 3, 3]);
    // One patient of three has two wards.
    const ward = ['N', 'N', 'N', 'S', 'S', 'S'];
    expect(facts({ groups: patient, hierarchy: { ward } })[0]).toEqual(['ward', 'above', 2, 1]);
    expect(facts({ groups: patient, hierarchy: { team: ward } })[0]).toEqual(['team', 'above', 2, 1]);
  });
});

it('counts levels in words', () => {
  expect(['site', 'batch', 'biopsy', 'day', 'index'].map(pluralOf)).toEqual([
    'sites',
    'batches',
    'biopsies',
    'days',
    'indexes',
  ]);
  expect(['tooth', 'Tooth', 'child', 'series', 'patients', 'class'].map(pluralOf)).toEqual([
    'ids of tooth',
    'ids of Tooth',
    'ids of child',
    'ids of series',
    'ids of patients',
    'classes',
  ]);
  expect([countedLevel(1, 'tooth'), countedLevel(28, 'tooth')]).toEqual(['1 tooth', '28 ids of tooth']);
  expect([countedLevel(1, 'site'), countedLevel(4, 'biopsy')]).toEqual(['1 site', '4 biopsies']);
});
