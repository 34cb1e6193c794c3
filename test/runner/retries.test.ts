import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../src/core/errors.js';
import type { CVCallback, FoldContext, RunOptions } from '../../src/index.js';
import { EarlyStopping, StratifiedKFold, UniversalCVRunner } from '../../src/index.js';
import { climb } from '../helpers/scriptedAdapter.js';

const X = Array.from({ length: 40 }, (_, row) => [Math.sin(row), row % 3]);
const y = X.map(([first]) => Number(first > 0));

/** A model whose fits throw what `fault` gives for a fold and its attempt, from 0; and how often each fold was fitted. */
function flaky(fault: (fold: string, attempt: number) => unknown) {
  const fits: Record<string, number> = {};
  const model = ({ fold }: FoldContext) => ({
    share: 0,
    async fit(_X: unknown, labels: readonly number[]) {
      fits[fold] = (fits[fold] ?? 0) + 1;
      const thrown = fault(fold, fits[fold] - 1);
      if (thrown === 'hangs') await new Promise(() => undefined);
      if (thrown) throw thrown;
      this.share = labels.filter((label) => label === 1).length / labels.length;
    },
    predictProba(rows: readonly (readonly number[])[]) {
      return rows.map(([first]) => [1 - this.share * (first > 0 ? 1 : 0.5), this.share * (first > 0 ? 1 : 0.5)]);
    },
  });
  return { model, fits };
}

const run = (model: unknown, options: Partial<RunOptions> = {}) =>
  new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 4 }), verbose: 0 }).run({
    ...{ model, data: [X, y] },
    ...options,
  } as RunOptions);

describe('retries', () => {
  it('try a fold again that threw, with the outcome that it has without', async () => {
    const undisturbed = await run(flaky(() => undefined).model);
    const broken = flaky((fold, at) => (fold === 'fold-1' && at < 2 ? new Error('lost connection') : undefined));
    const starts: string[] = [];
    const ends: string[] = [];
    const watching: CVCallback = {
      onFoldStart: ({ fold }) => void starts.push(fold),
      onFoldEnd: ({ fold }) => void ends.push(fold),
    };
    const results = await run(broken.model, { retries: 2, callbacks: [watching] });
    expect(results.scores).toEqual(undisturbed.scores);
    expect(results.outOfFold).toEqual(undisturbed.outOfFold);
    expect(broken.fits).toEqual({ 'fold-0': 1, 'fold-1': 3, 'fold-2': 1, 'fold-3': 1 });
    expect(ends).toEqual(['fold-0', 'fold-1', 'fold-2', 'fold-3']);
    expect(starts.filter((fold) => fold === 'fold-1')).toHaveLength(3);
  });

  it('end after as many attempts as they say', async () => {
    const broken = flaky((fold) => (fold === 'fold-1' ? new Error('lost connection') : undefined));
    await expect(run(broken.model, { retries: 2 })).rejects.toThrow(/fold-1 failed: .*lost connection/);
    expect(broken.fits['fold-1']).toBe(3);
  });

  it('record a fold once that failed each time, and go on', async () => {
    const broken = flaky((fold) => (fold === 'fold-1' ? new Error('lost connection') : undefined));
    const results = await run(broken.model, { retries: 1, onFoldError: 'record' });
    expect(results.foldDetails.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed', 'completed']);
    expect(broken.fits).toEqual({ 'fold-0': 1, 'fold-1': 2, 'fold-2': 1, 'fold-3': 1 });
  });

  it('try a fold again that took too long', async () => {
    const hanging = flaky((fold, at) => (fold === 'fold-0' && at === 0 ? 'hangs' : undefined));
    const results = await run(hanging.model, { retries: 1, foldTimeout: 0.3 });
    expect(results.foldDetails.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
  });

  it('leave alone what would fail the same way', async () => {
    const wrong = flaky((fold) => (fold === 'fold-0' ? new InvalidDataError('X must be scaled.') : undefined));
    await expect(run(wrong.model, { retries: 3 })).rejects.toThrow('X must be scaled.');
    expect(wrong.fits['fold-0']).toBe(1);
  });

  it('leave alone a run whose callback fails', async () => {
    const { model, fits } = flaky(() => undefined);
    const failing: CVCallback = {
      onFoldStart: () => {
        throw new Error('no disk');
      },
    };
    await expect(run(model, { retries: 3, callbacks: [failing] })).rejects.toThrow('no disk');
    expect(fits).toEqual({});
  });

  it('begin anew for a callback that counts', async () => {
    const trained = async (fails: boolean) => {
      let failed = !fails;
      const logs = (epoch: number) => {
        if (failed || epoch < 3) return {};
        failed = true;
        throw new Error('lost connection');
      };
      const callbacks = [new EarlyStopping({ patience: 2 })];
      const options = { epochs: 9, validation: 0.25, callbacks, retries: 1 };
      const { results } = await climb(options, { valLoss: [3, 2, 1, 2, 2, 2], logs });
      return results.foldDetails.map(({ epochs, keptEpoch }) => ({ epochs, keptEpoch }));
    };
    // By hand: the third epoch is the best, and two more are waited for.
    expect(await trained(false)).toEqual(Array(2).fill({ epochs: 5, keptEpoch: 2 }));
    expect(await trained(true)).toEqual(await trained(false));
  });

  it('end with the signal', async () => {
    const abort = new AbortController();
    const broken = flaky((fold) => {
      if (fold !== 'fold-1') return undefined;
      abort.abort(new Error('enough'));
      return new Error('lost connection');
    });
    await expect(run(broken.model, { retries: 9, signal: abort.signal })).rejects.toMatchObject({ code: 'aborted' });
    expect(broken.fits['fold-1']).toBe(1);
  });
});
