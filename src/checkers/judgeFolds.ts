/** Judges the folds of a run with every check there is; the one place that the validator asks. */
import { InvalidDataError, sentence } from '../core/errors.js';
import { type Check, type CheckInput, type CheckResult, crashed, notEvaluated, runCheck, STATUSES } from './check.js';
import { patientOverlap } from './leakage/patientOverlap.js';

/** Kinds of leakage by code. One without a check is reported as `not_evaluated`, never as passed. */
type Kind = Pick<Check, 'code' | 'type'>;
const LEAKAGE: readonly (Check | Kind)[] = [
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
const BALANCE: readonly Kind[] = [{ code: 'CVB001', type: 'class_balance' }];

const isCheck = (row: Check | Kind): row is Check => 'judge' in row;

/** The checks that this version can make. */
export const checks: readonly Check[] = LEAKAGE.filter(isCheck);

/** Judges the folds of a run: stands in for the built-in leakage checks. */
export interface FoldJudge {
  judge(input: CheckInput): Promise<readonly CheckResult[]> | readonly CheckResult[];
}

/**
 * Results in order of their codes. A check never stops another. A `judge` of the caller's stands in for the built-in
 * leakage checks; the kinds that it does not speak of are `not_evaluated`.
 */
export async function judgeFolds(
  input: CheckInput,
  { leakage, balance, judge }: { leakage: boolean; balance: boolean; judge?: FoldJudge },
): Promise<CheckResult[]> {
  if (leakage && judge) {
    const theirs = await judgedBy(judge, input);
    const open = LEAKAGE.filter(({ type }) => !theirs.some((result) => result.type === type));
    const rest = open.map((row) => notEvaluated(row, 'was left to the `leakageChecker`, which did not make it'));
    const ours = await Promise.all(BALANCE.map((row) => judged(row, input, balance, 'checkBalance')));
    return [...theirs, ...rest, ...ours];
  }
  const results: CheckResult[] = [];
  for (const row of LEAKAGE) results.push(await judged(row, input, leakage, 'checkLeakage'));
  for (const row of BALANCE) results.push(await judged(row, input, balance, 'checkBalance'));
  return results;
}

async function judged(row: Check | Kind, input: CheckInput, wanted: boolean, option: string): Promise<CheckResult> {
  if (!wanted) return notEvaluated(row, `was turned off by \`${option}: false\``);
  return isCheck(row) ? runCheck(row, input) : notEvaluated(row, 'is not part of this version');
}

async function judgedBy(judge: FoldJudge, input: CheckInput): Promise<readonly CheckResult[]> {
  const row = { code: 'CVL000', type: 'leakage_checker' };
  try {
    const results = await judge.judge(input);
    const odd = results.find((result) => !STATUSES.includes(result?.status));
    if (!odd) return results;
    throw new InvalidDataError(sentence('The status of a check', `be one of ${STATUSES.join(', ')}`, odd?.status));
  } catch (error) {
    return [crashed(row, error)];
  }
}
