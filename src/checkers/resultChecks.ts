/** Checks of the result itself, made after training: their names, so that an author can acknowledge them before. */
import type { CheckFacts } from './check.js';

const facts = (code: string, type: string): CheckFacts => ({
  code,
  type,
  kind: 'result',
  page: `docs/checks/${code}.md`,
});

export const RESULT_CHECKS = {
  trainingGap: facts('CVR001', 'training_gap'),
  deviatingFold: facts('CVR002', 'deviating_fold'),
  worseThanBaseline: facts('CVR003', 'worse_than_baseline'),
  oneFeature: facts('CVR004', 'one_feature'),
  fewEvents: facts('CVR005', 'few_events'),
} as const;

export const namesResultCheck = (name: string): boolean =>
  Object.values(RESULT_CHECKS).some(({ code, type }) => name === code || name === type);
