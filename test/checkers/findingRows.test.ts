import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/checkers/check.js';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { findingRows } from '../../src/checkers/findingRows.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { failure } from '../helpers/failure.js';

const result = (more: Partial<CheckResult>): CheckResult => ({
  code: 'CVL001',
  type: 'patient',
  kind: 'leakage',
  status: 'failed',
  severity: 'critical',
  message: 'Torn.',
  evidence: {},
  fix: 'Mend.',
  ...more,
});

describe('findingRows', () => {
  it('gives a row for each example, failed checks first', () => {
    const near = result({
      code: 'CVL003',
      status: 'needs_review',
      evidence: {
        examples: [
          { fold: 'fold-1', train: 4, test: 2, similarity: 0.99 },
          { feature: 'age\u001b[2J', score: NaN },
        ],
      },
    });
    const torn = result({
      fold: 'fold-0',
      concerns: { count: 6, of: 1148, unit: 'row' },
      evidence: { examples: [{ fold: 'fold-0', train: 0, test: 9, patient: 'P-17' }] },
    });
    const rows = findingRows([result({ status: 'passed' }), near, torn]);
    expect(rows).toEqual([
      {
        check: 'CVL001',
        type: 'patient',
        kind: 'leakage',
        status: 'failed',
        severity: 'critical',
        fold: 'fold-0',
        trainRow: 0,
        testRow: 9,
        feature: null,
        score: null,
        scoreName: null,
        count: 6,
        of: 1148,
        unit: 'row',
        message: 'Torn.',
        fix: 'Mend.',
      },
      expect.objectContaining({
        check: 'CVL003',
        fold: 'fold-1',
        trainRow: 4,
        testRow: 2,
        score: 0.99,
        scoreName: 'similarity',
      }),
      expect.objectContaining({ check: 'CVL003', fold: null, trainRow: null, score: null, scoreName: null }),
    ]);
    // Names of columns may hold anything, ids of patients are left out.
    expect(rows.map(({ feature }) => feature)).toEqual([null, null, 'age\\u001b[2J']);
    expect(JSON.stringify(rows)).not.toContain('P-17');
  });

  it('has one row for a finding without examples, and for what is silent when all are asked for', () => {
    const checks = [result({ status: 'error' }), result({ status: 'passed' }), result({ status: 'not_evaluated' })];
    expect(findingRows(checks).map(({ status }) => status)).toEqual(['error']);
    const all = findingRows(checks, { all: true });
    expect(all.map(({ status }) => status)).toEqual(['error', 'passed', 'not_evaluated']);
    // A check of anyone's may call anything examples.
    for (const examples of [7, [], [null, 'text'], {}])
      expect(findingRows([result({ evidence: { examples } })])).toHaveLength(1);
    expect(failure(() => findingRows(checks, { every: true } as never))).toContain('toRows has no option `every`');
  });

  it('reads what the checks of cvkit say, in plain values alone', async () => {
    const X = Array.from({ length: 60 }, (_, row) => ({
      copy: row % 2 ? 1 : 0,
      a: Math.sin((row % 50) * 7.3),
      b: Math.cos((row % 50) ** 2),
      c: Math.sin((row % 50) ** 3 / 7),
    }));
    const y = X.map(({ copy }) => copy);
    const groups = X.map((_, row) => `patient ${Math.floor(row / 2)}`);
    const report = await new DataLeakageChecker({ revealIds: true }).check(X, y, {
      groups,
      timestamps: X.map((_, row) => row),
      design: 'prospective',
      cv: new KFold({ nSplits: 4, shuffle: true, randomState: 1 }),
    });
    const rows = report.toRows();
    const of = (code: string) => rows.filter(({ check }) => check === code);
    expect(of('CVL001').length).toBe(5);
    expect(of('CVL001')[0].testRow).toEqual(expect.any(Number));
    expect(of('CVL004')[0]).toMatchObject({ status: 'failed', scoreName: 'timeUnits' });
    expect(of('CVL009')[0]).toMatchObject({ status: 'failed', feature: 'copy', scoreName: 'score' });
    for (const value of rows.flatMap((row) => Object.values(row))) {
      expect(value === null || ['string', 'number'].includes(typeof value)).toBe(true);
    }
    expect(JSON.stringify(rows)).not.toContain('patient 1');
    expect(report.toRows({ all: true }).length).toBeGreaterThan(rows.length);
  });
});
