import { describe, expect, it } from 'vitest';
import type { CVCallback } from '../../src/runner/callback.js';
import type { CompletedFold } from '../../src/runner/foldResult.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { Climber, scriptedAdapter } from '../helpers/scriptedAdapter.js';

const X = Array.from({ length: 12 }, (_, row) => [row]);
const y = X.map(([value]) => value);

/** Predicts the mean of what it was trained on. */
const meanModel = () => {
  let mean = 0;
  return {
    fit(_: number[][], labels: number[]) {
      mean = labels.reduce((sum, label) => sum + label, 0) / labels.length;
    },
    predict: (rows: number[][]) => rows.map(() => mean),
  };
};

const run = (options: Partial<RunOptions> = {}, cvSplitter: Splitter = new KFold({ nSplits: 3 }), runner = {}) =>
  new UniversalCVRunner({ cvSplitter, verbose: 0, ...runner }).run({
    model: meanModel,
    data: [X, y],
    task: 'regression',
    metrics: ['mse'],
    ...options,
  });

/** Mean square of the distances from the mean of these numbers. */
const spread = (values: readonly number[], centre: number) =>
  values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / values.length;
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('apparent', () => {
  it('is a model of all rows, scored on all rows, beside the folds and in none of their numbers', async () => {
    const plain = await run();
    const both = await run({ apparent: true });
    expect(both.apparent).toMatchObject({ fold: { id: 'all-rows' }, nFitted: 12 });
    // 0 ... 11: (144 - 1) / 12.
    expect(both.apparent?.scores.mse.value).toBeCloseTo(143 / 12, 12);
    expect(both.scores).toEqual(plain.scores);
    expect(both.foldDetails).toHaveLength(3);
    expect(both.outOfFold.row).toEqual(plain.outOfFold.row);
    expect(plain.apparent).toBeNull();
    expect(both.toJSON()).toMatchObject({ apparentScores: { mse: { value: expect.closeTo(143 / 12, 12) } } });
    expect(both.summary()).toMatch(/score +estimate +fold mean +fold sd +folds +apparent\n +mse .* 11\.917$/);
  });

  it('is trained with the callbacks of training alone, and not once a callback has ended the run', async () => {
    const seen: string[] = [];
    const callback = (stopAt: string, needsEpochs = false): CVCallback => ({
      needsEpochs,
      onFoldStart: ({ fold }) => void seen.push(fold),
      onFoldEnd: ({ fold }) => (fold === stopAt ? 'stop' : undefined),
    });
    await run({ apparent: true, callbacks: [callback('none')] });
    expect(seen).toEqual(['fold-0', 'fold-1', 'fold-2']);
    seen.length = 0;
    const inEpochs = { adapter: scriptedAdapter({}, {}).adapter };
    await run({ apparent: true, callbacks: [callback('none', true)], model: () => new Climber() }, undefined, inEpochs);
    expect(seen).toEqual(['fold-0', 'fold-1', 'fold-2', 'all-rows']);
    expect((await run({ apparent: true, callbacks: [callback('fold-1')] })).apparent).toBeNull();
  });
});

describe('returnTrainScores', () => {
  it('scores every model on the training rows of its fold', async () => {
    const results = await run({ returnTrainScores: true });
    results.indices.forEach(({ train }, fold) => {
      const labels = Array.from(train, (row) => y[row]);
      expect(results.trainScores?.mse[fold].value).toBeCloseTo(spread(labels, meanOf(labels)), 12);
    });
    expect((await run()).trainScores).toBeNull();
    expect(results.summary()).toContain('training rows');
  });

  it('gives callbacks copies', async () => {
    const spoil: CVCallback = {
      onFoldEnd: (_, result) => {
        if (result.status === 'completed') (result.trainTable?.yPred as Float64Array | undefined)?.fill(99);
      },
    };
    const plain = await run({ returnTrainScores: true });
    const spoilt = await run({ returnTrainScores: true, callbacks: [spoil] });
    expect(spoilt.trainScores).toEqual(plain.trainScores);
    const tables = [plain, spoilt].map(({ folds }) => (folds[0] as CompletedFold).trainTable);
    expect(tables[1]).toEqual(tables[0]);
  });

  it('takes rows as often as a bootstrap drew them', async () => {
    const results = await run({ returnTrainScores: true }, new BootstrapValidation({ nIterations: 2, randomState: 1 }));
    results.folds.forEach((fold, at) => {
      const { trainTable } = fold as CompletedFold;
      expect(trainTable?.length).toBe(12);
      expect(Array.from(trainTable?.yTrue ?? [])).toEqual(Array.from(results.plan.at(at).train, (row) => y[row]));
    });
  });
});
