/** Checks before the first fold announce themselves: hooks and events at once, a line once they take long. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LeakageDetectionCallback } from '../../src/callbacks/leakageDetectionCallback.js';
import type { CheckStart, CVCallback } from '../../src/runner/callback.js';
import { checkProgress } from '../../src/runner/listeners.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { blobs, NearestMean } from '../helpers/nearestMean.js';
import { pretendTerminal } from '../helpers/pretendTerminal.js';

const { X, y } = blobs();
const model = () => new NearestMean();
const validator = (options = {}) => new CVKitValidator({ nSplits: 3, returnConfidenceIntervals: false, ...options });

/** A callback that writes down which moments come before the first fold. */
function recorder() {
  const moments: string[] = [];
  const checks: CheckStart[] = [];
  const callback: CVCallback = {
    onCheckStart(check) {
      checks.push(check);
      moments.push('check');
    },
    onCvStart: () => void moments.push('cvStart'),
    onFoldStart: () => void moments.push('foldStart'),
  };
  return { moments, checks, callback };
}

describe('onCheckStart', () => {
  it('comes before each check of `validate`, in order, and before `onCvStart`', async () => {
    const { moments, checks, callback } = recorder();
    const result = await validator().validate({ model, X, y, callbacks: callback, verbose: 0 });
    // Those of the result come after training.
    const before = result.checks.filter(({ kind }) => kind !== 'result');
    const made = before.map(({ code, type }, done) => ({ code, type, done, nChecks: before.length }));
    expect(checks).toEqual(made);
    expect(moments.slice(0, made.length + 2)).toEqual([...made.map(() => 'check'), 'cvStart', 'foldStart']);
  });

  it('counts the checks that are made: none, those of balance, a checker of the caller', async () => {
    const started = async (options: object, call: object = {}) => {
      const { checks, callback } = recorder();
      await validator(options).validate({ model, X, y, callbacks: callback, verbose: 0, ...call });
      return checks.map(({ code, done, nChecks }) => [code, done, nChecks]);
    };
    const off = { checkLeakage: false, checkBalance: false };
    expect(await started(off)).toEqual([]);
    expect(await started({ ...off, checkBalance: true })).toEqual([['CVB001', 0, 1]]);
    expect(await started({}, { leakageChecker: { assess: () => [] } })).toEqual([
      ['CVL000', 0, 2],
      ['CVB001', 1, 2],
    ]);
  });

  it('is the event check:start of the runner, for checks of LeakageDetectionCallback', async () => {
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0 });
    const events: string[] = [];
    runner.on('check:start', ({ code, done, nChecks }) => events.push(`${code} ${done}/${nChecks}`));
    runner.on('fold:start', () => events.push('fold'));
    const leakage = new LeakageDetectionCallback();
    await runner.run({ model, data: [X, y], callbacks: leakage });
    const checks = leakage.report?.checks ?? [];
    expect(events).toEqual([...checks.map(({ code }, at) => `${code} ${at}/${checks.length}`), 'fold', 'fold', 'fold']);
  });

  it('that throws ends the run, and the error names it', async () => {
    const callback = {
      name: 'mine',
      onCheckStart() {
        throw new Error('no');
      },
    };
    await expect(validator().validate({ model, X, y, callbacks: callback, verbose: 0 })).rejects.toThrow(
      'The onCheckStart hook of the callback mine must not throw. Got: no',
    );
  });
});

describe('the line of a run that is not silent', () => {
  const { written, pretend } = pretendTerminal();
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const start = (type: string, done: number) => ({ code: 'CVL000', type, done, nChecks: 3 });

  it('is written once, after two seconds, with the check at hand, and ends with the time', () => {
    pretend(false);
    const progress = checkProgress();
    progress.onCheckStart(start('patient', 0));
    vi.advanceTimersByTime(1999);
    progress.onCheckStart(start('near_duplicate', 1));
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(written).toEqual(['checks: near_duplicate (2/3)\n']);
    progress.onCheckStart(start('temporal', 2));
    vi.advanceTimersByTime(8000);
    progress.onCvStart();
    progress.teardown();
    expect(written.slice(1).join('')).toMatch(/^checks: 10(\.0)? s\n$/);
  });

  it('redraws itself in a terminal', () => {
    pretend(true);
    const progress = checkProgress();
    progress.onCheckStart(start('patient', 0));
    vi.advanceTimersByTime(2000);
    progress.onCheckStart(start('near_duplicate', 1));
    progress.teardown();
    expect(written.join('')).toContain('checks: patient (1/3)');
    expect(written.join('')).toContain('checks: near_duplicate (2/3)');
    expect(written.filter((text) => text.endsWith('\n'))).toHaveLength(1);
  });

  it('does not come where checks are quick, and no timer stays', () => {
    const progress = checkProgress();
    progress.onCheckStart(start('patient', 0));
    progress.onCvStart();
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
