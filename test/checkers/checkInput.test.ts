import { describe, expect, it } from 'vitest';
import { leakageChecks } from '../../src/checkers/builtInChecks.js';
import { checkInput } from '../../src/checkers/checkInput.js';
import { randomSource } from '../../src/core/random.js';
import { rowsOf } from '../../src/data/rows.js';
import type { SideData } from '../../src/data/sideData.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { judged } from './judged.js';

const ids = ['a', 'a', 'b', 'b'];
const seen = (data: SideData) => {
  const X = rowsOf(ids.map((_, row) => [row]));
  return checkInput({ X, data, folds: foldsOf(new KFold({ nSplits: 2 }), 4, undefined, data) }).data;
};

describe('checkInput', () => {
  it.each(['patient', 'subject_id', 'Patient', 'participantNo'])('takes the level %s for the patients', (name) => {
    const data = { hierarchy: { site: ['N', 'N', 'S', 'S'], [name]: ids } };
    expect(seen(data).groups).toBe(ids);
    expect(data).not.toHaveProperty('groups');
  });

  it('lets groups speak first, and no level that does not name all patients', () => {
    const groups = [1, 1, 2, 2];
    expect(seen({ groups, hierarchy: { subject: ids } }).groups).toBe(groups);
    for (const missing of [null, undefined, '', Number.NaN]) {
      const hierarchy = { subject: ['a', missing, 'b', 'b'] as string[] };
      expect(seen({ hierarchy }).groups).toBeUndefined();
    }
    expect(seen({ hierarchy: { visit: ids } }).groups).toBeUndefined();
    expect(seen({}).groups).toBeUndefined();
  });

  it('lets all checks of patients see the same ones, by groups and by the name of a level', async () => {
    // 60 patients with four visits, which are near to each other: no near-duplicates of other patients.
    const random = randomSource(4);
    const patients = Array.from({ length: 60 }, () => Array.from({ length: 6 }, () => random.random()));
    const subject_id = Array.from({ length: 240 }, (_, row) => row % 60);
    const X = subject_id.map((id) => patients[id].map((value) => value + 1e-4 * random.random()));
    const y = subject_id.map((id) => id % 2);
    const scene = { X, y, splitter: new KFold({ nSplits: 5, shuffle: true, randomState: 1 }), revealIds: true };
    const ofPatients = leakageChecks.filter(({ needs }) => !needs.includes('hierarchy'));
    for (const check of ofPatients) {
      const named = await judged(check, { ...scene, data: { hierarchy: { subject_id } } });
      expect(named).toEqual(await judged(check, { ...scene, data: { groups: subject_id } }));
    }
    const unnamed = await judged(ofPatients[2], { ...scene, data: {} });
    expect(unnamed).toMatchObject({ code: 'CVL003', status: 'failed' });
  });
});
