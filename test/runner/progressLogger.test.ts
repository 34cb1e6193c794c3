import { describe, expect, it } from 'vitest';
import type { EpochContext, RunContext } from '../../src/runner/callback.js';
import type { FoldResult } from '../../src/runner/foldResult.js';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { furtherProgress } from '../../src/runner/listeners.js';
import { ProgressLogger } from '../../src/runner/progressLogger.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { pretendTerminal } from '../helpers/pretendTerminal.js';
import { climb } from '../helpers/scriptedAdapter.js';

const { written, pretend } = pretendTerminal();

async function run(verbose: number) {
  const { X, y } = blobs();
  await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), adapter: spyAdapter().adapter, verbose }).run({
    model: () => new NearestMean(),
    data: [X, y],
    epochs: 2,
    metrics: ['accuracy'],
  });
}

describe('ProgressLogger', () => {
  it('draws a bar that redraws itself in a terminal, and clears it at the end', async () => {
    pretend(true);
    await run(1);
    expect(written.at(-1)).toBe('\r\u001b[2K');
    expect(written.some((text) => text.includes('50 %'))).toBe(true);
    expect(written.join('')).not.toContain('\n');
  });

  it('writes one line per fold where there is no terminal', async () => {
    pretend(false);
    await run(1);
    expect(written).toHaveLength(2);
    expect(written[0]).toMatch(/^fold-0 \(1\/2\) 0\.\d s {2}accuracy 0\.\d{3}\n$/);
  });

  it('writes a line per epoch with verbose 2, and nothing with 0', async () => {
    pretend(false);
    await run(2);
    expect(written.filter((text) => /^fold-\d epoch \d\/2 {2}loss /.test(text))).toHaveLength(4);
    written.length = 0;
    await run(0);
    expect(written).toEqual([]);
  });

  it('tells inner fits', async () => {
    pretend(false);
    const logger = new ProgressLogger({ perEpoch: true });
    await logger.onCvStart({ nSplits: 2 } as RunContext);
    logger.onInnerFit({ fold: 'fold-0' } as FoldContext, { done: 1, total: 12 });
    const scores = { auc: { value: 0.8 } };
    const result = { status: 'completed', scores, seconds: 6.6, innerFits: 12 } as unknown as FoldResult;
    logger.onFoldEnd({ fold: 'fold-0' } as FoldContext, result);
    expect(written).toEqual(['fold-0 inner fit 1/12\n', 'fold-0 (1/2) 6.6 s with 12 inner fits  auc 0.800\n']);
    pretend(true);
    logger.onInnerFit({ fold: 'fold-1' } as FoldContext, { done: 6, total: 12 });
    // One fold of two, and 6 of the 13 fits of the second: 73.1 %.
    expect(written.at(-1)).toMatch(/ 73 % {2}1\/2 folds, 0\.0 s left {2}fold-1 inner fit 6\/12$/);
  });

  /** The bar after what the folds of a logger say, without what it draws. */
  const drawn = () => (written.at(-1) as string).replace(/^[\s\S]*[█░] /, '').replace(/\d+\.\d s left/, 'T left');
  async function begun(nSplits: number) {
    const logger = new ProgressLogger();
    await logger.onCvStart({ nSplits } as RunContext);
    const epoch = (fold: string, of: number) =>
      logger.onEpochEnd({ fold, epoch: of - 1, epochs: 4 } as EpochContext, { loss: 1 });
    const start = (fold: string) => logger.onFoldStart({ fold } as FoldContext);
    const end = (fold: string, more: object = {}) => {
      const result = { status: 'completed', scores: { auc: { value: 0.8 } }, seconds: 6.6, innerFits: 2, ...more };
      logger.onFoldEnd({ fold } as FoldContext, result as unknown as FoldResult);
    };
    return { logger, start, epoch, end };
  }

  it('shows which folds run where several run at once', async () => {
    pretend(true);
    const { start, epoch, end } = await begun(4);
    start('fold-0');
    expect(drawn()).toBe('0 %  0/4 folds  fold-0');
    for (const fold of ['fold-1', 'fold-2']) start(fold);
    epoch('fold-1', 2);
    expect(drawn()).toBe('13 %  0/4 folds, T left  3 running: fold-0, fold-1, fold-2');
    // Trained, but it counts only after fold-0.
    epoch('fold-1', 4);
    expect(drawn()).toBe('25 %  0/4 folds, T left  2 running: fold-0, fold-2');
    for (const fold of ['fold-0', 'fold-1']) end(fold);
    epoch('fold-2', 1);
    expect(drawn()).toBe('56 %  2/4 folds, T left  fold-2 epoch 1/4');
    for (let fold = 10; fold < 20; fold++) start(`fold-${fold}`);
    expect(drawn()).toMatch(/ 11 running: fold-2, fold-10, [\w, -]+…$/);
    expect(written.at(-1)?.replace('\r\u001b[2K', '')).toHaveLength(79);
  });

  it('counts the time that is left by the folds that are trained', async () => {
    pretend(true);
    const { start, epoch, end } = await begun(10);
    for (let fold = 0; fold < 5; fold++) end(`fold-${fold}`, { kept: true });
    expect(drawn()).toBe('50 %  5/10 folds  ');
    start('fold-5');
    expect(drawn()).toBe('50 %  5/10 folds  fold-5');
    epoch('fold-5', 2);
    expect(drawn()).toBe('55 %  5/10 folds, T left  fold-5 epoch 2/4');
  });

  it('says which fold was kept, and which is tried again', async () => {
    pretend(false);
    const { logger, start, epoch, end } = await begun(3);
    end('fold-0', { kept: true });
    for (const attempt of [1, 2]) {
      for (const done of [1, 2]) logger.onInnerFit({ fold: 'fold-1' } as FoldContext, { done, total: 2 });
      if (attempt === 2) start('fold-1');
    }
    end('fold-1');
    start('fold-2');
    epoch('fold-2', 1);
    start('fold-2');
    end('fold-2', { innerFits: 0 });
    expect(written).toEqual([
      'fold-0 (1/3) kept  auc 0.800\n',
      'fold-1 again\n',
      'fold-1 (2/3) 6.6 s with 2 inner fits  auc 0.800\n',
      'fold-2 again\n',
      'fold-2 (3/3) 6.6 s  auc 0.800\n',
    ]);
  });

  it('says so of the folds of a run', async () => {
    pretend(false);
    let fits = 0;
    const logs = () => {
      if (fits++ === 0) throw new Error('lost connection');
      return {};
    };
    await climb({ epochs: 1, retries: 1, callbacks: [new ProgressLogger()] }, { logs });
    expect(written.map((text) => text.split('  ')[0].replace(/ \d.*/, ''))).toEqual([
      'fold-0 again\n',
      'fold-0 (1/2)',
      'fold-1 (2/2)',
    ]);
  });

  it('can be used by itself', () => {
    pretend(false);
    new ProgressLogger().teardown();
    expect(written).toEqual([]);
  });
});

describe('furtherProgress', () => {
  function progressOf(isTTY: boolean, announced?: string): string[] {
    pretend(isTTY);
    const progress = furtherProgress('20 more fits for the interval', announced);
    progress.onCvStart({ nSplits: 2 });
    progress.onFoldEnd();
    progress.onFoldEnd();
    progress.onCvEnd();
    return written;
  }

  it('writes one line at the end where there is no terminal', () => {
    expect(progressOf(false)).toEqual([expect.stringMatching(/^20 more fits for the interval: 0\.\d s\n$/)]);
  });

  it('says beforehand what is given to be said', () => {
    expect(progressOf(false, 'They take long.')).toEqual(['They take long.\n', expect.stringMatching(/ s\n$/)]);
  });

  it('counts in a line that redraws itself in a terminal', () => {
    const lines = progressOf(true).map((text) => text.replace('\r\u001b[2K', ''));
    const title = '20 more fits for the interval';
    expect(lines.slice(0, 3)).toEqual([`${title}: 0/2`, `${title}: 1/2`, `${title}: 2/2`]);
    expect(lines[3]).toMatch(/: 0\.\d s\n$/);
  });
});
