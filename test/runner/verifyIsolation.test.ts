import { describe, expect, it, vi } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { LearningRateScheduler } from '../../src/callbacks/learningRateScheduler.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { oneByOne } from '../helpers/oneByOne.js';
import { climb, line, type Script } from '../helpers/scriptedAdapter.js';
import { thrown } from '../helpers/thrown.js';

const run = async (options: Partial<RunOptions> = {}, script: Script = {}, replace = {}) =>
  (await climb({ epochs: 4, verifyIsolation: true, ...options }, script, replace, 3)).results;
const runOwn = (model: RunOptions['model']) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0 }).run({
    ...{ model, data: [line.X, line.y], task: 'regression', verifyIsolation: true },
  });

describe('verifyIsolation', () => {
  it('trains the first fold again after all others, then one drawn with the seed', async () => {
    const results = await run();
    expect(results.metadata.verifiedFolds?.[0]).toBe('fold-0');
    expect(['fold-1', 'fold-2']).toContain(results.metadata.verifiedFolds?.[1]);
    expect((await run()).metadata.verifiedFolds).toEqual(results.metadata.verifiedFolds);
    expect(results.summary().replace(/\s+/g, ' ')).toMatch(
      /Isolation trained again after all folds, fold-0 and then fold-[12] \(drawn at random\), .* bit for bit; what was kept before this run, or once by the first fold for all others \(a scaler that is fitted on first use\), does not show, and other folds were not tried/,
    );
    expect((await run({ verifyIsolation: false })).metadata.verifiedFolds).toBeNull();
  });

  oneByOne('finds a store that all models share', async () => {
    // Memorises the target of every row that any model was trained on: the last fold knows all rows the first time, too.
    const learnt = new Map<number, number>();
    const model = () => ({
      fit: (X: number[][], y: number[]) => X.forEach(([row], at) => void learnt.set(row, y[at])),
      predict: (X: number[][]) => X.map(([row]) => learnt.get(row) ?? 0),
    });
    // Fold 0 tests rows 0 to 3 (target row / 10), unknown to its model inside the run.
    expect(await thrown(() => runOwn(model))).toMatch(/Fold fold-0 .* Got 0\.1 instead of 0 for row 1\./);
  });

  oneByOne('does not see what the first fold keeps once for all others, as the summary says', async () => {
    let centre: number | undefined;
    const model = () => {
      let scale = 0;
      return {
        fit: (X: number[][], y: number[]) => {
          centre ??= X.reduce((sum, [value]) => sum + value, 0) / X.length;
          scale = y.reduce((sum, value, at) => sum + value * (X[at][0] - (centre as number)), 0) / X.length;
        },
        predict: (X: number[][]) => X.map(([value]) => scale * (value - (centre as number))),
      };
    };
    const results = await runOwn(model);
    expect(results.metadata.verifiedFolds).toHaveLength(2);
    expect(results.summary().replace(/\s+/g, ' ')).toContain('or once by the first fold for all others');
  });

  it('says that a single fold shows nothing', async () => {
    const results = await run({ folds: [0] });
    expect(results.metadata.verifiedFolds).toEqual([]);
    expect(results.summary()).toMatch(/Isolation +nothing could be shown: that takes two completed folds/);
  });

  it('takes the decisions of callbacks again without calling them', async () => {
    const onEpochEnd = vi.fn();
    const acting = [new EarlyStopping({ patience: 1 }), new LearningRateScheduler({ schedule: 'linear' })];
    const results = await run({ validation: 0.25, callbacks: [...acting, { onEpochEnd }] }, { valLoss: [2, 1, 3] });
    expect(results.metadata.verifiedFolds).toHaveLength(2);
    expect(onEpochEnd).toHaveBeenCalledTimes(9);
  });

  it('leaves a run without a completed fold as it is', async () => {
    const fit = () => Promise.reject(new Error('no'));
    expect((await run({ onFoldError: 'record' }, {}, { fit })).metadata.verifiedFolds).toEqual([]);
  });
});
