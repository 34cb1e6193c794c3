/** Tables of numbers: the features, and a label in the last column. */
import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import type { Dataset } from './dataset.js';
import { cellsOf, checkRows, plainLines, ragged } from './plainCsv.js';

export interface NumericTable {
  /** Features, and the label last. */
  readonly columns: readonly string[];
  /** The first line names the columns. */
  readonly header: boolean;
  /** Labels are whole numbers from 0 to this one. */
  readonly most: number;
  /** What stands for a feature that is missing, which is NaN then. Left out: none is. */
  readonly missing?: '?';
  /** Features that are codes: the numbers that they may be, ascending. */
  readonly codes?: Readonly<Record<string, readonly number[]>>;
  /** Features that are measurements above 0. */
  readonly positive?: readonly string[];
}

/** A decimal number, as data files have it: `Number` alone would read `0x3F`, too. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * The rows of a text that holds nothing but numbers; X has the shape [n, columns.length - 1].
 *
 * @param name who is spoken of in messages, for example the path of the file
 * @throws {@link InvalidDataError} that names the line (from 1) and the column
 */
export function numericCsv(
  bytes: Uint8Array,
  table: NumericTable,
  name: string,
): Pick<Dataset, 'X' | 'y' | 'featureNames'> {
  const lines = plainLines(bytes, name);
  const above = table.header ? 1 : 0;
  if (table.header) {
    checkHeader(cellsOf(lines.shift() as string), table.columns, name);
    checkRows(lines, name);
  }
  const X = lines.map((line, row) => numbersOf(line, table, `Line ${row + 1 + above} of ${name}`));
  const y = X.map((row) => row.pop() as number);
  return { X, y, featureNames: table.columns.slice(0, -1) };
}

const fromTo = (columns: readonly string[]) => `from '${columns[0]}' to '${columns.at(-1)}'`;

function checkHeader(header: readonly string[], columns: readonly string[], name: string): void {
  const refuse = (subject: string, must: string, got: string) =>
    new InvalidDataError(sentence(subject, must, phrase(got)), { code: 'another_file' });
  const where = `Line 1 of ${name}`;
  if (header.length !== columns.length) {
    throw refuse(where, `name ${columns.length} columns, ${fromTo(columns)}`, `${header.length}`);
  }
  const wrong = columns.findIndex((column, at) => header[at] !== column);
  if (wrong >= 0) throw refuse(`${where}, column ${wrong + 1}`, `be '${columns[wrong]}'`, 'another name');
}

function numbersOf(line: string, table: NumericTable, where: string): number[] {
  const { columns, most, missing } = table;
  const cells = cellsOf(line);
  if (cells.length !== columns.length) {
    throw ragged(where, `have ${columns.length} cells, ${fromTo(columns)}`, cells.length);
  }
  return cells.map((cell, at) => {
    const value = DECIMAL.test(cell) ? Number(cell) : Number.NaN;
    const column = `${where}, column '${columns[at]}'`;
    if (at === columns.length - 1) {
      if (Number.isInteger(value) && value >= 0 && value <= most) return value;
      const got = kindOf(Number.isFinite(value) ? value : cell, Number.isInteger(value) ? [0, most] : undefined);
      throw new InvalidDataError(sentence(column, `be a whole number from 0 to ${most}`, got));
    }
    if (Number.isFinite(value)) return inRange(value, table, columns[at], column);
    if (cell === missing) return Number.NaN;
    const must = missing ? `be a number or '${missing}'` : 'be a number';
    throw new InvalidDataError(sentence(column, must, kindOf(cell)), { code: 'not_numeric' });
  });
}

/** The value, where it is among the codes of its column, or above 0. */
function inRange(value: number, { codes, positive, missing }: NumericTable, name: string, column: string): number {
  const orMissing = missing ? ` or '${missing}'` : '';
  const allowed = codes?.[name];
  if (allowed && !allowed.includes(value)) {
    const got = kindOf(value, [allowed[0], allowed[allowed.length - 1]]);
    throw new InvalidDataError(sentence(column, `be one of ${allowed.join(', ')}${orMissing}`, got));
  }
  if (value <= 0 && positive?.includes(name)) {
    throw new InvalidDataError(sentence(column, `be a number above 0${orMissing}`, kindOf(value)));
  }
  return value;
}
