import { describe, expect, it } from 'vitest';
import { normalQuantile } from '../../src/core/normalQuantile.js';
import { randomSource } from '../../src/core/random.js';
import { oofBootstrap } from '../../src/intervals/bootstrap.js';
import { metricOverFolds } from '../../src/intervals/foldEstimate.js';
import type { IntervalFold, IntervalInput } from '../../src/intervals/interval.js';
import { type Influential, influenceVariance, unitBlocks } from '../../src/intervals/unitBlocks.js';
import { combinedEstimate } from '../../src/metrics/combineFolds.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import type { Metric } from '../../src/metrics/metric.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { LeavePGroupsOut } from '../../src/splitters/grouped/leavePGroupsOut.js';
import { LPOCV } from '../../src/splitters/iid/lpocv.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import reference from '../reference/clinical.json' with { type: 'json' };

const design = new LPOCV({ p: 2 }).claims;
const none = { value: null, reason: 'not looked at' } as const;

type Scores = (train: readonly number[], row: number) => number;

/** Every two rows left out in turn, scored by whatever learns from the others. */
function pairFolds(y: readonly number[], score: Scores, weight?: readonly number[]): IntervalFold[] {
  const rows = y.map((_, row) => row);
  return [...new LPOCV({ p: 2 }).split(y.length)].map(({ test }) => {
    const pair = Array.from(test);
    const train = rows.filter((row) => !pair.includes(row));
    const table = scoreTable({
      yTrue: pair.map((row) => y[row]),
      yProba: pair.map((row) => score(train, row)),
      classes: [0, 1],
      ...(weight ? { sampleWeight: pair.map((row) => weight[row]) } : {}),
    });
    return { score: none, table, units: test, nTrain: train.length, repeat: 0 };
  });
}

function estimate(folds: readonly IntervalFold[]) {
  const { metric } = metricOverFolds({ metric: rocAuc, folds, design });
  return combinedEstimate(metric, unitBlocks({ metric, folds })).value;
}

const input = (metric: Metric, folds: readonly IntervalFold[]): IntervalInput => ({
  metric,
  folds,
  level: 0.95,
  unit: 'row',
  nBootstrap: 2000,
  random: randomSource(1),
  design,
});

describe('leave-pair-out', () => {
  it('is the share of pairs that their own model ranks rightly, ties half', () => {
    const y = [1, 1, 0, 0];
    // Scores of rows 0 and 1 against 2 and 3, by pair: right, wrong, tied, right. That is 2.5 of 4.
    const by: Record<string, readonly [number, number]> = {
      '0,2': [0.6, 0.2],
      '0,3': [0.1, 0.9],
      '1,2': [0.4, 0.4],
      '1,3': [0.9, 0.8],
      '0,1': [0, 1],
      '2,3': [1, 0],
    };
    const score: Scores = (train, row) => {
      const pair = [0, 1, 2, 3].filter((each) => !train.includes(each));
      return by[pair.join()][pair.indexOf(row)];
    };
    expect(estimate(pairFolds(y, score))).toBe(2.5 / 4);
    // Weights 1, 2, 3, 4: pairs weigh 3, 4, 6, 8, and 3 + 6 / 2 + 8 = 14 of 21 are right.
    expect(estimate(pairFolds(y, score, [1, 2, 3, 4]))).toBeCloseTo(14 / 21, 14);
    expect(estimate(pairFolds(y, score, [10, 20, 30, 40]))).toBeCloseTo(14 / 21, 14);
    expect(estimate(pairFolds([1, 1, 1], () => 0.5))).toBeNull();
  });

  it('of one model for all pairs has the area and the variance of pROC', () => {
    const { y, yProba, rocAuc: expected } = reference.probabilities;
    const folds = pairFolds(y, (_, row) => yProba[row]);
    const { metric } = metricOverFolds({ metric: rocAuc, folds, design }) as { metric: Influential };
    expect(estimate(folds)).toBeCloseTo(expected.estimate, 12);
    const { variance } = influenceVariance({ metric }, unitBlocks({ metric, folds }));
    const se = (expected.upper - expected.lower) / (2 * normalQuantile(0.975));
    expect(Math.sqrt(variance)).toBeCloseTo(se, 9);
    // Resampled rows weigh their pairs: without that the standard error is 24 % too small. Monte Carlo error of a standard
    // deviation of 2,000 values 1.6 %, three of them 5 %; that of the logit scale on top.
    const { lower, upper } = oofBootstrap(input(metric, folds));
    const logit = (p: number) => Math.log(p / (1 - p));
    const a = expected.estimate;
    const found = ((logit(upper as number) - logit(lower as number)) / (2 * 1.96)) * a * (1 - a);
    expect(found / se).toBeGreaterThan(0.92);
    expect(found / se).toBeLessThan(1.12);
  });

  it('is for the area, and for folds of two rows that are every pair', () => {
    const folds = pairFolds([1, 0, 1, 0], () => 0.5);
    const isPaired = (more: Partial<Parameters<typeof metricOverFolds>[0]>) =>
      metricOverFolds({ metric: rocAuc, folds, design, ...more }).note?.startsWith('Leave-pair-out') === true;
    expect(isPaired({})).toBe(true);
    expect(isPaired({ design: new LeavePGroupsOut({ nGroups: 2 }).claims })).toBe(true);
    expect(isPaired({ metric: accuracy })).toBe(false);
    expect(isPaired({ design: {} })).toBe(false);
    expect(isPaired({ folds: folds.slice(0, 2), design: { partition: true, exhaustive: true } })).toBe(false);
    expect(isPaired({ folds: folds.map((fold) => ({ ...fold, units: Int32Array.of(0, 1, 2) })) })).toBe(false);
  });

  it('on noise is one half, where leave-one-out, pooled, is far below (Parker 2007)', () => {
    const random = randomSource(7);
    const [simulations, n, features] = [6000, 30, 2];
    const y = Array.from({ length: n }, (_, row) => (row < 15 ? 1 : 0));
    const pairs: number[] = [];
    const singles: number[] = [];
    for (let simulation = 0; simulation < simulations; simulation++) {
      const X = y.map(() => Array.from({ length: features }, () => normalQuantile(random.random() || 0.5)));
      const score = nearestCentroid(X, y);
      let right = 0;
      for (let i = 0; i < 15; i++) {
        for (let j = 15; j < n; j++) {
          const [a, b] = [score(i, [i, j]), score(j, [i, j])];
          right += a > b ? 1 : a === b ? 0.5 : 0;
        }
      }
      pairs.push(right / 225);
      const pooled = scoreTable({ yTrue: y, yProba: y.map((_, row) => 1 / (1 + Math.exp(-score(row, [row])))) });
      singles.push(rocAuc.compute(pooled) as number);
      if (simulation === 0) {
        const expit = (u: number) => 1 / (1 + Math.exp(-u));
        const folds = pairFolds(y, (train, row) =>
          expit(
            score(
              row,
              y.map((_, at) => at).filter((at) => !train.includes(at)),
            ),
          ),
        );
        expect(estimate(folds)).toBeCloseTo(right / 225, 12);
      }
    }
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const sd = Math.sqrt(mean(pairs.map((value) => (value - 0.5) ** 2)));
    expect(3 * (sd / Math.sqrt(simulations))).toBeLessThan(0.01); // three Monte Carlo standard errors
    expect(Math.abs(mean(pairs) - 0.5)).toBeLessThan(0.01);
    expect(mean(singles)).toBeLessThan(0.47);
  });
});

/** Difference of squared distances to the class means of all rows but those left out; the sums are kept. */
function nearestCentroid(X: readonly (readonly number[])[], y: readonly number[]) {
  const sums = [0, 1].map((label) =>
    X[0].map((_, j) => X.reduce((sum, row, at) => sum + (y[at] === label ? row[j] : 0), 0)),
  );
  const counts = [0, 1].map((label) => y.filter((each) => each === label).length);
  return (row: number, without: readonly number[]) => {
    const distance = (label: number) => {
      const out = without.filter((each) => y[each] === label);
      return X[row].reduce((sum, value, j) => {
        const rest = out.reduce((total, each) => total - X[each][j], sums[label][j]);
        return sum + (value - rest / (counts[label] - out.length)) ** 2;
      }, 0);
    };
    return distance(0) - distance(1);
  };
}

describe("CVKitValidator({ method: 'lpocv' })", () => {
  it('gives the leave-pair-out area with an interval about these predictions, leave-one-out a note of its bias', async () => {
    const { X, y } = blobs(24);
    const given = { model: () => new NearestMean(), X, y, verbose: 0 } as const;
    const validated = (options: object) =>
      new CVKitValidator({ metrics: ['roc_auc', 'accuracy'], ...options }).validate({
        ...given,
        adapter: spyAdapter().adapter,
      });
    let right = 0;
    for (let i = 0; i < 24; i++) {
      for (let j = 0; j < 24; j++) {
        if (y[i] !== 1 || y[j] !== 0) continue;
        const rows = X.map((_, row) => row).filter((row) => row !== i && row !== j);
        const model = new NearestMean().fit(
          rows.map((row) => X[row]),
          rows.map((row) => y[row]),
        );
        const p = (row: number[]) => 1 / (1 + Math.exp(model.distance(row, 1) - model.distance(row, 0)));
        right += p(X[i]) > p(X[j]) ? 1 : p(X[i]) === p(X[j]) ? 0.5 : 0;
      }
    }
    const pairs = await validated({ method: 'lpocv' });
    const { roc_auc, accuracy } = pairs.confidenceIntervals;
    expect(roc_auc.estimate).toBeCloseTo(right / 144, 12);
    expect(roc_auc).toMatchObject({ estimand: 'predictions', unit: 'row', nUnits: 24, nTrain: 22 });
    expect(roc_auc.note).toMatch(/^Leave-pair-out: /);
    expect(roc_auc.lower).toBeLessThan(right / 144);
    expect(roc_auc.upper).toBeGreaterThan(right / 144);
    expect(accuracy).toMatchObject({ nUnits: 24, lower: expect.any(Number) });
    const delong = await validated({ method: 'lpocv', ciMethod: 'delong' });
    expect(delong.confidenceIntervals.roc_auc).toMatchObject({ estimate: roc_auc.estimate, lower: expect.any(Number) });
    const singles = await validated({ method: 'loocv' });
    expect(singles.confidenceIntervals.roc_auc.note).toMatch(/biased downwards when single rows are left out/);
    expect(singles.confidenceIntervals.roc_auc).toMatchObject({ lower: null, upper: null });
    expect(singles.confidenceIntervals.roc_auc.reason).toMatch(/Parker 2007; Airola 2011.*LPOCV with p = 2/);
    expect(singles.summary({ details: true }).replace(/\s+/g, ' ')).toContain(
      'biased downwards when single rows are left out',
    );
  });
});
