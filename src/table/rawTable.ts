import { type InvalidDataError, invalidData, show, suggestion } from '../core/errors.js';
import { counted } from '../core/format.js';
import { lowerBound } from '../core/lowerBound.js';

export interface RawColumn {
  readonly name: string;
  /** `numeric`, `boolean` (1 and 0) and `date` (ms since 1970, UTC) are Float64Arrays with NaN; `text` has null. */
  readonly stored: 'numeric' | 'boolean' | 'date' | 'text';
  readonly cells: Float64Array | (string | null)[];
  /** Marks that were read as missing, with counts; '' is the empty cell. */
  readonly marks: ReadonlyMap<string, number>;
  /** What the user should know of this column. */
  readonly notes: readonly string[];
}

export interface RawTable {
  readonly length: number;
  /** Rows without a target, where these are left out. */
  readonly rowsDropped: number;
  readonly columns: readonly RawColumn[];
  /** Where a row stands: `Line 7`, or `Row 6` (from 0) where the file has no lines. */
  placeOf(row: number): string;
  readonly format: 'csv' | 'jsonl' | 'parquet' | 'npy' | 'xlsx';
  /** How the text was read: delimiter, decimal mark, encoding. */
  readonly dialect: readonly string[];
  readonly notes: readonly string[];
}

export function missingIn({ cells }: Pick<RawColumn, 'cells'>): { readonly first: number; readonly count: number } {
  let [first, count] = [-1, 0];
  for (let row = 0; row < cells.length; row++) {
    if (cells[row] !== null && !Number.isNaN(cells[row])) continue;
    if (count++ === 0) first = row;
  }
  return { first, count };
}

/** Line of each row. Lines are written down only where a row takes several, or where lines were skipped. */
export class LineNumbers {
  readonly #rows: number[] = [];
  readonly #offsets: number[] = [];

  note(row: number, line: number): void {
    const offset = line - row;
    if (offset === this.#offsets.at(-1)) return;
    this.#rows.push(row);
    this.#offsets.push(offset);
  }

  readonly placeOf = (row: number): string => {
    const at = lowerBound(this.#rows, row + 1) - 1;
    return `Line ${row + (this.#offsets[at] ?? 1)}`;
  };
}

export interface ReadPlan {
  readonly columnNames: readonly string[] | undefined;
  readonly drop: ReadonlySet<string>;
  /** Columns whose cells are numbers or texts because an option says so. */
  readonly known: ReadonlyMap<string, 'number' | 'text'>;
  /** Missing marks of all columns, and further ones of some. */
  readonly missing: readonly string[];
  readonly missingIn: Readonly<Record<string, readonly string[]>>;
  readonly target: string | undefined;
  /** Rows without a target are left out before the cells of the others tell what a column is: a row of totals must not. */
  readonly dropsRows: boolean;
  readonly detectionLimit: 'limit' | 'half' | 'missing' | undefined;
  readonly delimiter: string | undefined;
  readonly decimal: '.' | ',' | undefined;
  readonly encoding: string;
  /** Lines before the header; undefined: they are found. */
  readonly skip: number | undefined;
  readonly sheet: string | undefined;
  /** Refuses options that name no column; `unnamed`: the names of columns that the header does not name, which `drop` calls ''. */
  checkNames(names: readonly string[], unnamed: readonly string[]): void;
}

/** Refuses names that occur twice, and `columnNames` of another number; an unnamed column gets the name of its place. */
export function checkedNames(
  written: readonly string[],
  file: string,
  plan: Pick<ReadPlan, 'checkNames'>,
  width = written.length,
): { names: string[]; notes: string[] } {
  if (written.length !== width) {
    const must = `name the ${counted(width, 'column')} of ${file}`;
    throw invalidData('length_mismatch', 'The `columnNames` option of readTable', must, String(written.length));
  }
  const notes: string[] = [];
  const unnamed: string[] = [];
  const names = written.map((name, at) => {
    if (name !== '') return name;
    unnamed.push(`column_${at + 1}`);
    notes.push(`Column ${at + 1} has no name in the header and is called 'column_${at + 1}'.`);
    return `column_${at + 1}`;
  });
  const places = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const before = places.get(name);
    if (before !== undefined) {
      const isShown = namesShown(names).length > 0;
      const got = `${isShown ? show(name) : 'one name'} in place ${before + 1} and in place ${at + 1}`;
      const way = isShown ? undefined : LIKE_DATA;
      throw invalidData('duplicate_column', `The columns of ${file}`, 'have different names', got, way);
    }
    places.set(name, at);
  }
  plan.checkNames(names, unnamed);
  return { names, notes };
}

/** What a record of the caller has for a column, which may be called `constructor`. */
export const ofColumn = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined;

/** Names for messages; a line of data that was read as a header stays in the file: it may hold ids. */
export function namesShown(names: readonly string[]): readonly string[] {
  return names.some((name) => /^[-+]?\d+([.,]\d+)?$/.test(name.trim())) ? [] : names;
}

const LIKE_DATA =
  'The line of names looks like data: say how many lines to `skip`, or name the columns (`columnNames`).';

export function checkNamed(names: ReadonlySet<string>, name: string, as: string): void {
  if (names.has(name)) return;
  const must = `name one of the ${counted(names.size, 'column')} of the file`;
  const got = show(name);
  const shown = namesShown([...names]);
  const way = shown.length > 0 ? suggestion(name, shown) : LIKE_DATA;
  throw invalidData('unknown_column', `The \`${as}\` option of readTable`, must, got, way);
}

export function noTarget(name: string, rows: number, missing: number, place: string): InvalidDataError {
  const got = `${counted(missing, 'row')} of ${rows} without, first in ${place.toLowerCase()}`;
  const way = missing < rows ? "Pass `missingTarget: 'drop'` to leave them out." : undefined;
  return invalidData('missing_target', `The target ${show(name)}`, 'have a value in every row', got, way);
}
