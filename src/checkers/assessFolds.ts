/** Assesses the folds of a run with every check there is; the one place that the validator and the callback ask. */
import { InvalidDataError, messageOf, sentence } from '../core/errors.js';
import { allBalanceChecks, allLeakageChecks } from './builtInChecks.js';
import {
  type Check,
  type CheckResult,
  crashed,
  notEvaluated,
  RESULT_FIELDS,
  refuseBadResult,
  runCheck,
  withMaker,
} from './check.js';
import type { CheckInput } from './checkInput.js';

type Results = Promise<readonly CheckResult[]> | readonly CheckResult[];

/** Assesses the folds of a run: stands in for the built-in leakage checks. */
export interface FoldChecker {
  assess(input: CheckInput): Results;
}

interface Wanted {
  readonly leakage: boolean;
  readonly balance: boolean;
  readonly checker?: FoldChecker | undefined;
}

/**
 * Results in order of their codes, those of registered checks last. A check never stops another. A `checker` of the
 * caller's stands in for the leakage checks; the kinds that it does not speak of are `not_evaluated`, and what it made
 * itself is marked as its own (`madeBy`).
 */
export async function assessFolds(input: CheckInput, { leakage, balance, checker }: Wanted): Promise<CheckResult[]> {
  const [leakageChecks, balanceChecks] = [allLeakageChecks(), allBalanceChecks()];
  const balanced = () => (balance ? runChecks(balanceChecks, input) : turnedOff(balanceChecks, 'checkBalance'));
  if (!leakage) return [...turnedOff(leakageChecks, 'checkLeakage'), ...(await balanced())];
  if (!checker) return [...(await runChecks(leakageChecks, input)), ...(await balanced())];
  const theirs = await assessedBy(checker, input);
  const left = leakageChecks
    .filter(({ type }) => !theirs.some((result) => result.type === type))
    .map((check) =>
      notEvaluated(
        check,
        'Left to the `leakageChecker`, which did not make it.',
        'Leave out `leakageChecker`, or let it make this check.',
      ),
    );
  return [...theirs, ...left, ...(await balanced())];
}

/** One after the other: the checks share what they read, and large data fill the memory once. */
export async function runChecks(checks: readonly Check[], input: CheckInput): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await runCheck(check, input));
  return results;
}

const turnedOff = (checks: readonly Check[], option: string) =>
  checks.map((check) => notEvaluated(check, `Turned off by \`${option}: false\`.`, `Leave out \`${option}: false\`.`));

/** What the caller's checker says; what it throws, or gives in place of results, is its own error. */
async function assessedBy(checker: FoldChecker, input: CheckInput): Promise<readonly CheckResult[]> {
  try {
    const results: unknown = await checker.assess(input);
    if (!Array.isArray(results)) {
      throw new InvalidDataError(sentence('Its `assess`', 'give a list of results', results));
    }
    for (const result of results) refuseBadResult(result, RESULT_FIELDS);
    return withMaker(results);
  } catch (error) {
    return [
      {
        ...crashed({ code: 'CVL000', type: 'leakage_checker', kind: 'leakage' }, error),
        message: `The \`leakageChecker\` that was given could not assess the folds: ${messageOf(error)}`,
        fix: `Mend the \`assess\` of your \`leakageChecker\`, or leave it out for the built-in checks.`,
      },
    ];
  }
}
