import { checkLines } from '../core/checkText.js';
import { textTable, wrapText } from '../core/summaryText.js';
import type { ValidationResult } from '../validator/validationResult.js';
import { facts, intervalNotes, SCORE_HEADER, scoreRows, statusLine } from './sections.js';

/** The result as text for a terminal: verdict, facts, scores with intervals, checks. */
export function textReport(result: ValidationResult): string {
  return [
    `Cross-validation: ${statusLine(result)}`,
    '',
    textTable(facts(result)),
    '',
    textTable([SCORE_HEADER, ...scoreRows(result)], { numbers: true }),
    '',
    ...intervalNotes(result).map((note) => wrapText(note)),
    ...checkLines(result.checks),
  ].join('\n');
}
