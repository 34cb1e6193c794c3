import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../src/core/errors.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { brier } from '../../src/metrics/definitions/probability.js';
import { type Metric, score, undefinedBecause } from '../../src/metrics/metric.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { takeRows } from '../../src/metrics/tableRows.js';
import { failure } from '../helpers/failure.js';

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

  it('beyond the declared range is an error; rounding is cut off', () => {
    expect(failure(() => score(giving(1.3), table))).toMatch(/invalid_data.*'accuracy'.*`range`.* 1\.3\./);
    expect(() => score(giving(-1e-6), table)).toThrow(InvalidDataError);
    expect(score(giving(1 + 1e-15), table)).toEqual({ value: 1 });
    expect(score(giving(-1e-15), table)).toEqual({ value: 0 });
    const open = { ...giving(-1e300), range: [Number.NEGATIVE_INFINITY, 1e6] as const };
    expect(score(open, table)).toEqual({ value: -1e300 });
    expect(score({ ...open, compute: () => 1e6 + 1e-5 }, table)).toEqual({ value: 1e6 });
    expect(() => score({ ...open, compute: () => 1e6 + 1 }, table)).toThrow('must be from -Infinity to 1000000');
  });
});
