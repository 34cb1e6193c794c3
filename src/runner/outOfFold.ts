import type { Label } from '../data/labels.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { CompletedFold } from './foldResult.js';

/** Columns of equal length, one entry per tested row, in the order of the folds. Every score follows from it. */
export interface OutOfFold {
  /** Row number in the data. */
  readonly row: Int32Array;
  /** Place of the fold in the plan, from 0. */
  readonly fold: Int32Array;
  readonly repeat: Int32Array;
  readonly group: readonly Label[] | null;
  /** Multilabel: one list of 0/1 per row. Masks: the pixels of each row, row-major, in a typed array. */
  readonly yTrue: readonly (Label | ArrayLike<number>)[];
  readonly yPred: readonly (Label | ArrayLike<number>)[];
  /** Binary: P(positive). Otherwise one list of probabilities per row. Null when the model gives none. */
  readonly yProba: readonly (number | ArrayLike<number>)[] | null;
  /** Null when no weights were given. */
  readonly weight: Float64Array | null;
}

export function outOfFold(folds: readonly CompletedFold[], groups: ArrayLike<Label> | undefined): OutOfFold {
  const rows = folds.flatMap(({ fold }) => Array.from(fold.test));
  const perRow = <T>(value: (fold: CompletedFold, at: number) => T): T[] =>
    folds.flatMap((fold) => Array.from(fold.fold.test, (_, at) => value(fold, at)));
  const everywhere = (part: 'yProba' | 'weight') => folds.length > 0 && folds.every(({ table }) => table[part]);
  return {
    row: Int32Array.from(rows),
    fold: Int32Array.from(perRow(({ fold }) => fold.index)),
    repeat: Int32Array.from(perRow(({ fold }) => fold.repeat)),
    group: groups ? rows.map((row) => groups[row]) : null,
    yTrue: folds.flatMap(({ table }) => decoded(table, table.yTrue)),
    yPred: folds.flatMap(({ table }) => decoded(table, table.yPred)),
    yProba: everywhere('yProba') ? folds.flatMap(({ table }) => listed(table, table.yProba as Float64Array)) : null,
    weight: everywhere('weight')
      ? Float64Array.from(perRow(({ table }, at) => (table.weight as Float64Array)[at]))
      : null,
  };
}

export const outOfFoldJSON = (table: OutOfFold, write: (id: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(table).map(([name, column]) => [
      name,
      Array.isArray(column) ? column.map(name === 'group' ? write : plain) : plain(column),
    ]),
  );

// biome-ignore lint/suspicious/noExplicitAny: a column, or a cell of one
const plain = (values: any) => (ArrayBuffer.isView(values) ? Array.from(values as Int32Array) : values);

export function decoded(table: ScoreTable, codes: ArrayLike<number>): (Label | ArrayLike<number>)[] {
  const { task, classes } = table;
  if (task === 'regression') return Array.from(codes);
  if (task === 'multilabel') return listed(table, codes);
  return Array.from(codes, (code) => classes[code]);
}

/** The values of each row. Masks are views of the table's own numbers: lists would take many times their memory. */
function listed({ length, shape }: ScoreTable, values: ArrayLike<number>): (number | ArrayLike<number>)[] {
  const width = values.length / length;
  if (width === 1) return Array.from(values);
  const pixels = shape && (values as Float64Array);
  return Array.from({ length }, (_, row) => {
    const [from, to] = [row * width, (row + 1) * width];
    return pixels ? pixels.subarray(from, to) : Array.prototype.slice.call(values, from, to);
  });
}
