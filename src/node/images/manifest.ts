/** A list of files as CSV, and labels written as text. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { numberIn } from '../table/cellColumn.js';

/** @throws {InvalidDataError} for what is no CSV, or no text in UTF-8 */
export const manifestEntries = async (path: string) => csvEntries(await textIn(path), path);

/** Other letters in place of those that are no UTF-8 would make one patient of two. */
async function textIn(path: string): Promise<string> {
  const bytes = await readFile(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const subject = `The manifest '${nameText(basename(path))}'`;
    throw new InvalidDataError(sentence(subject, 'be text in UTF-8', phrase('bytes that are none')), {
      code: 'wrong_encoding',
    });
  }
}

/**
 * A manifest as CSV (RFC 4180), with a header; tabs when the file is named .tsv. Blanks around cells are left out. Numbers become
 * numbers in `y` alone.
 */
async function csvEntries(text: string, path: string): Promise<Record<string, unknown>[]> {
  const [header = [], ...lines] = await cells(text, /\.tsv$/i.test(path) ? '\t' : ',');
  const keys = header.map((key) => key.trim());
  const subject = `The manifest '${nameText(basename(path))}'`;
  const twice = keys.find((key, at) => keys.indexOf(key) < at);
  if (twice !== undefined) throw new InvalidDataError(sentence(subject, 'name each column once', twice));
  if (!keys.includes('file')) throw new InvalidDataError(sentence(subject, "have a column 'file'", keys));
  const entries = lines.map((line, at) => {
    if (line.length === keys.length) return Object.fromEntries(keys.map((key, i) => [key, line[i].trim()]));
    throw new InvalidDataError(
      sentence(`Line ${at + 2} of ${subject}`, `have ${keys.length} cells`, phrase(String(line.length))),
    );
  });
  if (!keys.includes('y')) return entries;
  const labels = asLabels(entries.map(({ y }) => y));
  return entries.map((entry, at) => ({ ...entry, y: labels[at] }));
}

/** Texts, or numbers where all of them are: `01` is none, it would be the same as `1`. */
export function asLabels(texts: readonly string[]): (string | number)[] {
  const numbers = texts.map((text) => numberIn(text, false));
  return numbers.some(Number.isNaN) ? [...texts] : numbers;
}

async function cells(text: string, delimiter: string): Promise<string[][]> {
  const { parse } = await import('csv-parse/sync');
  try {
    return parse(text, { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true });
  } catch (error) {
    const { lines } = error as { lines?: number };
    throw new InvalidDataError(
      sentence(`Line ${lines} of the manifest`, 'be CSV', phrase('a quote that does not close')),
    );
  }
}
