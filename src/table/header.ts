/** Where the header of a table stands, by its first records. */
import { counted } from '../core/format.js';
import { isMissingMark } from '../data/missingMarks.js';

export interface HeaderPlace {
  /** Records before the header: titles and comments. */
  readonly titles: number;
  /** The header is one name short, as R writes it: the first column holds the names of the rows. */
  readonly rowNames: boolean;
}

export function skippedNotes(lines: number, skip: number | undefined): string[] {
  const found = skip === undefined ? ' (titles or comments). `skip: 0` keeps them' : '';
  return lines > 0 ? [`${counted(lines, 'line')} before the header left out${found}.`] : [];
}

/** @param findsTitles false: the first record is the header */
export function headerAmong(records: readonly string[][], findsTitles: boolean): HeaderPlace {
  const width = usualWidth(records);
  const isHeaderAt = (at: number) => isHeader(records[at] ?? [], width) && isAboveNumbers(records.slice(at + 1));
  let titles = 0;
  while (titles < records.length && mayBeTitle(records[titles], width)) titles++;
  const areShort = records.slice(0, titles).every((record) => isShort(record, width));
  const isFound = isHeaderAt(titles) || (areShort && isHeader(records[titles] ?? [], width));
  if (!findsTitles || !isFound) titles = 0;
  const [header = [], ...rows] = records.slice(titles);
  const names = rows.map(([name]) => name);
  const rowNames =
    rows.length > 0 &&
    header.length === width - 1 &&
    header.every((name) => name !== '') &&
    rows.every((row) => row.length === width) &&
    rows.some((row) => row.at(-1) !== '') &&
    new Set(names.filter(Boolean)).size === rows.length &&
    !isHeaderAt(titles + 1);
  return { titles, rowNames };
}

/** The width of most records, the larger one of two. */
function usualWidth(records: readonly string[][]): number {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const isMore = (each: number[], most: number[]) => each[1] > most[1] || (each[1] === most[1] && each[0] > most[0]);
  return [...counts].reduce((most, each) => (isMore(each, most) ? each : most), [0, 0])[0];
}

/** Narrower than the table, or with nothing in the second half of its cells; the first name of a header may be missing. */
function mayBeTitle(record: readonly string[], width: number): boolean {
  if (record.length < width) return true;
  const isEmpty = record.every((cell) => cell.trim() === '');
  return width > 2 && isShort(record, width) && (isEmpty || record[0].trim() !== '');
}

const isShort = (record: readonly string[], width: number) =>
  record[0].startsWith('#') || 2 * (record.findLastIndex((cell) => cell.trim() !== '') + 1) <= width;

const isNumber = (cell: string) => /^[+-]?[\d.,]+(e[+-]?\d+)?$/i.test(cell.trim());

/** Different names; the first may be missing. */
function isHeader(record: readonly string[], width: number): boolean {
  const names = record.map((name) => name.trim());
  return (
    record.length === width &&
    new Set(names).size === width &&
    names.every((name, at) => (name === '' ? at === 0 : !isNumber(name) && !isMissingMark(name)))
  );
}

/** One column holds numbers alone. */
const isAboveNumbers = (rows: readonly string[][]) =>
  (rows[0] ?? []).some(
    (_, at) =>
      rows.some((row) => isNumber(row[at] ?? '')) &&
      rows.every((row) => isNumber(row[at] ?? '') || isMissingMark(row[at] ?? '')),
  );
