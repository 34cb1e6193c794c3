/** The metric suite can fail: each deliberately broken metric trips exactly the cases that forbid its fault. */
import { describe, expect, it } from 'vitest';
import { sensitivity } from '../../src/metrics/definitions/binary.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { brier, calibrationSlope } from '../../src/metrics/definitions/probability.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { mse } from '../../src/metrics/definitions/regression.js';
import type { Metric } from '../../src/metrics/metric.js';
import type { ScoreTable } from '../../src/metrics/scoreTable.js';
import { metricSuite } from './metricSuite.js';
import { thrownBy } from './suite.js';

const broken: [fault: string, metric: Metric, fails: string[]][] = [
  [
    'ignores weights',
    { ...sensitivity, compute: ({ weight: _, ...table }) => sensitivity.compute(table) },
    ['binary: weight k is the row k times', 'binary: influence is the slope in the weight of a row'],
  ],
  [
    'follows weights without declaring it',
    { ...sensitivity, weighted: false },
    ['binary: weight k is the row k times'],
  ],
  [
    'gives NaN for 0/0',
    { ...sensitivity, compute: (table) => asNumber(sensitivity, table, Number.NaN) },
    ['binary: undefined is null with a reason'],
  ],
  [
    'gives 0 for 0/0',
    { ...sensitivity, compute: (table) => asNumber(sensitivity, table, 0) },
    ['binary: undefined is null with a reason'],
  ],
  [
    'turns a wrong ranking round',
    { ...rocAuc, compute: (table) => Math.max(asNumber(rocAuc, table, 0), 1 - asNumber(rocAuc, table, 0)) },
    ['binary: worst predictions'],
  ],
  [
    'claims the wrong direction',
    { ...brier, tasks: ['binary'], direction: 'maximize' },
    ['binary: perfect predictions', 'binary: worst predictions'],
  ],
  [
    'takes class 1 for the positive one',
    { ...sensitivity, compute: (table) => sensitivity.compute({ ...table, positive: 1 }) },
    ['binary: positive class is the one named'],
  ],
  [
    'reads the first row more than others',
    { ...mse, compute: (table) => asNumber(mse, table, 0) + (table.yTrue[0] - table.yPred[0]) ** 2 },
    [
      'regression: order of rows',
      'regression: weight k is the row k times',
      'regression: influence is the slope in the weight of a row',
    ],
  ],
  [
    'sorts the truth in place',
    {
      ...mse,
      compute(table) {
        const value = asNumber(mse, table, 0);
        (table.yTrue as Float64Array).sort();
        return value;
      },
    },
    [
      'regression: input not mutated',
      'regression: reads what it needs',
      'regression: influence is the slope in the weight of a row',
    ],
  ],
  [
    'leaves its range',
    { ...mse, range: [0, 1] },
    [
      'regression: value in range',
      'regression: worst predictions',
      'regression: order of rows',
      'regression: weight k is the row k times',
      'regression: input not mutated',
      'regression: reads what it needs',
      'regression: influence is the slope in the weight of a row',
      'regression: interval holds the estimate within the range',
      'regression: interval narrows with n',
    ],
  ],
  [
    'reads probabilities without saying so',
    {
      ...brier,
      tasks: ['binary'],
      needs: 'labels',
      compute: (table) => (table.yProba ? asNumber(brier, table, 0) : 0.5),
    },
    ['binary: reads what it needs'],
  ],
  [
    'centres its influence elsewhere',
    { ...mse, influence: (table) => (mse.influence as NonNullable<Metric['influence']>)(table, 0) },
    ['regression: influence is the slope in the weight of a row'],
  ],
  [
    'has another target than the one it names',
    { ...calibrationSlope, target: 0 },
    ['binary: perfect predictions', 'binary: worst predictions'],
  ],
  ['names a target and another direction', { ...accuracy, tasks: ['binary'], target: 1 }, ['facts']],
  ['has a name that is not snake_case', { ...accuracy, tasks: ['binary'], name: 'Accuracy' }, ['facts']],
];

const asNumber = (metric: Metric, table: ScoreTable, otherwise: number) => {
  const value = metric.compute(table);
  return typeof value === 'number' ? value : otherwise;
};

async function failuresOf(metric: Metric): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of metricSuite(metric)) if (await thrownBy(run)) failed.push(name);
  return failed;
}

describe('metricSuite', () => {
  it.each(broken)('catches a metric that %s', async (_fault, metric, fails) => {
    expect(await failuresOf(metric)).toEqual(fails);
  });

  it('passes the metrics that these were made from', async () => {
    for (const metric of [accuracy, brier, mse, rocAuc, sensitivity]) expect(await failuresOf(metric)).toEqual([]);
  });

  it('passes a metric that neither reads weights nor declares that it does', async () => {
    const { influence: _, weighted: __, ...plain } = mse;
    expect(await failuresOf({ ...plain, compute: ({ weight: ___, ...table }) => mse.compute(table) })).toEqual([]);
  });

  it('catches an interval without limits that gives no reason, and one that does not narrow', async () => {
    const constant: Metric = { ...mse, compute: () => 1 };
    expect(await failuresOf(constant)).toContain('regression: interval narrows with n');
  });

  it('leaves out exceptions that name a case and a reason, and no others', () => {
    const all = metricSuite(mse);
    const name = 'regression: worst predictions';
    expect(metricSuite(mse, { except: { [name]: 'unbounded' } })).toHaveLength(all.length - 1);
    expect(() => metricSuite(mse, { except: { 'regression: wurst': 'typo' } })).toThrow(
      "The exception 'regression: wurst'",
    );
    expect(() => metricSuite(mse, { except: { [name]: '' } })).toThrow('give a reason');
  });
});
