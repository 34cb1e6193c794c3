import { describe, expect, it } from 'vitest';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { scorersOf } from '../../src/runner/scoring.js';

const table = scoreTable({ yTrue: [0, 1, 1, 0], yPred: [0, 1, 0, 0] });

describe('scorersOf', () => {
  it('takes the defaults of the task, the names that are given, or the scoring, which wins', () => {
    const names = (...given: Parameters<typeof scorersOf>) =>
      scorersOf(...given)
        .map(({ name }) => name)
        .join(' ');
    expect(names(null, undefined, 'regression')).toBe('mse rmse mae r2 explained_variance');
    expect(names(null, undefined, 'multilabel', true)).toBe('dice iou');
    expect(names(['f1'], undefined, 'binary')).toBe('f1');
    const scoring = scorersOf(['f1'], { mine: 'accuracy' }, 'binary');
    expect(scoring).toMatchObject([{ name: 'mine', metric: { name: 'accuracy' } }]);
  });

  it('turns what a function gives into a score or a reason', async () => {
    const give = async (value: unknown) =>
      (await scorersOf(null, { mine: () => value as number }, 'binary'))[0].score(table);
    expect(await give(0.5)).toEqual({ value: 0.5 });
    expect(await give(null)).toEqual({ value: null, reason: 'mine gave null' });
    expect(await give(Number.NaN)).toEqual({ value: null, reason: 'mine gave NaN' });
  });
});
