import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/checkers/check.js';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { acknowledgedIn, raising } from '../../src/checkers/raiseOn.js';
import { LeakageError } from '../../src/core/errors.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { failure } from '../helpers/failure.js';

const statuses: Record<string, CheckResult['status']> = {
  CVL001: 'failed',
  CVL002: 'needs_review',
  CVL003: 'passed',
  CVL004: 'not_evaluated',
  CVL005: 'error',
};
const types = ['patient', 'duplicate', 'near_duplicate', 'temporal', 'feature_statistics'];
const SILENT = { kind: 'leakage', severity: 'none', message: '', evidence: {}, fix: '' } as const;
const results = Object.entries(statuses).map(
  ([code, status], at): CheckResult => ({ ...SILENT, code, type: types[at], status }),
);

describe('acknowledgedIn', () => {
  it('knows the checks of the result, which come later, and lists them for a name that none has', () => {
    expect(acknowledgedIn('validate', { CVR002: 'a', few_events: 'b' }, results).unused).toEqual([]);
    expect(() => acknowledgedIn('validate', { nothing_like_it: 'a' }, results)).toThrow(/deviating_fold.*few_events/);
    expect(() => acknowledgedIn('validate', { cvr002: 'a' }, results)).toThrow(/CVR002/);
  });

  it('says why words have no effect, and names the way out in the fix of what asks', () => {
    const silent = { ...results[3], code: 'CVL006', type: 'spatial', notDetectable: true } as const;
    const words = { CVL001: 'a', CVL003: 'b', CVL004: 'c', CVL006: 'd' };
    const { results: found, unused } = acknowledgedIn('validate', words, [...results, silent]);
    const coded = (is: (result: CheckResult) => boolean) => found.filter(is).map(({ code }) => code);
    expect(coded(({ acknowledged }) => acknowledged === 'c')).toEqual(['CVL004']);
    expect(coded(({ acknowledged }) => acknowledged !== undefined)).toEqual(['CVL004']);
    expect(coded(({ fix }) => fix.includes('`acknowledged: { CVL002: '))).toEqual(['CVL002']);
    expect(unused).toEqual([
      '`acknowledged` has no effect on CVL001: its status is failed, which cannot be acknowledged.',
      '`acknowledged` has no effect on CVL003: its status is passed.',
      '`acknowledged` has no effect on CVL006: its status is not_evaluated because data like these cannot show it, which does not hold the verdict up.',
    ]);
  });
});

const raised = (...names: string[]) => raising('`raiseOn`', names, results).map(({ code }) => code);

const X = Array.from({ length: 60 }, (_, row) => [Math.sin(row * 7.3), Math.cos(row ** 2)]);
const y = X.map((_, row) => row % 2);
const groups = X.map((_, row) => row >> 1);

describe('raiseOn', () => {
  it('raises for the named checks that failed or could not be completed, and for more where that is said', () => {
    expect(raised()).toEqual(['CVL001', 'CVL005']);
    expect(raised('patient')).toEqual(['CVL001']);
    expect(raised('CVL002', 'near_duplicate', 'temporal')).toEqual([]);
    expect(raised('CVL002', 'needs_review')).toEqual(['CVL002']);
    expect(raised('needs_review')).toEqual(['CVL001', 'CVL005', 'CVL002']);
    expect(raised('temporal', 'not_evaluated')).toEqual(['CVL004']);
    const beyond = results.map((each) => ({ ...each, notDetectable: true as const }));
    expect(raising('', ['not_evaluated', 'temporal'], beyond)).toEqual([]);
  });

  it('refuses a name that is none with the nearest one', () => {
    expect(failure(() => raised('CVL001', 'duplicates'))).toMatch(
      /^invalid_option: .*`raiseOn`.*'duplicates'.*1.*'duplicate'/,
    );
    for (const [name, known] of [
      ['cvl001', 'CVL001'],
      [' Patient', 'patient'],
      ['Needs_Review', 'needs_review'],
    ]) {
      expect(failure(() => raised(name))).toMatch(new RegExp(`Did you mean '${known}'\\?$`));
    }
    expect(failure(() => raised('passed'))).toMatch(/^invalid_option: .*`raiseOn`.*'passed'.*0/);
  });

  it('ends a check with the report, whoever is asked', async () => {
    const checker = new DataLeakageChecker();
    const asked = { groups, randomState: 1 };
    const [train, test] = [X.slice(0, 31), X.slice(31)];
    const sets = { patientIdsTrain: groups.slice(0, 31), patientIdsTest: groups.slice(31) };
    for (const call of [
      () => checker.check(X, y, { ...asked, raiseOn: ['patient'] }),
      () => checker.comprehensiveCheck(X, y, { ...asked, raiseOn: ['CVL001'] }),
      () => checker.checkCvSplits(train, test, { ...sets, raiseOn: ['patient'] }),
      () => validated({ raiseOn: ['patient'] }),
    ]) {
      const error = await call().then(
        () => undefined,
        (thrown: LeakageError) => thrown,
      );
      expect(error).toBeInstanceOf(LeakageError);
      expect(error?.message).toContain('The folds must not leak.');
      expect(error?.cause?.checks.find(({ code }) => code === 'CVL001')?.status).toBe('failed');
    }
    expect((await checker.check(X, y, { ...asked, raiseOn: ['duplicate'] })).hasLeakage).toBe(true);
    expect((await validated({ raiseOn: ['temporal'] })).leakageReport?.hasLeakage).toBe(true);
  });
});

const validated = (options: object, settings: object = {}) =>
  new CVKitValidator({ method: 'kfold', nSplits: 3, returnConfidenceIntervals: false, ...settings }).validate({
    model: () => new LogisticRegression(),
    X,
    y,
    groups,
    verbose: 0,
    ...options,
  });
