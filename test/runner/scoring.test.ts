import { describe, expect, it } from 'vitest';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { scorersOf } from '../../src/runner/scoring.js';

const table = scoreTable({ yTrue: [0, 1, 1, 0], yPred: [0, 1, 0, 0] });

describe('scorersOf', () => {
  it('takes the defaults of the task, the names that are given, or the scoring, which wins', () => {
    expect(scorersOf(null, undefined, 'regression').map(({ name }) => name)).toEqual([
      'mse',
      'rmse',
      'mae',
      'r2',
      'explained_variance',
    ]);
    expect(scorersOf(null, undefined, 'multilabel', true).map(({ name }) => name)).toEqual(['dice', 'iou']);
    expect(scorersOf(['f1'], undefined, 'binary').map(({ name }) => name)).toEqual(['f1']);
    expect(scorersOf(['f1'], { mine: 'accuracy' }, 'binary').map(({ name, metric }) => [name, metric?.name])).toEqual([
      ['mine', 'accuracy'],
    ]);
  });

  it('turns what a function gives into a score or a reason', async () => {
    const give = async (value: unknown) =>
      (await scorersOf(null, { mine: () => value as number }, 'binary'))[0].score(table);
    expect(await give(0.5)).toEqual({ value: 0.5 });
    expect(await give(null)).toEqual({ value: null, reason: 'mine gave null' });
    expect(await give(Number.NaN)).toEqual({ value: null, reason: 'mine gave NaN' });
  });
});
