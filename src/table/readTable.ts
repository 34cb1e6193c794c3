import { tableReaders } from '#table';
import { InvalidOptionError, phrase, sentence, show } from '../core/errors.js';
import { firstTwice } from '../core/firstTwice.js';
import { type OptionsOf, rejectUnusedOption } from '../core/options.js';
import { INSPECT } from '../core/summaryText.js';
import type { Label } from '../data/labels.js';
import { assemble, isIdRole, type TableInfo, tableSummary } from './assemble.js';
import { mayHoldIds, typedColumn } from './columnTypes.js';
import { readCsv } from './csvFile.js';
import { readJsonLines } from './jsonLinesFile.js';
import { readNpy } from './npyFile.js';
import { checkNamed, missingIn, noTarget, ofColumn, type RawTable, type ReadPlan } from './rawTable.js';
import { type ReadTableOptions, readTableOptions } from './readTableOptions.js';
import { type Format, type TableReader, tableFile } from './tableFile.js';

/**
 * A table as `validate` takes it: `validate({ model, ...table })`. The fields that a file does not have are not there.
 * `info`, `summary` and `lineOf` are not copied by spreading.
 */
export interface TableData {
  /** Columns of the features: Float64Array for numbers and booleans (NaN: missing), lists of texts for categories (null: missing). */
  readonly X: Record<string, Float64Array | (string | null)[]>;
  /** The target, length n: numbers, texts or booleans. */
  readonly y: Float64Array | string[] | boolean[];
  /** Patient of each row, as text. */
  readonly groups?: string[];
  /** Numbers, or `Date`s and '' where missing. */
  readonly timestamps?: Float64Array | (Date | string)[];
  readonly labelEndTimes?: Float64Array | (Date | string)[];
  readonly sampleWeight?: Float64Array;
  /** Ids by level, as text; null where missing. */
  readonly hierarchy?: Record<string, (string | null)[]>;
  readonly coordinates?: [number, number][];
  /** Columns of ids that were left out and repeat, with the number of different ids: checks ask whether these are patients. */
  readonly repeatedIds?: Readonly<Record<string, number>>;
  /** Where rows without a target were left out: how many, as a sentence for the report of a run. */
  readonly warnings?: readonly string[];
  /** As in the options. */
  readonly positiveLabel?: Label;
  /** SHA-256 of the file, 64 hexadecimal digits; recorded in the manifest of a run. */
  readonly sha256: string;
  /** Types, missing marks and notes. */
  readonly info: TableInfo;
  /** The same as text. */
  summary(): string;
  /** Line of a row in the file, from 1 (in a sheet its row); NaN for formats without lines. */
  lineOf(row: number): number;
}

const READERS: Record<Format, TableReader> = {
  csv: readCsv,
  jsonl: readJsonLines,
  npy: readNpy,
  ...tableReaders,
};

const OF_TARGET = ['missingTarget', 'positiveLabel'] as const;

const OF_CSV = ['delimiter', 'decimal'] as const;
const OF_TEXT = [...OF_CSV, 'encoding'] as const;
/** Options that the other formats do not have. */
const IDLE: Readonly<Record<Format, readonly (keyof Options)[]>> = {
  csv: ['sheet'],
  jsonl: [...OF_CSV, 'skip', 'sheet', 'columnNames'],
  parquet: [...OF_TEXT, 'skip', 'sheet', 'columnNames'],
  npy: [...OF_TEXT, 'skip', 'sheet', 'detectionLimit'],
  xlsx: OF_TEXT,
};

/** A table that was read with `time` and `event`. */
export interface TimedTableData extends Omit<TableData, 'y'> {
  readonly y: { readonly time: Float64Array; readonly event: Float64Array };
}

/** A table that was read without `target`: rows that a model shall predict. */
export interface TableWithoutTarget extends Omit<TableData, 'y'> {
  readonly y?: undefined;
}

/**
 * Reads a table from a CSV or TSV file, JSON lines, Parquet, `.npy` or `.xlsx`, the text formats and `.npy` also within gzip. Nothing
 * is guessed in silence: types, missing marks and what was left out stand in `info` and `summary()`, and what could be
 * read in two ways is refused.
 *
 * X has the columns of numbers, categories and booleans that have no other role. Ids, dates and free texts are
 * left out, with a note, unless `columns` names them. Without `target` there is no `y`.
 *
 * @param path path or file: URL; a `File` or `Blob`, as a page gets it. In a page Parquet and `.xlsx` are refused.
 * @throws {InvalidDataError} ragged rows, open quotes, a column twice or not there, rows without a target, a wrong
 * encoding, dates or numbers that could be read in two ways; messages tell lines, never cells
 * @throws {MissingPackageError} a Parquet file without the package hyparquet, an `.xlsx` file without read-excel-file
 * @example
 * await writeFile('visits.csv', 'patient_id,age,readmitted\na,61,0\na,62,1\nb,70,1\nc,58,0\n');
 * const table = await readTable('visits.csv', { target: 'readmitted', groups: 'patient_id' });
 * console.log(table.X, table.y, table.groups);
 */
export function readTable(
  path: string | URL | Blob,
  input: ReadTableOptions & { readonly target: string },
): Promise<TableData>;
export function readTable(
  path: string | URL | Blob,
  input: ReadTableOptions & { readonly time: string; readonly event: string },
): Promise<TimedTableData>;
export function readTable(
  path: string | URL | Blob,
  input?: ReadTableOptions & { readonly target?: undefined },
): Promise<TableWithoutTarget>;
export function readTable(
  path: string | URL | Blob,
  input: ReadTableOptions,
): Promise<TableData | TimedTableData | TableWithoutTarget>;
export async function readTable(
  path: string | URL | Blob,
  input: ReadTableOptions = {},
): Promise<TableData | TimedTableData | TableWithoutTarget> {
  if (typeof path !== 'string' && !(path instanceof URL) && !(path instanceof Blob)) {
    throw new InvalidOptionError(sentence('The path of readTable', 'be a path, a file: URL or a File', path));
  }
  const { options: named, changed, written } = readTableOptions.parse(input);
  // The event is the target, with a time beside it.
  const options = { ...named, target: named.target ?? named.event };
  if ((named.time === undefined) !== (named.event === undefined)) {
    const [one, other] = named.time === undefined ? ['event', 'time'] : ['time', 'event'];
    throw new InvalidOptionError(
      sentence(`The \`${one}\` option of readTable`, `come with \`${other}\``, phrase('none')),
    );
  }
  if (named.event !== undefined && named.target !== undefined) {
    rejectUnusedOption('readTable', 'target', '`time` and `event` are the outcome');
  }
  if (options.columns && options.drop) {
    rejectUnusedOption('readTable', 'drop', '`columns` says which columns X has');
  }
  const idle = options.target === undefined && OF_TARGET.find((name) => changed.has(name));
  if (idle) rejectUnusedOption('readTable', idle, 'no `target` is named');
  const roles = rolesOf(options);
  const file = await tableFile(path, options);
  const { format } = file;
  const unused = IDLE[format].find((name) => changed.has(name));
  if (unused) rejectUnusedOption('readTable', unused, `the file is ${format}`);
  // The mark at its beginning says what the text is.
  const isMarked = file.isUtf16 && !written.has('encoding') && ['csv', 'jsonl'].includes(format);
  const plan = planOf(isMarked ? { ...options, encoding: 'utf-16le' } : options, roles, format);
  const { table, sha256 } = await READERS[format](file, plan);
  checkTarget(table, options.target);
  const columns = table.columns.map((column) => typedColumn(column, ofColumn(options.types, column.name), table));
  const { fields, ...found } = assemble(table, columns, roles, options);
  const info: TableInfo = Object.freeze({
    ...{ file: file.name, format, dialect: table.dialect },
    ...found,
    missingMarks: marksOf(table, roles),
  });
  const summary = () => tableSummary(info);
  const lineOf = (row: number) => Number(/^Line (\d+)$/.exec(table.placeOf(row))?.[1]);
  const { positiveLabel } = options;
  const isHandedOn = positiveLabel !== undefined && options.time === undefined;
  const data = { ...fields, ...(isHandedOn ? { positiveLabel } : {}), sha256 };
  return Object.defineProperties(data, {
    info: { value: info },
    summary: { value: summary },
    lineOf: { value: lineOf },
    [INSPECT]: { value: summary },
  }) as TableData | TimedTableData | TableWithoutTarget;
}

type Roles = Map<string, string>;

type Options = OptionsOf<typeof readTableOptions>;

function rolesOf(options: Options): Roles {
  const { sites, hierarchy = {}, coordinates = [], drop = [] } = options;
  if (sites !== undefined && hierarchy.site !== undefined) {
    rejectUnusedOption('readTable', 'sites', '`hierarchy` has a level `site`');
  }
  const levels = Object.entries({ ...(sites === undefined ? {} : { site: sites }), ...hierarchy });
  const roles: Roles = new Map();
  const give = (role: string, column: string | undefined) => {
    if (column !== undefined) setRole(roles, column, role);
  };
  give('y', options.target);
  for (const role of ['time', 'groups', 'timestamps', 'labelEndTimes', 'sampleWeight'] as const)
    give(role, options[role]);
  for (const [level, column] of levels) give(`hierarchy.${level}`, column);
  for (const [at, column] of coordinates.entries()) give(`coordinates.${at}`, column);
  for (const column of drop) give('dropped', column);
  const refuse = (must: string, name: string) => {
    throw new InvalidOptionError(sentence('The `columns` option of readTable', must, phrase(show(name))));
  };
  const twice = firstTwice(options.columns ?? []);
  if (twice !== undefined) refuse('name each column once', twice);
  const { target } = options;
  if (target !== undefined && options.columns?.includes(target)) refuse('leave out the target', target);
  return roles;
}

function setRole(roles: Roles, column: string, role: string): void {
  const other = roles.get(column);
  if (other !== undefined) {
    const subject = `The column ${show(column)} of readTable`;
    throw new InvalidOptionError(sentence(subject, 'have one role', phrase(`${other} and ${role}`)));
  }
  roles.set(column, role);
}

function planOf(options: Options, roles: Roles, format: string): ReadPlan {
  const known = new Map<string, 'number' | 'text'>();
  for (const [column, role] of roles) if (isIdRole(role)) known.set(column, 'text');
  for (const [column, type] of Object.entries(options.types ?? {})) {
    if (known.has(column) && type !== 'id') {
      rejectUnusedOption('readTable', 'types', `ids are read as text, and ${show(column)} has the role of ids`);
    }
    known.set(column, type === 'numeric' ? 'number' : 'text');
  }
  const { columnNames, delimiter, decimal, encoding, skip, sheet, target, detectionLimit, alsoMissing } = options;
  const isForAll = Array.isArray(alsoMissing);
  const missing = [...options.missing, ...(isForAll ? alsoMissing : [])];
  const missingIn = isForAll
    ? {}
    : Object.fromEntries(Object.entries(alsoMissing).map(([name, marks]) => [name, [marks].flat().map(String)]));
  // Ids are read all the same: whether they repeat is to be known. A cell of a text file can always be read.
  const isKept = (name: string) => format === 'csv' && mayHoldIds(name);
  const drop = new Set(options.drop?.filter((name) => !isKept(name)));
  const check = (names: readonly string[], unnamed: readonly string[]) => {
    // A CSV file is read twice at most: its names are known the second time.
    if (unnamed.length > 0 && roles.delete('')) {
      for (const name of unnamed) {
        setRole(roles, name, 'dropped');
        drop.add(name);
      }
    }
    checkNames(names, options, roles);
  };
  return {
    ...{ columnNames, delimiter, decimal, encoding, skip, sheet, target, detectionLimit },
    ...{ missing, missingIn, drop, known, checkNames: check },
    dropsRows: target !== undefined && options.missingTarget === 'drop',
  };
}

function checkNames(names: readonly string[], { types = {}, columns = [], alsoMissing }: Options, roles: Roles): void {
  const all = new Set(names);
  const optionOf: Readonly<Record<string, string>> = { y: 'target', dropped: 'drop' };
  for (const [column, role] of roles) checkNamed(all, column, optionOf[role] ?? role.split('.')[0]);
  for (const column of Object.keys(types)) checkNamed(all, column, 'types');
  for (const column of columns) checkNamed(all, column, 'columns');
  if (!Array.isArray(alsoMissing))
    for (const column of Object.keys(alsoMissing)) checkNamed(all, column, 'alsoMissing');
}

function marksOf({ columns }: RawTable, roles: Roles): Record<string, number> {
  const counts = new Map<string, number>();
  const kept = columns.filter(({ name }) => roles.get(name) !== 'dropped');
  for (const { marks } of kept) for (const [mark, n] of marks) counts.set(mark, (counts.get(mark) ?? 0) + n);
  return Object.fromEntries(counts);
}

function checkTarget({ columns, length, placeOf }: RawTable, target: string | undefined): void {
  const column = columns.find(({ name }) => name === target);
  const { first, count } = column ? missingIn(column) : { first: 0, count: 0 };
  if (column && count > 0) throw noTarget(column.name, length, count, placeOf(first));
}
