/** The sentences of this room, reviewed in one file of snapshots; other tests assert codes and evidence. */
import { expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { averagedAndPooled } from '../../src/intervals/averagedAndPooled.js';
import { correctedT } from '../../src/intervals/correctedT.js';
import { delong } from '../../src/intervals/delong.js';
import { pooledFallback } from '../../src/intervals/foldEstimate.js';
import type { IntervalInput, NestedTest } from '../../src/intervals/interval.js';
import { nestedCv } from '../../src/intervals/nestedCv.js';
import { sampleOf } from '../../src/intervals/sample.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { type Metric, score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { type ScoreTable, scoreTable } from '../../src/metrics/scoreTable.js';
import { texts } from '../helpers/messages.js';
import reference from '../reference/nestedCv.json' with { type: 'json' };

const tableOf = (yTrue: number[], yProba: number[]) => scoreTable({ yTrue, yProba, classes: [0, 1] });
/** Every table is a fold. */
const inputOf = (metric: Metric, tables: ScoreTable[], more: Partial<IntervalInput> = {}): IntervalInput => {
  const folds = tables.map((table, fold) => ({
    ...{ table, nTrain: 30, repeat: 0, score: score(metric, table) },
    units: Int32Array.from({ length: table.length }, (_, row) => 1000 * fold + row),
  }));
  return { metric, folds, level: 0.95, unit: 'row', nBootstrap: 100, random: randomSource(1), ...more };
};
const alternate = Array.from({ length: 20 }, (_, row) => row % 2);
const [low, high] = [0.1, 0.7].map((from) =>
  tableOf(
    alternate,
    alternate.map((label) => from + 0.1 * label),
  ),
);
const ones = [1, 1, 1, 1].map((label) => tableOf([label], [0.5]));

const testsOf = ({ tests, regression }: (typeof reference.cases)[number]) =>
  tests.map(({ repeat, outer, inner, yTrue, yPred, units }): NestedTest => {
    const table = regression ? scoreTable({ yTrue, yPred, task: 'regression' }) : tableOf(yTrue, yPred);
    return { repeat, outer, inner, units: Int32Array.from(units), table };
  });
const tests = testsOf(reference.cases[0]);
const numbers = reference.cases.filter(({ regression }) => regression).flatMap((each) => testsOf(each));
const metricOf = (name: string) => ({ ...metricRegistry.get(name), decomposable: true });
const nested = (nested: NestedTest[] | undefined, metric = metricOf('brier'), more: Partial<IntervalInput> = {}) => {
  const outer = (nested ?? tests).filter(({ repeat, inner }) => repeat === 0 && inner === null);
  return nestedCv(
    inputOf(
      metric,
      outer.map(({ table }) => table as ScoreTable),
      { nested, ...more },
    ),
  );
};
const oneFailed = tests.map((test, at) => {
  if (at !== 4) return test;
  const { table: _, ...failed } = test;
  return { ...failed, error: 'Fold a: no.' };
});
const oneUnit = tests.map((test) => (test.outer === 1 ? { ...test, units: test.units.map(() => 3) } : test));

const areaOf = (yTrue: number[], scores = yTrue.map((_, row) => row), groups?: number[]) =>
  delong(
    sampleOf(
      { ...scoreTable({ yTrue, yPred: yTrue, classes: [0, 1] }), yProba: Float64Array.from(scores) },
      groups,
      0.95,
    ),
  );
const rare = (positive: number) => alternate.map((_, row) => Number(row < positive));

it.each<[string, Record<string, () => unknown>]>([
  [
    'folds',
    {
      'corrected_t in time': () => correctedT(inputOf(rocAuc, [low, high], { design: { timeOrdered: true } })),
      'corrected_t of one unit each': () => correctedT(inputOf(metricOf('accuracy'), ones)),
      'folds on different scales': () => averagedAndPooled(inputOf(rocAuc, [low, high])).warning,
      'no fold with a value': () => pooledFallback(rocAuc, [{ value: null, reason: 'no positive rows' }]).note,
    },
  ],
  [
    'delong',
    {
      'an area of 1': () => areaOf(alternate, alternate).note,
      'a limit above 1': () => areaOf([1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0], [5, 6, 2, 1, 1, 1, 1, 1, 1, 3, 1]).note,
      'no positive rows': () => areaOf(rare(0)).reason,
      'one positive row': () => areaOf(rare(1)).reason,
      'three rows': () => areaOf([1, 0, 1]).reason,
      'positive rows of two patients': () =>
        areaOf(
          rare(4),
          undefined,
          alternate.map((_, row) => row >> 1),
        ).reason,
    },
  ],
  [
    'nestedCv',
    {
      'the models of an interval': () => nested(tests).note,
      'a metric that is no mean': () => nested(tests, metricRegistry.get('roc_auc') as never).reason,
      'no models of its own': () => nested(undefined).reason,
      'cases and controls': () => nested(tests, undefined, { sampling: 'case_control' }).reason,
      'a failed fit': () => nested(oneFailed).reason,
      'a fold of one unit': () => nested(oneUnit).reason,
      'a metric that is no mean of rows': () => nested(numbers, metricOf('rmse')).reason,
    },
  ],
])('%s', async (_, rows) => expect(await texts(rows)).toMatchSnapshot());
