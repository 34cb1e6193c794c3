import { checkLines } from '../core/checkText.js';
import { boolean, type InputOf, optionTable } from '../core/options.js';
import { factLines, textTable, wrapText } from '../core/summaryText.js';
import type { ValidationResult } from '../validator/validationResult.js';
import { facts, foldTable, intervalNotes, scoreTable, type Table, titleOf, warningsOf } from './sections.js';

export const summaryOptions = optionTable('summary', {
  details: boolean()
    .default(false)
    .describe(
      'Also what passed and why, every note of the intervals, the folds, and what is needed to repeat the run.',
    ),
});

/** How much `summary()` says. */
export type SummaryOptions = InputOf<typeof summaryOptions>;

/**
 * The result as text for a terminal: verdict, design, data, model, scores with intervals, a line for what passed, then
 * what needs a look.
 */
export function textReport(result: ValidationResult, input?: SummaryOptions): string {
  const { details } = summaryOptions.resolve(input);
  return [
    wrapText(`${titleOf(result)}: ${result.verdict.text}`, ''),
    '',
    ...factLines(facts(result, { details })),
    '',
    tableText(scoreTable(result, { details })),
    '',
    ...intervalNotes(result, { details }).map((note) => wrapText(note)),
    ...checkLines(result.checks, { all: details, hint: '; summary({ details: true }) says more' }),
    ...(details
      ? ['', tableText(foldTable(result))]
      : [...warningsOf(result).map((warning) => wrapText(warning, '  Warning: '))]),
  ].join('\n');
}

const tableText = ({ header, rows }: Table) => textTable([header, ...rows], { numbers: true });
