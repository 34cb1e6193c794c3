import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { balanceChecks, leakageChecks } from '../../src/checkers/builtInChecks.js';
import type { Check, Finding } from '../../src/checkers/check.js';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { BUILT_IN_NAMES, unregisterCheck } from '../../src/checkers/registry.js';
import { CVKitValidator, KFold, LeakageDetectionCallback, registerCheck, UniversalCVRunner } from '../../src/index.js';
import { failure, rejection } from '../helpers/failure.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

const { X, y } = blobs(60);
const environment = { temperature: X.map((_, row) => (row < 30 ? 20 : 35)) };

/** A check of a user's own, with details of its own, in one piece. */
type DeviceDetails = { readonly warmest: number; readonly examples?: readonly { readonly row: number }[] };
const deviceHeat: Check<DeviceDetails> = {
  code: 'LAB001',
  type: 'device_heat',
  kind: 'leakage',
  cost: 'fast',
  page: 'https://example.org/lab001',
  description: 'The device was too warm for some rows.',
  needs: ['environment'],
  assess({ data: { environment: { temperature = [] } = {} }, folds }) {
    const warm = Array.from(temperature).flatMap((value, row) => (value > 30 ? [row] : []));
    const warmest = Math.max(...Array.from(temperature));
    if (warm.length === 0)
      return { status: 'passed', severity: 'none', message: 'It was cool.', evidence: { warmest }, fix: '' };
    return {
      status: 'failed',
      severity: 'high',
      message: `${warm.length} rows were measured at up to ${warmest} degrees.`,
      evidence: { warmest, examples: warm.slice(0, 2).map((row) => ({ row })) },
      concerns: { count: warm.length, of: folds.n, unit: 'row' },
      fix: 'Measure these rows again.',
    };
  },
};

const validate = (given: object = {}, options: object = {}) =>
  new CVKitValidator({ nBootstrap: 100, metrics: ['accuracy'], ...options }).validate({
    model: () => new NearestMean(),
    X,
    y,
    adapter: spyAdapter().adapter,
    verbose: 0,
    ...given,
  });

afterEach(() => {
  for (const code of ['LAB001', 'LAB002']) unregisterCheck(code);
});

describe('registerCheck', () => {
  it('has the check made, and shown in the summary, the reports and JSON, as ours are', async () => {
    expect(registerCheck(deviceHeat)).toBe(deviceHeat);
    const result = await validate({ environment });
    expect(result.checks.find(({ code }) => code === 'LAB001')).toMatchObject({
      type: 'device_heat',
      kind: 'leakage',
      status: 'failed',
      page: 'https://example.org/lab001',
      evidence: { warmest: 35, examples: [{ row: 30 }, { row: 31 }] },
    });
    expect(result.overallStatus).toBe('failed');
    expect(result.verdict.text).toContain('LAB001 device_heat (high), 30 of 60 rows');
    expect(result.leakageReport?.leakageTypes).toContain('device_heat');
    const message = '30 rows were measured at up to 35 degrees.';
    for (const text of [result.summary(), result.toMarkdown(), await result.toHTML()]) {
      const plain = text.replace(/\s+/g, ' ').replaceAll('\\', '');
      expect(plain).toContain('LAB001');
      expect(plain).toContain(message);
    }
    expect(JSON.stringify(result.toJSON())).toContain(`"code":"LAB001"`);
    expect(result.recommendations).toContain('Measure these rows again.');
  });

  it('has it named by code and by type, and left open without its input', async () => {
    registerCheck(deviceHeat);
    const checker = new DataLeakageChecker();
    for (const name of ['LAB001', 'device_heat']) {
      const { checks, hasLeakage } = await checker.check(X, y, { environment, only: [name] });
      expect([checks.map(({ code }) => code), hasLeakage]).toEqual([['LAB001'], true]);
    }
    const [open] = (await checker.check(X, y, { only: ['LAB001'] })).checks;
    expect(open).toMatchObject({ status: 'not_evaluated', fix: 'Pass `environment`.' });
    expect(await rejection(checker.check(X, y, { only: ['LAB009'] }))).toMatch(
      /Got .LAB009. in place 0\. Known: patient, .*, device_heat\./,
    );
    const off = await validate({}, { checkLeakage: false });
    expect(off.checks.find(({ code }) => code === 'LAB001')?.status).toBe('not_evaluated');
  });

  it('is made by the callback, too', async () => {
    registerCheck({ ...deviceHeat, needs: [], assess: () => ({ ...SILENT, message: 'Made.' }) });
    const leakage = new LeakageDetectionCallback();
    const { adapter } = spyAdapter();
    await new UniversalCVRunner({ cvSplitter: new KFold(), adapter, verbose: 0 }).run({
      model: () => new NearestMean(),
      data: [X, y],
      callbacks: [leakage],
    });
    expect(leakage.report?.checks.at(-1)).toMatchObject({ code: 'LAB001', message: 'Made.' });
  });

  it('makes a crash, and what no check says, an error and never a pass', async () => {
    const messages: string[] = [];
    for (const assess of [
      () => Promise.reject(new Error('boom')),
      () => ({ ...SILENT, status: 'fine' }),
      () => ({ ...SILENT, severity: 'bad' }),
      () => ({ ...SILENT, evidence: null }),
      () => undefined,
    ]) {
      registerCheck({ ...deviceHeat, needs: [], assess } as never as Check);
      const { checks, overallStatus } = await new DataLeakageChecker().check(X, y, { only: ['LAB001'] });
      unregisterCheck('LAB001');
      expect([checks[0].status, overallStatus]).toEqual(['error', 'needs_review']);
      messages.push(checks[0].message);
    }
    expect(messages).toEqual([
      expect.stringMatching(/device_heat.*boom/),
      expect.stringMatching(/status.*'fine'/),
      expect.stringMatching(/`severity`.*'bad'/),
      expect.stringMatching(/`evidence`.*null/),
      expect.stringMatching(/status.*undefined/),
    ]);
  });

  it('can be one of balance', async () => {
    const size: Finding = {
      ...SILENT,
      status: 'needs_review',
      severity: 'low',
      message: 'Few rows.',
      fix: 'Add some.',
    };
    registerCheck({ ...deviceHeat, kind: 'balance', needs: ['y'], assess: () => size });
    const result = await validate();
    const own = ({ checks }: typeof result) => checks.find(({ code }) => code === 'LAB001');
    expect(own(result)).toMatchObject({ kind: 'balance', status: 'needs_review' });
    expect(result.leakageReport?.checks.some(({ code }) => code === 'LAB001')).toBe(false);
    expect(own(await validate({}, { checkBalance: false }))?.status).toBe('not_evaluated');
  });
});

describe('the `checks` of a checker', () => {
  it('are made after ours by that checker alone', async () => {
    const checker = new DataLeakageChecker({ checks: [deviceHeat as Check] });
    const { checks } = await checker.check(X, y, { environment });
    expect(checks.map(({ code }) => code)).toEqual([...leakageChecks.map(({ code }) => code), 'LAB001']);
    expect((await new DataLeakageChecker().check(X, y, { environment })).checks).toHaveLength(leakageChecks.length);
    const { checks: ofRun } = await validate({ leakageChecker: checker });
    expect(ofRun.some(({ code }) => code === 'LAB001')).toBe(true);
  });

  it('are refused as registered ones are', () => {
    const twice = [deviceHeat as Check, { ...deviceHeat, code: 'LAB002' } as Check];
    expect(failure(() => new DataLeakageChecker({ checks: twice }))).toMatch(/^duplicate_name: The `type` of a check/);
  });
});

it('every built-in check has its page', () => {
  for (const { code, page = '' } of [...leakageChecks, ...balanceChecks]) {
    expect(page).toBe(`docs/checks/${code}.md`);
    expect([code, existsSync(page)]).toEqual([code, true]);
  }
});

it('the names of the built-in checks are theirs', () => {
  const names = Object.fromEntries([...leakageChecks, ...balanceChecks].map(({ code, type }) => [code, type]));
  // Two more train models: `identityConfounding` and `labelPermutationGap`.
  const { CVL013, CVL014, ...others } = BUILT_IN_NAMES;
  expect(others).toEqual(names);
});

const SILENT = { status: 'passed', severity: 'none', message: '', evidence: {}, fix: '' } as const;
