import { expect, it } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { TrialPruned } from '../../src/tuning/trialPruned.js';

it('is an error with a code', () => {
  expect(new TrialPruned()).toBeInstanceOf(CVKitError);
  expect(new TrialPruned('flat')).toMatchObject({ code: 'trial_pruned', message: 'flat' });
});
