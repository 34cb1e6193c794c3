/** What is known of a table that was read, and how it reads. */
import { nameText } from '../../core/foreignText.js';
import { counted, wholeNumber } from '../../core/format.js';
import { factLines, textTable, wrapText } from '../../core/summaryText.js';
import type { TypedColumn } from './columnTypes.js';

/** A column of a table, as `info.columns` has it. */
export interface TableColumnInfo {
  readonly name: string;
  /** What its cells are; `empty`: all are missing. */
  readonly type: TypedColumn['type'];
  /** What it became: `X`, `y`, `groups`, `timestamps`, ..., or `left out`. */
  readonly role: string;
  /** Missing cells. */
  readonly missing: number;
  /** Different texts; null for numbers and dates. */
  readonly distinct: number | null;
}

/** What `readTable` found out. Holds names of columns and counts, no cells. */
export interface TableInfo {
  /** Name of the file, without folders. */
  readonly file: string;
  readonly format: 'csv' | 'jsonl' | 'parquet' | 'npy';
  /** How the text was read, for example `['semicolon', 'decimal comma']`. */
  readonly dialect: readonly string[];
  /** Rows of X and y. */
  readonly rows: number;
  /** Rows left out because they had no target. */
  readonly rowsDropped: number;
  readonly columns: readonly TableColumnInfo[];
  /** Texts that were read as missing, with counts; '' is the empty cell. */
  readonly missingMarks: Readonly<Record<string, number>>;
  /** What the user should know: columns left out, mixed columns, codes, ... */
  readonly notes: readonly string[];
}

/** Text of several lines. */
export function tableSummary(info: TableInfo): string {
  const { file, format, dialect, rows, rowsDropped, columns, missingMarks, notes } = info;
  const features = columns.filter(({ role }) => role === 'X');
  const dropped = rowsDropped > 0 ? ` (${counted(rowsDropped, 'row')} without a target left out)` : '';
  const marks = Object.entries(missingMarks).map(
    ([mark, count]) => `${mark === '' ? 'empty' : `'${nameText(mark)}'`} ${wholeNumber(count)}`,
  );
  const facts: [string, string][] = [
    ['File', `${file}: ${[format, ...dialect].join(', ')}`],
    ['Rows', `${wholeNumber(rows)}${dropped}`],
    ['X', `${counted(features.length, 'column')}: ${kindsOf(features)}`],
    ['Missing', marks.length > 0 ? marks.join(', ') : 'none'],
  ];
  const table = columns.map(({ name, role, type, distinct, missing }) => [
    nameText(name, 40),
    role,
    type,
    distinct === null ? '' : counted(distinct, 'value'),
    missing === 0 ? '' : `${wholeNumber(missing)} missing`,
  ]);
  return [
    `Table ${nameText(file)}`,
    ...factLines(facts),
    '',
    textTable(table),
    ...(notes.length > 0 ? ['', ...notes.map((note) => wrapText(note, '  - '))] : []),
  ].join('\n');
}

function kindsOf(columns: readonly TableColumnInfo[]): string {
  const counts = new Map<string, number>();
  for (const { type } of columns) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${count} ${type}`).join(', ');
}
