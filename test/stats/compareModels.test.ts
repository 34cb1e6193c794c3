import { beforeAll, describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import type { CVResults } from '../../src/runner/cvResults.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { compareModels } from '../../src/stats/compareModels.js';
import { correctedDifference } from '../../src/stats/comparison/answers.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import reference from '../reference/comparison.json' with { type: 'json' };
import { Given, givenResults } from './given.js';

const { asah, clustered, signFlip } = reference;
const pairOf = async ({ y, fold, a, b, groups }: Record<'y' | 'fold' | 'a' | 'b', number[]> & { groups?: number[] }) =>
  Promise.all([a, b].map((p) => givenResults({ p, y, fold, groups })));

let clusteredPair: CVResults[];
beforeAll(async () => {
  clusteredPair = await pairOf({ ...clustered, groups: clustered.patients });
});

describe('paired test', () => {
  it(`is DeLong's for one fold of independent patients, as pROC ${reference.versions.pROC} has it`, async () => {
    // Two more rows to train on: the fold tests the 113 patients.
    const fold = [...asah.y.map(() => 0), -1, -1];
    const [a, b] = await pairOf({ y: [...asah.y, 0, 1], fold, a: [...asah.a, 0, 1], b: [...asah.b, 0, 1] });
    const { paired, correctedT, bayesianT } = compareModels(a, b, { metric: 'roc_auc', nPermutations: 99 });
    expect(paired.difference).toBeCloseTo(asah.difference, 12);
    expect(paired.t).toBeCloseTo(asah.z, 10);
    // The golden z and p of facts: 2.208984 and .027176. Student's t makes p a little larger than the normal's.
    expect(paired.t).toBeCloseTo(2.208984, 6);
    expect(paired.pValue as number).toBeGreaterThan(asah.pNormal);
    expect(paired.pValue as number).toBeLessThan(asah.pNormal + 0.004);
    expect(correctedT).toMatchObject({ pValue: null, reason: 'one fold alone has no variance' });
    expect(bayesianT).toMatchObject({ left: null, within: null, right: null, reason: correctedT.reason });
  });

  it('sums the difference of influences by patient, within folds', () => {
    const [a, b] = clusteredPair;
    const { paired } = compareModels(a, b, { nPermutations: 99 });
    expect(paired).toMatchObject({ method: 'delong', estimand: 'predictions', unit: 'patient', nUnits: 36, nFolds: 3 });
    expect(paired.difference).toBeCloseTo(clustered.auc.difference, 12);
    expect(paired.standardError).toBeCloseTo(clustered.auc.se, 12);
    expect(paired.df).toBeCloseTo(clustered.auc.df, 9);
    expect(paired.pValue).toBeCloseTo(clustered.auc.p, 10);
    expect(paired.lower).toBeCloseTo(clustered.auc.lower, 10);
    expect(paired.upper).toBeCloseTo(clustered.auc.upper, 10);
  });

  it.each(['accuracy', 'brier'] as const)('of %s equals the cluster-robust mean of clubSandwich', (metric) => {
    const [a, b] = clusteredPair;
    const { paired } = compareModels(a, b, { metric, nPermutations: 99 });
    const expected = clustered[metric];
    expect(paired.method).toBe('paired_influence');
    expect(paired.difference).toBeCloseTo(expected.difference, 12);
    expect(paired.standardError).toBeCloseTo(expected.se, 12);
    expect(paired.df).toBeCloseTo(expected.df, 9);
    expect(paired.pValue).toBeCloseTo(expected.p, 10);
  });

  it('does not change when all weights are multiplied by a constant', async () => {
    const weight = clustered.y.map((_, i) => 1 + (i % 3));
    const at = async (factor: number) => {
      const run = (p: number[]) =>
        givenResults({ ...clustered, p, groups: clustered.patients, weight: weight.map((w) => w * factor) });
      return compareModels(await run(clustered.a), await run(clustered.b), { metric: 'accuracy', nPermutations: 199 });
    };
    const [one, ten] = [await at(1), await at(10)];
    expect(ten.paired.lower).toBeCloseTo(one.paired.lower as number, 12);
    expect(ten.correctedT.pValue).toBeCloseTo(one.correctedT.pValue as number, 12);
    expect(ten.signFlip.pValue).toBe(one.signFlip.pValue);
  });
});

describe('corrected t and Bayesian correlated t', () => {
  it('equal R, with n_test and n_train in patients', () => {
    const [a, b] = clusteredPair;
    const expected = clustered.corrected;
    const { correctedT, bayesianT } = compareModels(a, b, { rope: expected.rope, nPermutations: 99 });
    expect(correctedT).toMatchObject({ estimand: 'procedure', unit: 'patient', nUnits: 36, nFolds: 3, df: 2 });
    expect(correctedT.difference).toBeCloseTo(expected.difference, 12);
    expect(correctedT.standardError).toBeCloseTo(expected.se, 12);
    // 1.02 in R, which knows no range: areas differ by 1 at most.
    expect(expected.upper).toBeGreaterThan(1);
    expect([correctedT.lower, correctedT.upper]).toEqual([expect.closeTo(expected.lower, 11), 1]);
    expect(correctedT.pValue).toBeCloseTo(expected.p, 12);
    for (const key of ['left', 'within', 'right'] as const) expect(bayesianT[key]).toBeCloseTo(expected[key], 12);
  });

  it('are not given for folds in time or of one unit each', async () => {
    const { y, a, b } = signFlip;
    const fold = y.map((_, i) => i);
    const [x, z] = await pairOf({ y, fold, a, b });
    const { correctedT, bayesianT } = compareModels(x, z, { metric: 'accuracy', nPermutations: 99 });
    expect(correctedT.reason).toMatch(/one unit each/);
    expect(bayesianT.reason).toBe(correctedT.reason);
  });

  it('have no value for two equal models', () => {
    const [a] = clusteredPair;
    const same = compareModels(a, a, { nPermutations: 99 });
    expect(same.correctedT).toMatchObject({ difference: 0, pValue: null });
    expect(same.paired).toMatchObject({ difference: 0, pValue: null, reason: 'the patients have the same difference' });
    expect(same.signFlip).toMatchObject({ difference: 0, pValue: 1 });
  });

  /** Two learners that are equally good: thresholds on one of two features that are alike. */
  it('reject two equally good models in at most 7 % of runs, where the plain t test does in over 20 %', {
    tags: 'slow',
  }, () => {
    const random = randomSource(20261);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
    const [runs, n] = [300, 60];
    let [corrected, plain] = [0, 0];
    for (let run = 0; run < runs; run++) {
      const y = Array.from({ length: n }, (_, i) => i % 2);
      const X = y.map((label) => [label + normal(), normal(), normal(), label + normal(), normal(), normal()]);
      const folds = Array.from(
        new RepeatedKFold({ nSplits: 10, nRepeats: 3, stratify: true, randomState: run }).split(n, y),
      );
      const sides = [
        [0, 1, 2],
        [3, 4, 5],
      ].map((columns) =>
        folds.map(({ train, test, repeat = 0 }) => ({
          table: scoreTable({
            yTrue: Array.from(test, (row) => y[row]),
            yProba: nearestMeans(X, y, columns, train, test),
            classes: [0, 1],
          }),
          rows: test,
          units: test,
          nTrain: train.length,
          repeat,
        })),
      );
      const settings = { metric: rocAuc, unit: 'row', level: 0.95, nBootstrap: 0, nPermutations: 0, random };
      const test = correctedDifference({ ...settings, a: sides[0], b: sides[1] });
      if ((test.pValue as number) < 0.05) corrected++;
      // The plain t test has the factor 1/J alone: with J = 30 folds, n_test / n_train = 1/9.
      const t = Math.abs(test.t as number) * Math.sqrt((1 / 30 + 1 / 9) / (1 / 30));
      if (t > 2.0452) plain++; // qt(.975, 29)
    }
    expect(corrected / runs).toBeLessThanOrEqual(0.07);
    expect(plain / runs).toBeGreaterThan(0.2);
  });
});

/** Probability of class 1 by the distance to the class means of some columns. */
function nearestMeans(X: number[][], y: number[], columns: number[], train: Int32Array, test: Int32Array): number[] {
  const centre = [0, 1].map((label) => {
    const rows = Array.from(train).filter((row) => y[row] === label);
    return columns.map((j) => rows.reduce((sum, row) => sum + X[row][j], 0) / rows.length);
  });
  const distance = (row: number, label: number) =>
    columns.reduce((sum, j, at) => sum + (X[row][j] - centre[label][at]) ** 2, 0);
  return Array.from(test, (row) => 1 / (1 + Math.exp(distance(row, 1) - distance(row, 0))));
}

describe('compareModels', () => {
  it('takes validation results, too, and says the same of them', async () => {
    const { y, patients, a, b, fold } = clustered;
    const validate = (p: number[]) =>
      new CVKitValidator({ nBootstrap: 100 }).validate({
        model: () => new Given(),
        X: p.map((value) => [value]),
        y,
        groups: patients,
        cv: new PredefinedSplit({ testFold: fold }),
        metrics: ['roc_auc'],
        verbose: 0,
      });
    const [x, z] = [await validate(a), await validate(b)];
    const [c, d] = clusteredPair;
    expect(compareModels(x, z, { nPermutations: 99 }).toJSON()).toEqual(
      compareModels(c, d, { nPermutations: 99 }).toJSON(),
    );
  });

  it('gives the same answer for the same seed, and mutates nothing', () => {
    const [a, b] = clusteredPair;
    const before = JSON.stringify(a.outOfFold);
    expect(compareModels(a, b, { nPermutations: 99 }).signFlip).toEqual(
      compareModels(a, b, { nPermutations: 99 }).signFlip,
    );
    expect(JSON.stringify(a.outOfFold)).toBe(before);
  });

  it('compares distances from the target of a metric: the slope and the intercept of calibration', async () => {
    const { y, fold, patients: groups } = clustered;
    const logits = clustered.a.map((p) => Math.log(p / (1 - p)));
    const metrics = ['calibration_slope', 'calibration_intercept'];
    const of = (change: (logit: number) => number) =>
      givenResults({ p: logits.map((each) => 1 / (1 + Math.exp(-change(each)))), y, fold, groups, metrics });
    const { calibration_slope: slope, calibration_intercept: intercept } = (await of((u) => u)).estimates;
    // Log-odds times c have the slope divided by c; log-odds plus d have the intercept less d.
    const sloped = (wanted: number) => of((u) => (u * (slope as number)) / wanted);
    const shifted = (wanted: number) => of((u) => u + (intercept as number) - wanted);
    const slopes = await Promise.all([0.6, 1.5, 1.4].map(sloped));
    const metric = { metric: 'calibration_slope', nPermutations: 99 } as const;
    const { paired, signFlip: flips, correctedT, halfContrasts } = compareModels(slopes[0], slopes[1], metric);
    expect(paired.difference).toBeCloseTo(0.4 - 0.5, 6);
    expect(flips.difference).toBeCloseTo(0.4 - 0.5, 6);
    const byFold = slopes
      .slice(0, 2)
      .map(({ scores }) => scores.calibration_slope.map(({ value }) => Math.abs((value as number) - 1)));
    const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
    expect(correctedT.difference).toBeCloseTo(mean(byFold[0]) - mean(byFold[1]), 10);
    expect(halfContrasts.reason).toContain('target');
    expect(compareModels(slopes[1], slopes[0], metric).paired.difference).toBeCloseTo(0.1, 6);
    // Both as far from 1: nothing to choose, where the slopes themselves differ by .8.
    expect(compareModels(slopes[0], slopes[2], metric).paired.difference).toBeCloseTo(0, 6);
    const [low, high] = await Promise.all([-0.3, 0.5].map(shifted));
    const found = compareModels(low, high, { metric: 'calibration_intercept', nPermutations: 99 });
    expect(found.paired.difference).toBeCloseTo(0.3 - 0.5, 6);
    expect(found.summary()).toContain('distances');
    const table = await compareModels({ results: { low, high }, metric: 'calibration_intercept', reference: 'high' });
    expect(table.comparisons[0].difference).toBeCloseTo(found.correctedT.difference as number, 12);
    expect(table.rows[0].interval?.estimate).toBeCloseTo(-0.3, 6);
  });
});
