/** Pieces of plain-text summaries: tables, wrapped lines, facts in words. */

import { counted } from './format.js';

/** Columns of equal width, two spaces apart; all to the left, or with `numbers` all but the first to the right. */
export function textTable(rows: readonly (readonly string[])[], { numbers = false } = {}): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) => {
      const cells = row.map((cell, i) => (numbers && i > 0 ? cell.padStart(widths[i]) : cell.padEnd(widths[i])));
      return `  ${cells.join('  ')}`.trimEnd();
    })
    .join('\n');
}

/** Text broken between words into lines of at most `width`, the first after `lead`, the others indented like it. */
export function wrapText(text: string, lead = '  ', width = 110): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line !== '' && lead.length + line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line, i) => `${i === 0 ? lead : ' '.repeat(lead.length)}${line}`).join('\n');
}

/** `4 of 5`: how many scores have a value. */
export const definedCount = (scores: readonly { readonly value: number | null }[]): string =>
  `${scores.filter(({ value }) => value !== null).length} of ${scores.length}`;

/** The facts of the engine in words; a fact named `...Reason` follows what it is the reason of, in brackets. */
export const engineText = (engine: Readonly<Record<string, string>>): string[] =>
  Object.entries(engine).flatMap(([name, value]) => {
    if (name.endsWith('Reason')) return [];
    const reason = engine[`${name}Reason`];
    return [`${name} ${value}${reason ? ` (${reason})` : ''}`];
  });

/** What `verifyIsolation` has shown, by the folds it trained again; undefined where it was not asked for. */
export function isolationText(verifiedFolds: readonly string[] | null): string | undefined {
  if (verifiedFolds === null) return undefined;
  if (verifiedFolds.length === 0) return 'nothing could be shown: that takes two completed folds';
  const [first, drawn] = verifiedFolds;
  return `trained again after all folds, ${first} and then ${drawn} (drawn at random), with what callbacks had decided in them, gave the same history and predictions, bit for bit; other folds were not tried`;
}

interface TrainedFold {
  readonly status: string;
  readonly nFitted: number;
  readonly nValidation: number;
  readonly innerFits: number;
}

/** On how many rows the models of the folds were trained, and how many models; undefined where that is plain. */
export function trainingText(folds: readonly TrainedFold[], modelsTrained: number): string | undefined {
  const completed = folds.filter(({ status }) => status === 'completed');
  const watched = completed.some(({ nValidation }) => nValidation > 0);
  const inner = folds.reduce((sum, { innerFits }) => sum + innerFits, 0);
  const parts = [
    ...(watched
      ? [
          `in each fold ${rangeText(completed.map(({ nFitted }) => nFitted))} rows were trained on and ${rangeText(completed.map(({ nValidation }) => nValidation))} watched`,
        ]
      : []),
    ...(inner > 0 ? [`${counted(modelsTrained, 'model')} in all, ${counted(inner, 'inner fit')} among them`] : []),
  ];
  return parts.length > 0 ? parts.join('; ') : undefined;
}

/** `780`, or `780 to 784`. */
function rangeText(counts: readonly number[]): string {
  const sorted = [...counts].sort((a, b) => a - b);
  return [...new Set([sorted[0], sorted[sorted.length - 1]])].join(' to ');
}
