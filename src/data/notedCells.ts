/** What is noted of test rows that say nothing to a fitted preparation, and the warnings of it. */
import { show } from '../core/errors.js';
import { wholeNumber } from '../core/format.js';
import type { Rows } from './rows.js';

/** Is told of the rows in which a column says nothing to a fitted step. */
export type Note = (column: string, what: 'unknown' | 'missing', rows: number) => void;
export type NotedCells = readonly [column: string, what: string, rows: number];

/** The rows, of whose cells fitted steps take note when they prepare them. */
function noted(X: Rows, note: Note): Rows {
  const take = (rows: Int32Array) => noted(X.take(rows), note);
  const all = { ...Object.getOwnPropertyDescriptors(X), ...Object.getOwnPropertyDescriptors({ take, note }) };
  return Object.freeze(Object.create(Object.prototype, all));
}

export const noteOf = (X: Rows) => (X as { readonly note?: Note }).note;

/** The rows, and what is noted of them once they are prepared. */
export function noting(X: Rows): { readonly X: Rows; readonly cells: readonly NotedCells[] } {
  const cells: NotedCells[] = [];
  return { X: noted(X, (...each) => void cells.push(each)), cells };
}

/** Rare categories are often new, which says nothing against a model. */
const SHARE = 0.05;

/** A sentence for each column, where `n` rows were prepared. */
export function notedWarnings(all: readonly NotedCells[], n: number): string[] {
  const sums = new Map<string, Record<string, number>>();
  for (const [column, what, rows] of all) {
    const of = sums.get(column) ?? {};
    sums.set(column, { ...of, [what]: (of[what] ?? 0) + rows });
  }
  return Array.from(sums).flatMap(([name, { unknown = 0, missing = 0 }]) => {
    const column = `In column ${show(name)}`;
    if (missing >= n) return `${column} all ${wholeNumber(n)} test rows are missing.`;
    if (unknown < SHARE * n) return [];
    const of = `${wholeNumber(Math.min(n, unknown))} of ${wholeNumber(n)} test rows`;
    return `${column} ${of} hold categories that the model was not fitted on. Write them as in the training data.`;
  });
}
