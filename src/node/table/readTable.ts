import { InvalidOptionError, phrase, sentence, show } from '../../core/errors.js';
import { INSPECT } from '../../core/inspect.js';
import { type OptionsOf, rejectUnusedOption } from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import { assemble } from './assemble.js';
import { mayHoldIds, typedColumn } from './columnTypes.js';
import { type ReadPlan, readCsv } from './csvFile.js';
import { readJsonLines } from './jsonLines.js';
import { readNpy } from './npyFile.js';
import { type Format, tableFile } from './openFile.js';
import { readParquet } from './parquetFile.js';
import { checkNamed, type RawTable } from './rawTable.js';
import { type ReadTableOptions, readTableOptions } from './readTableOptions.js';
import { type TableInfo, tableSummary } from './tableInfo.js';
import { withTarget } from './withTarget.js';

/**
 * A table as `validate` takes it: `validate({ model, ...table })`. The fields that a file does not have are not there.
 * `info` and `summary` are not copied by spreading.
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
  /** Ids by level, as text. */
  readonly hierarchy?: Record<string, string[]>;
  readonly coordinates?: [number, number][];
  /** Columns of ids that were left out and repeat, with the number of different ids: checks ask whether these are patients. */
  readonly repeatedIds?: Readonly<Record<string, number>>;
  /** As given. */
  readonly positiveLabel?: Label;
  /** SHA-256 of the file, 64 hexadecimal digits; recorded in the manifest of a run. */
  readonly sha256: string;
  /** Types, missing marks and notes. */
  readonly info: TableInfo;
  /** The same as text. */
  summary(): string;
}

const READERS: Record<Format, (...given: Parameters<typeof readCsv>) => ReturnType<typeof readCsv>> = {
  csv: readCsv,
  jsonl: readJsonLines,
  parquet: readParquet,
  npy: readNpy,
};

/** Options about the target. */
const OF_TARGET = ['missingTarget', 'positiveLabel'] as const;

/** Options that only files of text have. */
const OF_CSV = ['delimiter', 'decimal'] as const;

/** A table that was read without `target`: rows that a model shall predict. */
export interface TableWithoutTarget extends Omit<TableData, 'y'> {
  readonly y?: undefined;
}

/**
 * Reads a table from a CSV or TSV file, JSON lines, Parquet or `.npy`, the text formats and `.npy` also within gzip. Nothing
 * is guessed in silence: types, missing marks and what was left out stand in `info` and `summary()`, and what could be
 * read in two ways is refused.
 *
 * X has the columns of numbers, categories and booleans that are not given another role. Ids, dates and free texts are
 * left out, and said, unless `columns` names them. Without `target` there is no `y`.
 *
 * @param path path or file: URL
 * @throws {InvalidDataError} ragged rows, open quotes, a column twice or not there, rows without a target, a wrong
 * encoding, dates or numbers that could be read in two ways; messages tell lines, never cells
 * @throws {MissingPackageError} a Parquet file without the package hyparquet
 * @example
 * const table = await readTable('visits.csv', { target: 'readmitted', groups: 'patient_id' });
 * console.log(table.summary());
 * const result = await new CVKitValidator().validate({ model, ...table });
 */
export function readTable(
  path: string | URL,
  input: ReadTableOptions & { readonly target: string },
): Promise<TableData>;
export function readTable(
  path: string | URL,
  input?: ReadTableOptions & { readonly target?: undefined },
): Promise<TableWithoutTarget>;
export function readTable(path: string | URL, input: ReadTableOptions): Promise<TableData | TableWithoutTarget>;
export async function readTable(
  path: string | URL,
  input: ReadTableOptions = {},
): Promise<TableData | TableWithoutTarget> {
  if (typeof path !== 'string' && !(path instanceof URL)) {
    throw new InvalidOptionError(sentence('The path of readTable', 'be a path or a file: URL', path));
  }
  const { options, changed } = readTableOptions.parse(input);
  if (options.columns && options.drop) {
    rejectUnusedOption('readTable', 'drop', '`columns` says which columns X has');
  }
  const idle = options.target === undefined && OF_TARGET.find((name) => changed.has(name));
  if (idle) rejectUnusedOption('readTable', idle, 'no `target` is named');
  const roles = rolesOf(options);
  const file = await tableFile(path, options);
  for (const name of OF_CSV) {
    if (file.format !== 'csv' && changed.has(name)) rejectUnusedOption('readTable', name, `the file is ${file.format}`);
  }
  if (changed.has('encoding') && (file.format === 'parquet' || file.format === 'npy')) {
    rejectUnusedOption('readTable', 'encoding', `the file is ${file.format}`);
  }
  if (changed.has('columnNames') && (file.format === 'parquet' || file.format === 'jsonl')) {
    rejectUnusedOption('readTable', 'columnNames', `a ${file.format} file names its columns itself`);
  }
  const plan = planOf(options, roles);
  const { table, sha256 } = await READERS[file.format](file, plan);
  const raw = withTarget(table, options, plan);
  const columns = raw.columns.map((column) => typedColumn(column, options.types?.[column.name], raw));
  const { fields, ...found } = assemble(raw, columns, roles, options, table.length - raw.length);
  const info: TableInfo = Object.freeze({
    ...{ file: file.name, format: file.format, dialect: raw.dialect },
    ...found,
    missingMarks: marksOf(raw),
  });
  const summary = () => tableSummary(info);
  const made = {
    ...fields,
    ...(options.positiveLabel === undefined ? {} : { positiveLabel: options.positiveLabel }),
    sha256,
  };
  return Object.defineProperties(made, {
    info: { value: info },
    summary: { value: summary },
    [INSPECT]: { value: summary },
  }) as TableData | TableWithoutTarget;
}

/** Roles by column. A column has one. */
type Roles = ReadonlyMap<string, string>;

/** Ids, which are read as they are written. */
const isIdRole = (role: string): boolean => role === 'groups' || role.startsWith('hierarchy.');

type Options = OptionsOf<typeof readTableOptions>;

function rolesOf(options: Options): Roles {
  const { sites, hierarchy = {}, coordinates = [], drop = [] } = options;
  if (sites !== undefined && hierarchy.site !== undefined) {
    rejectUnusedOption('readTable', 'sites', '`hierarchy` has a level `site`');
  }
  const levels = Object.entries({ ...(sites === undefined ? {} : { site: sites }), ...hierarchy });
  const named: [string, string | undefined][] = [
    ['y', options.target],
    ...(['groups', 'timestamps', 'labelEndTimes', 'sampleWeight'] as const).map(
      (role): [string, string | undefined] => [role, options[role]],
    ),
    ...levels.map(([level, column]): [string, string] => [`hierarchy.${level}`, column]),
    ...coordinates.map((column, at): [string, string] => [`coordinates.${at}`, column]),
    ...drop.map((column): [string, string] => ['dropped', column]),
  ];
  const roles = new Map<string, string>();
  for (const [role, column] of named) {
    if (column === undefined) continue;
    const other = roles.get(column);
    if (other !== undefined) {
      throw new InvalidOptionError(
        sentence(`The column ${show(column)} of readTable`, 'have one role', phrase(`${other} and ${role}`)),
      );
    }
    roles.set(column, role);
  }
  const once = new Set<string>();
  const twice = options.columns?.find((name) => once.size === once.add(name).size);
  if (twice !== undefined) {
    throw new InvalidOptionError(
      sentence('The `columns` option of readTable', 'name each column once', phrase(show(twice))),
    );
  }
  if (options.target !== undefined && options.columns?.includes(options.target)) {
    throw new InvalidOptionError(
      sentence('The `columns` option of readTable', 'leave out the target', phrase(show(options.target))),
    );
  }
  return roles;
}

function planOf(options: Options, roles: Roles): ReadPlan {
  const known = new Map<string, 'number' | 'text'>();
  for (const [column, role] of roles) if (isIdRole(role)) known.set(column, 'text');
  for (const [column, type] of Object.entries(options.types ?? {})) {
    if (known.has(column) && type !== 'id') {
      rejectUnusedOption('readTable', 'types', `ids are read as text, and ${show(column)} has the role of ids`);
    }
    known.set(column, type === 'numeric' ? 'number' : 'text');
  }
  const { columnNames, delimiter, decimal, encoding } = options;
  const missing = [...options.missing, ...options.alsoMissing];
  // Ids are read all the same: whether they repeat is to be known.
  const drop = new Set(options.drop?.filter((name) => !mayHoldIds(name)));
  const check = (names: readonly string[]) => checkNames(names, options, roles);
  return { columnNames, missing, delimiter, decimal, encoding, drop, known, checkNames: check };
}

/** Every column that an option names is there. */
function checkNames(names: readonly string[], options: Options, roles: Roles): void {
  const all = new Set(names);
  for (const [column, role] of roles) {
    const as = role === 'y' ? 'target' : role === 'dropped' ? 'drop' : role.split('.')[0];
    checkNamed(all, column, as);
  }
  for (const column of Object.keys(options.types ?? {})) checkNamed(all, column, 'types');
  for (const column of options.columns ?? []) checkNamed(all, column, 'columns');
}

function marksOf({ columns }: RawTable): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { marks } of columns) for (const [mark, n] of marks) counts.set(mark, (counts.get(mark) ?? 0) + n);
  return Object.fromEntries(counts);
}
