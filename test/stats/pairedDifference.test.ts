import { beforeAll, describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { brier as brierScore } from '../../src/metrics/definitions/probability.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import type { Metric } from '../../src/metrics/metric.js';
import { pairedDifference } from '../../src/stats/pairedDifference.js';
import { type ScoredFold, scoredFolds } from '../../src/stats/results.js';
import { foldsOfLevel } from '../../src/stats/subgroups/cells.js';
import reference from '../reference/comparison.json' with { type: 'json' };
import { givenResults } from './given.js';

const { patients, y, fold, a, b, subgroup, brier } = reference.clustered;
const input = (metric: Metric, nBootstrap = 1000) => ({ metric, nBootstrap, random: randomSource(1) });
const blind = ({ influence: _influence, ...metric }: Metric): Metric => metric;

let foldsA: readonly ScoredFold[];
let foldsB: readonly ScoredFold[];
beforeAll(async () => {
  foldsA = scoredFolds(await givenResults({ p: a, y, fold, groups: patients })).folds;
  foldsB = scoredFolds(await givenResults({ p: b, y, fold, groups: patients })).folds;
});

describe('pairedDifference', () => {
  it('lets what patients on both sides share cancel: a subgroup against the rest, as R', () => {
    const inside = foldsOfLevel(foldsA, (row) => subgroup.inside[row] === 1);
    const outside = foldsOfLevel(foldsA, (row) => subgroup.inside[row] === 0);
    const found = pairedDifference(input(accuracy), inside, outside);
    if ('reason' in found) throw new Error(found.reason);
    expect(found.estimate).toBeCloseTo(subgroup.difference, 12);
    expect(Math.sqrt(found.variance)).toBeCloseTo(subgroup.se, 12);
    expect(found.df).toBeCloseTo(subgroup.df, 9);
  });

  it('resamples the patients of both sides at once when the metric has no influence function', () => {
    // Resampling n patients has no n / (n - 1), here 36 / 35, and ratios curve a little: 1 / 36 allows for both. Three Monte
    // Carlo standard errors of 4,000 resamples are 3 / sqrt(8,000) = 3.4 %.
    const near = (variance: number, se: number) =>
      expect(Math.abs(Math.sqrt(variance) / se - 1)).toBeLessThan(1 / 36 + 0.034);
    const models = pairedDifference(input(blind(brierScore), 4000), foldsA, foldsB);
    if ('reason' in models) throw new Error(models.reason);
    expect(models.estimate).toBeCloseTo(brier.difference, 12);
    near(models.variance, brier.se);
    const inside = foldsOfLevel(foldsA, (row) => subgroup.inside[row] === 1);
    const outside = foldsOfLevel(foldsA, (row) => subgroup.inside[row] === 0);
    const parts = pairedDifference(input(blind(accuracy), 4000), inside, outside);
    if ('reason' in parts) throw new Error(parts.reason);
    near(parts.variance, subgroup.se);
  });

  it('is the other way round with the sides changed', () => {
    const [one, other] = [
      pairedDifference(input(rocAuc), foldsA, foldsB),
      pairedDifference(input(rocAuc), foldsB, foldsA),
    ];
    if ('reason' in one || 'reason' in other) throw new Error('no value');
    expect(other.estimate).toBeCloseTo(-one.estimate, 14);
    expect(other.variance).toBeCloseTo(one.variance, 14);
  });

  it('has the reason of the side that has no value', () => {
    const negatives = foldsOfLevel(foldsA, (row) => y[row] === 0);
    expect(pairedDifference(input(rocAuc), foldsA, negatives)).toEqual({
      estimate: null,
      reason: '0 of 3 folds have a value (no positive rows)',
    });
  });
});
