import { hasReason } from '../../core/hasReason.js';
import { foldsThatCount } from '../../intervals/foldsThatCount.js';
import { countUnits, joinNotes, tooFewUnits } from '../../intervals/interval.js';
import { pairedDifference } from '../pairedDifference.js';
import { type ComparisonInput, type DifferenceTest, NO_TEST } from './answers.js';
import { tTest } from './tTest.js';

/**
 * The difference of two out-of-fold estimates on the same rows, with its standard error between patients: for `roc_auc`
 * DeLong's paired test, within folds and clustered by patient; for other metrics the same with their influence function,
 * or with resamples of patients. Student's t with Satterthwaite's degrees of freedom in the place of DeLong's normal.
 * The models are held fixed, so it says nothing about other training sets.
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; see {@link pairedDifference}.
 */
export function pairedTest(input: ComparisonInput): DifferenceTest {
  const { metric, unit, level, a, b } = input;
  const nUnits = countUnits(foldsThatCount(metric, a));
  const facts = {
    method: metric.name === 'roc_auc' ? 'delong' : metric.influence ? 'paired_influence' : 'paired_bootstrap',
    estimand: 'predictions',
    unit,
    nUnits,
    nFolds: a.length,
    level,
  } as const;
  const found = pairedDifference(input, a, b);
  const none = (reason: string): DifferenceTest => ({ ...facts, ...NO_TEST, difference: found.estimate, reason });
  if (hasReason(found)) return none(found.reason);
  const obstacle = tooFewUnits(nUnits, unit);
  if (obstacle !== undefined) return none(obstacle);
  const test = tTest(facts, metric, found);
  return test.reason === undefined ? { ...test, ...joinNotes(...found.notes) } : test;
}
