/** What checks say, in their own sentences. */
import type { CheckResult } from '../../../checkers/check.js';
import { nameText } from '../../../core/foreignText.js';
import { combine, NOTHING, notReported, type Statement, type StatementBuilder, stated } from '../statement.js';
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

/** Of a check that the caller made its status alone is known. */
function statementOf({ code, type, status, message, evidence, madeBy }: CheckResult, at: number): Statement {
  const word = evidence.authorsWord;
  if (status === 'error') return notReported(`the check ${type}, which could not be completed`);
  const how = status.replaceAll('_', ' ');
  if (madeBy) {
    return stated(
      `${nameText(code, 20)} ${type}, ${how}, by the \`leakageChecker\` that was given, not by cvkit.`,
      [`checks[${at}].code`, `checks[${at}].status`],
      `what the \`leakageChecker\` that was given did for ${type}, and what follows`,
    );
  }
  const finding = nameText(message, MESSAGE);
  if (status === 'not_applicable' && word === undefined) return NOTHING;
  if (!MADE.includes(status) && word === undefined) {
    return notReported(`${type} was not checked (${finding.replace(/\.$/, '')})`);
  }
  const follows = status === 'failed' || status === 'needs_review';
  return stated(
    `${nameText(code)} ${type}, ${how}: ${finding}`,
    [`checks[${at}]`],
    follows ? `what follows from ${nameText(code)}` : word !== undefined && grounds([String(word)]),
  );
}

const grounds = (words: readonly string[]) =>
  `the grounds of what was taken on the author's word (${words.map((each) => nameText(each)).join(', ')})`;

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
  const remaining = authorsWord.length > 0 && grounds(authorsWord);
  return stated(`Verdict over the checks: ${nameText(text, MESSAGE)}.`, ['verdict.text'], remaining);
};
