import { describe, expect, it } from 'vitest';
import type { RunContext } from '../../src/runner/callback.js';
import type { FoldResult } from '../../src/runner/foldResult.js';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { furtherProgress } from '../../src/runner/listeners.js';
import { ProgressLogger } from '../../src/runner/progressLogger.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { pretendTerminal } from '../helpers/pretendTerminal.js';

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
    expect(written.at(-1)).toContain('73 %  fold-1 inner fit 6/12');
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
