import { textTable, wrapText } from '../core/summaryText.js';
import type { ValidationResult } from '../validator/validationResult.js';
import { checkRows, facts, intervalNotes, SCORE_HEADER, scoreRows, statusLine } from './sections.js';

/** The result as text for a terminal: verdict, facts, scores with intervals, checks. */
export function textReport(result: ValidationResult): string {
  const checks = checkRows(result);
  const made = checks.filter(([, , status]) => status !== 'not evaluated');
  const notMade = checks.filter(([, , status]) => status === 'not evaluated').map(([, type]) => type);
  return [
    `Cross-validation: ${statusLine(result)}`,
    '',
    textTable(facts(result)),
    '',
    textTable([SCORE_HEADER, ...scoreRows(result)], { numbers: true }),
    '',
    ...intervalNotes(result).map((note) => wrapText(note)),
    ...made.map(([code, type, status, message]) => wrapText(`${code} ${type}: ${status}. ${message}`)),
    ...(notMade.length > 0 ? [wrapText(`Checks not made: ${notMade.join(', ')}.`)] : []),
    ...result.recommendations.map((advice) => wrapText(advice, '  Advice: ')),
  ].join('\n');
}
