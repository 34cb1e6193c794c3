/** A column of a text file as it grows, cell by cell: numbers in a typed array, texts that repeat held once. */
import { invalidData, kindOf, show } from '../core/errors.js';
import { counted } from '../core/format.js';
import { rowNumbers } from '../data/labels.js';
import { isCode } from '../data/writtenNumbers.js';
import { noTarget, ofColumn, type RawColumn, type RawTable, type ReadPlan } from './rawTable.js';

/** Texts of a column that are compared with later ones, so that equal texts are one object. */
const MOST_SHARED = 20_000;

/** Numbers that a column has room for at first, as columns may be many. */
const LEAST_ROOM = 32;

/** The number in a cell, or NaN for anything else: text, codes (`007`, 16 digits and more), hexadecimals, infinities. */
export function numberIn(cell: string, comma: boolean): number {
  let at = 0;
  let letter = cell.charCodeAt(0);
  if (letter === 43 || letter === 45) letter = cell.charCodeAt(++at);
  const isDigit = letter >= 48 && letter <= 57;
  if (!isDigit && letter !== (comma ? 44 : 46)) return Number.NaN;
  if (letter === 48) {
    const next = cell.charCodeAt(at + 1);
    // A digit after a zero; or a letter, of which only the exponent belongs to a decimal number.
    if ((next >= 48 && next <= 57) || (next > 57 && (next | 32) !== 101)) return Number.NaN;
  }
  if (cell.length >= 16 && isCode(cell)) return Number.NaN;
  if (comma && cell.includes('.')) return Number.NaN;
  const value = Number(comma ? cell.replace(',', '.') : cell);
  return Number.isFinite(value) ? value : Number.NaN;
}

/** Also a blank that keeps words together, as web pages and sheets have it. */
const isBlank = (letter: number) => letter <= 32 || letter === 160;

/** `<0.5`, `>= 100`: a value below or above what could be measured. */
const LIMIT = /^([<>≤≥])=?\s*(?=\S)/;
/** With `comma` unknown, a comma before three digits may part thousands. */
const THOUSANDS = /^\d{1,3},\d{3}$/;

function limitIn(
  cell: string,
  comma: boolean | undefined,
): { readonly below: boolean; readonly value: number } | undefined {
  const [mark, sign] = LIMIT.exec(cell) ?? [];
  if (mark === undefined) return undefined;
  const number = cell.slice(mark.length);
  const value = numberIn(number, comma ?? (number.includes(',') && !THOUSANDS.test(number)));
  return Number.isNaN(value) ? undefined : { below: sign === '<' || sign === '≤', value };
}

function valueOfLimit(
  { below, value }: NonNullable<ReturnType<typeof limitIn>>,
  { detectionLimit }: CellRules,
): number {
  if (detectionLimit === 'missing') return Number.NaN;
  return detectionLimit === 'half' && below ? value / 2 : value;
}

const LIMITS = { limit: 'the limit', half: 'half the limit (of `>` the limit)', missing: 'missing' };

const limitsNote = (name: string, count: number, detectionLimit: keyof typeof LIMITS) =>
  `Column ${show(name)}: ${counted(count, 'value')} beyond a limit of detection, read as ${LIMITS[detectionLimit]}.`;

const READ_LIMITS = "`detectionLimit: 'limit'`, 'half' or 'missing' reads such as `<0.5` as numbers.";

const heldLimitsNote = (count: number, wanted: CellRules['detectionLimit']) =>
  `In ${counted(count, 'row')} the text is a limit of detection${wanted ? '; `detectionLimit` was not applied, because of the other texts.' : `: ${READ_LIMITS}`}`;

export interface CellRules {
  readonly missing: ReadonlySet<string>;
  /** Missing marks that are numbers, which are tried after the texts: `-999` also means `-999.0`. */
  readonly numericMarks: ReadonlySet<number>;
  /** Undefined where cells are no text of one file. */
  readonly comma: boolean | undefined;
  readonly detectionLimit: ReadPlan['detectionLimit'];
  /** As far as the first lines and the size of the file tell. */
  readonly expectedRows: number;
  placeOf(row: number): string;
}

export function numbersAmong(marks: Iterable<string>, comma: boolean): ReadonlySet<number> {
  const numbers = new Set(Array.from(marks, (mark) => numberIn(mark, comma)));
  numbers.delete(Number.NaN);
  return numbers;
}

/** The rules of each column, by its name. The target stays as it is written. */
export function cellRules(
  { missing, missingIn, target, detectionLimit }: ReadPlan,
  common: Pick<CellRules, 'comma' | 'expectedRows' | 'placeOf'>,
): (name: string) => CellRules {
  const rulesWith = (more: readonly string[], limit: CellRules['detectionLimit']): CellRules => {
    const marks = new Set(['', ...missing, ...more]);
    const numericMarks = numbersAmong(marks, common.comma === true);
    return { ...common, missing: marks, numericMarks, detectionLimit: limit };
  };
  const usual = rulesWith([], detectionLimit);
  return (name) =>
    name === target || Object.hasOwn(missingIn, name)
      ? rulesWith(ofColumn(missingIn, name) ?? [], name === target ? undefined : detectionLimit)
      : usual;
}

export class TextColumn {
  readonly #marks = new Map<string, number>();
  readonly #shared = new Map<string, string>();
  /** Room for as many rows as the file seems to have: memory that is not written to is not taken. */
  #numbers: Float64Array;
  /** Once the column is read as text. */
  #texts: (string | null)[] | undefined;
  #length = 0;
  #firstNumber = -1;
  #firstText = -1;
  #firstTextIsCode = false;
  #limits = 0;
  #trimmed = 0;

  /**
   * @param must `number` and `text` are known; `undefined`: the cells tell
   * @param note why the column is read as text, where an earlier reading has shown it
   */
  constructor(
    readonly name: string,
    readonly rules: CellRules,
    readonly must: 'number' | 'text' | undefined,
    readonly note?: string,
  ) {
    if (must === 'text') this.#texts = [];
    this.#numbers = new Float64Array(must === 'text' ? 0 : Math.max(LEAST_ROOM, rules.expectedRows));
  }

  /** What the user should know, when the column began with numbers, which are lost as they were written. */
  get conflict(): string | undefined {
    const isOfLimits = this.must === undefined && this.#limits > 0 && this.#firstNumber < 0;
    return !this.#texts && (this.#firstText >= 0 || isOfLimits) ? this.#mixedNote() : undefined;
  }

  add(written: string, row: number): void {
    let cell = written;
    if (isBlank(written.charCodeAt(0)) || isBlank(written.charCodeAt(written.length - 1))) {
      cell = written.trim();
      if (cell !== '') this.#trimmed++;
    }
    this.#length = row + 1;
    const { comma, missing, numericMarks } = this.rules;
    if (this.#texts) {
      if (missing.has(cell)) {
        this.#countMark(cell);
        this.#texts.push(null);
      } else this.#addText(this.#texts, cell, row);
      return;
    }
    const read = numberIn(cell, comma === true);
    const isNumericMark = numericMarks.has(read);
    if (row === this.#numbers.length) this.#makeRoom();
    this.#numbers[row] = isNumericMark ? Number.NaN : read;
    if (isNumericMark || (Number.isNaN(read) && missing.has(cell))) this.#countMark(cell);
    else if (Number.isNaN(read)) this.#otherThanNumber(cell, row);
    else if (this.#firstNumber < 0) this.#firstNumber = row;
  }

  /** What was read; once, as the column gives away what it holds. */
  raw(): RawColumn {
    const notes = [...(this.note ? [this.note] : [])];
    if (this.must === undefined && this.#firstText >= 0 && this.#firstNumber >= 0) notes.push(this.#mixedNote());
    else if (this.must === undefined && this.#firstTextIsCode) notes.push(this.#codesNote());
    if (this.#trimmed > 0) notes.push(`Column ${show(this.name)}: blanks around ${this.#trimmed} cells left out.`);
    const common = { name: this.name, marks: this.#marks, notes };
    if (this.#texts) return { ...common, stored: 'text', cells: this.#texts };
    const { detectionLimit } = this.rules;
    if (detectionLimit && this.#limits > 0) notes.push(limitsNote(this.name, this.#limits, detectionLimit));
    const cells = this.#numbers.subarray(0, this.#length);
    // A copy of all columns would take the memory twice.
    return { ...common, stored: 'numeric', cells: 4 * this.#length > 3 * this.#numbers.length ? cells : cells.slice() };
  }

  /** The first text: the column is one of texts, unless numbers came before. */
  #otherThanNumber(cell: string, row: number): void {
    const limit = limitIn(cell, this.rules.comma);
    if (limit) {
      this.#limits++;
      if (this.rules.detectionLimit) {
        this.#numbers[row] = valueOfLimit(limit, this.rules);
        return;
      }
    }
    if (this.must === 'number') {
      const way = limit ? READ_LIMITS : 'If the text means missing, name it in `alsoMissing`.';
      throw notNumeric(this.rules.placeOf(row), this.name, cell, way);
    }
    if (this.#firstText < 0) {
      this.#firstText = row;
      this.#firstTextIsCode = isCode(cell);
    }
    if (this.#firstNumber >= 0 || (this.#limits > 0 && this.rules.detectionLimit)) return;
    this.#texts = new Array(row).fill(null);
    this.#numbers = new Float64Array(0);
    this.#addText(this.#texts, cell, row);
  }

  #addText(texts: (string | null)[], cell: string, row: number): void {
    const known = this.#shared.get(cell);
    texts.push(known ?? cell);
    if (known !== undefined) return;
    if (this.#shared.size < MOST_SHARED) this.#shared.set(cell, cell);
    if (this.#firstText < 0) this.#firstText = row;
    if (this.must === undefined && this.#firstNumber < 0 && !Number.isNaN(numberIn(cell, this.rules.comma === true))) {
      this.#firstNumber = row;
    }
  }

  #countMark(cell: string): void {
    this.#marks.set(cell, (this.#marks.get(cell) ?? 0) + 1);
  }

  #makeRoom(): void {
    const before = this.#numbers;
    this.#numbers = new Float64Array(2 * before.length);
    this.#numbers.set(before);
  }

  /** Tells places, never the cells: they may name a person. */
  #mixedNote(): string {
    if (this.#firstTextIsCode) return this.#codesNote();
    if (this.#firstNumber < 0) return `Column ${show(this.name)} holds limits and no number, and is read as text.`;
    const line = (row: number) => this.rules.placeOf(row).toLowerCase();
    const limits = this.#texts
      ? this.#texts.filter((cell) => limitIn(cell ?? '', this.rules.comma)).length
      : this.#limits;
    return (
      `Column ${show(this.name)} holds numbers (first in ${line(this.#firstNumber)}) and other texts (first in ` +
      `${line(this.#firstText)}), and is read as text. If a text means missing, name it in \`alsoMissing\`.` +
      (limits > 0 ? ` ${heldLimitsNote(limits, this.rules.detectionLimit)}` : '')
    );
  }

  #codesNote(): string {
    const place = this.rules.placeOf(this.#firstText).toLowerCase();
    return `Column ${show(this.name)} holds codes (zeros before a number, or 16 digits and more; first in ${place}) and stays text.`;
  }
}

const notNumeric = (place: string, name: string, cell: unknown, way?: string) => {
  const subject = `${place}, column ${show(name)}`;
  return invalidData('not_numeric', subject, "hold a number, as `types` says it is 'numeric'", kindOf(cell), way);
};

// A column of values that have types already, of JSON lines or Parquet.

/** Columns by their values; with `dropsRows` without the rows that have no target. */
export async function valueTable(
  names: readonly string[],
  valuesOf: (at: number) => ArrayLike<unknown> | Promise<ArrayLike<unknown>>,
  plan: ReadPlan,
  { length, placeOf }: Pick<RawTable, 'length' | 'placeOf'>,
): Promise<Pick<RawTable, 'length' | 'placeOf' | 'columns' | 'rowsDropped'>> {
  const rulesOf = (place: RawTable['placeOf']) =>
    cellRules(plan, { comma: undefined, expectedRows: length, placeOf: place });
  const target = plan.dropsRows ? names.indexOf(plan.target as string) : -1;
  let rows: Int32Array | undefined;
  if (target >= 0) {
    const { cells } = valueColumn(names[target], await valuesOf(target), undefined, rulesOf(placeOf)(names[target]));
    rows = rowsWithTarget(cells, names[target], placeOf);
  }
  const kept = rows && rows.length < length ? rows : undefined;
  const places = keptPlaces(kept, { length, placeOf });
  const rules = rulesOf(places.placeOf);
  const columns: RawColumn[] = [];
  for (const [at, name] of names.entries()) {
    if (plan.drop.has(name)) continue;
    const values = await valuesOf(at);
    const taken = kept ? Array.from(kept, (row) => values[row]) : values;
    columns.push(valueColumn(name, taken, plan.known.get(name), rules(name)));
  }
  return { ...places, columns };
}

/** How many rows are kept, where they stand in the file, and how many are dropped; without `rows` all are kept. */
export function keptPlaces(rows: Int32Array | undefined, { length, placeOf }: Pick<RawTable, 'length' | 'placeOf'>) {
  if (!rows) return { length, placeOf, rowsDropped: 0 };
  return { length: rows.length, placeOf: (row: number) => placeOf(rows[row]), rowsDropped: length - rows.length };
}

/** Whether a cell of a text file is missing. */
export const isMissingCell = (written: string, { missing, numericMarks, comma }: CellRules): boolean => {
  const cell = written.trim();
  return missing.has(cell) || numericMarks.has(numberIn(cell, comma === true));
};

/** Numbers of the rows whose cell is not missing. */
export function rowsWithTarget(cells: RawColumn['cells'], name: string, placeOf: RawTable['placeOf']): Int32Array {
  const rows = rowNumbers(cells.length).filter((row) => cells[row] !== null && !Number.isNaN(cells[row]));
  if (rows.length === 0) throw noTarget(name, cells.length, cells.length, placeOf(0));
  return rows;
}

/** Null, undefined and NaN are missing, and so are texts and numbers that are missing marks. Dates must be the only kind in their column. */
function valueColumn(name: string, values: ArrayLike<unknown>, must: TextColumn['must'], rules: CellRules): RawColumn {
  const { missing, numericMarks, placeOf, detectionLimit } = rules;
  const marks = new Map<string, number>();
  const first: Partial<Record<'number' | 'boolean' | 'date' | 'text', number>> = {};
  const cells: Cells = new Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = ofValue(values[row], () => `${placeOf(row)}, column ${show(name)}`);
    const isMark = value === null || value === '' || missing.has(value as string) || numericMarks.has(value as number);
    cells[row] = isMark ? null : value;
    if (isMark) {
      const mark = String(value ?? '');
      marks.set(mark, (marks.get(mark) ?? 0) + 1);
      continue;
    }
    const kind = value instanceof Date ? 'date' : typeof value === 'string' ? 'text' : (typeof value as 'number');
    first[kind] ??= row;
  }
  const notes: string[] = [];
  const limits = first.text === undefined || first.number === undefined ? [] : limitsAmong(cells);
  const texts = limits.length > 0 ? cells.filter((cell) => typeof cell === 'string').length : 0;
  if (limits.length > 0 && limits.length === texts && detectionLimit) {
    for (const [row, limit] of limits) cells[row] = valueOfLimit(limit, rules);
    notes.push(limitsNote(name, limits.length, detectionLimit));
    delete first.text;
  }
  const kinds = Object.keys(first) as (keyof typeof first)[];
  if (kinds.length > 1) {
    const places = kinds.map((kind) => `${kind} first in ${placeOf(first[kind] as number).toLowerCase()}`);
    notes.push(`Column ${show(name)} holds values of several kinds (${places.join(', ')}) and is read as text.`);
    if (limits.length > 0) notes.push(`Column ${show(name)}: ${heldLimitsNote(limits.length, detectionLimit)}`);
  }
  const [kind = 'number'] = kinds;
  if (must === 'number' && (kinds.length > 1 || kind === 'text')) {
    const row = first.text ?? (first[kinds[1]] as number);
    throw notNumeric(placeOf(row), name, cells[row]);
  }
  if (kinds.length > 1 || kind === 'text' || must === 'text') {
    return { name, stored: 'text', cells: cells.map(asText), marks, notes };
  }
  const numbers = Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : Number(cell)));
  return { name, stored: kind === 'number' ? 'numeric' : kind, cells: numbers, marks, notes };
}

type Cells = (number | boolean | Date | string | null)[];

/** The limits with their rows. */
function limitsAmong(cells: Cells): [row: number, limit: NonNullable<ReturnType<typeof limitIn>>][] {
  const found: ReturnType<typeof limitsAmong> = [];
  for (const [row, cell] of cells.entries()) {
    if (typeof cell !== 'string') continue;
    const limit = limitIn(cell, undefined);
    if (limit) found.push([row, limit]);
  }
  return found;
}

const asText = (cell: unknown): string | null =>
  cell === null ? null : cell instanceof Date ? cell.toISOString() : String(cell);

function ofValue(value: unknown, where: () => string): number | boolean | Date | string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isNaN(value) ? null : value;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  // A larger integer cannot be told from its neighbours as a number.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
  const way = 'Lists and records are no cells.';
  throw invalidData('not_a_table', where(), 'hold a number, a text, a boolean or a date', kindOf(value), way);
}

/** Without what people write in several ways. */
export const withoutCase = (text: string): string => text.toLowerCase().replace(/\s+/g, '');

const SPELLED = {
  id: ['ids', 'capitals, blanks or zeros before a number', 'an id'],
  class: ['classes', 'capitals or blanks', 'a class'],
  site: ['sites', 'capitals or blanks', 'a site'],
} as const;

/** None or one sentence, begun with `subject`: how many texts are written in several ways. */
export function spellingNotes(subject: string, texts: Iterable<string>, noun: keyof typeof SPELLED): string[] {
  const [plural, how, each] = SPELLED[noun];
  const spellings = new Map<string, number>();
  for (const text of new Set(texts)) {
    const plain = noun === 'id' ? withoutCase(text).replace(/(?<!\d)0+(?=\d)/g, '') : withoutCase(text);
    spellings.set(plain, (spellings.get(plain) ?? 0) + 1);
  }
  const several = [...spellings.values()].filter((n) => n > 1).length;
  if (several === 0) return [];
  const verb = several === 1 ? 'is' : 'are';
  const what = counted(several, noun, plural);
  return [`${subject}${what} ${verb} written in several ways (${how}), and each way counts as ${each} of its own.`];
}
