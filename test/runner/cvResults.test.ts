import { describe, expect, it } from 'vitest';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

const { X, y } = blobs();
const run = (options = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), adapter: spyAdapter().adapter, verbose: 0 }).run({
    model: () => new NearestMean(),
    data: [X, y],
    ...options,
  });

/** A run whose folds have these scores. */
const scored = (...values: (number | null)[]) => run({ scoring: { mine: () => values.shift() } });

describe('CVResults', () => {
  it('means and deviations are over the folds that have a value', async () => {
    const results = await scored(0.5, null, 0.7, 0.9);
    // By hand: (.5 + .7 + .9) / 3 = .7; sqrt((.04 + 0 + .04) / 2) = .2.
    expect(results.meanScores.mine).toBeCloseTo(0.7, 12);
    expect(results.stdScores.mine).toBeCloseTo(0.2, 12);
    expect(results.summary()).toContain('3 of 4');
  });

  it('equal values but for rounding have no spread', async () => {
    const results = await scored(0.1 + 0.2, 0.3, 0.3, 0.3); // .1 + .2 is .30000000000000004
    expect(results.stdScores.mine).toBe(0);
    const tiny = await scored(1e-20, 2e-20, 3e-20, 4e-20);
    expect(tiny.stdScores.mine).toBeCloseTo(1e-20 * Math.sqrt(5 / 3), 32);
  });

  it('a score that no fold has is null, with its reasons, and a dash in the summary', async () => {
    const results = await scored(null, null, null, null);
    expect(results.meanScores.mine).toBeNull();
    expect(results.scores.mine[0]).toEqual({ value: null, reason: 'mine gave null' });
    expect(results.summary()).toMatch(/mine +— +— +— +0 of 4/);
  });

  it('gives one entry per fold that ran', async () => {
    const results = await run({ folds: [1, 3] });
    for (const part of ['predictions', 'probabilities', 'indices', 'models', 'histories', 'foldDetails'] as const) {
      expect(results[part]).toHaveLength(2);
    }
    expect(Array.from(results.indices[1].test)).toEqual(Array.from({ length: 10 }, (_, i) => 30 + i));
    expect(results.foldDetails.map(({ index }) => index)).toEqual([1, 3]);
  });

  it('writes JSON without models or typed arrays', async () => {
    const json = (await run({ keepModels: 'memory' })).toJSON();
    expect(json).not.toHaveProperty('models');
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  });
});
