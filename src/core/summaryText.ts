/** Pieces of plain-text summaries. Foreign text in them stays on its line. */
import { terminal } from '#io';
import { show } from './errors.js';
import { nameText, plainText, readsAsOurs, singleBlanks } from './foreignText.js';
import { mean } from './numbers.js';
import { boolean, type InputOf, optionTable } from './options.js';

export const summaryOptions = optionTable('summary', {
  details: boolean()
    .default(false)
    .describe(
      'Also what is needed to repeat the run; of a validation what passed and why, every note of the intervals, and the folds.',
    ),
});

/** How much `summary()` says. */
export type SummaryOptions = InputOf<typeof summaryOptions>;

const textWidth = (): number => Math.min(110, Math.max(40, terminal.columns));

const LEAST_NAME = 24;
/** Narrower terminals get tables of scores in another form: the usual one has no room. */
const NARROW = 66;

/**
 * Columns of equal width, two spaces apart; all to the left, or with `numbers` all but the first to the right. Long names
 * in the first column are cut in the middle where the table would be wider than the terminal.
 */
export function textTable(table: readonly (readonly string[])[], { numbers = false } = {}): string {
  const columns = Math.max(...table.map((row) => row.length));
  const plain = table.map((row) => row.map(plainText));
  const others = Array.from({ length: columns - 1 }, (_, i) =>
    Math.max(...plain.map((row) => row[i + 1]?.length ?? 0)),
  );
  const room = Math.max(LEAST_NAME, textWidth() - others.reduce((sum, width) => sum + width + 2, 2));
  const rows = plain.map(([first, ...rest]) => [first.length > room ? nameText(first, room) : first, ...rest]);
  const widths = [Math.max(...rows.map(([first]) => first.length)), ...others];
  // On a narrow terminal scores are a few lines each: the cells of a row below the names of their columns.
  if (numbers && textWidth() < NARROW)
    return rows
      .slice(1)
      .map((row) => row.map((cell, at) => `  ${at > 0 ? `  ${rows[0][at]} ` : ''}${cell}`).join('\n'))
      .join('\n');
  return rows
    .map((row) => {
      const cells = row.map((cell, i) => (numbers && i > 0 ? cell.padStart(widths[i]) : cell.padEnd(widths[i])));
      return `  ${cells.join('  ')}`.trimEnd();
    })
    .join('\n');
}

/**
 * Text broken between words into lines of at most `width`, the first after `lead`. No other begins with a status or the code of a
 * check: no name within the text can look like a line of its own.
 */
export function wrapText(text: string, lead = '  ', width = textWidth()): string {
  const indent = ' '.repeat(lead.length + (lead !== '' && lead.trim() === '' ? 2 : 0));
  const lines = [''];
  for (const word of unbroken(plainText(singleBlanks(text)))) {
    const line = lines[lines.length - 1];
    if (line !== '' && indent.length + line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line, i) => `${i === 0 ? lead : indent}${line}`).join('\n');
}

/** Of a footnote: a to z, then aa. */
export const noteMark = (at: number): string =>
  (at < 26 ? '' : noteMark(Math.floor(at / 26) - 1)) + String.fromCharCode(97 + (at % 26));

/** The words of a text; those that would read as ours at the start of a line stay with the word before. */
function unbroken(text: string): string[] {
  const words: string[] = [];
  const parts = text.split(' ');
  parts.forEach((word, at) => {
    if (at > 0 && readsAsOurs(parts.slice(at, at + 3).join(' '))) words.push(`${words.pop()} ${word}`);
    else words.push(word);
  });
  return words;
}

export function factLines(facts: readonly (readonly [label: string, text: string])[]): string[] {
  const width = Math.max(...facts.map(([label]) => label.length));
  return facts.map(([label, text]) => wrapText(text, `  ${label.padEnd(width)}  `));
}

/** `4 of 5`: how many scores have a value. */
export const definedCount = (scores: readonly { readonly value: number | null }[]): string =>
  `${scores.filter(({ value }) => value !== null).length} of ${scores.length}`;

export function meanScore(scores: readonly { readonly value: number | null }[]): number | null {
  const values = scores.flatMap(({ value }) => (value === null ? [] : [value]));
  return values.length === 0 ? null : mean(values);
}

/** The facts of the engine in words; a fact named `...Reason` follows what it is the reason of, in brackets. */
export const engineText = (engine: Readonly<Record<string, string>>): string[] =>
  Object.entries(engine).flatMap(([name, value]) => {
    if (name.endsWith('Reason')) return [];
    const reason = engine[`${name}Reason`];
    return [`${nameText(name)} ${nameText(value)}${reason ? ` (${nameText(reason, 300)})` : ''}`];
  });

/** Writes `text` in place of the line that the cursor stands in, where lines can be drawn again. */
export const eraseLine = (text = ''): void => terminal.write(`${terminal.isTTY ? '\r\u001b[2K' : ''}${text}`);

/** How Node, Deno and Bun ask how an object is shown. */
export const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * A result in a few lines; `heading` says how it came out. Its fields hold data of patients (ids, labels, predictions), which
 * do not belong into logs; each can be read by its name.
 */
export function inspectShort(result: object, heading: string): string {
  const fields = Object.keys(result).join(', ');
  return [
    wrapText(heading, `${result.constructor.name}: `),
    wrapText(fields, '  Fields: '),
    '  Print summary() to read it.',
  ].join('\n');
}

/** As it is written in code, with the options that differ from their defaults: `CVKitValidator({ nSplits: 3 })`. */
export function inspectWithOptions(
  name: string,
  { options, changed }: { readonly options: object; readonly changed: ReadonlySet<string> },
): string {
  const settings = Object.entries(options).flatMap(([option, value]) =>
    changed.has(option) ? [`${option}: ${settingText(value)}`] : [],
  );
  return settings.length > 0 ? `${name}({ ${settings.join(', ')} })` : `${name}()`;
}

/** A splitter says itself how it is written; rows, ids and models are named by their kind. */
function settingText(value: unknown): string {
  const own: unknown = (value as { toJSON?(): unknown } | null)?.toJSON?.();
  return typeof own === 'string' ? own : show(value);
}
