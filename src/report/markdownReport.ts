import { markdownText } from '../core/foreignText.js';
import type { ReportModel } from './reportModel.js';
import { facts, sections, titleOf } from './sections.js';

/** The result as Markdown. What comes from data and models is escaped: it is read, never rendered. */
export function markdownReport(result: ReportModel): string {
  const blocks = sections(result).flatMap(({ title, lead = [], header, rows, notes }) => [
    `## ${markdownText(title)}`,
    ...lead.map(markdownText),
    table(header, rows, lead.length > 0 ? inLines : markdownText),
    ...(notes.length > 0 ? [list(notes.map(markdownText))] : []),
  ]);
  const about = list(
    facts(result, { details: true }).map(([label, text]) => `**${markdownText(label)}:** ${markdownText(text)}`),
  );
  return `${[`# ${titleOf(result)}: report`, `**${markdownText(result.verdict.text)}**`, about, ...blocks].join('\n\n')}\n`;
}

const list = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n');

/** The lines of a cell of evidence, which are ours. */
const inLines = (cell: string) => cell.split('\n').map(markdownText).join('<br>');

function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  textOf: (cell: string) => string,
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(textOf).join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}
