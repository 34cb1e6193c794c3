import { describe, expect, it } from 'vitest';
import type { CVCallback } from '../../src/runner/callback.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { oneByOne } from '../helpers/oneByOne.js';
import { Climber, climb, line, scriptedAdapter } from '../helpers/scriptedAdapter.js';
import { thrown } from '../helpers/thrown.js';

const run = (callbacks: CVCallback[], options: Partial<RunOptions> = {}) => climb({ epochs: 4, callbacks, ...options });

describe('what callbacks may do with a model', () => {
  it('the last weights that were kept are those that are tested; weights of before an epoch count, too', async () => {
    const kept = await run([
      { onEpochEnd: ({ epoch, model }) => (epoch === 0 || epoch === 2 ? model.keepWeights() : undefined) },
    ]);
    expect(kept.results.predictions.map(([first]) => first)).toEqual([3, 3]);
    expect(kept.results.foldDetails[0].keptEpoch).toBe(2);
    const before = await run([{ onEpochStart: ({ epoch, model }) => (epoch === 1 ? model.keepWeights() : undefined) }]);
    expect(before.results.predictions[0][0]).toBe(1);
    expect(before.results.foldDetails[0].keptEpoch).toBe(0);
    expect(kept.deeds.held + before.deeds.held).toBe(0);
  });

  oneByOne('what was kept is freed when the fold fails', async () => {
    const { adapter, deeds } = scriptedAdapter({}, { predict: () => Promise.reject(new Error('no')) });
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), adapter, verbose: 0 });
    const callbacks: CVCallback[] = [{ onEpochEnd: ({ model }) => model.keepWeights() }];
    const data: [number[][], number[]] = [line.X, line.y];
    const fails = () => runner.run({ model: () => new Climber(), data, task: 'regression', epochs: 3, callbacks });
    expect(await thrown(fails)).toContain('no');
    expect([deeds.held, deeds.disposed]).toEqual([0, 1]);
  });

  it('what is kept too late is freed', async () => {
    let kept: Promise<void> | undefined;
    const hasty: CVCallback = {
      onEpochEnd({ epoch, epochs, model }) {
        if (epoch + 1 === epochs) kept = model.keepWeights();
      },
    };
    let held = 0;
    const snapshot = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      held++;
      return { restore: () => undefined, release: () => void held-- };
    };
    await climb({ callbacks: [hasty], folds: [0] }, {}, { snapshot });
    await kept;
    expect(held).toBe(0);
  });

  it('decisions are written down in the result', async () => {
    const { results } = await run([
      { onEpochStart: ({ epoch, model }) => (epoch === 1 ? model.setLearningRate(0.5) : undefined) },
      { onEpochEnd: ({ epoch, model }) => (epoch === 1 ? model.keepWeights() : undefined) },
      { onEpochEnd: ({ epoch }) => (epoch === 2 ? 'stop' : undefined) },
    ]);
    const [fold] = results.folds;
    expect(fold.status === 'completed' && fold.decisions).toEqual([
      { epoch: 1, at: 'start', what: 'learningRate', rate: 0.5 },
      { epoch: 1, at: 'end', what: 'keepWeights' },
      { epoch: 2, at: 'end', what: 'stop' },
    ]);
    expect(results.predictions[0][0]).toBe(1.5);
    expect(results.histories[0].epochs.map(({ learningRate }) => learningRate)).toEqual([1, 0.5, 0.5]);
  });

  it('a history has no learning rates where no callback changed them', async () => {
    const { results } = await run([]);
    expect(results.histories[0].epochs[0]).not.toHaveProperty('learningRate');
  });

  const plain = { loss: 0 };
  const fits: Record<string, FrameworkAdapter<Climber>['fit']> = {
    'calls no hook': async () => ({ epochs: [] }),
    'returns fewer epochs than it told': async (_, __, ___, hooks) => {
      await hooks.onEpochStart(0);
      await hooks.onEpochEnd(0, plain);
      return { epochs: [] };
    },
    'tells no start': async (_, __, ___, hooks) => {
      await hooks.onEpochEnd(0, plain);
      return { epochs: [plain] };
    },
    'awaits no hook': async (_, __, ___, hooks) => {
      for (const epoch of [0, 1]) {
        void hooks.onEpochStart(epoch);
        void hooks.onEpochEnd(epoch, plain);
      }
      return { epochs: [plain, plain] };
    },
    "goes on after 'stop'": async (_, __, ___, hooks) => {
      for (const epoch of [0, 1]) {
        await hooks.onEpochStart(epoch);
        await hooks.onEpochEnd(epoch, plain);
      }
      return { epochs: [plain, plain] };
    },
  };
  it.each(Object.keys(fits))('a `fit` that %s is refused', async (name) => {
    const stopping: CVCallback = { onEpochEnd: () => 'stop' };
    await expect(climb({ epochs: 2, callbacks: [stopping] }, {}, { fit: fits[name] })).rejects.toMatchObject({
      code: 'epoch_hooks',
    });
  });

  it('a callback that throws in a hook that nobody awaits fails the run, and leaves no rejection behind', async () => {
    const failing: CVCallback = {
      onEpochEnd: () => {
        throw new Error('no disk');
      },
    };
    const call = climb({ epochs: 2, callbacks: [failing] }, {}, { fit: fits['awaits no hook'] });
    await expect(call).rejects.toThrow('no disk');
  });

  it('metrics that a callback monitors join the logs and the history', async () => {
    const seen: unknown[] = [];
    const watching: CVCallback = { monitor: 'val_mae', onEpochEnd: (_, logs) => void seen.push(logs.val_mae) };
    const { results } = await run([watching], {
      data: [line.X, line.y.map((value) => value / 10)],
      validation: 0.25,
      folds: [0],
      epochs: 2,
    });
    // The model predicts 1, then 2, and every y lies below 1: the mean distance grows by 1.
    expect(seen.length).toBe(2);
    expect((seen[1] as number) - (seen[0] as number)).toBeCloseTo(1, 12);
    expect(results.histories[0].epochs.map(({ val_mae }) => val_mae)).toEqual(seen);
  });
});
