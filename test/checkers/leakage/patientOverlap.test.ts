import { describe, expect, it } from 'vitest';
import { patientOverlap } from '../../../src/checkers/leakage/patientOverlap.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { judged } from '../judged.js';

// Rows 0-3 of patients a, a, b, c; unshuffled halves are {0, 1} and {2, 3}: nobody is torn. In thirds of 6, b is.
const judge = (groups: (string | number)[], nSplits: number) =>
  judged(patientOverlap, { X: groups.map((_, i) => [i]), data: { groups }, splitter: new KFold({ nSplits }) });

describe('patientOverlap', () => {
  it('passes when every patient is whole, with the counts', async () => {
    expect(await judge(['a', 'a', 'b', 'c'], 2)).toEqual({
      code: 'CVL001',
      type: 'patient',
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
});
