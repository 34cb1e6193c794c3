import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/checkers/check.js';
import { verdictOf } from '../../src/checkers/verdict.js';
import type { CheckStatus, Severity } from '../../src/core/checkOutcome.js';

const check = (status: CheckStatus, type = 'x', more: Partial<CheckResult> = {}) => ({
  code: 'CVL999',
  type,
  status,
  severity: 'none' as Severity,
  ...more,
});

describe('verdictOf', () => {
  it.each<[CheckStatus[], string]>([
    [[], 'not_fully_verified'],
    [['passed', 'not_applicable'], 'passed'],
    [['passed', 'not_evaluated'], 'not_fully_verified'],
    [['passed', 'error', 'not_evaluated'], 'needs_review'],
    [['needs_review', 'passed'], 'needs_review'],
    [['failed', 'needs_review', 'error', 'not_evaluated'], 'failed'],
    [['passed', 'warn' as CheckStatus], 'needs_review'],
  ])('of %j is %s', (statuses, status) => {
    expect(verdictOf(statuses.map((each) => check(each))).status).toBe(status);
  });

  it.each<[CheckStatus[], string]>([
    [['passed'], 'passed_with_acknowledgements'],
    [['passed', 'not_evaluated'], 'not_fully_verified'],
    [['needs_review'], 'needs_review'],
    [['failed'], 'failed'],
  ])('with a finding that the author acknowledges beside %j is %s', (statuses, status) => {
    const standing = check('needs_review', 'class_balance', { code: 'CVB001', acknowledged: 'rare by design' });
    const { authorsWord, ...verdict } = verdictOf([...statuses.map((each) => check(each)), standing]);
    expect(verdict.status).toBe(status);
    expect(authorsWord).toEqual(['CVB001: rare by design']);
    expect(verdict.text.includes('rare by design')).toBe(status === 'passed_with_acknowledgements');
  });

  it('names the worst finding with its share: by severity first, then by the share of the data', () => {
    const row = (count: number) => ({ count, of: 1148, unit: 'row' });
    const small = check('failed', 'duplicate', { code: 'CVL002', severity: 'high', concerns: row(6) });
    const large = check('failed', 'near_duplicate', { code: 'CVL003', severity: 'high', concerns: row(664) });
    const shift = check('failed', 'feature_statistics', { severity: 'medium', concerns: row(1148) });
    expect(verdictOf([small, check('passed')])).toEqual({
      status: 'failed',
      text: 'FAILED: CVL002 duplicate (high), 6 of 1,148 rows',
      worst: { code: 'CVL002', type: 'duplicate', status: 'failed', severity: 'high' },
      concerns: row(6),
      open: [],
      authorsWord: [],
    });
    expect(verdictOf([shift, small, large, check('needs_review'), check('not_evaluated', 'temporal')]).text).toBe(
      'FAILED: CVL003 near_duplicate (high), 664 of 1,148 rows; also duplicate, feature_statistics; 1 check not evaluated',
    );
  });

  it('says what asks for a look, what could not be completed, and which folds failed', () => {
    const look = check('needs_review', 'identifier', {
      severity: 'low',
      concerns: { count: 1, of: 30, unit: 'feature' },
    });
    expect(verdictOf([look]).text).toBe('NEEDS REVIEW: CVL999 identifier (low), 1 of 30 features');
    expect(verdictOf([check('error', 'spatial_proximity')]).text).toBe(
      'NEEDS REVIEW: CVL999 spatial_proximity could not be completed',
    );
    expect(verdictOf([check('passed')], { foldsFailed: 1 })).toMatchObject({
      status: 'needs_review',
      text: 'NEEDS REVIEW: 1 fold failed',
      worst: null,
    });
    expect(verdictOf([look], { foldsFailed: 2 })).toMatchObject({
      text: 'NEEDS REVIEW: 2 folds failed; also identifier',
      worst: { type: 'identifier' },
    });
    expect(verdictOf([check('failed')], { foldsFailed: 2 }).status).toBe('failed');
  });

  it('says first that no fold gave a result, with the first error, whatever the checks found', () => {
    const ran = { foldsFailed: 5, foldsRun: 5, nSplits: 5, firstError: 'Fold fold-0 failed: out of memory' };
    const text = 'FAILED: no fold gave a result: Fold fold-0 failed: out of memory';
    expect(verdictOf([check('passed'), check('not_evaluated', 'temporal')], ran)).toMatchObject({
      status: 'failed',
      text,
      worst: null,
      open: ['temporal'],
    });
    expect(verdictOf([check('failed', 'duplicate')], ran)).toMatchObject({ text, worst: { type: 'duplicate' } });
    expect(verdictOf([], ran).text).toBe(text);
    expect(verdictOf([check('passed')], { ...ran, foldsFailed: 4 }).status).toBe('needs_review');
  });

  it('names what was not made, and passes where nothing that applies is left', () => {
    const open = ['a', 'b', 'c', 'd'].map((type) => check('not_evaluated', type));
    expect(verdictOf([check('passed'), ...open])).toMatchObject({
      text: 'NOT FULLY VERIFIED: 4 of 5 checks not evaluated (a, b, c and 1 more)',
      open: ['a', 'b', 'c', 'd'],
    });
    expect(verdictOf([check('passed')]).text).toBe('PASSED: every check that applies was made and passed');
    expect(verdictOf([]).text).toBe('NOT FULLY VERIFIED: no check was made');
    const beyond = check('not_evaluated', 'near_duplicate', { notDetectable: true });
    expect(verdictOf([check('passed'), beyond])).toMatchObject({
      status: 'passed',
      text: 'PASSED: every check that applies was made and passed; not detectable in data like these: near_duplicate',
      open: [],
    });
  });

  it('says whose checks these were, where a checker of the caller made them', () => {
    const theirs = check('passed', 'patient', { madeBy: 'leakageChecker' });
    expect(verdictOf([theirs, check('passed')])).toMatchObject({
      status: 'passed',
      text: "PASSED: every check that was made passed; 1 of 2 checks (patient) was made by the `leakageChecker` that was given, not by cvkit (the author's word)",
      authorsWord: ['leakageChecker'],
    });
    expect(verdictOf([theirs, { ...theirs, status: 'failed' }]).text).toBe(
      "FAILED: CVL999 patient; 2 of 2 checks (patient, patient) were made by the `leakageChecker` that was given, not by cvkit (the author's word)",
    );
  });

  it('is not passed where the model is fixed: nobody knows what it was trained on', () => {
    const passed = { code: 'CVL001', type: 'patient', status: 'passed', severity: 'none' } as const;
    expect(verdictOf([passed], { fixedModel: 'a GraphModel can only predict' })).toMatchObject({
      status: 'not_fully_verified',
      text: 'NOT FULLY VERIFIED: the model is fixed and may have been trained on these rows',
    });
    expect(verdictOf([passed], { fixedModel: null, trainedBefore: null }).status).toBe('passed');
    expect(verdictOf([passed], { trainedBefore: 'the model predicted before its first fit' })).toMatchObject({
      status: 'not_fully_verified',
      text: 'NOT FULLY VERIFIED: the model may have been trained on these rows (the model predicted before its first fit)',
    });
  });
});
