/** What is said where a number would otherwise be read for more than it is. */
import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { ProgressLogger } from '../../src/runner/progressLogger.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { TPESampler } from '../../src/tuning/samplers/tpeSampler.js';
import { pretendTerminal } from '../helpers/pretendTerminal.js';
import { noisyRows, searched } from '../helpers/tuning.js';

const { written, pretend } = pretendTerminal();
const { X, y } = noisyRows();
const warned = async (more: Parameters<typeof searched>[0]) => (await searched(more)).warnings.join('\n');

describe('a search warns', () => {
  it('of patients on both sides of the outer folds, also without outer folds', { tags: 'slow' }, async () => {
    const groups = y.map((_, row) => row % 20);
    expect(await warned({ groups })).toMatch(/20 patients stood on both sides of a fold/);
    expect(await warned({ groups, outer: false })).toMatch(/on both sides of a fold/);
    expect(await warned({})).not.toMatch(/both sides/);
    expect(await warned({ groups: y.map((_, row) => row) })).not.toMatch(/both sides/);
  });

  it('of callbacks that are not part of training', async () => {
    expect(await warned({ callbacks: { name: 'mine', onFoldStart: () => undefined } })).not.toMatch(/was not called/);
    const between = { name: 'mine', onEpochEnd: () => undefined };
    expect(await warned({ callbacks: between })).toMatch(/The callback mine was not called in the trials/);
    for (const quiet of [{ ...between, readOnly: true }, new ProgressLogger()]) {
      expect(await warned({ callbacks: quiet })).not.toMatch(/was not called/);
    }
  });

  it('of a sampler that never began to look back', async () => {
    const paramGrid = { C: { low: 1, high: 2 } };
    const late = await warned({ sampler: 'tpe', paramGrid });
    expect(late).toMatch(/tpe draws its first 10 trials at random, and there were 10/);
    const early = await warned({ sampler: new TPESampler({ nStartupTrials: 2 }), paramGrid, nTrials: 3 });
    expect(early).not.toMatch(/had no effect/);
  });

  it('of parameters that make no difference, and then of no edge', async () => {
    const text = await warned({ paramGrid: { unused: [1, 2, 3] } });
    expect(text).toMatch(/All trials scored alike in 4 of 4 searches/);
    expect(text).not.toMatch(/at the edge/);
  });

  it('of a grid that is tried in part, unless the caller chose to', async () => {
    const paramGrid = { C: Array.from({ length: 12 }, (_, at) => 2 ** (at - 6)) };
    expect(await warned({ paramGrid, outer: false })).toMatch(/grid has 12 combinations, more than nTrials \(10\)/);
    for (const chosen of [{ sampler: 'random' as const }, { sampler: 'grid' as const }, { nTrials: 12 }]) {
      expect(await warned({ paramGrid, outer: false, ...chosen })).not.toMatch(/combinations/);
    }
    expect(await warned({ paramGrid: { C: { low: 1, high: 2 } }, outer: false })).not.toMatch(/combinations/);
    pretend(false);
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }) });
    const modelFn = ({ C }: { C: number }) => new LogisticRegression({ C });
    await runner.runWithHyperparameterTuning({ modelFn, paramGrid, data: [X, y], outer: false, metrics: ['roc_auc'] });
    expect(written[0]).toMatch(/^The grid has 12 combinations, more than nTrials/);
  });

  it('of inner folds that count for no trial', async () => {
    const rare = y.map((_, row) => Number(row < 24 && row % 3 === 0));
    const cvSplitter = new KFold({ nSplits: 2, shuffle: true, randomState: 2 });
    const text = await warned({ data: [X, rare], cvSplitter, innerCv: 5 });
    expect(text).toMatch(/inner folds have no value of the score whatever is predicted/);
  });

  it('that BBC-CV leaves optimism where the sampler looks back or trials were pruned', async () => {
    const space = { C: { low: 0.001, high: 10, log: true } };
    const text = async (more: object) =>
      (await searched({ outer: false, paramGrid: space, ...more })).summary().replace(/\s+/g, ' ');
    expect(await text({ sampler: 'tpe', nTrials: 12 })).toMatch(
      /part of its optimism taken off by BBC-CV; some is left, since the sampler proposed/,
    );
    expect(await text({ sampler: 'random' })).toMatch(/, its optimism taken off by BBC-CV\./);
    expect(await text({ sampler: 'random', pruner: 'median', nTrials: 20 })).toMatch(
      /pruned or failed ones took no part/,
    );
  });
});
