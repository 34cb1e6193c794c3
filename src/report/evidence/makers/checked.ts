/** What checks say, in their own sentences. */
import type { CheckResult } from '../../../checkers/check.js';
import { nameText } from '../../../core/foreignText.js';
import { type Maker, type Said, together, untold } from '../guideline.js';

const MADE: readonly string[] = ['passed', 'failed', 'needs_review'];

/** The findings of checks by their types; one that was not made is left to the author with the reason. */
export const checked =
  (...types: readonly string[]): Maker =>
  ({ checks }) =>
    together(
      types.map((type): Said => {
        const at = checks.findIndex((check) => check.type === type);
        if (at < 0) return untold(`the check ${type} was not made`);
        const { code, status, message, evidence, madeBy } = checks[at];
        const word = evidence?.authorsWord !== undefined;
        if (status === 'not_applicable' && !word) return { text: '', where: [] };
        if (status === 'error') return untold(`the check ${nameText(type)}, which could not be completed`);
        if (!MADE.includes(status) && !word)
          return untold(`${nameText(type)} was not checked (${message.replace(/\.$/, '')})`);
        const by = madeBy ? ', made by the `leakageChecker` that was given, not by cvkit' : '';
        const how = status.replaceAll('_', ' ');
        return {
          text: `${nameText(code)} ${nameText(type)}, ${how}${by}: ${message}`,
          where: [`checks[${at}]`],
          left: remains(checks[at]),
        };
      }),
    );

/** What a finding leaves to the author. */
function remains({ code, status, evidence, madeBy }: CheckResult): string | undefined {
  if (status === 'failed' || status === 'needs_review') return `what follows from ${nameText(code)}`;
  if (madeBy) return 'what the `leakageChecker` that was given did';
  if (evidence?.authorsWord === undefined) return undefined;
  return `the grounds of what was taken on the author's word (${nameText(String(evidence.authorsWord))})`;
}

/** What the sets have in common: patients, rows, near-copies of rows, units of a hierarchy. */
export const disjointness: Maker = (result) =>
  result.manifest.method === 'given predictions' && result.manifest.nSplits === 1
    ? untold('what the model was trained on: predictions alone do not tell')
    : checked('patient', 'duplicate', 'near_duplicate', 'hierarchical')(result);

/** How far training and test rows differ. */
export const shift = checked('feature_statistics', 'label_distribution');

/** The verdict over all checks. */
export const verdict: Maker = ({ verdict: { text, authorsWord } }) => ({
  text: `Verdict over the checks: ${text}.`,
  where: ['verdict.text'],
  ...(authorsWord.length > 0
    ? {
        left: `the grounds of what was taken on the author's word (${authorsWord.map((each) => nameText(each)).join(', ')})`,
      }
    : {}),
});
