/** What comes out: text, JSON, and a run that is ended early. */

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { HOSTILE, unsafeLines } from '../helpers/hostile.js';
import { memoryStorage } from '../helpers/memoryStorage.js';
import { searched } from '../helpers/tuning.js';

describe('TuningResults', () => {
  it('prints itself without rows', async () => {
    const tuned = await searched();
    const shown = inspect(tuned);
    expect(shown).toMatch(/^TuningResults: Estimate: roc_auc .*; Best inner: .*optimistic/);
    expect(shown).not.toMatch(/predictions|indices/);
  });

  it('keeps text of others in its line', async () => {
    const names = Object.values(HOSTILE);
    const tuned = await searched({
      paramGrid: { [HOSTILE.terminal]: names, [HOSTILE.lines]: [1, 2] },
      nTrials: 4,
      modelFn: () => new LogisticRegression({}),
      studyName: HOSTILE.turned,
      storage: memoryStorage(),
    });
    expect(unsafeLines(tuned.summary({ details: true }))).toEqual([]);
    expect(unsafeLines(inspect(tuned))).toEqual([]);
  });

  it('is plain JSON, with reports that are no numbers as null', async () => {
    const tuned = await searched({ paramGrid: { C: [-1, 1] }, refit: true });
    const json = JSON.parse(JSON.stringify(tuned));
    expect(json).toEqual(JSON.parse(JSON.stringify(tuned.toJSON())));
    expect(json.trials['all-rows'][0]).toMatchObject({
      state: 'failed',
      value: null,
      reason: expect.stringMatching(/Got -1/),
    });
    expect(json.perFoldParams[0]).toMatchObject({ fold: 'fold-0', params: { C: 1 }, nTrials: 2, nFailed: 1 });
    expect(json.defaults.estimates.roc_auc).toBe(tuned.defaults?.results?.estimates.roc_auc);
    expect(json.stability.byParameter.C.values).toEqual([1, 1, 1]);
  });

  it('of a run that a callback ended has no scores of the other folds, and compares on the same ones', async () => {
    const tuned = await searched({ callbacks: { onFoldEnd: () => 'stop' } });
    expect(tuned.perFoldParams.map(({ outerScore }) => outerScore)).toEqual([expect.any(Number), null, null]);
    expect(tuned.defaults?.results?.folds).toHaveLength(1);
    expect(tuned.summary()).toMatch(/1 of 3 folds, ended by a callback/);
    expect(JSON.parse(JSON.stringify(tuned)).perFoldParams).toHaveLength(3);
  });

  it('has the score of each fold at its place, where others failed or were not asked for', async () => {
    const modelFn = ({ C }: { C?: number }, { fold }: FoldContext) => {
      if (fold === 'fold-0') throw new Error('no memory');
      return new LogisticRegression({ C });
    };
    const failed = await searched({ modelFn, onFoldError: 'record' });
    expect(failed.perFoldParams[0].outerScore).toBeNull();
    expect(failed.perFoldParams[2].outerScore).toBe(failed.results.scores.roc_auc[2].value);
    const some = await searched({ folds: [2] });
    expect(some.perFoldParams).toMatchObject([{ fold: 'fold-2', outerScore: failed.perFoldParams[2].outerScore }]);
  });

  it('is not made where onTrialEnd throws', async () => {
    const onTrialEnd = () => {
      throw new Error('no screen');
    };
    await expect(searched({ callbacks: { onTrialEnd } })).rejects.toThrow(
      /onTrialEnd hook .* must not throw.*no screen/,
    );
  });
});
