import { describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/runner/callbacks/earlyStopping.js';
import { LearningRateScheduler } from '../../src/runner/callbacks/learningRateScheduler.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { Climber, line, type Script, scriptedAdapter } from '../helpers/scriptedAdapter.js';
import { thrown } from '../helpers/thrown.js';

const run = (options: Partial<RunOptions> = {}, script: Script = {}, replace = {}) =>
  new UniversalCVRunner({
    cvSplitter: new KFold({ nSplits: 3 }),
    adapter: scriptedAdapter(script, replace).adapter,
    verbose: 0,
  }).run({
    model: () => new Climber(),
    data: [line.X, line.y],
    task: 'regression',
    epochs: 4,
    verifyIsolation: true,
    ...options,
  });

describe('verifyIsolation', () => {
  it('names the fold that gave the same alone, and the summary says so', async () => {
    const results = await run();
    expect(results.metadata.verifiedFold).toBe('fold-2');
    expect(results.summary().replace(/\s+/g, ' ')).toContain(
      'Isolation fold-2 trained alone, with what callbacks had decided in it, gave the same',
    );
    expect((await run({ verifyIsolation: false })).metadata.verifiedFold).toBeNull();
  });

  it('takes the decisions of callbacks again without calling them', async () => {
    let calls = 0;
    const results = await run(
      {
        validation: 0.25,
        callbacks: [
          new EarlyStopping({ patience: 1 }),
          new LearningRateScheduler({ schedule: 'linear' }),
          { onEpochEnd: () => void calls++ },
        ],
      },
      { valLoss: [2, 1, 3] },
    );
    expect(results.metadata.verifiedFold).toBe('fold-2');
    expect(calls).toBe(9);
  });

  it('finds weights, logs and labels that depend on what was before', async () => {
    let models = 0;
    const model = () => Object.assign(new Climber(), { weight: models++ });
    expect(await thrown(() => run({ model }))).toMatchInlineSnapshot(
      `"AdapterError (not_isolated): Fold fold-2 trained alone must give what it gave inside the run. Got 7 instead of 6 for row 8. Look for what outlives a fold: a layer or an optimizer made outside the factory, a counter, a random number."`,
    );
    let epochs = 0;
    const logs = () => ({ acc: epochs++ });
    expect(await thrown(() => run({}, { logs }))).toMatchInlineSnapshot(
      `"AdapterError (not_isolated): Fold fold-2 trained alone must give what it gave inside the run. Got acc 12 instead of 8 in epoch 0. Look for what outlives a fold: a layer or an optimizer made outside the factory, a counter, a random number."`,
    );
  });

  it('leaves a run without a completed fold as it is', async () => {
    const fit = () => Promise.reject(new Error('no'));
    expect((await run({ onFoldError: 'record' }, {}, { fit })).metadata.verifiedFold).toBeNull();
  });
});
