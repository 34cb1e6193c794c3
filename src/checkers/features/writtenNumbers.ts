/** Numbers as people write them among texts: `<0.1`, `12,3`, `1,234`, `12 %`, `4.7 mg/dl`. */
import { isMissingMark } from '../../data/missingMarks.js';

/** A comparison, a sign, digits with their marks, an exponent, and a unit. */
const WRITTEN = /^[<>≤≥~≈=]*\s*([-+−]?)\s*(\d[\d.,'’\s]*|[.,]\d+)(e[-+]?\d+)?\s*(%|\p{L}[\p{L}\d/²³°µ^*.]*)?$/iu;
/** `1,234`, `12,345,678`; and `1,234.5`. */
const THOUSANDS = {
  comma: /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/,
  point: /^[1-9]\d{0,2}(\.\d{3}){2,}$|^[1-9]\d{0,2}(\.\d{3})+,\d+$/,
};
/** Longer texts are no numbers. */
const LONGEST = 40;
const BLANKS = /(?<=\d)['’\s](?=\d{3}(\D|$))/g;

/** Text that is a number. */
export const isNumeric = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/** What texts of one column are as numbers. */
export interface WrittenNumbers {
  /** By text; NaN for a mark of a missing value. Texts that are no numbers have none. */
  readonly values: ReadonlyMap<string, number>;
  /** All of them are plain numbers or marks of missing values. */
  readonly plain: boolean;
}

/**
 * Reads different texts of one column. A limit (`<0.1`) is the number that it names. A comma is a mark of thousands where
 * each number with a comma has three digits behind it and no zero in front, else a decimal comma. Texts with a unit are
 * numbers where all units are one: `5 mg` and `1 g` cannot be compared.
 */
export function writtenNumbers(texts: Iterable<string>): WrittenNumbers {
  const values = new Map<string, number>();
  const written: Written[] = [];
  let plain = true;
  for (const text of texts) {
    if (isMissingMark(text)) values.set(text, Number.NaN);
    else if (isNumeric(text)) values.set(text, Number(text));
    else {
      plain = false;
      const parts = partsOf(text);
      if (parts) written.push(parts);
    }
  }
  const units = new Set(written.flatMap(({ unit }) => (unit ? [unit] : [])));
  const withComma = written.filter(({ digits }) => digits.includes(','));
  const thousands = withComma.every(({ digits }) => THOUSANDS.comma.test(digits));
  for (const { text, sign, digits, exponent, unit } of written) {
    if (unit && units.size > 1) continue;
    const number = Number(`${sign}${decimal(digits, thousands)}${exponent}`);
    if (Number.isFinite(number)) values.set(text, number);
  }
  return { values, plain };
}

interface Written {
  readonly text: string;
  readonly sign: string;
  readonly digits: string;
  readonly exponent: string;
  readonly unit: string;
}

function partsOf(text: string): Written | undefined {
  const [, sign, digits, exponent = '', unit = ''] = (text.length <= LONGEST && WRITTEN.exec(text.trim())) || [];
  if (digits === undefined) return undefined;
  return {
    text,
    sign: sign === '−' ? '-' : sign,
    digits: digits.trim().replace(BLANKS, ''),
    exponent,
    unit: unit.toLowerCase(),
  };
}

/** Digits with a decimal point; text that is no number where they are none (`12.3.2019`). */
function decimal(digits: string, thousands: boolean): string {
  if (thousands) return digits.replaceAll(',', '');
  return THOUSANDS.point.test(digits) ? digits.replaceAll('.', '').replace(',', '.') : digits.replace(',', '.');
}
