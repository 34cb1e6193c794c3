import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import { cellsOf, plainLines, ragged } from './plainCsv.js';

/**
 * The rows of a CSV text that has a header and holds nothing but numbers, shape [n, columns.length].
 *
 * @param columns the header that the text must have, in this order
 * @param name who is spoken of in messages, for example the path of the file
 * @throws {@link InvalidDataError} that names the line (from 1) and the column
 */
export function numericCsv(text: string, columns: readonly string[], name: string): number[][] {
  const [header, ...lines] = plainLines(text, name);
  checkHeader(cellsOf(header), columns, name);
  if (lines.length === 0) throw new InvalidDataError(sentence(name, 'have rows below its header', phrase('none')));
  return lines.map((line, row) => numbersOf(line, columns, `Line ${row + 2} of ${name}`));
}

function checkHeader(header: string[], columns: readonly string[], name: string): void {
  if (header.length !== columns.length) {
    throw new InvalidDataError(
      sentence(
        `Line 1 of ${name}`,
        `name ${columns.length} columns, from '${columns[0]}' to '${columns.at(-1)}'`,
        phrase(String(header.length)),
      ),
    );
  }
  const odd = columns.findIndex((column, at) => header[at] !== column);
  if (odd >= 0) {
    throw new InvalidDataError(
      sentence(`Line 1 of ${name}, column ${odd + 1}`, `be '${columns[odd]}'`, phrase('another name')),
    );
  }
}

function numbersOf(line: string, columns: readonly string[], where: string): number[] {
  const cells = cellsOf(line);
  if (cells.length !== columns.length) {
    throw ragged(where, `have ${columns.length} values, as the header has`, cells.length);
  }
  return cells.map((cell, at) => {
    const value = Number(cell);
    if (cell !== '' && Number.isFinite(value)) return value;
    throw new InvalidDataError(sentence(`${where}, column '${columns[at]}'`, 'be a number', kindOf(cell)), {
      code: 'not_numeric',
    });
  });
}
