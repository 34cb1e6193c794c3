import { describe, expect, it, vi } from 'vitest';
import { LeakageDetectionCallback } from '../../src/callbacks/leakageDetectionCallback.js';
import { LeakageError } from '../../src/core/errors.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import type { Splitter } from '../../src/splitters/splitter.js';

const X = Array.from({ length: 60 }, (_, row) => [Math.sin(row), Math.cos(3 * row)]);
const y = X.map((_, row) => row % 2);
const groups = X.map((_, row) => `patient-${row % 20}`);
const torn = () => new KFold({ nSplits: 5, shuffle: true, randomState: 1 });

async function run(callback: LeakageDetectionCallback, cvSplitter: Splitter, folds?: (number | string)[]) {
  const fit = vi.fn();
  const model = () => ({ fit, predict: (rows: unknown[]) => rows.map(() => 0) });
  const call = { model, data: [X, y, groups], metrics: ['accuracy'], callbacks: [callback], folds };
  const run = new UniversalCVRunner({ cvSplitter, verbose: 0 }).run(call as never);
  return { outcome: await run.catch((error: unknown) => error as Error), fits: fit.mock.calls.length };
}

describe('LeakageDetectionCallback', () => {
  it('judges the folds that are scored; what failed is a warning of the results', async () => {
    const callback = new LeakageDetectionCallback();
    expect(callback.report).toBeNull();
    const { outcome, fits } = await run(callback, torn());
    expect(fits).toBe(5);
    expect(callback.report?.leakageTypes).toContain('patient');
    const { metadata } = outcome as { metadata: { foldFingerprint: string; warnings: string[] } } & Error;
    expect(callback.report?.folds.fingerprint).toBe(metadata.foldFingerprint);
    expect(metadata.warnings.filter((text) => text.startsWith('CVL001 patient: 20 of 20 patients'))).toHaveLength(1);
  });

  it('judges the folds that are run, of some of them those alone', async () => {
    // Rows r, r + 20 and r + 40 are of one patient: the second fold alone tears one.
    const tests = [
      [0, 20, 40],
      [1, 21],
      [2, 22, 42],
    ];
    const folds = tests.map((test) => ({ train: X.flatMap((_, row) => (test.includes(row) ? [] : [row])), test }));
    const splitter = new PredefinedSplit({ folds });
    const judged = async (wanted?: (number | string)[]) => {
      const callback = new LeakageDetectionCallback();
      const { fits } = await run(callback, splitter, wanted);
      const found = callback.report?.checks.find(({ code }) => code === 'CVL001');
      return [fits, callback.report?.folds.nFolds, found?.status, found?.message];
    };
    expect(await judged()).toEqual([3, 3, 'failed', '1 of 20 patients is on both sides of a fold, in 1 of 3 folds.']);
    expect(await judged([2, 'fold-1'])).toEqual([
      2,
      2,
      'failed',
      '1 of 20 patients is on both sides of a fold, in 1 of 2 folds.',
    ]);
    expect(await judged([2])).toEqual([1, 1, 'passed', 'No patient is on both sides of the fold (20 patients).']);
  });

  it('is silent on whole patients', async () => {
    const callback = new LeakageDetectionCallback();
    const { outcome } = await run(callback, new GroupKFold({ nSplits: 5, randomState: 1 }));
    expect(callback.report?.leakageTypes).toEqual([]);
    const { warnings } = (outcome as unknown as { metadata: { warnings: string[] } }).metadata;
    expect(warnings.filter((warning) => warning.includes('CVL'))).toEqual([]);
  });

  it('strict ends the run before any training, with the report as the cause', async () => {
    const callback = new LeakageDetectionCallback({ strict: true });
    const { outcome, fits } = await run(callback, torn());
    expect(outcome).toBeInstanceOf(LeakageError);
    expect((outcome as Error).message).toMatch(/^The folds must not leak\. 20 of 20 patients are on both sides/);
    expect((outcome as Error).cause).toBe(callback.report);
    expect(fits).toBe(0);
    expect((await run(new LeakageDetectionCallback({ strict: true }), new GroupKFold({ randomState: 1 }))).fits).toBe(
      5,
    );
  });

  it('prints ids when asked to', async () => {
    const hidden = new LeakageDetectionCallback();
    const shown = new LeakageDetectionCallback({ revealIds: true });
    await run(hidden, torn());
    await run(shown, torn());
    expect(hidden.report?.summary()).not.toMatch(/patient-\d/);
    expect(shown.report?.summary()).toMatch(/patient-\d/);
  });
});
