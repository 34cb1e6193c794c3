/** What checks say, in their own sentences. */
import type { CheckResult } from '../../../checkers/check.js';
import { nameText } from '../../../core/foreignText.js';
import { combine, notReported, type Statement, type StatementBuilder } from '../statement.js';
import { MESSAGE } from './data.js';
import { completed, isEvaluation, past } from './folds.js';

const MADE: readonly string[] = ['passed', 'failed', 'needs_review'];

/** The findings of checks by their types; one that was not made is left to the author with the reason. */
export const checked =
  (...types: readonly string[]): StatementBuilder =>
  ({ checks }) =>
    combine(
      types.flatMap((type) => {
        const found = checks.flatMap((check, at) => (check.type === type ? [statementOf(check, at)] : []));
        return found.length > 0 ? found : [notReported(`the check ${type} was not made`)];
      }),
    );

/** A check says it in its own sentences; of one that the caller made its status alone is known. */
function statementOf(check: CheckResult, at: number): Statement {
  const { code, type, status, message, evidence, madeBy } = check;
  const word = evidence.authorsWord !== undefined;
  if (status === 'error') return notReported(`the check ${type}, which could not be completed`);
  const how = status.replaceAll('_', ' ');
  if (madeBy) {
    return {
      text: `${nameText(code, 20)} ${type}, ${how}, by the \`leakageChecker\` that was given, not by cvkit.`,
      where: [`checks[${at}].code`, `checks[${at}].status`],
      remaining: remains(check),
    };
  }
  const finding = nameText(message, MESSAGE);
  if (status === 'not_applicable' && !word) return { text: '', where: [] };
  if (!MADE.includes(status) && !word) return notReported(`${type} was not checked (${finding.replace(/\.$/, '')})`);
  return {
    text: `${nameText(code)} ${type}, ${how}: ${finding}`,
    where: [`checks[${at}]`],
    remaining: remains(check),
  };
}

function remains({ code, type, status, evidence, madeBy }: CheckResult): string | undefined {
  if (madeBy) return `what the \`leakageChecker\` that was given did for ${type}, and what follows`;
  if (status === 'failed' || status === 'needs_review') return `what follows from ${nameText(code)}`;
  if (evidence.authorsWord === undefined) return undefined;
  return `the grounds of what was taken on the author's word (${nameText(String(evidence.authorsWord))})`;
}

/** What the sets have in common: patients, rows, near-copies of rows, units of a hierarchy. */
export const disjointness: StatementBuilder = (result) =>
  isEvaluation(result) && result.manifest.nSplits === 1
    ? notReported('what the model was trained on: predictions alone do not tell')
    : combine([checked('patient', 'duplicate', 'near_duplicate', 'hierarchical')(result), past(result)]);

export const shift = checked('feature_statistics', 'label_distribution');

/** The verdict over all checks; without a result it quotes an error, which may hold anything. */
export const verdict: StatementBuilder = (result) => {
  const { text, authorsWord } = result.verdict;
  if (completed(result).length === 0) return notReported('the verdict over the checks: no fold gave a result');
  return {
    text: `Verdict over the checks: ${nameText(text, MESSAGE)}.`,
    where: ['verdict.text'],
    ...(authorsWord.length > 0
      ? {
          remaining: `the grounds of what was taken on the author's word (${authorsWord.map((each) => nameText(each)).join(', ')})`,
        }
      : {}),
  };
};
