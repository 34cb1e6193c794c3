/** Judges the folds of a run with every check there is; the one place that the validator and the callback ask. */
import { InvalidDataError, messageOf, sentence } from '../core/errors.js';
import { balanceChecks } from './CVB001-class-balance/balanceChecks.js';
import { type Check, type CheckResult, crashed, notEvaluated, runCheck, STATUSES } from './check.js';
import type { CheckInput } from './checkInput.js';
import { leakageChecks } from './registry.js';

/** Judges the folds of a run: stands in for the built-in leakage checks. */
export interface FoldJudge {
  judge(input: CheckInput): Promise<readonly CheckResult[]> | readonly CheckResult[];
}

interface Wanted {
  readonly leakage: boolean;
  readonly balance: boolean;
  readonly judge?: FoldJudge | undefined;
}

/**
 * Results in order of their codes. A check never stops another. A `judge` of the caller's stands in for the built-in
 * leakage checks; the kinds that it does not speak of are `not_evaluated`.
 */
export async function judgeFolds(input: CheckInput, { leakage, balance, judge }: Wanted): Promise<CheckResult[]> {
  const balanced = () => (balance ? runChecks(balanceChecks, input) : turnedOff(balanceChecks, 'checkBalance'));
  if (!leakage) return [...turnedOff(leakageChecks, 'checkLeakage'), ...(await balanced())];
  if (!judge) return [...(await runChecks(leakageChecks, input)), ...(await balanced())];
  const theirs = await judgedBy(judge, input);
  const left = leakageChecks
    .filter(({ type }) => !theirs.some((result) => result.type === type))
    .map((check) => notEvaluated(check, 'Left to the `leakageChecker`, which did not make it.'));
  return [...theirs, ...left, ...(await balanced())];
}

/** One after the other: the checks share what they read, and large data fill the memory once. */
export async function runChecks(checks: readonly Check[], input: CheckInput): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await runCheck(check, input));
  return results;
}

const turnedOff = (checks: readonly Check[], option: string) =>
  checks.map((check) => notEvaluated(check, `Turned off by \`${option}: false\`.`));

/** What every result holds beside its status. */
const FIELDS = {
  code: 'string',
  type: 'string',
  kind: 'string',
  severity: 'string',
  message: 'string',
  evidence: 'object',
  fix: 'string',
};

/** What the caller's judge says; what it throws, or gives in place of results, is its own error. */
async function judgedBy(judge: FoldJudge, input: CheckInput): Promise<readonly CheckResult[]> {
  try {
    const results: unknown = await judge.judge(input);
    if (!Array.isArray(results)) {
      throw new InvalidDataError(sentence('Its `judge`', 'give a list of results', results));
    }
    for (const result of results) {
      if (!STATUSES.includes(result?.status)) {
        throw new InvalidDataError(
          sentence('The status of a check', `be one of ${STATUSES.join(', ')}`, result?.status),
        );
      }
      for (const [field, kind] of Object.entries(FIELDS)) {
        const value = result[field];
        if (typeof value !== kind)
          throw new InvalidDataError(
            sentence(`\`${field}\` of a check`, `be ${kind === 'object' ? 'an object' : 'text'}`, value),
          );
      }
    }
    return results;
  } catch (error) {
    return [
      {
        ...crashed({ code: 'CVL000', type: 'leakage_checker', kind: 'leakage' }, error),
        message: `The \`leakageChecker\` that was given could not judge the folds: ${messageOf(error)}`,
        fix: 'Mend the `judge` of your `leakageChecker`, or leave it out for the built-in checks.',
      },
    ];
  }
}
