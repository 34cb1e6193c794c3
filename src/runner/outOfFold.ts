import { concat, type Label, type MaskFacts } from '../data/labels.js';
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
  /** Multilabel: one list of 0/1 per row. Masks: the pixels of each row, row-major, in a typed array. Survival: the time. */
  readonly yTrue: readonly (Label | ArrayLike<number>)[];
  /** Survival: the risk. */
  readonly yPred: readonly (Label | ArrayLike<number>)[];
  /**
   * Binary: P(positive). Otherwise one list of probabilities per row; survival: of no event by each time. Null when the model
   * gives none.
   */
  readonly yProba: readonly (number | ArrayLike<number>)[] | null;
  /** Null when no weights were given. */
  readonly weight: Float64Array | null;
  /** Masks: millimetres (or pixels) between neighbours along each axis. */
  readonly spacing?: readonly ArrayLike<number>[];
  /** Survival: what happened, 0 for censored. */
  readonly event?: Int32Array;
  /** Survival: of not being censored before the row's time, and by each time of `yProba`, by the training rows of its fold. */
  readonly censoring?: readonly ArrayLike<number>[];
}

export function outOfFold(folds: readonly CompletedFold[], groups: ArrayLike<Label> | undefined): OutOfFold {
  /** The lists of all folds, one after the other. By a loop: `flatMap` takes many times as long. */
  const joined = <T>(listOf: (fold: CompletedFold) => ArrayLike<T>): T[] => {
    const all: T[] = [];
    for (const fold of folds) {
      const list = listOf(fold);
      for (let at = 0; at < list.length; at++) all.push(list[at]);
    }
    return all;
  };
  const integers = (listOf: (fold: CompletedFold) => Int32Array) => concat([new Int32Array(), ...folds.map(listOf)]);
  const ofFold = (part: 'index' | 'repeat') =>
    integers(({ fold }) => new Int32Array(fold.test.length).fill(fold[part]));
  const row = integers(({ fold }) => fold.test);
  const everywhere = (part: 'yProba' | 'weight' | 'event' | 'censoring' | 'masks') =>
    folds.length > 0 && folds.every(({ table }) => table[part]);
  return {
    row,
    fold: ofFold('index'),
    repeat: ofFold('repeat'),
    group: groups ? Array.from(row, (at) => groups[at]) : null,
    yTrue: joined(({ table }) => decoded(table, table.yTrue)),
    yPred: joined(({ table }) => decoded(table, table.yPred)),
    yProba: everywhere('yProba') ? joined(({ table }) => listed(table, table.yProba as Float64Array)) : null,
    weight: everywhere('weight') ? concat(folds.map(({ table }) => table.weight as Float64Array)) : null,
    ...(everywhere('masks') ? { spacing: joined(({ table }) => spacingOf(table)) } : {}),
    ...(everywhere('event') ? { event: concat(folds.map(({ table }) => table.event as Int32Array)) } : {}),
    ...(everywhere('censoring')
      ? { censoring: joined(({ table }) => listed(table, table.censoring as Float64Array)) as ArrayLike<number>[] }
      : {}),
  };
}

const spacingOf = (table: ScoreTable) =>
  Array.from(listed(table, (table.masks as MaskFacts).spacing) as number[][], (row) => Array.from(row));

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
  if (task === 'regression' || task === 'survival' || task === 'multilabel') return Array.from(listed(table, codes));
  const labels: Label[] = [];
  for (let at = 0; at < codes.length; at++) labels.push(classes[codes[at]]);
  return labels;
}

/** The values of each row. Masks are views of the table's own numbers: lists would take many times their memory. */
function listed({ length, shape }: ScoreTable, values: ArrayLike<number>): ArrayLike<number | ArrayLike<number>> {
  const width = values.length / length;
  if (width === 1) return values;
  const pixels = shape && (values as Float64Array);
  return Array.from({ length }, (_, row) => {
    const [from, to] = [row * width, (row + 1) * width];
    return pixels ? pixels.subarray(from, to) : Array.prototype.slice.call(values, from, to);
  });
}
