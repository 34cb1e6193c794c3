import { InvalidDataError, invalidData, phrase, sentence, show } from '../core/errors.js';
import { isList, listOf } from '../core/options.js';
import { countValues } from '../core/tally.js';
import type { Column } from '../data/rows.js';
import { isMissing } from '../data/tableColumns.js';
import { DATES } from './table.js';

/** Null stands for missing cells. */
export type Category = number | string | boolean | null;

const isCategory = (value: unknown): value is Category =>
  value === null || ['number', 'string', 'boolean'].includes(typeof value);

export const categoriesOption = listOf<readonly Category[]>(
  'list of categories',
  'be a list of different categories for each column',
  (each) =>
    isList(each) &&
    each.length > 0 &&
    Array.from(each).every(isCategory) &&
    new Set(Array.from(each)).size === each.length,
)
  .optional()
  .describe(
    'The categories of each column, in order; left out, those of the rows it is fitted on, sorted. null: missing.',
  );

/** The distinct cells with their counts: ascending, missing last. Numbers and texts in one column are refused. */
export function categoriesIn(column: Column, name: string, owner: string): { values: Category[]; counts: number[] } {
  const found = countValues<unknown>(column);
  const counts = new Map<Category, number>();
  found.values.forEach((cell, at) => {
    const value = isMissing(cell) ? null : (cell as Category);
    counts.set(value, (counts.get(value) ?? 0) + found.counts[at]);
  });
  const values = [...counts.keys()].filter((value) => value !== null);
  const invalid = values.find((value) => typeof value !== typeof values[0] || !isCategory(value));
  if (invalid !== undefined) {
    const kinds = new Set(values.map((each: unknown) => (each instanceof Date ? 'Date' : typeof each)));
    const must = kinds.size > 1 ? 'hold cells of one kind' : 'hold texts, numbers or booleans';
    const way = kinds.has('Date') ? DATES : undefined;
    throw invalidData('mixed_column', `The column ${show(name)} for ${owner}`, must, [...kinds].join(' and '), way);
  }
  values.sort(ascending);
  if (counts.has(null)) values.push(null as never);
  return { values, counts: values.map((value) => counts.get(value) as number) };
}

/** By number, and by code point as Python sorts text: JavaScript compares UTF-16 units. */
function ascending(a: Category, b: Category): number {
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b);
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = (left[at].codePointAt(0) as number) - (right[at].codePointAt(0) as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** The place of each cell that is a category; whatever a missing cell is written as has that of null. */
export function placesOf(values: readonly Category[]): ReadonlyMap<unknown, number> {
  // Columns of booleans hold 0 and 1.
  const places = new Map<unknown, number>(
    values.map((value, place) => [typeof value === 'boolean' ? Number(value) : value, place]),
  );
  const missing = places.get(null);
  for (const cell of [Number.NaN, undefined, '']) {
    if (missing === undefined) places.delete(cell);
    else places.set(cell, missing);
  }
  return places;
}

/** The error for a cell that is no category: it names column and row, never the cell. */
export const unknownCategory = (owner: string, name: string, row: number, way: string) => {
  const subject = `Row ${row} of the column ${show(name)} for ${owner}`;
  const message = sentence(subject, 'be one of its categories', phrase('another one'), way);
  return new InvalidDataError(message, { code: 'unknown_category', row });
};

export function checkCategories(categories: readonly (readonly Category[])[], width: number, owner: string): void {
  if (categories.length === width) return;
  const must = `have a list for each of the ${width} columns`;
  throw invalidData('length_mismatch', `The \`categories\` option of ${owner}`, must, String(categories.length));
}
