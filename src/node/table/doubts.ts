/** What a column may be besides what it was read as. Nothing is changed: it is told, by places and counts. */

import { show } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { isCode } from '../../data/writtenNumbers.js';
import { alike, withoutCase } from '../alike.js';
import { numberIn } from './cellColumn.js';
import type { TypedColumn } from './columnTypes.js';
import { looksLikeDate } from './dates.js';

/** Digits with a mark of thousands, a decimal comma, a percent sign, a currency, a comparison, brackets or a unit; blanks are single ones. */
const NEAR = /^[<>≤≥~≈=]* ?\(?[+\-−]? ?[$€£]? ?\d[\d.,'’ ]*(e[+-]?\d+)?( ?%| ?[$€£]| \p{L}[\p{L}\d/²³°µ^]*)?\)?$/iu;

const isNear = (cell: string): boolean => NEAR.test(cell.replace(/\s+/g, ' '));

/** Numbers that often stand for "missing". */
const BELOW = [-9, -99, -999, -9999, -99999];
const ABOVE = [999, 9999, 99999, 999999];
/** How far the other numbers must stay below such a number. */
const FAR = 5;

export function doubtsOf(column: TypedColumn, placeOf: (row: number) => string): string[] {
  const { raw, type } = column;
  if (raw.stored === 'numeric' && type === 'numeric') return aboutNumbers(raw.name, raw.cells as Float64Array);
  const isText = raw.stored === 'text' && (type === 'categorical' || type === 'text');
  // A column of numbers and texts has its note already.
  if (!isText || raw.notes.some((note) => note.includes('text'))) return [];
  const texts = raw.cells as (string | null)[];
  const near = (cell: string | null) =>
    cell !== null && !isCode(cell) && !looksLikeDate(cell) && (isNear(cell) || !Number.isNaN(numberIn(cell, false)));
  const count = texts.filter(near).length;
  if (count === 0 || 2 * count < texts.length - column.missing) return [];
  const place = placeOf(texts.findIndex(near)).toLowerCase();
  return [
    `Column ${show(raw.name)} holds texts that look like numbers (first in ${place}), as with quotes, a mark of thousands, a percent sign or a unit. They stay text.`,
  ];
}

function aboutNumbers(name: string, cells: Float64Array): string[] {
  const present = cells.filter((cell) => !Number.isNaN(cell));
  const notes: string[] = [];
  const mark = [...BELOW, ...ABOVE].find((each) => isOdd(present, each));
  if (mark !== undefined) {
    const rows = counted(present.filter((cell) => cell === mark).length, 'row');
    const others = mark < 0 ? 'no other number below 0' : 'else much smaller numbers';
    notes.push(
      `Column ${show(name)} holds ${mark} in ${rows} and ${others}. If it means missing, pass \`alsoMissing: ['${mark}']\`.`,
    );
  }
  if (present.length > 1 && present.every(isCompactDate)) {
    notes.push(
      `Column ${show(name)} holds numbers that look like dates (yyyymmdd), and is read as numbers: their differences are no days. Write them as yyyy-mm-dd.`,
    );
  }
  return notes;
}

/** Whether a number stands apart from all others, in two rows or more. */
function isOdd(cells: Float64Array, mark: number): boolean {
  let [count, others] = [0, 0];
  for (const cell of cells) {
    if (cell === mark) count++;
    else if (mark < 0 ? cell < 0 : cell > mark / FAR) return false;
    else others++;
  }
  return count > 1 && others > 0;
}

function isCompactDate(cell: number): boolean {
  const [year, month, day] = [Math.floor(cell / 10000), Math.floor(cell / 100) % 100, cell % 100];
  return Number.isInteger(cell) && year >= 1900 && year <= 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** Ids that differ in capitals, blanks or zeros before a number alone: most often one patient, written in several ways. */
export function alikeIds(name: string, ids: readonly string[]): string[] {
  const several = alike(ids, (id) => withoutCase(id).replace(/(?<!\d)0+(?=\d)/g, ''));
  if (several === 0) return [];
  const verb = several === 1 ? 'is' : 'are';
  return [
    `Column ${show(name)}: ${counted(several, 'id')} ${verb} written in several ways (capitals, blanks or zeros before a number), and each way counts as an id of its own.`,
  ];
}

/** Classes that differ in capitals or blanks alone, as `yes` and `Yes`. */
export function alikeClasses(name: string, labels: readonly unknown[]): string[] {
  const several = alike(
    labels.filter((label) => typeof label === 'string'),
    withoutCase,
  );
  if (several === 0) return [];
  const verb = several === 1 ? 'is' : 'are';
  return [
    `Target ${show(name)}: ${counted(several, 'class', 'classes')} ${verb} written in several ways (capitals or blanks), and each way counts as a class of its own.`,
  ];
}
