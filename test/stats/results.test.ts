import { describe, expect, it } from 'vitest';
import { brier } from '../../src/metrics/definitions/probability.js';
import { score } from '../../src/metrics/metric.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { HoldOut } from '../../src/splitters/iid/holdOut.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { metricOf, orientedScore, scoredFolds, valuedFolds } from '../../src/stats/results.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { givenResults } from './given.js';

const n = 24;
const p = Array.from({ length: n }, (_, i) => ((i * 7) % n) / n);
const y = p.map((_, i) => i % 2);
const groups = p.map((_, i) => `patient ${i % 12}`);

describe('scoredFolds', () => {
  it('rebuilds the score tables of the run from the out-of-fold table', async () => {
    const results = await givenResults({ p, y, fold: new KFold({ nSplits: 4 }), metrics: ['roc_auc', 'brier'] });
    const { folds, unit } = scoredFolds(results);
    expect(unit).toBe('row');
    expect(valuedFolds(brier, folds).map((fold) => fold.score)).toEqual(results.scores.brier);
    results.folds.forEach((fold, at) => {
      if (fold.status === 'completed') expect(score(brier, folds[at].table)).toEqual(score(brier, fold.table));
      expect(folds[at].rows).toEqual(fold.fold.test);
      expect(folds[at].nTrain).toBe(18);
    });
  });

  it('scores labels that the manifest calls by their numbers', async () => {
    const rows = blobs(60);
    const run = (labels: readonly (string | number)[], positiveLabel: string | number) =>
      new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4, shuffle: true, randomState: 1 }), verbose: 0 }).run({
        ...{
          model: () => new NearestMean(),
          data: [rows.X, labels as number[]],
          metrics: ['sensitivity'],
          positiveLabel,
        },
      });
    const named = await run(
      rows.y.map((label) => (label ? 'M-10001' : 'M-10000')),
      'M-10001',
    );
    expect(named.metadata.classes).toEqual(['number 0', 'number 1']);
    const ofMetric = (results: typeof named) =>
      valuedFolds(metricOf('sensitivity', results), scoredFolds(results).folds);
    expect(ofMetric(named).map((fold) => fold.score)).toEqual(named.scores.sensitivity);
    expect(named.scores.sensitivity).toEqual((await run(rows.y, 1)).scores.sensitivity);
  });

  it('counts patients, also those that were never tested', async () => {
    const whole = scoredFolds(
      await givenResults({ p, y, groups, fold: new GroupKFold({ nSplits: 4, randomState: 1 }) }),
    );
    expect(whole.unit).toBe('patient');
    expect(whole.folds.map(({ nTrain }) => nTrain)).toEqual([9, 9, 9, 9]);
    const once = scoredFolds(
      await givenResults({ p, y, groups, fold: new HoldOut({ testSize: 0.25, randomState: 1 }) }),
    );
    expect(new Set(once.folds[0].units).size + once.folds[0].nTrain).toBe(12);
  });

  it('takes other units, or rows', async () => {
    const results = await givenResults({ p, y, groups, fold: new KFold({ nSplits: 4 }) });
    expect(scoredFolds(results, null).unit).toBe('row');
    const halves = scoredFolds(
      results,
      Array.from(results.outOfFold.row, (row) => row % 2),
    );
    expect(new Set(halves.units).size).toBe(2);
  });

  it('knows multiclass tables', async () => {
    const { X } = blobs(30);
    const three = X.map((_, i) => ['a', 'b', 'c'][i % 3]);
    const results = await new UniversalCVRunner({
      cvSplitter: new KFold({ nSplits: 3 }),
      adapter: spyAdapter().adapter,
      verbose: 0,
    }).run({ model: () => new NearestMean(), data: [X, three], metrics: ['accuracy', 'brier'] });
    expect(valuedFolds(brier, scoredFolds(results).folds).map((fold) => fold.score)).toEqual(results.scores.brier);
    expect(metricOf(undefined, results).name).toBe('accuracy');
  });
});

describe('orientedScore', () => {
  it('is more for better values', () => {
    expect(orientedScore({ ...brier, direction: 'maximize' }, 0.3)).toBe(0.3);
    expect(orientedScore(brier, 0.3)).toBe(-0.3);
    expect(orientedScore({ ...brier, direction: 'target', target: 1 }, 1.2)).toBeCloseTo(-0.2, 14);
  });
});
