/** BBC-CV of a search equals BBC-CV of the runs that its trials are. */
import { describe, expect, it } from 'vitest';
import { deriveSeed, randomSource } from '../../src/core/random.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { bestOfMany } from '../../src/intervals/bestOfMany.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import type { CVResults } from '../../src/runner/cvResults.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { StratifiedGroupKFold } from '../../src/splitters/grouped/stratifiedGroupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { bbcCV } from '../../src/stats/bbcCV.js';
import { scoredFolds, valuedFolds } from '../../src/stats/results.js';
import type { CorrectedBest } from '../../src/tuning/correctedBest.js';
import type { TuningOptions } from '../../src/tuning/tuningOptions.js';
import { cloningExecutor } from '../helpers/cloningExecutor.js';
import { memoryStorage } from '../helpers/memoryStorage.js';
import { noisyRows, searched } from '../helpers/tuning.js';

const { X, y } = noisyRows();
const multi = noisyRows(60, 3);
const corrected = async (more: Partial<TuningOptions>) =>
  (await searched({ outer: false, ...more })).correctedBest as CorrectedBest;

describe('correctedBest', () => {
  it.each<[string, Partial<TuningOptions>]>([
    ['plain rows', {}],
    ['weights', { sampleWeight: y.map((_, row) => 1 + (row % 3)) }],
    ['patients', { groups: y.map((_, row) => row >> 1), cvSplitter: new StratifiedGroupKFold({ nSplits: 3 }) }],
    ['repeated folds', { cvSplitter: new RepeatedKFold({ nSplits: 3, nRepeats: 2, randomState: 1 }) }],
    ['three classes', { data: [multi.X, multi.y], scoring: 'f1_macro' }],
    ['a loss', { scoring: 'log_loss' }],
  ])('equals bbcCV of the runs of its trials: %s', async (_name, more) => {
    const { scoring = 'roc_auc', data = [X, y], cvSplitter = new StratifiedKFold({ nSplits: 3 }), ...how } = more;
    const runner = new UniversalCVRunner({ cvSplitter: cvSplitter as Splitter, verbose: 0 });
    const found = await corrected(more);
    const runs: CVResults[] = [];
    for (const C of [0.01, 0.1, 1]) {
      const model = () => new LogisticRegression({ C });
      runs.push(await runner.run({ model, data, metrics: [scoring], ...how } as never));
    }
    const randomState = deriveSeed(42, 'tuning', 'bbc');
    const { nTrials, nLeftOut, ...rest } = found;
    expect([nTrials, nLeftOut]).toEqual([3, 0]);
    if (metricRegistry.get(scoring as string).combine === 'mean') {
      const { chosen: _, chosenShare: _share, ...expected } = bbcCV(runs, { metric: scoring as never, randomState });
      return expect(rest).toEqual(expected);
    }
    // bbcCV chooses by one value over all rows; a search chooses by the mean of folds, whatever the metric.
    const metric = { ...metricRegistry.get(scoring as string), combine: 'mean' as const };
    const configurations = runs.map((run) => valuedFolds(metric, scoredFolds(run).folds));
    const facts = { level: 0.95, unit: 'row', nBootstrap: 1000, random: randomSource(randomState) };
    const { chosen: _chosen, shares: _shares, ...expected } = bestOfMany({ metric, configurations, ...facts });
    expect(rest).toEqual(expected);
    const means = runs.map((run) => run.meanScores[scoring as string] as number);
    expect(rest.naive).toBeCloseTo(Math[scoring === 'log_loss' ? 'min' : 'max'](...means), 12);
  });

  it('does not depend on the executor, also where trials are equally good', async () => {
    const same = { paramGrid: { unused: [1, 2, 3, 4, 5] }, nTrials: 5 };
    const once = await corrected(same);
    expect(await corrected({ ...same, executor: cloningExecutor(4), parallelTrials: 5 })).toEqual(once);
  });

  it('leaves out trials that failed', async () => {
    expect(await corrected({ paramGrid: { C: [-1, 0.1, 1] } })).toMatchObject({ nTrials: 2, nLeftOut: 1 });
  });

  it('says why there is none: a function, an earlier session', async () => {
    const own = await corrected({ scoring: () => 1 });
    expect(own).toEqual({ estimate: null, reason: expect.stringMatching(/use defineMetric/) });
    const storage = memoryStorage();
    await corrected({ storage });
    const again = await corrected({ storage });
    expect(again).toMatchObject({
      estimate: null,
      reason: expect.stringMatching(/predictions of 3 of 3 trials are gone/),
    });
  });

  it('takes the folds that a callback let run for the winner', async () => {
    const cvSplitter = new KFold({ nSplits: 3, shuffle: true });
    const tuned = await searched({ outer: false, cvSplitter, callbacks: { onFoldEnd: () => 'stop' } });
    expect(tuned.results.folds).toHaveLength(1);
    expect(tuned.correctedBest).toMatchObject({ nTrials: 3 });
  });
});
