import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/checkers/check.js';
import { checkInput } from '../../src/checkers/checkInput.js';
import { LeakageReport } from '../../src/checkers/leakageReport.js';
import { verdictOf } from '../../src/checkers/verdict.js';
import type { CheckStatus } from '../../src/core/checkOutcome.js';
import { rowsOf } from '../../src/data/rows.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { failure } from '../helpers/failure.js';

const input = checkInput({ X: rowsOf([[1], [2], [3], [4]]), data: {}, folds: foldsOf(new KFold({ nSplits: 2 }), 4) });
const result = (type: string, status: CheckStatus, more: Partial<CheckResult> = {}): CheckResult => ({
  code: 'CVL999',
  type,
  kind: 'leakage',
  status,
  severity: 'none',
  message: `About ${type}.`,
  evidence: {},
  fix: '',
  ...more,
});
const examples = [{ fold: 'fold-0', train: 3, test: 17, patient: '#1a2b3c4d' }];
const torn = result('patient', 'failed', { severity: 'high', fix: 'Keep patients whole.', evidence: { examples } });
const copies = result('duplicate', 'failed', { severity: 'critical', fix: 'Keep patients whole.' });
const open = result('temporal', 'not_evaluated', { fix: 'Pass `timestamps`.' });

describe('LeakageReport', () => {
  it('speaks of failed checks alone, with the worst severity', () => {
    const { hasLeakage, severity, leakageTypes, recommendations } = new LeakageReport([torn, copies, open], input);
    expect({ hasLeakage, severity, leakageTypes, recommendations }).toEqual({
      hasLeakage: true,
      severity: 'critical',
      leakageTypes: ['patient', 'duplicate'],
      recommendations: ['Keep patients whole.'],
    });
    const shift = result('feature_statistics', 'needs_review', { kind: 'shift', severity: 'low' });
    const silent = new LeakageReport([shift, open], input);
    expect([silent.hasLeakage, silent.severity, silent.leakageTypes]).toEqual([false, 'none', []]);
  });

  it('summary says the folds, what failed with evidence and what to do, and what to pass', () => {
    const passed = result('hierarchical', 'passed');
    expect(new LeakageReport([torn, passed, open], input, { note: 'plain folds' }).summary()).toMatchInlineSnapshot(`
      "Leakage checks: FAILED: CVL999 patient (high); 1 check not evaluated

        Folds   KFold({ nSplits: 2, shuffle: false }), 2 folds of 4 rows (plain folds)
        Design  iid, since nothing says otherwise

        CVL999 patient: failed. About patient.
          fold-0, training row 3, test row 17, patient #1a2b3c4d
          Fix: Keep patients whole.
        CVL999 hierarchical: passed. About hierarchical.
        Not evaluated: temporal (pass \`timestamps\`)."
    `);
    const late = result('spatial_proximity', 'not_evaluated', { fix: open.fix });
    expect(new LeakageReport([open, late], input).summary()).toContain(
      'Not evaluated: temporal, spatial_proximity (pass `timestamps`).',
    );
    const note = 'nobody named folds, so these plain shuffled ones were judged, which most people would have used';
    const lines = new LeakageReport([torn], input, { note }).summary().split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(110);
    expect(lines[3]).toMatch(/^ {10}\S/);
    expect(new LeakageReport([torn, passed, open], input, { all: false }).summary()).not.toContain(
      'About hierarchical',
    );
  });

  it('begins with the verdict, which is that of the validation', () => {
    const report = new LeakageReport([copies, open], input);
    expect(report.verdict).toEqual(verdictOf([copies, open]));
    expect(report.overallStatus).toBe('failed');
    expect(report.summary().split('\n')[0]).toBe(`Leakage checks: ${report.verdict.text}`);
  });

  it('JSON holds plain values; what a check threw is told by its message', () => {
    const crashed = result('patient', 'error', { cause: new Error('boom') });
    const json = new LeakageReport([crashed], input).toJSON();
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    expect(JSON.stringify(json)).not.toContain('cause');
  });
});

describe('refuse', () => {
  it('ends on what failed and says what to do', () => {
    expect(() => new LeakageReport([open], input).refuse()).not.toThrow();
    expect(failure(() => new LeakageReport([torn, copies], input).refuse())).toMatch(/^leakage: .*patient.*duplicate/);
  });

  it('names what the check is about, where that is not the folds', () => {
    for (const [type, must] of [
      ['feature_target', 'No feature may give y away.'],
      ['preprocessing', 'X must not be prepared over all rows.'],
      ['duplicate', 'The folds must not leak.'],
    ]) {
      const report = new LeakageReport([result(type, 'failed')], input);
      expect(failure(() => report.refuse())).toContain(`leakage: ${must} About ${type}.`);
    }
  });

  it('lets nothing through that was not judged: a check that crashed ends it, too', () => {
    const crashed = result('patient', 'error', { cause: new Error('boom') });
    expect(failure(() => new LeakageReport([open, crashed], input).refuse())).toMatch(
      /^leakage: Every check must be completed\. About patient\./,
    );
  });
});
