import { beforeAll, describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import type { CVResults } from '../../src/runner/cvResults.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { bbcCV } from '../../src/stats/bbcCV.js';
import type { ScoredResults } from '../../src/stats/results.js';
import reference from '../reference/bbcCV.json' with { type: 'json' };
import { givenResults } from './given.js';

const { settings, cases, versions } = reference;

/** The results with other probabilities, one per row of the data: as many configurations as wanted from one run. */
const withScores = (results: CVResults, p: readonly number[]): ScoredResults => {
  const { outOfFold, foldDetails, plan, metadata } = results;
  const yProba = Array.from(outOfFold.row, (row) => p[row]);
  const yPred = yProba.map((each) => Number(each > 0.5));
  return { outOfFold: { ...outOfFold, yProba, yPred }, foldDetails, plan, metadata };
};

const uniform = (n: number, seed: number) => {
  const random = randomSource(seed);
  return Array.from({ length: n }, () => random.random());
};

const half = Array.from({ length: 100 }, (_, row) => row % 2);
let noise: CVResults;
beforeAll(async () => {
  const cv = new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 1 });
  noise = await givenResults({ p: uniform(100, 1), y: half, fold: cv });
});

describe(`bbcCV equals numpy ${versions.numpy} on the same draws`, () => {
  for (const { name, y, fold, repeated, configurations, weight, groups, expected } of cases) {
    const task = name === 'regression' ? 'regression' : 'binary';
    const design = { fold: fold ?? new RepeatedKFold(repeated), groups: groups ?? undefined };
    const given = { y, task, ...design, ...(weight ? { weight } : {}) } as const;
    const results = () => Promise.all(configurations.map((p) => givenResults({ ...given, p })));
    it.each(expected)(`${name}: $metric`, async (one) => {
      const found = bbcCV(await results(), { metric: one.metric, ...settings });
      // The slope is an iterative fit.
      const digits = one.metric === 'calibration_slope' ? 6 : 9;
      for (const key of ['naive', 'estimate', 'lower', 'upper'] as const)
        expect(found[key]).toBeCloseTo(one[key], digits);
      expect(found.chosen).toBe(one.chosen);
      one.chosenShare.forEach((share, at) => {
        expect(found.chosenShare?.[at]).toBeCloseTo(share, 12);
      });
      const note = found.note ?? '';
      expect(Number(/(\d+) of 200 resamples left the metric undefined/.exec(note)?.[1] ?? 0)).toBe(one.dropped);
      expect(Number(/(\d+) of 200 resamples left a fold without a value/.exec(note)?.[1] ?? 0)).toBe(one.thinned);
    });
  }
});

describe('bbcCV on noise', () => {
  /** 100 configurations of random scores, n = 100: naive is near .657 and BBC-CV .5 (goal: <= .54). */
  it('takes back what choosing the best of 100 configurations adds', { tags: 'slow' }, () => {
    const runs = 16;
    const found = Array.from({ length: runs }, (_, run) => {
      const configurations = Array.from({ length: 100 }, (__, c) =>
        withScores(noise, uniform(100, 1000 * (run + 1) + c)),
      );
      return bbcCV(configurations, { metric: 'roc_auc', nBootstrap: 100, randomState: run });
    });
    const moments = (values: number[]) => {
      const mean = values.reduce((sum, each) => sum + each, 0) / runs;
      const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (runs - 1);
      return { mean, se: Math.sqrt(variance / runs) };
    };
    const naive = moments(found.map((each) => each.naive as number));
    const corrected = moments(found.map((each) => each.estimate as number));
    expect(naive.mean).toBeGreaterThan(0.63);
    expect(naive.mean).toBeLessThan(0.68);
    expect(Math.abs(corrected.mean - 0.5)).toBeLessThan(0.02 + 3 * corrected.se);
    expect(corrected.mean).toBeLessThan(0.54);
    for (const { lower, upper } of found) expect((lower as number) < 0.5 && (upper as number) > 0.5).toBe(true);
  });
});

describe('bbcCV', () => {
  it('leaves a configuration that is always the best as it is', () => {
    const truth = half.map((label, row) => 0.3 + 0.4 * label + 0.001 * (row % 7));
    const found = bbcCV({ noise, perfect: withScores(noise, truth) });
    expect(found).toMatchObject({
      ...{ estimate: 1, lower: 1, upper: 1, naive: 1, chosen: 'perfect', chosenShare: { noise: 0, perfect: 1 } },
      ...{ method: 'bbc_cv', estimand: 'predictions', unit: 'row', nUnits: 100, nTrain: 80, level: 0.95 },
    });
  });

  it('takes the first of equally good ones', () => {
    const { chosen, chosenShare } = bbcCV([noise, noise, noise], { nBootstrap: 100 });
    expect({ chosen, chosenShare }).toEqual({ chosen: 0, chosenShare: { 0: 1, 1: 0, 2: 0 } });
  });

  it('does not change when all weights are multiplied by a constant, nor from call to call', async () => {
    const { y, fold, configurations, groups, weight } = cases[1];
    const at = async (factor: number) => {
      const given = { y, fold: fold as number[], groups: groups as number[] };
      const weights = (weight as number[]).map((w) => w * factor);
      const runs = configurations.map((p) => givenResults({ ...given, p, weight: weights }));
      return bbcCV(await Promise.all(runs), { nBootstrap: 100 });
    };
    const [one, again, ten] = [await at(1), await at(1), await at(10)];
    expect(again).toEqual(one);
    expect(ten.chosenShare).toEqual(one.chosenShare);
    for (const key of ['estimate', 'lower', 'upper'] as const) expect(ten[key]).toBeCloseTo(one[key] as number, 12);
  });

  it('gives null with the reason where there is no value, no spread of units, or no choice', async () => {
    // One positive row is tested: when it is drawn, none is left out. Another is only trained on.
    const rare = half.map((_, row) => Number(row < 2));
    const fold = half.map((_, row) => (row === 0 ? -1 : row % 5));
    const lone = await Promise.all([1, 2].map((seed) => givenResults({ p: uniform(100, seed), y: rare, fold })));
    const few = await Promise.all(
      [3, 4].map((seed) => givenResults({ p: uniform(8, seed), y: half.slice(0, 8), fold: [0, 0, 0, 0, 1, 1, 1, 1] })),
    );
    const numbers = { ...withScores(noise, uniform(100, 1)), outOfFold: { ...noise.outOfFold, yProba: null } };
    const first = noise.foldDetails[0];
    const foldDetails = [...noise.foldDetails, { ...first, index: 5 }];
    const torn = { ...numbers, outOfFold: noise.outOfFold, foldDetails };
    const facts = ({ estimate, lower, naive, chosen, chosenShare, reason, note }: ReturnType<typeof bbcCV>) => ({
      estimate: estimate === null ? null : 'a number',
      lower,
      naive: naive === null ? null : 'a number',
      chosen: chosen === null ? null : 'a configuration',
      chosenShare: chosenShare && Object.values(chosenShare).reduce((sum, share) => sum + share, 0),
      reason,
      note,
    });
    const number = { estimate: 'a number', lower: null, naive: 'a number', chosen: 'a configuration', chosenShare: 1 };
    const reason = (part: RegExp) => ({ reason: expect.stringMatching(part), note: undefined });
    expect(facts(bbcCV(lone, { nBootstrap: 200 }))).toEqual({
      ...{ ...number, estimate: null, chosenShare: null },
      ...reason(/^200 of 200 .*roc_auc/),
    });
    expect(facts(bbcCV(few, { metric: 'brier', nBootstrap: 200 }))).toEqual({ ...number, ...reason(/ 8 rows/) });
    expect(facts(bbcCV([torn, torn], { nBootstrap: 100 }))).toEqual({
      ...{ ...number, ...reason(/^1 of 6 folds/) },
      note: expect.stringMatching(/^11 of 100 resamples/),
    });
    expect(facts(bbcCV({ noise, numbers }, { nBootstrap: 100 }))).toEqual({
      ...{ ...number, lower: 0.43122916666666666, reason: undefined },
      note: expect.stringMatching(/^11 of 100 .* roc_auc: numbers/),
    });
    expect(facts(bbcCV({ numbers, other: numbers }, { nBootstrap: 100 }))).toEqual({
      ...{ estimate: null, lower: null, naive: null, chosen: null, chosenShare: null },
      ...reason(/^0 of 5 folds .*probabilities/),
    });
  });
});
