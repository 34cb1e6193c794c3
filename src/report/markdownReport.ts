import type { ValidationResult } from '../validator/validationResult.js';
import {
  CHECK_HEADER,
  checkRows,
  FOLD_HEADER,
  facts,
  foldRows,
  intervalNotes,
  SCORE_HEADER,
  scoreRows,
  statusLine,
} from './sections.js';

/** The result as Markdown. */
export function markdownReport(result: ValidationResult): string {
  return [
    '# Cross-validation report',
    `**${statusLine(result)}**`,
    facts(result)
      .map(([label, text]) => `- **${label}:** ${text}`)
      .join('\n'),
    '## Scores',
    table(SCORE_HEADER, scoreRows(result)),
    intervalNotes(result)
      .map((note) => `- ${note}`)
      .join('\n'),
    '## Checks',
    result.checks.length > 0 ? table(CHECK_HEADER, checkRows(result)) : 'No checks were asked for.',
    ...(result.recommendations.length > 0 ? [result.recommendations.map((advice) => `- ${advice}`).join('\n')] : []),
    '## Folds',
    table(FOLD_HEADER, foldRows(result)),
    '',
  ]
    .filter((block, at, all) => block !== '' || at === all.length - 1)
    .join('\n\n');
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
