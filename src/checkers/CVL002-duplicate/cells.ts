/** Tables as cells that are equal or not: however they were written, stored or coded. */
import { tally } from '../../data/encode.js';
import { isMissingMark } from '../../data/missingMarks.js';
import type { Column, Features } from '../features/columns.js';
import { DistinctNumbers } from '../features/distinctNumbers.js';
import { tableOf } from '../features/features.js';
import { joinedDummies } from '../features/joinedDummies.js';
import { suspicionOf } from '../features/suspects.js';
import { withoutUnseen } from '../features/unseen.js';

export interface CellColumn {
  /** The columns of the table that it stands for: several where a category was split into dummies. */
  readonly columns: readonly Column[];
  readonly values: Float64Array;
  /** Of a category: the place of each level among those that differ in more than their writing; NaN reads as missing. */
  readonly folded?: Float64Array;
  /** A time or an id: a copy may have one of its own. */
  readonly free: boolean;
}

/** The key of a cell: two cells are equal when their keys are, NaN (missing) too. */
export const keyAt = ({ values, folded }: Pick<CellColumn, 'values' | 'folded'>, row: number): number =>
  folded ? (folded[values[row]] ?? Number.NaN) : numberKey(values[row]);

/** Numbers as a float32 would hold them, so that a copy that was stored so is one; integers as they are, -0 as 0. */
function numberKey(value: number): number {
  if (Math.trunc(value) === value) return value + 0;
  const short = Math.fround(value);
  return Number.isFinite(short) && short !== 0 ? short : value;
}

export function isAlike(column: CellColumn, first: number, second: number): boolean {
  const [a, b] = [keyAt(column, first), keyAt(column, second)];
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}

/** The columns of a table, without those of one value: dummies as the one category that they were. */
export function cellColumns(features: Pick<Features, 'columns'>): CellColumn[] {
  const table = tableOf(features);
  const joined = joinedDummies(table);
  const dummies = new Set(joined.flatMap(({ siblings }) => siblings));
  const suspect = new Set(table.filter((column) => suspicionOf(column) !== undefined));
  const single = table.flatMap((column) => (dummies.has(column) ? [] : [cellColumn(column, suspect.has(column))]));
  const categories = joined.map(({ column: { values }, siblings }) => ({ columns: siblings, values, free: false }));
  const all = [...single, ...categories].filter(isVarying);
  return all.every(({ free }) => free) ? all.map((column) => ({ ...column, free: false })) : all;
}

function cellColumn(column: Column, free: boolean): CellColumn {
  const { kind, values, levels = [] } = column;
  return { columns: [column], values, ...(kind === 'category' ? { folded: foldedLevels(levels) } : {}), free };
}

/** What a text says, however it is written: a number, or text of one case and spacing; undefined for a missing value. */
export function levelKey(level: string): string | number | undefined {
  const text = withoutUnseen(level).replace(/\s+/g, ' ').toLowerCase();
  if (isMissingMark(text)) return undefined;
  return Number.isNaN(Number(text)) ? text : numberKey(Number(text));
}

function foldedLevels(levels: readonly string[]): Float64Array {
  const places = new Map<string | number, number>();
  return Float64Array.from(levels, (level) => {
    const key = levelKey(level);
    if (key === undefined) return Number.NaN;
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place;
  });
}

function isVarying(column: CellColumn): boolean {
  for (let row = 1; row < column.values.length; row++) if (!isAlike(column, 0, row)) return true;
  return false;
}

export interface Counts {
  readonly column: CellColumn;
  readonly places: DistinctNumbers;
  readonly placeOf: Int32Array;
  readonly rows: Int32Array;
  /** Of the values, in nats: how much the column tells. */
  readonly entropy: number;
}

/** A scale of fewer values may be that of a question. */
const SCALE = 13;

export const isScale = ({ places }: Counts): boolean => places.size < SCALE;

/** Whether a column holds numbers, and more of them than a question has answers. */
export const isMeasure = (counts: Counts): boolean =>
  !counts.column.folded && counts.column.columns.length === 1 && !isScale(counts);

export function countsIn(column: CellColumn, sample: Int32Array): Counts {
  const n = sample.length;
  const places = new DistinctNumbers(n);
  const placeOf = new Int32Array(n);
  for (let at = 0; at < n; at++) placeOf[at] = places.add(keyAt(column, sample[at]));
  const counts = tally(placeOf, n);
  const rows = counts.slice(0, places.size);
  const entropy = rows.reduce((nats, count) => nats - (count / n) * Math.log(count / n), 0);
  return { column, places, placeOf, rows, entropy };
}
