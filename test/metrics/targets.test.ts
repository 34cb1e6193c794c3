/** Several targets: the mean over them is scikit-learn's `multioutput='uniform_average'`, by its definition. */
import { beforeAll, describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { score } from '../../src/metrics/metric.js';
import { namesAt } from '../../src/metrics/metricsFor.js';
import { registerLabelMetrics, registerTargetMetrics } from '../../src/metrics/placeMetrics.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { type ScoreTable, scoreTable } from '../../src/metrics/scoreTable.js';
import { joinTables, takeRows } from '../../src/metrics/tableRows.js';

beforeAll(() => {
  registerTargetMetrics();
  registerLabelMetrics();
});

const random = randomSource(7);
const N = 30;
const rowsOf = (scale: readonly number[]) =>
  Array.from({ length: N }, () => scale.map((each) => 1 + each * (random.random() - 0.3)));
const SCALES = [1, 10, 0.2];
const yTrue = rowsOf(SCALES);
const noise = rowsOf(SCALES);
const yPred = yTrue.map((row, at) => row.map((value, target) => 0.7 * value + 0.4 * noise[at][target]));
const sampleWeight = Float64Array.from({ length: N }, () => 0.5 + random.random());
const tableOf = (truth: number[][], prediction: number[][]): ScoreTable => ({
  ...{ task: 'regression', length: truth.length, classes: [...truth[0].keys()], positive: -1 },
  ...{ yTrue: Float64Array.from(truth.flat()), yPred: Float64Array.from(prediction.flat()) },
});
const table: ScoreTable = { ...tableOf(yTrue, yPred), weight: sampleWeight };
const alone = SCALES.map((_, target) =>
  scoreTable({
    yTrue: yTrue.map((row) => row[target]),
    yPred: yPred.map((row) => row[target]),
    ...{ sampleWeight, task: 'regression' as const },
  }),
);
const scored = (name: string, of: ScoreTable) => score(metricRegistry.get(name), of).value as number;
const NAMES = ['mse', 'rmse', 'mae', 'r2', 'explained_variance', 'concordance_correlation'];

describe.each(NAMES)('%s', (name) => {
  it('is the mean of the targets, each by its place as well', () => {
    const each = alone.map((part) => scored(name, part));
    expect(scored(name, table)).toBeCloseTo(each.reduce((sum, value) => sum + value, 0) / 3, 12);
    expect(namesAt([name], { of: 'targets', places: [0, 1, 2] })).toEqual([
      name,
      ...[0, 1, 2].map((target) => `${name}_${target}`),
    ]);
    for (const [target, value] of each.entries()) expect(scored(`${name}_${target}`, table)).toBeCloseTo(value, 12);
  });

  it('has the influence of each row as its derivative by the weight', () => {
    const { influence } = metricRegistry.get(name);
    const found = influence?.(table, scored(name, table)) as Float64Array;
    const weight = table.weight as Float64Array;
    for (const row of [0, 7, 29]) {
      const at = (by: number) =>
        scored(name, { ...table, weight: weight.map((w, other) => (other === row ? w * (1 + by) : w)) });
      expect(found[row]).toBeCloseTo((at(1e-5) - at(-1e-5)) / 2e-5, 6);
    }
  });
});

it('rows of several targets are taken and joined whole', () => {
  const [even, odd] = [0, 1].map((part) =>
    takeRows(
      table,
      Int32Array.from({ length: N / 2 }, (_, at) => 2 * at + part),
    ),
  );
  expect(Array.from(odd.yTrue)).toEqual(yTrue.filter((_, row) => row % 2 === 1).flat());
  expect(scored('rmse', joinTables([even, odd]))).toBeCloseTo(scored('rmse', table), 12);
});

it('a constant target leaves the mean of r2 undefined', () => {
  const rows = yTrue.map(([a]) => [a, 5]);
  const constant = tableOf(rows, rows);
  expect(score(metricRegistry.get('r2'), constant)).toEqual({ value: null, reason: 'yTrue is constant' });
});

it('labels have areas of their own', () => {
  const truth = Array.from({ length: N }, (_, row) => [Number(row % 3 === 0), Number(row % 4 < 2)]);
  const yProba = truth.map((row) => row.map((label) => Math.round(10 * (0.3 * label + 0.7 * random.random())) / 10));
  const several = scoreTable({ yTrue: truth, yProba, sampleWeight, task: 'multilabel' });
  const names = namesAt(['roc_auc_by_label', 'average_precision_by_label'], { of: 'labels', places: [0, 1] });
  expect(names).toEqual(['roc_auc_0', 'roc_auc_1', 'average_precision_0', 'average_precision_1']);
  for (const label of [0, 1]) {
    const one = scoreTable({
      ...{ yTrue: truth.map((row) => row[label]), yProba: yProba.map((row) => row[label]), sampleWeight },
    });
    for (const name of ['roc_auc', 'average_precision']) {
      expect(scored(`${name}_${label}`, several)).toBe(scored(name, one));
      const [own, other] = [metricRegistry.get(`${name}_${label}`), metricRegistry.get(name)];
      const value = scored(name, one);
      expect(own.influence?.(several, value)).toEqual(other.influence?.(one, value));
    }
  }
});

it('have no score table of their own', () => {
  expect(() => scoreTable({ yTrue, yPred })).toThrow('Several targets have no score table. Pass each alone.');
});
