/** The result as text for a terminal, and as Markdown. */
import { checkLines } from '../core/checkOutcome.js';
import { markdownText } from '../core/foreignText.js';
import { factLines, type SummaryOptions, summaryOptions, textTable, wrapText } from '../core/summaryText.js';
import { nextSteps } from './account.js';
import type { ReportModel } from './reportModel.js';
import {
  evidenceLine,
  facts,
  foldTable,
  intervalNotes,
  NEXT,
  otherWarnings,
  type Section,
  scoreSummary,
  sections,
  titleOf,
} from './sections.js';
import type { ReportParts } from './tables.js';
import type { ReportTable } from './wording.js';

export function textReport(result: ReportModel, input?: SummaryOptions): string {
  const { details } = summaryOptions.resolve(input);
  return [
    wrapText(`${titleOf(result)}: ${result.verdict.text}`, ''),
    '',
    ...factLines(facts(result, { details })),
    '',
    tableText(scoreSummary(result, { details })),
    '',
    ...intervalNotes(result, { details }).map((note) => wrapText(note)),
    ...checkLines(result.checks, { all: details, hint: '; summary({ details: true }) says more' }),
    ...(details
      ? ['', tableText(foldTable(result))]
      : [...otherWarnings(result).map((warning) => wrapText(warning, '  Warning: '))]),
    ...evidenceLine(result).map((line) => wrapText(line)),
  ].join('\n');
}

const tableText = ({ header, rows }: ReportTable) => textTable([header, ...rows], { numbers: true });

/** The result as Markdown. What comes from data and models is escaped: it is read, never rendered. */
export function markdownReport(result: ReportModel, more: ReportParts = {}): string {
  const about = list(
    facts(result, { details: true }).map(([label, text]) => `**${markdownText(label)}:** ${markdownText(text)}`),
  );
  const steps = nextSteps(result);
  return `${[
    `# ${titleOf(result)}: report`,
    `**${markdownText(result.verdict.text)}**`,
    ...(steps.length > 0 ? [NEXT, list(steps.map(markdownText))] : []),
    about,
    ...markdownParts(sections(result, more)),
  ].join('\n\n')}\n`;
}

/** The parts of a report as blocks of Markdown. */
export const markdownParts = (parts: readonly Section[]): string[] =>
  parts.flatMap(({ title, lead = [], header, rows, notes, code = [], isEvidence }) => [
    `## ${markdownText(title)}`,
    ...lead.map(markdownText),
    ...(rows.length > 0 ? [markdownTable(header, rows, isEvidence ? inLines : markdownText)] : []),
    ...(notes.length > 0 ? [list(notes.map(markdownText))] : []),
    ...(code.length > 0 ? [['```js', ...code, '```'].join('\n')] : []),
  ]);

const list = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n');

const inLines = (cell: string) => cell.split('\n').map(markdownText).join('<br>');

export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  textOf: (cell: string) => string,
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(textOf).join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}
