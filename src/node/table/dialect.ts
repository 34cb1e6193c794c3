/** How a CSV file is written: its delimiter and decimal mark, read from its first lines. */
import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { DELIMITERS, type Delimiter } from './readTableOptions.js';

const MOST_RECORDS = 200;

/** The first records of a text, cells without their quotes. `whole`: the text does not end within a record. */
function records(text: string, delimiter: string, whole: boolean): string[][] {
  const found: string[][] = [];
  let record: string[] = [];
  let cell = '';
  let quoted = false;
  for (const letter of text) {
    if (letter === '"') quoted = !quoted;
    else if (!quoted && letter === delimiter) {
      record.push(cell);
      cell = '';
    } else if (!quoted && (letter === '\n' || letter === '\r')) {
      if (record.length > 0 || cell !== '') found.push([...record, cell]);
      [record, cell] = [[], ''];
      if (found.length >= MOST_RECORDS) return found;
    } else cell += letter;
  }
  if (whole && (record.length > 0 || cell !== '')) found.push([...record, cell]);
  return found;
}

/**
 * The delimiter that cuts every one of the first records into as many cells as the header, two or more; where two do,
 * the one with more cells. A file of one column has none.
 */
export function findDelimiter(sample: string, whole: boolean, file: string): Delimiter | undefined {
  const cut = (Object.keys(DELIMITERS) as Delimiter[]).map((delimiter) => {
    const found = records(sample, delimiter, whole);
    const width = found[0]?.length ?? 0;
    const even = found.filter((record) => record.length === width).length;
    return { delimiter, width, even, total: found.length };
  });
  const several = cut.filter(({ width }) => width > 1);
  const clean = several.filter(({ even, total }) => even === total);
  // A ragged file is refused later, with its line, once it is known what stands between its cells.
  const most = clean.length > 0 ? clean : several;
  const best = most.toSorted((a, b) => b.width - a.width);
  if (best.length > 1 && best[0].width === best[1].width) {
    throw new InvalidDataError(
      sentence(
        `The first lines of ${file}`,
        'tell what stands between cells',
        phrase(`as many cells by ${DELIMITERS[best[0].delimiter]} as by ${DELIMITERS[best[1].delimiter]}`),
        'Pass `delimiter`.',
      ),
      { code: 'ambiguous_delimiter' },
    );
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
 * The decimal mark of the numbers in the first records: a point where any number has one, or none has a comma. Refused are
 * numbers with a point and numbers with a comma in one file, unless commas part its cells, where such a number stands in
 * quotes and stays text; and numbers that may have a decimal mark or one that parts thousands: `1,234` and no other, or
 * `1.234` and no other in a file with semicolons, which programs write where the comma is the decimal mark.
 */
export function findDecimal(sample: string, delimiter: string, whole: boolean, file: string): '.' | ',' {
  const counts = { points: 0, commas: 0, thousands: 0, pointThousands: 0 };
  for (const record of records(sample, delimiter, whole)) {
    for (const cell of record) {
      const text = cell.trim();
      if (POINT.test(text)) counts.points++;
      if (COMMA.test(text) || GROUPS_THEN_COMMA.test(text)) counts.commas++;
      if (THOUSANDS.test(text)) counts.thousands++;
      if (THOUSANDS_POINT.test(text)) counts.pointThousands++;
    }
  }
  const { points, commas, thousands, pointThousands } = counts;
  const refuse = (got: string) =>
    new InvalidDataError(
      sentence(
        `The numbers of ${file}`,
        'tell their decimal mark',
        phrase(got),
        'Pass `decimal`: numbers with the other mark are read as text, and told.',
      ),
      { code: 'ambiguous_decimal' },
    );
  if (points > 0 && commas > 0 && delimiter !== ',') throw refuse('numbers with a point and numbers with a comma');
  if (points > 0) {
    if (delimiter !== ';' || points > pointThousands) return '.';
    throw refuse('numbers whose point stands before three digits, always, between semicolons');
  }
  if (commas === 0) return '.';
  if (commas > thousands) return ',';
  throw refuse('numbers whose comma stands before three digits, always');
}
