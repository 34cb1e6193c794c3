import { describe, expect, it } from 'vitest';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { brier } from '../../src/metrics/definitions/probability.js';
import { type Metric, score, undefinedBecause } from '../../src/metrics/metric.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { takeRows } from '../../src/metrics/tableRows.js';

const table = scoreTable({ yTrue: [0, 1], yPred: [0, 1] });
const giving = (value: ReturnType<Metric['compute']>): Metric => ({ ...accuracy, compute: () => value });

describe('score', () => {
  it('is the value of the metric', () => {
    expect(score(accuracy, table)).toEqual({ value: 1 });
    expect(score(giving(0), table)).toEqual({ value: 0 });
  });

  it.each([
    ['an undefined value', giving(undefinedBecause('no such rows')), table, 'no such rows'],
    ['NaN', giving(Number.NaN), table, 'the value is NaN'],
    ['Infinity', giving(Number.POSITIVE_INFINITY), table, 'the value is Infinity'],
    ['no rows', accuracy, takeRows(table, new Int32Array(0)), 'no rows'],
    ['weights of 0', accuracy, { ...table, weight: new Float64Array(2) }, 'every weight is 0'],
    ['missing probabilities', brier, table, 'the model gives no probabilities'],
    [
      'another task',
      { ...accuracy, tasks: ['regression' as const] },
      table,
      'accuracy is not defined for binary tasks',
    ],
  ])('of %s is null with the reason', (_what, metric, rows, reason) => {
    expect(score(metric, rows)).toEqual({ value: null, reason });
  });
});
