import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { averagedAndPooled } from '../../src/intervals/averagedAndPooled.js';
import { precision } from '../../src/metrics/definitions/binary.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { type Metric, score } from '../../src/metrics/metric.js';
import { type ScoreTable, scoreTable } from '../../src/metrics/scoreTable.js';

const foldsOf = (metric: Metric, tables: ScoreTable[]) => ({
  metric,
  folds: tables.map((table, fold) => ({
    table,
    units: Int32Array.from({ length: table.length }, (_, row) => 1000 * fold + row),
    nTrain: 10,
    repeat: 0,
    score: score(metric, table),
  })),
});
const fold = (yTrue: number[], yProba: number[]) => scoreTable({ yTrue, yProba, classes: [0, 1] });

describe('averagedAndPooled', () => {
  it('warns when two perfect folds score on different scales (features E8)', () => {
    const y = Array.from({ length: 20 }, (_, row) => row % 2);
    const low = fold(
      y,
      y.map((each) => 0.1 + 0.1 * each),
    );
    const high = fold(
      y,
      y.map((each) => 0.7 + 0.1 * each),
    );
    const found = averagedAndPooled(foldsOf(rocAuc, [low, high]));
    // Pooled: the positives of the low fold lose against the negatives of the high one, a quarter of all pairs.
    expect(found).toMatchObject({ averaged: 1, pooled: 0.75 });
    expect(found.warning).toMatch(/1\.000.*0\.750.*0\.080/);
  });

  it('warns only of a difference of more than a quarter of the width of the interval', () => {
    const y = Array.from({ length: 20 }, (_, row) => row % 2);
    const scores = (base: number) =>
      fold(
        y,
        y.map((each) => base + 0.1 * each),
      );
    const of = (lower: number | null, upper: number | null) =>
      averagedAndPooled(foldsOf(rocAuc, [scores(0.1), scores(0.7)]), { lower, upper });
    // 1 and .75: a quarter of a width of 1 is no more than that, of .9 it is less.
    expect(of(0, 1)).toEqual({ averaged: 1, pooled: 0.75 });
    expect(of(0.1, 1).warning).toContain('pooled over rows');
    expect(of(null, null).warning).toContain('pooled over rows');
  });

  it('says nothing when the difference is chance', () => {
    const random = randomSource(8);
    const noisy = () => {
      const y = Array.from({ length: 60 }, (_, row) => row % 2);
      return fold(
        y,
        y.map((each) => (0.3 * each + random.random()) / 1.3),
      );
    };
    const found = averagedAndPooled(foldsOf(rocAuc, [noisy(), noisy(), noisy()]));
    expect(found.averaged).not.toBe(found.pooled);
    expect(found.warning).toBeUndefined();
  });

  it('leaves folds without a value out of the mean alone', () => {
    const found = averagedAndPooled(foldsOf(precision, [fold([1, 0], [0.9, 0.2]), fold([1, 1, 0], [0.1, 0.2, 0.3])]));
    expect(found).toEqual({ averaged: 1, pooled: 1 });
    const none = averagedAndPooled(foldsOf(rocAuc, [fold([1], [0.9]), fold([0], [0.1])]));
    expect(none).toEqual({ averaged: null, pooled: 1 });
  });

  it('is silent about a metric without influence function', () => {
    const { influence: _, ...plain } = rocAuc;
    const y = [0, 1, 0, 1];
    const tables = [fold(y, [0.1, 0.2, 0.1, 0.2]), fold(y, [0.8, 0.9, 0.8, 0.9])];
    expect(averagedAndPooled(foldsOf(plain, tables))).toEqual({ averaged: 1, pooled: 0.75 });
  });
});
