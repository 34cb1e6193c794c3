import { InvalidDataError, invalidData, kindOf, show } from '../core/errors.js';
import { firstTwice } from '../core/firstTwice.js';
import { nameText } from '../core/foreignText.js';
import { isDense } from '../data/dense.js';
import { gather } from '../data/labels.js';
import { type Note, noteOf } from '../data/notedCells.js';
import { byRowBlocks } from '../data/rowBlocks.js';
import { mapParts } from '../data/rowKinds.js';
import { type Column, type Rows, rowsOf } from '../data/rows.js';
import { notATable } from '../data/tableColumns.js';

/** Columns of one length. Numbers are a Float64Array with NaN for missing cells; anything else is a list of cells. */
export interface Table {
  readonly length: number;
  readonly names: readonly string[];
  readonly columns: readonly Column[];
  readonly note?: Note;
}

/** Columns without names are x0, x1, ... as in scikit-learn. Images are refused. */
export async function readColumns(X: Rows): Promise<Table> {
  const [input] = Object.keys(X.parts ?? {});
  if (input)
    throw notATable('several inputs', 'X', `Pass steps for each: \`preprocessing: { ${nameText(input)}: ... }\`.`);
  const columns = await X.toColumns();
  return { length: X.length, columns, names: columnNames(X, columns.length) };
}

export const columnNames = ({ featureNames }: Rows, width: number): readonly string[] =>
  featureNames ?? Array.from({ length: width }, (_, at) => `x${at}`);

/** Numbers where all columns are, records of columns else. */
export function rowsOfTable({ length, names, columns }: Table): Rows {
  refuseEqualNames(names);
  if (columns.every((column) => column instanceof Float64Array)) {
    return rowsOf({ data: interleaved(columns, length), shape: [length, columns.length] }, 'X', names);
  }
  return rowsOf(Object.fromEntries(columns.map((column, at) => [names[at], column])));
}

/** Two columns of one name would be one: one-hot of `a` with 'b_c', and of `a_b` with 'c', are both a_b_c. */
function refuseEqualNames(names: readonly string[]): void {
  const twice = firstTwice(names);
  if (twice === undefined) return;
  const way = 'Rename a column of X.';
  throw invalidData('column_mismatch', 'The columns after a step', 'have different names', `${show(twice)} twice`, way);
}

export function interleaved(columns: readonly Float64Array[], length: number): Float64Array {
  const width = columns.length;
  const data = new Float64Array(length * width);
  byRowBlocks(length, (from, to) => {
    for (let column = 0; column < width; column++) {
      const numbers = columns[column];
      for (let row = from, at = from * width + column; row < to; row++, at += width) data[at] = numbers[row];
    }
  });
  return data;
}

export function tableArrays({ length, columns }: Table): unknown[][] {
  const rows: unknown[][] = new Array(length);
  // Copies of a list of fractions are lists of numbers for the engine from the start, and not turned into such later.
  const blank: unknown[] = columns.map((column) => (column instanceof Float64Array ? 0.5 : undefined));
  byRowBlocks(length, (from, to) => {
    for (let row = from; row < to; row++) rows[row] = blank.slice();
    columns.forEach((column, at) => {
      for (let row = from; row < to; row++) rows[row][at] = column[row];
    });
  });
  return rows;
}

export const takeColumns = ({ names, columns, ...rest }: Table, places: readonly number[]): Table => ({
  ...rest,
  names: places.map((at) => names[at]),
  columns: places.map((at) => columns[at]),
});

export const DATES = 'Write dates as numbers before the run, such as the days since a fixed day.';

/** The columns as numbers. Throws {@link InvalidDataError} that names the first column that holds something else. */
export const numericColumns = ({ names, columns }: Table, owner: string): readonly Float64Array[] =>
  columns.map((column, at) => {
    if (column instanceof Float64Array) return column;
    const invalid = column.find((cell) => typeof cell !== 'number');
    const encode = 'Encode it first: OneHotEncoder or OrdinalEncoder in a ColumnTransformer, or tabular().';
    const subject = `The column ${show(names[at])} for ${owner}`;
    const must = 'hold numbers';
    throw invalidData('not_numeric', subject, must, kindOf(invalid), invalid instanceof Date ? DATES : encode);
  });

/** (cell - centre) / spread in each column; left out, 0 and 1. */
export function scaled(table: Table, owner: string, centre?: Float64Array, spread?: Float64Array): Table {
  const columns = numericColumns(table, owner).map((column, at) => {
    const [middle, unit] = [centre ? centre[at] : 0, spread ? spread[at] : 1];
    const out = new Float64Array(column.length);
    for (let row = 0; row < out.length; row++) out[row] = (column[row] - middle) / unit;
    return out;
  });
  return { ...table, columns };
}

/** Squares of numbers up to it, their sums over all rows and the products of two such sums stay below the largest double. */
export const MOST = 1e70;

// Loops of their own: a callback for each cell would take several times as long.

function countMissing(column: Float64Array): number {
  let count = 0;
  for (let row = 0; row < column.length; row++) if (Number.isNaN(column[row])) count++;
  return count;
}

function countBeyond(column: Float64Array, most: number): number {
  let count = 0;
  for (let row = 0; row < column.length; row++) if (Math.abs(column[row]) > most) count++;
  return count;
}

const FAULTS = {
  missing: { countIn: countMissing, way: 'Put a SimpleImputer before it.' },
  infinite: {
    countIn: (column: Float64Array) => countBeyond(column, Number.MAX_VALUE),
    way: 'Replace them, or fix the step that produced them.',
  },
  huge: {
    countIn: (column: Float64Array) => countBeyond(column, MOST),
    way: `Numbers beyond ${MOST} cannot be squared and added up. Change the unit, or write null for marks of missing values.`,
  },
};

export function refuseCells(kind: keyof typeof FAULTS, { columns, names }: Table, owner: string): void {
  const { countIn, way } = FAULTS[kind];
  columns.forEach((column, at) => {
    const count = column instanceof Float64Array ? countIn(column) : 0;
    if (count === 0) return;
    const subject = `The column ${show(names[at])} for ${owner}`;
    throw invalidData(`${kind}_cells`, subject, `have no ${kind} cells`, `${count} of ${column.length}`, way);
  });
}

/** The columns as numbers of which means, spreads and distances are found. */
export function measuredColumns(table: Table, owner: string): readonly Float64Array[] {
  const columns = numericColumns(table, owner);
  refuseCells('huge', table, owner);
  return columns;
}

export function completeColumns(table: Table, owner: string): readonly Float64Array[] {
  const columns = numericColumns(table, owner);
  refuseCells('missing', table, owner);
  return columns;
}

/** Rows between two steps, as rows and as a table; the one is made from the other when it is needed. */
export class Stage {
  #rows: Rows | undefined;
  #table: Table | undefined;
  /** No cell is missing or infinite. */
  readonly isFinite: boolean;
  note: Note | undefined;

  constructor(content: { readonly rows: Rows; readonly isFinite?: true } | { readonly table: Table }) {
    this.isFinite = 'isFinite' in content;
    if ('rows' in content) this.#rows = content.rows;
    else this.#table = content.table;
    this.note = 'rows' in content ? noteOf(content.rows) : content.table.note;
  }

  get length(): number {
    return (this.#table ?? (this.#rows as Rows)).length;
  }

  rows(): Rows {
    this.#rows ??= rowsOfTable(this.#table as Table);
    return this.#rows;
  }

  get known(): Table | undefined {
    return this.#table;
  }

  async table(): Promise<Table> {
    this.#table ??= await readColumns(this.#rows as Rows);
    return this.note ? { ...this.#table, note: this.note } : this.#table;
  }
}

/** What code of the caller was handed, for messages. */
export const rowsText = (read: unknown): string => (isDense(read) ? 'the rows, which are { data, shape }' : 'the rows');

export type RowsLike = Pick<Rows, 'kind' | 'rowShape' | 'featureNames' | 'parts'>;

/** `places`: where the rows stand among all of them; left out where they are all. */
type Prepare = (rows: Rows, places?: Int32Array) => Promise<Rows>;

/** `X` after `prepare`: rows of a source at every reading, so that they never are in memory as a whole, others once. */
export function whenRead(X: Rows, like: RowsLike, prepare: Prepare, places?: Int32Array): Rows {
  let known: Promise<Rows> | undefined;
  const rows = () => {
    if (X.kind === 'source') return prepare(X, places);
    known ??= prepare(X, places);
    return known;
  };
  const partWhenRead = (part: Rows, input: string) => {
    const prepareAll: Prepare = async (...rows) =>
      ((await prepare(...rows)).parts as NonNullable<Rows['parts']>)[input];
    return whenRead(X, part, prepareAll, places);
  };
  return Object.freeze({
    length: X.length,
    kind: X.kind === 'source' ? 'source' : like.kind,
    featureNames: like.featureNames,
    rowShape: like.rowShape,
    ...(like.parts ? { parts: mapParts(like.parts, partWhenRead) } : {}),
    ...(X.window === undefined ? {} : { window: X.window }),
    take: (taken: Int32Array) => whenRead(X.take(taken), like, prepare, places ? gather(places, taken) : taken),
    toArrays: async () => (await rows()).toArrays(),
    toShaped: async () => (await rows()).toShaped(),
    toColumns: async (): Promise<readonly Column[]> => (await rows()).toColumns(),
    toDense: async () => (await rows()).toDense(),
    toInputs: async () => (await rows()).toInputs(),
  });
}
