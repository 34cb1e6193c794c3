import { describe, expect, it } from 'vitest';
import { withoutPrefix } from '../../../src/checkers/CVL001-patient/patientOverlap.js';
import { respelled } from '../../../src/checkers/features/respelled.js';
import { groupsOf } from '../../../src/data/sideData.js';

const of = (ids: (string | number)[]) => withoutPrefix(groupsOf(ids, ids.length));

describe('withoutPrefix', () => {
  it.each([
    ['an occasion before the patient', 'baseline_7', 'followup_7'],
    ['an occasion of two words', 'pre-7', 'follow-up-7'],
    ['a visit at the end', 'S7_v1', 'S7_v2'],
    ['a visit with its number', 'S7 visit 1', 'S7 visit 2'],
    ['a session', 'sub-07_ses-1', 'sub-07_ses-2'],
    ['an eye', '7-left', '7-right'],
    ['an occasion of one row alone', '7', 'retest 7'],
    ['zeros behind an occasion', 'Baseline_P007', 'followup_P7'],
    ['a prefix of one of them', 'SITE1-7', '7'],
    ['a letter before one of them', 'P7', '7'],
    ['zeros of the number alone', 'P7', '007'],
    ['a name', 'baseline anna', 'followup anna'],
  ])('joins ids that differ in %s', (_, a, b) => {
    expect(of([a, b, 'other', 'x9'])?.count).toBe(3);
  });

  it('leaves what may be a site, and what would be nothing else', () => {
    for (const ids of [
      ['A-7', 'B-7', 'A-8'],
      ['T1-7', 'T2-7'],
      ['SITE1-7', 'SITE2-7', '7'],
      ['visit 1', 'visit 2', 'baseline', 'followup'],
      ['P1', 'P11', 'P111'],
      ['12/345', '12/346', '13/345'],
      [7, 8, 77],
    ]) {
      expect(of(ids)).toBeUndefined();
    }
  });

  it('keeps case, and what spelling joins', () => {
    expect(of(['aB7', 'Ab7'])).toBeUndefined();
    const groups = groupsOf(['P7', 'p7', 'P-7', '7', 'q8'], 5);
    expect(withoutPrefix(groups, respelled(groups))?.count).toBe(2);
    expect([...(withoutPrefix(groups, respelled(groups)) as { codes: Int32Array }).codes]).toEqual([0, 0, 0, 0, 1]);
  });
});
