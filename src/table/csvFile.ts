/** CSV and its kin, read in one go by csv-parse into typed columns; twice where a column of numbers turns out to hold text. */
import type { Parser } from 'csv-parse';
import { sha256 } from '#io';
import { csvParser, parsesBytes } from '#table';
import { CVKitError, invalidData, messageOf, show } from '../core/errors.js';
import { counted } from '../core/format.js';
import { cellRules, isMissingCell, numberIn, TextColumn } from './cellColumn.js';
import { type HeaderPlace, headerAmong, skippedNotes } from './header.js';
import { checkedNames, LineNumbers, noTarget, type RawTable, type ReadPlan } from './rawTable.js';
import { DELIMITERS, type Delimiter } from './readTableOptions.js';
import { emptyFile, MOST_RECORD, type TableFile, textDecoder, unpackedBlocks } from './tableFile.js';

const SAMPLE = 1 << 16;

export async function readCsv(file: TableFile, plan: ReadPlan): Promise<{ table: RawTable; sha256: string }> {
  const first = await readOnce(file, plan, new Map());
  // What was read as a number is gone as it was written (`1.0`, `+1`), so that the file is read again.
  const texts = new Map(first.columns.flatMap(({ name, conflict }) => (conflict ? [[name, conflict] as const] : [])));
  const { columns, sha256, ...table } = texts.size > 0 ? await readOnce(file, plan, texts) : first;
  return { sha256, table: { ...table, columns: columns.map((column) => column.raw()), format: 'csv' } };
}

async function readOnce(file: TableFile, plan: ReadPlan, texts: ReadonlyMap<string, string>) {
  const parse = await csvParser();
  const lines = new LineNumbers();
  const notes: string[] = [];
  const hash = await sha256();
  const decode = textDecoder(plan.encoding, file.name);
  const isUtf8 = plan.encoding === 'utf-8';
  const asBytes = isUtf8 && parsesBytes;
  let dialect: Dialect | undefined;
  let columns: (TextColumn | null)[] = [];
  let row = -1;
  let skipped = 0;
  let lastLine = 0;
  let emptyLines = 0;
  let needed = -1;
  let rowsDropped = 0;
  let firstDropped = '';

  const onRecord = (cells: string[], { lines: read, empty_lines: empty }: { lines: number; empty_lines: number }) => {
    const start = lastLine + 1 + (empty - emptyLines);
    [lastLine, emptyLines] = [skipped + read, empty];
    if (row < 0) {
      headerLine = start;
      const { names, isRow, notes: more } = namesOf(cells, start, plan, dialect as Dialect, file.name);
      notes.push(...more);
      columns = names.map((name) =>
        plan.drop.has(name)
          ? null
          : new TextColumn(name, rulesOf(name), texts.has(name) ? 'text' : plan.known.get(name), texts.get(name)),
      );
      needed = plan.dropsRows ? names.indexOf(plan.target as string) : -1;
      row = 0;
      if (!isRow) return null;
    }
    if (cells.length !== columns.length) throw ragged(start, cells.length, columns.length, headerLine, file.name);
    if (needed >= 0 && isMissingCell(cells[needed], rulesOf(plan.target as string))) {
      if (rowsDropped++ === 0) firstDropped = `Line ${start}`;
      return null;
    }
    lines.note(row, start);
    for (let at = 0; at < cells.length; at++) columns[at]?.add(cells[at], row);
    row++;
    return null;
  };

  let headerLine = 1;
  let rulesOf: ReturnType<typeof cellRules>;
  let parser: Parser | undefined;
  let failure: Error | undefined;
  const waiting: (Uint8Array | string)[] = [];
  let toParse = (block: Uint8Array, text: string) => (asBytes ? block : text);
  let sample = '';
  const begin = async (isWhole: boolean): Promise<Parser> => {
    dialect = dialectOf(sample.slice(0, SAMPLE), plan, isWhole && sample.length <= SAMPLE, file.name);
    const { start } = dialect;
    skipped = lastLine = lineStarts(sample.slice(0, start)).length;
    notes.push(...skippedNotes(skipped, plan.skip));
    const { placeOf } = lines;
    rulesOf = cellRules(plan, {
      comma: dialect.decimal === ',',
      expectedRows: rowsExpected(file, sample),
      placeOf,
    });
    const begun = parse({
      record_delimiter: lineEnds(sample),
      delimiter: dialect.delimiter,
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: MOST_RECORD,
      on_record: onRecord as never,
    });
    begun.resume();
    // Errors come with the block or with the end; this one would end the process otherwise.
    begun.on('error', (error) => {
      failure = error;
    });
    if (start > 0) {
      await fed(begun, sample.slice(start));
      toParse = (_, text) => text;
    } else for (const block of waiting) await fed(begun, block);
    waiting.length = 0;
    return begun;
  };
  try {
    for await (const block of unpackedBlocks(file, hash)) {
      const text = decode(block);
      const part = toParse(block, text);
      if (parser) {
        await fed(parser, part);
        continue;
      }
      waiting.push(part);
      sample += text;
      if (sample.length >= SAMPLE) parser = await begin(false);
    }
    decode();
    if (!parser && sample.trim() === '') throw emptyFile(file.name);
    parser ??= await begin(true);
    await ended(parser);
  } catch (error) {
    // The parser for pages has none, and ends with what is left of it.
    if (parser && 'destroy' in parser) parser.destroy();
    throw asReadError(failure ?? error, lastLine + 1, skipped, file.name);
  }
  if (row <= 0 && rowsDropped > 0) throw noTarget(plan.target as string, rowsDropped, rowsDropped, firstDropped);
  if (row <= 0) throw invalidData('empty_table', `The file ${file.name}`, 'have rows below its header', 'none');
  if (emptyLines > 0) notes.push(`${counted(emptyLines, 'empty line')} left out.`);
  const { delimiter, decimal, rowNames } = dialect as unknown as Dialect;
  const words = [
    DELIMITERS[delimiter],
    decimal === ',' ? 'decimal comma' : '',
    rowNames ? 'row names' : '',
    isUtf8 ? '' : plan.encoding,
  ];
  const kept = columns.filter((column) => column !== null);
  const { placeOf } = lines;
  return {
    columns: kept,
    length: row,
    rowsDropped,
    placeOf,
    notes,
    sha256: hash.digest(),
    dialect: words.filter(Boolean),
  };
}

const fed = (parser: Parser, block: Uint8Array | string) =>
  new Promise<void>((done, fail) => parser.write(block, (error) => (error ? fail(error) : done())));

/** csv-parse would take the first for all. As few as the first lines ask for, since each takes time. */
function lineEnds(sample: string): string[] {
  if (/\r(?!\n)./s.test(sample)) return ['\r\n', '\n', '\r'];
  return sample.includes('\r') ? ['\r\n', '\n'] : ['\n'];
}

/** A little more than the lines so far lead to expect; 0 where the size of the text is not known. */
function rowsExpected({ size, gzip }: TableFile, sample: string): number {
  const lines = sample.split('\n').length;
  return gzip ? 0 : Math.ceil((1.05 * size * lines) / sample.length);
}

const ended = (parser: Parser) =>
  new Promise<void>((done, fail) => {
    parser.once('error', fail);
    parser.once('end', done);
    parser.end();
  });

const lineStarts = (text: string): number[] =>
  Array.from(text.matchAll(/\r\n|\n|\r/g), ({ 0: end, index }) => index + end.length);

interface Dialect extends HeaderPlace {
  readonly delimiter: Delimiter;
  readonly decimal: '.' | ',';
  /** Letters before the header. */
  readonly start: number;
}

function dialectOf(sample: string, plan: ReadPlan, whole: boolean, name: string): Dialect {
  const { skip = 0 } = plan;
  const starts = skip === 0 ? [0] : lineStarts(sample);
  const from = starts[Math.max(0, skip - 1)];
  if (from === undefined) {
    const must = `hold the ${counted(skip, 'line')} that \`skip\` leaves out in its first ${SAMPLE} letters`;
    throw invalidData('empty_table', `The file ${name}`, must, `${starts.length}`);
  }
  const found = cutBy(sample, from, plan, whole);
  const delimiter = (plan.delimiter as Delimiter) ?? findDelimiter(found, name) ?? ',';
  const { records, titles, rowNames, starts: ofRecords } = found[delimiter];
  const shift = rowNames ? 1 : 0;
  const placeOf = (row: number, at: number) => {
    const line = lineStarts(sample.slice(0, ofRecords[titles + row])).length + 1;
    return `column ${show(plan.columnNames?.[at] ?? records[titles][at - shift] ?? at)}, line ${line}`;
  };
  const decimal = plan.decimal ?? findDecimal(records.slice(titles), delimiter, plan, { name, placeOf });
  return { delimiter, decimal, rowNames, titles, start: titles > 0 ? ofRecords[titles] : from };
}

function namesOf(cells: readonly string[], line: number, plan: ReadPlan, { decimal, rowNames }: Dialect, file: string) {
  if (plan.columnNames) return { ...checkedNames(plan.columnNames, file, plan, cells.length), isRow: true };
  const names = [...(rowNames ? [''] : []), ...cells.map((cell) => cell.trim())];
  const valueIn = (name: string) => numberIn(name, decimal === ',');
  const isNumber = (name: string) => !Number.isNaN(valueIn(name));
  // A data frame without names is written with a header of 0, 1, 2, ...
  if (
    names.every((name) => isNumber(name) || name === '' || name === '?') &&
    !names.every((name, at) => Number(name) === at)
  ) {
    const way = 'Pass `columnNames` where the file has no header.';
    throw invalidData('no_header', `Line ${line} of ${file}`, 'name the columns', 'numbers alone', way);
  }
  const { notes, ...checked } = checkedNames(names, file, plan);
  const isDecimal = (name: string) => isNumber(name) && !Number.isInteger(valueIn(name));
  const doubt = `Line ${line} names the columns, and some of these names are decimal numbers. If it is a row, write a line of names above it, or pass \`columnNames\`.`;
  return { ...checked, notes: names.some(isDecimal) ? [...notes, doubt] : notes, isRow: false };
}

const ragged = (line: number, got: number, width: number, header: number, file: string) => {
  const must = `have ${counted(width, 'cell')}, as line ${header} has`;
  const way =
    got > width ? `If line ${header} is a title, pass \`skip\`: the number of lines before the header.` : undefined;
  return invalidData('ragged_rows', `Line ${line} of ${file}`, must, String(got), way);
};

/** Errors of the parser in our words; its own would print cells. */
function asReadError(error: unknown, line: number, skipped: number, file: string): unknown {
  if (error instanceof CVKitError) return error;
  const { code = '', lines: read } = error as { code?: string; lines?: number };
  const lines = read === undefined ? line : skipped + read;
  const broken: Record<string, [number, string, string]> = {
    CSV_QUOTE_NOT_CLOSED: [line, 'close every quote that it opens', 'a quote that is open at the end of the file'],
    CSV_INVALID_CLOSING_QUOTE: [lines, 'have a delimiter after a closing quote', 'another letter'],
    CSV_MAX_RECORD_SIZE: [line, `have at most ${MOST_RECORD} bytes`, 'more, as where a quote is not closed'],
    INVALID_OPENING_QUOTE: [lines, 'have quotes around whole cells', 'a quote within a cell'],
  };
  const [at, must, got] = broken[code] ?? [lines, 'be CSV', `${show(code)}: ${messageOf(error)}`];
  return invalidData('broken_quotes', `Line ${at} of ${file}`, must, got, 'Write a quote within a quoted cell twice.');
}

// How a CSV file is written: its delimiter and decimal mark, read from its first lines.

const MOST_RECORDS = 200;

/** The first records of a text, cells without their quotes, and where each begins. `whole`: the text does not end within a record. */
function recordsIn(text: string, from: number, delimiter: string, whole: boolean) {
  const records: string[][] = [];
  const starts: number[] = [];
  let record: string[] = [];
  let cell = '';
  let quoted = false;
  let start = from;
  const end = (next: number) => {
    if (record.length > 0 || cell !== '') {
      records.push([...record, cell]);
      starts.push(start);
    }
    [record, cell, start] = [[], '', next];
  };
  for (let at = from; at < text.length && records.length < MOST_RECORDS; at++) {
    const letter = text[at];
    if (letter === '"') quoted = !quoted;
    else if (!quoted && letter === delimiter) {
      record.push(cell);
      cell = '';
    } else if (!quoted && (letter === '\n' || letter === '\r')) end(at + 1);
    else cell += letter;
  }
  if (whole && records.length < MOST_RECORDS) end(text.length);
  return { records, starts };
}

type Cut = ReturnType<typeof recordsIn> & HeaderPlace;

/** The first lines as each delimiter cuts them. */
function cutBy(sample: string, from: number, { columnNames, skip }: ReadPlan, whole: boolean): Record<Delimiter, Cut> {
  const cut = (Object.keys(DELIMITERS) as Delimiter[]).map((delimiter) => {
    const found = recordsIn(sample, from, delimiter, whole);
    const layout = columnNames ? { titles: 0, rowNames: false } : headerAmong(found.records, skip === undefined);
    // Without quotes a comma may be the decimal mark of numbers.
    const areNames = delimiter !== ',' || found.starts.slice(1).every((at) => sample[at] === '"');
    return [delimiter, { ...found, ...layout, rowNames: layout.rowNames && areNames }] as const;
  });
  return Object.fromEntries(cut) as Record<Delimiter, Cut>;
}

/** Cuts each of the first records into as many cells as the header; of several, the one with more cells. None for one column. */
function findDelimiter(cut: Record<Delimiter, Cut>, file: string): Delimiter | undefined {
  const all = (Object.keys(cut) as Delimiter[]).map((delimiter) => {
    const { records, titles, rowNames } = cut[delimiter];
    const table = records.slice(titles);
    const width = (table[0]?.length ?? 0) + Number(rowNames);
    const even = table.filter((record, at) => record.length === width || (rowNames && at === 0)).length;
    const isClean = width > 1 && even === table.length;
    // Blanks stand in texts, too.
    return { delimiter, width, rowNames, isClean, isPlain: isClean && titles === 0 && !rowNames && delimiter !== ' ' };
  });
  const several = all.filter(({ delimiter, width }) => width > 1 && delimiter !== ' ');
  const mayBe = ({ delimiter, rowNames }: (typeof all)[number]) =>
    delimiter !== ' ' || rowNames || several.length === 0;
  const clean = all.filter((each) => each.isClean && mayBe(each));
  const plain = clean.filter(({ isPlain }) => isPlain);
  // A ragged file is refused later, with its line, once it is known what stands between its cells.
  const most = [plain, clean, several].find(({ length }) => length > 0) ?? [];
  const best = most.toSorted((a, b) => b.width - a.width);
  if (best.length > 1 && best[0].width === best[1].width) {
    const got = `as many cells by ${DELIMITERS[best[0].delimiter]} as by ${DELIMITERS[best[1].delimiter]}`;
    const way = 'Pass `delimiter`.';
    throw invalidData('ambiguous_delimiter', `The first lines of ${file}`, 'tell what stands between cells', got, way);
  }
  return best[0]?.delimiter;
}

const POINT = /^[+-]?\d*\.\d+$/;
const COMMA = /^[+-]?\d*,\d+$/;
const THOUSANDS = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/** Both: the last of them is the decimal mark. */
const GROUPS_THEN_COMMA = /^[+-]?\d{1,3}(\.\d{3})+,\d+$/;
const THOUSANDS_POINT = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/**
 * A point where any number has one, or none has a comma. Refused are points and commas in one file, unless commas part its cells; and
 * what may part thousands: `1,234` and no other, or `1.234` and no other between semicolons, where a comma is usual.
 */
function findDecimal(
  records: string[][],
  delimiter: string,
  { detectionLimit }: ReadPlan,
  file: { readonly name: string; placeOf(row: number, at: number): string },
): '.' | ',' {
  const sign = detectionLimit ? /^[<>≤≥]=?\s*/ : '';
  const plain = (cell: string) => cell.trim().replace(sign, '');
  const cells = records.flatMap((record) => record.map(plain));
  const count = (...patterns: readonly RegExp[]) =>
    cells.filter((cell) => patterns.some((each) => each.test(cell))).length;
  const first = (...patterns: readonly RegExp[]) => {
    const at = records.map((record) => record.findIndex((cell) => patterns.some((each) => each.test(plain(cell)))));
    const row = at.findIndex((place) => place >= 0);
    return row < 0 ? '' : ` (first in ${file.placeOf(row, at[row])})`;
  };
  const [points, commas] = [count(POINT), count(COMMA, GROUPS_THEN_COMMA)];
  const refuse = (got: string) => {
    const way = 'Pass `decimal`: numbers with the other mark are read as text, with a note.';
    return invalidData('ambiguous_decimal', `The numbers of ${file.name}`, 'tell their decimal mark', got, way);
  };
  if (points > 0 && commas > 0 && delimiter !== ',')
    throw refuse(`numbers with a point${first(POINT)} and numbers with a comma${first(COMMA, GROUPS_THEN_COMMA)}`);
  if (points > 0) {
    if (delimiter !== ';' || points > count(THOUSANDS_POINT)) return '.';
    throw refuse(`numbers whose point stands before three digits, always${first(POINT)}, between semicolons`);
  }
  if (commas === 0) return '.';
  if (commas > count(THOUSANDS)) return ',';
  throw refuse(`numbers whose comma stands before three digits, always${first(COMMA)}`);
}
