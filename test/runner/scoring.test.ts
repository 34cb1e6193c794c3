import { describe, expect, it } from 'vitest';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { scorersOf } from '../../src/runner/scoring.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NearestMean, spyAdapter } from '../helpers/nearestMean.js';

const table = scoreTable({ yTrue: [0, 1, 1, 0], yPred: [0, 1, 0, 0] });

describe('scorersOf', () => {
  it('takes the defaults of the task, the names that are given, or the scoring, which wins', () => {
    const names = (...given: Parameters<typeof scorersOf>) =>
      scorersOf(...given)
        .map(({ name }) => name)
        .join(' ');
    expect(names(null, undefined, { task: 'regression' })).toBe('mse rmse mae r2 explained_variance');
    expect(names(null, undefined, { task: 'multilabel', shape: [2, 2] })).toBe('dice iou');
    expect(names(['f1'], undefined, { task: 'binary' })).toBe('f1');
    const scoring = scorersOf(['f1'], { mine: 'accuracy' }, { task: 'binary' });
    expect(scoring).toMatchObject([{ name: 'mine', metric: { name: 'accuracy' } }]);
  });

  it('turns what a function gives into a score or a reason', async () => {
    const give = async (value: unknown) =>
      (await scorersOf(null, { mine: () => value as number }, { task: 'binary' }))[0].score(table);
    expect(await give(0.5)).toEqual({ value: 0.5 });
    expect(await give(null)).toEqual({ value: null, reason: 'mine gave null' });
    expect(await give(Number.NaN)).toEqual({ value: null, reason: 'mine gave NaN' });
  });
});

it.each(['scoring', 'lossFn', 'optimizer', 'augment'])(
  'a module of `%s` that is not there ends the run before a fold begins',
  async (option) => {
    const none = { module: new URL('./none.mjs', import.meta.url), export: 'f' };
    const { adapter, spy } = spyAdapter();
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), adapter, verbose: 0 });
    const data = { X: [[0], [1], [2], [3]], y: [0, 1, 0, 1] };
    const options = { [option]: option === 'scoring' ? { own: none } : none };
    const running = runner.run({ model: () => new NearestMean(), data, ...options });
    await expect(running).rejects.toMatchObject({ code: 'invalid_module', message: expect.stringContaining(option) });
    expect(spy.trainedOn).toEqual([]);
  },
);
