import { beforeAll, describe, expect, it } from 'vitest';
import type { CheckResult, CheckStatus } from '../../src/checkers/check.js';
import type { CVResults } from '../../src/runner/cvResults.js';
import { type Manifest, ValidationResult } from '../../src/validator/validationResult.js';
import { someResult } from '../helpers/result.js';

let result: ValidationResult;
beforeAll(async () => {
  result = await someResult();
});

const verdict = (statuses: readonly CheckStatus[], foldsFailed = 0) =>
  new ValidationResult({
    cv: { metadata: { foldsFailed } } as CVResults,
    confidenceIntervals: {},
    averages: {},
    baseline: null,
    bootstrapEstimates: null,
    leakageReport: null,
    balance: null,
    checks: statuses.map((status): CheckResult => ({ ...result.checks[0], status, fix: `mend ${status}` })),
    manifest: {} as Manifest,
  });

describe('overallStatus', () => {
  it('is that of the checks, and never passed with a failed fold', () => {
    expect(verdict(['passed']).overallStatus).toBe('passed');
    expect(verdict(['passed'], 1).overallStatus).toBe('needs_review');
    expect(verdict(['failed'], 1).overallStatus).toBe('failed');
  });

  it('recommends what the checks that did not pass advise', () => {
    expect(verdict(['passed', 'failed', 'needs_review']).recommendations).toEqual(['mend failed', 'mend needs_review']);
  });
});

describe('forms', () => {
  it('JSON holds plain values and everything but the models', () => {
    const json = result.toJSON();
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining(['scores', 'confidenceIntervals', 'checks', 'manifest', 'outOfFold']),
    );
    expect(json).not.toHaveProperty('models');
  });

  it('text, Markdown and HTML come from the same result', async () => {
    for (const form of [result.summary(), result.toMarkdown(), await result.toHTML()]) {
      expect(form).toContain('FAILED: at least one check failed');
    }
  });
});
