/** What a check says whose input was not given: does its question arise with these data at all? */
import { nameText } from '../core/foreignText.js';
import { type Finding, notApplicable, undecided } from './check.js';
import type { CheckInput } from './checkInput.js';
import { INPUT_OF, type Question } from './checkOptions.js';
import type { Column } from './features/columns.js';
import { tableOf } from './features/features.js';
import { saysSite } from './features/nameWords.js';
import { EXAMPLES } from './overlap.js';

interface Signs {
  /** What the input is, in the singular with its article: `a time`. */
  readonly noun: string;
  columnsIn(columns: readonly Column[]): readonly Column[];
}

/** Of the hierarchy only sites can be told by the name of a column. */
export const SITE_SIGNS: Signs = {
  noun: 'a site',
  columnsIn: (columns) => columns.filter(({ name }) => saysSite(name)),
};

/** Without a column like the input the question does not arise; with one it is open, unless the author says otherwise. */
export async function openQuestion(type: Question, input: CheckInput, { noun, columnsIn }: Signs): Promise<Finding> {
  const name = INPUT_OF[type];
  if (input.notApplicable.includes(type)) {
    return notApplicable(`On the author's word this does not apply (\`notApplicable: ['${type}']\`).`, {
      authorsWord: 'notApplicable',
    });
  }
  if (!input.X) {
    const message = `There is no \`${name}\`, and without rows nobody can tell whether a column looks like ${noun}.`;
    return undecided(message, `Pass \`${name}\`.`);
  }
  const columns = columnsIn(tableOf(await input.features())).map((column) => column.name);
  if (columns.length === 0)
    return notApplicable(`Without \`${name}\` there is nothing to judge: no column of X looks like ${noun}.`);
  const one = columns.length === 1;
  return undecided(
    `The column${one ? '' : 's'} ${columns
      .slice(0, EXAMPLES)
      .map((column) => nameText(column))
      .join(', ')} ${one ? 'looks' : 'each look'} like ${noun}, but there is no \`${name}\`.`,
    `Pass \`${name}\`, or \`notApplicable: ['${type}']\` if the question does not arise.`,
    { columns: columns.length, examples: columns.slice(0, EXAMPLES).map((feature) => ({ feature })) },
  );
}
