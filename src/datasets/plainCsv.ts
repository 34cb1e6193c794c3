/** Text of cells between commas without quotes, as the published data sets are written: one line, one row. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { isWebPage } from './publishedFile.js';
import { isZip } from './zipMember.js';

export function plainLines(bytes: Uint8Array, name: string): string[] {
  const text = decoded(bytes, name).trimEnd();
  if (text === '') throw refused(name, 'have rows', 'an empty file', 'empty_table');
  if (text.includes('"')) {
    const way = '`readTable` of cvkit/node reads such files.';
    throw refused(name, 'have cells without quotes', 'a quote', 'quoted_cells', way);
  }
  return text.split(text.includes('\r') ? /\r?\n/ : '\n');
}

function decoded(bytes: Uint8Array, name: string): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (isGzip || isZip(bytes)) {
    const way = 'Unpack it, and give the file that was in it.';
    throw refused(name, 'be a file of data', isGzip ? 'a gzip file' : 'a zip archive', 'not_a_table', way);
  }
  if (isWebPage(bytes)) throw refused(name, 'be a file of data', 'a web page (HTML)', 'not_a_table');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refused(name, 'be text in UTF-8', 'bytes that are none', 'wrong_encoding', undefined, cause);
  }
}

export function checkRows(lines: readonly string[], name: string): void {
  if (lines.length === 0) throw refused(name, 'have rows below its header', 'none', 'empty_table');
}

export const csvCells = (line: string): string[] => line.split(',').map((cell) => cell.trim());

export const ragged = (where: string, must: string, got: number): InvalidDataError =>
  refused(where, must, String(got), 'ragged_rows');

const refused = (name: string, must: string, got: string, code: string, way?: string, cause?: unknown) =>
  new InvalidDataError(sentence(name, must, phrase(got), way), { code, cause });
