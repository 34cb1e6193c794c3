import { expect, it } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { Study } from '../../src/tuning/study.js';
import { TrialPruned } from '../../src/tuning/trialPruned.js';

it('is an error with a code, and makes a trial pruned, not failed', async () => {
  expect(new TrialPruned()).toBeInstanceOf(CVKitError);
  expect(new TrialPruned('flat')).toMatchObject({ code: 'trial_pruned', message: 'flat' });
  const objective = ({ number }: { number: number }) => {
    if (number === 0) throw new TrialPruned();
    return 1;
  };
  const study = await new Study({ sampler: 'random' }).optimize(objective, { nTrials: 2 });
  // It reported nothing, so nothing is known of it.
  expect(study.trials[0]).toMatchObject({ state: 'pruned', value: null });
  expect(study.trials[0].reason).toBeUndefined();
});
