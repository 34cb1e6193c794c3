import { describe, expect, it } from 'vitest';
import { runCheck } from '../../../src/checkers/check.js';
import { patientOverlap } from '../../../src/checkers/leakage/patientOverlap.js';
import { labelsOf } from '../../../src/core/labels.js';
import { rowsOf } from '../../../src/core/rows.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';

// Rows 0-3 of patients a, a, b, c; unshuffled halves are {0, 1} and {2, 3}: nobody is torn. In thirds of 6, b is.
const judge = (groups: (string | number)[], nSplits: number) =>
  runCheck(patientOverlap, {
    X: rowsOf(groups.map((_, i) => [i])),
    y: labelsOf(groups.map((_, i) => i % 2)),
    data: { groups },
    folds: foldsOf(new KFold({ nSplits }), groups.length),
  });

describe('patientOverlap', () => {
  it('passes when every patient is whole, with the counts', async () => {
    expect(await judge(['a', 'a', 'b', 'c'], 2)).toEqual({
      code: 'CVL001',
      type: 'patient',
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
    expect(result.evidence.examples).toEqual([expect.stringMatching(/^#[0-9a-f]{8}$/)]);
    expect(JSON.stringify(result)).not.toContain('Smith');
  });
});
