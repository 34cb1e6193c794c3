/** Judges the folds of a run with every check there is; the one place that the validator asks. */
import { type Check, type CheckInput, type CheckResult, notEvaluated, runCheck } from './check.js';
import { patientOverlap } from './leakage/patientOverlap.js';

/** Kinds of leakage by code. One without a check is reported as `not_evaluated`, never as passed. */
const LEAKAGE: readonly (Check | Pick<Check, 'code' | 'type'>)[] = [
  patientOverlap,
  { code: 'CVL002', type: 'duplicate' },
  { code: 'CVL003', type: 'near_duplicate' },
  { code: 'CVL004', type: 'temporal' },
  { code: 'CVL005', type: 'feature_statistics' },
  { code: 'CVL006', type: 'spatial_proximity' },
  { code: 'CVL007', type: 'label_distribution' },
  { code: 'CVL008', type: 'hierarchical' },
  { code: 'CVL009', type: 'feature_target' },
  { code: 'CVL010', type: 'preprocessing' },
];
const BALANCE: readonly Pick<Check, 'code' | 'type'>[] = [{ code: 'CVB001', type: 'class_balance' }];

const isCheck = (row: Pick<Check, 'code'>): row is Check => 'judge' in row;

/** The checks that this version can make. */
export const checks: readonly Check[] = LEAKAGE.filter(isCheck);

/** Results in order of their codes. A check never stops another. */
export async function judgeFolds(
  input: CheckInput,
  { leakage, balance }: { leakage: boolean; balance: boolean },
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const row of [...(leakage ? LEAKAGE : []), ...(balance ? BALANCE : [])]) {
    results.push(isCheck(row) ? await runCheck(row, input) : notEvaluated(row, 'is not part of this version'));
  }
  return results;
}
