/** Who proposes in a run, how many trials it has, and what a stored study may go on with. */

import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { Study } from '../../src/tuning/study.js';
import type { TuningOptions } from '../../src/tuning/tuningOptions.js';
import { memoryStorage } from '../helpers/memoryStorage.js';
import { searched } from '../helpers/tuning.js';

const ten = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`p${at}`, [...Array(10).keys()]]));
const combinations = ({ trials }: Study) => new Set(trials.map(({ params }) => JSON.stringify(params))).size;

describe('the sampler', () => {
  it.each<[string, object, string, number]>([
    ['lists with few combinations', {}, 'grid', 3],
    ['lists with more combinations than trials', { nTrials: 2 }, 'random', 2],
    ['very many combinations', { paramGrid: ten, nTrials: 2 }, 'random', 2],
    ['a range', { paramGrid: { C: { low: 1, high: 2 } }, nTrials: 2 }, 'random', 2],
    ['a grid of steps, tried whole', { sampler: 'grid', paramGrid: { C: { low: 1, high: 12, step: 1 } } }, 'grid', 12],
    ['a grid that the caller cuts', { sampler: 'grid', nTrials: 2 }, 'grid', 2],
    ['random lists, none twice, and then no more', { sampler: 'random', nTrials: 9 }, 'random', 3],
  ])('for %s', async (_name, more, sampler, nTrials) => {
    const { search, study } = await searched(more);
    expect([search.sampler, study.trials.length, combinations(study)]).toEqual([sampler, nTrials, nTrials]);
  });
});

describe('a storage', () => {
  it('of the caller stays open, also after an error', async () => {
    const storage = memoryStorage();
    await searched({ storage });
    expect(storage.closed).toBe(0);
    let flushes = 0;
    const broken = memoryStorage(() => {
      if (++flushes > 3) throw new Error('disk full');
    });
    await expect(searched({ storage: broken })).rejects.toThrow('disk full');
    expect(broken.closed).toBe(0);
  });

  it('is refused for another procedure, and trials of an earlier session are told', async () => {
    const storage = memoryStorage();
    await searched({ storage });
    const again = await searched({ storage });
    expect(again.warnings.join()).toMatch(/3 trials of 'tuning\/fold-0' were scored in an earlier session/);
    for (const other of [
      { preprocessing: new StandardScaler() },
      { threshold: 'youden' },
      { positiveLabel: 0 },
      { modelFn: () => new LogisticRegression({}) },
    ] as Partial<TuningOptions>[]) {
      await expect(searched({ storage, ...other })).rejects.toMatchObject({ code: 'other_study' });
    }
  });

  it('with trials of another program is gone on with, and that is said', async () => {
    const storage = memoryStorage();
    const other = await Study.open({ storage, name: 'mine/fold-0', direction: 'maximize', sampler: 'random' });
    await other.optimize((trial) => trial.suggestCategorical('C', [0.01, 0.1, 1]), { nTrials: 1 });
    const { warnings } = await searched({ storage, studyName: 'mine' });
    expect(warnings.join()).toMatch(/'mine\/fold-0' held 1 trials that another program recorded/);
  });
});

it('two searches at once do not see each other', async () => {
  const [a, b] = await Promise.all([searched(), searched({ randomState: 7, scoring: 'accuracy' })]);
  const alone = await searched({ randomState: 7, scoring: 'accuracy' });
  expect(a.scoring).toBe('roc_auc');
  expect(b.results.scores).toEqual(alone.results.scores);
  expect(b.study.trials.map(({ value }) => value)).toEqual(alone.study.trials.map(({ value }) => value));
});
