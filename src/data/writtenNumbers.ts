/** Numbers as people write them among texts: `<0.1`, `12,3`, `1,234`, `12 %`, `4.7 mg/dl`. */
import { isMissingMark } from './missingMarks.js';

/** A comparison, a sign, digits with their marks, an exponent, and a unit with the blanks before it. */
const WRITTEN =
  /^[<>≤≥~≈=]*\s*(?:([-+−])\s*)?(\d[\d.,'’]*(?:\s\d{3})?|[.,]\d+)(e[-+]?\d+)?(\s*)([%$€£]|[°\p{L}][\p{L}\d/²³°µ^*.]*)?$/iu;
/** `123456A` is a code: a unit stands apart from whole digits. */
const CODE = /^\d+$/;
/** Digits that are a number, with a decimal point or comma, and marks of thousands of the other kind or alone. */
const COMMA = /^(\d+|\d{1,3}(\.\d{3})+)?(,\d+)?$/;
const POINT = /^(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?$/;
/** `1,234`, `12,345,678` and `1,234.5`; `1.234`; and what shows that points are such marks: `1.234.567`, `1.234,5`. */
const THOUSANDS = {
  comma: /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/,
  point: /^[1-9]\d{0,2}(\.\d{3})+$/,
  points: /^[1-9]\d{0,2}(\.\d{3}){2,}$|^[1-9]\d{0,2}(\.\d{3})+,\d+$/,
};
const LONGEST = 40;
/** Blanks and apostrophes before three digits. */
const GAPS = /(?<=\d)['’\s](?=\d{3}(\D|$))/g;

/** A whole number whose text is more than its value: zeros in front, or more digits than a number can tell apart. */
export const isCode = (text: string): boolean => /^[+-]?(0\d+|\d{16,})$/.test(text);

/** Text that is a number; no hexadecimal one. */
export const isNumeric = (text: string): boolean =>
  text.trim() !== '' && Number.isFinite(Number(text)) && !/^\s*0[xbo]/i.test(text);

export interface WrittenNumbers {
  /** By text; NaN for a mark of a missing value. Texts that are no numbers have none. */
  readonly values: ReadonlyMap<string, number>;
  /** All of them are plain numbers or marks of missing values. */
  readonly plain: boolean;
}

/**
 * Reads different texts of one column. A limit (`<0.1`) is the number that it names. Commas are marks of thousands where each
 * number with a comma has three digits behind it and no zero in front, else decimal commas; points are marks of thousands
 * where a number has several of them, or one before a comma. Texts with a unit are numbers where all units are one: `5 mg`
 * and `1 g` cannot be compared.
 */
export function writtenNumbers(texts: Iterable<string>): WrittenNumbers {
  const values = new Map<string, number>();
  const written: Written[] = [];
  let plain = true;
  for (const text of texts) {
    if (isMissingMark(text)) {
      values.set(text, Number.NaN);
      continue;
    }
    const parts = partsOf(text);
    if (parts) written.push(parts);
    if (isNumeric(text)) values.set(text, Number(text));
    else plain = false;
  }
  const units = new Set(written.flatMap(({ unit }) => (unit ? [unit] : [])));
  const numbers = written.filter(
    ({ unit, digits }) => (!unit || units.size === 1) && (COMMA.test(digits) || POINT.test(digits)),
  );
  const withComma = numbers.filter(({ digits }) => digits.includes(','));
  const style = {
    commas: withComma.every(({ digits }) => THOUSANDS.comma.test(digits)),
    points: numbers.some(({ digits }) => THOUSANDS.points.test(digits)),
  };
  for (const { text, sign, digits, exponent } of numbers) {
    // Plain numbers are what they are, unless their point is a mark of thousands in this column.
    if (values.has(text) && !(style.points && THOUSANDS.point.test(digits))) continue;
    const number = Number(`${sign}${decimal(digits, style)}${exponent}`);
    if (Number.isFinite(number)) values.set(text, number);
  }
  return { values, plain: plain && !style.points };
}

/** Texts among numbers: so few of the cells, and numbers of more different values than a category has levels. */
const [FEW_TEXTS, FEW_NUMBERS] = [0.05, 24];

export function areNumbers(
  { values, plain }: WrittenNumbers,
  cells: Iterable<number>,
  texts: Iterable<string>,
): boolean {
  const different = new Set<number>();
  let [numbers, others] = [0, 0];
  const take = (value: number) => {
    if (Number.isNaN(value)) return;
    numbers++;
    if (different.size <= FEW_NUMBERS) different.add(value);
  };
  for (const cell of cells) take(cell);
  for (const text of texts) {
    const value = values.get(text);
    if (value === undefined) others++;
    else take(value);
  }
  if (plain) return numbers > 0;
  return different.size > FEW_NUMBERS && others <= FEW_TEXTS * (numbers + others);
}

interface Written {
  readonly text: string;
  readonly sign: string;
  readonly digits: string;
  readonly exponent: string;
  readonly unit: string;
}

function partsOf(text: string): Written | undefined {
  const [, sign = '', digits, exponent = '', blanks, unit = ''] =
    (text.length <= LONGEST && WRITTEN.exec(text.trim())) || [];
  if (digits === undefined || (/^\p{L}/u.test(unit) && blanks === '' && CODE.test(digits))) return undefined;
  return {
    text,
    sign: sign === '−' ? '-' : sign,
    digits: digits.replace(GAPS, ''),
    exponent,
    unit: unit.normalize('NFKC').toLowerCase(),
  };
}

function decimal(digits: string, { commas, points }: { readonly commas: boolean; readonly points: boolean }): string {
  if (points && (THOUSANDS.point.test(digits) || digits.includes(','))) {
    return digits.replaceAll('.', '').replace(',', '.');
  }
  return commas ? digits.replaceAll(',', '') : digits.replace(',', '.');
}
