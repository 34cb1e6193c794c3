import { describe, expect, it } from 'vitest';
import { patientOverlap } from '../../../src/checkers/CVL001-patient/patientOverlap.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { judged } from '../judged.js';

// Rows 0-3 of patients a, a, b, c; unshuffled halves are {0, 1} and {2, 3}: nobody is torn. In thirds of 6, b is.
const judge = (groups: (string | number)[], nSplits: number) =>
  judged(patientOverlap, { X: groups.map((_, i) => [i]), data: { groups }, splitter: new KFold({ nSplits }) });

/** Pseudonyms are drawn anew for each report. */
const anonymous = (text: string) => text.replace(/#[0-9a-f]{8}/g, '#');

describe('patientOverlap', () => {
  it('passes when every patient is whole, with the counts', async () => {
    expect(await judge(['a', 'a', 'b', 'c'], 2)).toEqual({
      code: 'CVL001',
      type: 'patient',
      page: 'docs/checks/CVL001.md',
      kind: 'leakage',
      status: 'passed',
      severity: 'none',
      message: 'No patient is on both sides of a fold (3 patients, 2 folds).',
      evidence: { patients: 3, folds: 2 },
      fix: '',
    });
  });

  it('counts torn patients and the folds that tear them, ids hashed', async () => {
    const result = await judge(['Miller', 'Smith', 'Smith', 'Smith', 'Jones', 'Jones'], 3);
    expect(result).toMatchObject({
      status: 'failed',
      severity: 'critical',
      fold: 'fold-0',
      message: '1 of 3 patients is on both sides of a fold, in 2 of 3 folds.',
      evidence: { patients: 1, folds: ['fold-0', 'fold-1'] },
    });
    const example = { patient: expect.stringMatching(/^#[0-9a-f]{8}$/), fold: 'fold-0', train: 2, test: 1 };
    expect(result.evidence.examples).toEqual([example]);
    expect(JSON.stringify(result)).not.toContain('Smith');
  });

  it('takes the patients from a level whose name says so', async () => {
    const subject_id = ['a', 'b', 'b', 'b', 'c', 'c'];
    const scene = { X: subject_id.map((_, row) => [row]), splitter: new KFold({ nSplits: 3 }) };
    const named = await judged(patientOverlap, { ...scene, data: { hierarchy: { subject_id } } });
    expect(named.message).toBe((await judge(subject_id, 3)).message);
    expect(named.status).toBe('failed');
    const sites = await judged(patientOverlap, { ...scene, data: { hierarchy: { site: subject_id } } });
    expect(sites.status).toBe('not_evaluated');
  });

  it.each([
    ['P007', 'P7'],
    ['7', '7.0'],
    ['Zo\u00eb', 'Zoe\u0308'],
  ])('asks about %s and %s on both sides', async (one, other) => {
    const result = await judge([one, 'p9', other, 'p6'], 2);
    expect(result).toMatchObject({ status: 'needs_review', evidence: { respelled: 1 } });
  });

  it('asks about ids that differ in spaces or case alone where they are on both sides', async () => {
    // Halves of rows 0-1 and 2-3: `p7` and `P7 ` are on both sides; below, `p8` and `p 8` are on one.
    const result = await judge(['p7', 'p9', 'P7 ', 'p6'], 2);
    expect(result).toMatchObject({
      status: 'needs_review',
      severity: 'medium',
      fold: 'fold-0',
      evidence: { patients: 4, respelled: 1, folds: 2, examples: [{ fold: 'fold-0', train: 2, test: 0 }] },
    });
    expect(anonymous(result.message)).toMatch(/^No patient.*4 patients.*2 folds.*1 id.*row 0.*row 2/);
    expect(result.fix).toContain('write them in one way');
    const whole = await judge(['p8', 'p 8', 'p6', 'p7'], 2);
    expect(whole).toMatchObject({ status: 'needs_review', severity: 'low', evidence: { respelled: 1 } });
    expect(anonymous(whole.message)).toMatch(/^No patient.*4 patients.*2 folds.*1 id.*row 0.*row 1/);
    const torn = await judge(['p8', 'P8', 'p8', 'p7'], 2);
    expect(torn).toMatchObject({ status: 'failed', evidence: { patients: 1, respelled: 1 } });
    expect(anonymous(torn.message)).toMatch(/^1 of 3 patients.*2 of 2 folds.*1 id.*row 0.*row 1.*1 patient/);
    expect(JSON.stringify([result, whole, torn])).not.toMatch(/p ?[6-9]/i);
  });
});
