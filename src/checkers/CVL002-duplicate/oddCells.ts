/** Cells that a table may hold and models cannot take: they are read, and the reader is told. */
import { nameText } from '../../core/foreignText.js';
import type { Column, Features } from '../features/columns.js';
import { tableOf } from '../features/features.js';

/** The square of a larger number is infinite, and with it any variance. */
const LARGEST = 1e154;
/** Columns that are named. */
const NAMED = 3;

/**
 * A sentence about columns of objects or lists, of numbers with texts among them, and of numbers that are infinite or too
 * large to be squared; '' without any. Missing cells (NaN) are none of these.
 */
export function oddCells(features: Pick<Features, 'columns'>): string {
  const table = tableOf(features);
  const nested = table.filter((column) => column.nested);
  const texts = table.filter((column) => column.texts);
  const large = table.filter(({ kind, values }) => kind === 'number' && hasLarge(values));
  return [
    said(nested, 'objects or lists as cells, which are compared as text: give each of their values a column'),
    said(texts, 'texts among numbers, which count as missing cells: write numbers, or leave them empty'),
    said(large, 'numbers that are infinite or above 1e154, of which no mean or variance can be taken: mend them'),
  ].join('');
}

function hasLarge(values: Float64Array): boolean {
  for (let row = 0; row < values.length; row++) if (Math.abs(values[row]) > LARGEST) return true;
  return false;
}

function said(columns: readonly Column[], what: string): string {
  if (columns.length === 0) return '';
  const names = columns.slice(0, NAMED).map(({ name }) => `\`${nameText(name)}\``);
  const more = columns.length > NAMED ? ` and ${columns.length - NAMED} more` : '';
  return ` ${names.join(', ')}${more} ${columns.length === 1 ? 'has' : 'have'} ${what}.`;
}
