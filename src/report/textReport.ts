import { checkLines } from '../core/checkOutcome.js';
import { factLines, type SummaryOptions, summaryOptions, textTable, wrapText } from '../core/summaryText.js';
import type { ReportModel } from './reportModel.js';
import {
  evidenceLine,
  facts,
  foldTable,
  intervalNotes,
  scoreTable,
  type Table,
  titleOf,
  warningsOf,
} from './sections.js';

/**
 * The result as text for a terminal: verdict, design, data, model, scores with intervals, a line for what passed, then
 * what needs a look.
 */
export function textReport(result: ReportModel, input?: SummaryOptions): string {
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
    ...evidenceLine(result).map((line) => wrapText(line)),
  ].join('\n');
}

const tableText = ({ header, rows }: Table) => textTable([header, ...rows], { numbers: true });
