import type { Column } from '../features/columns.js';
import type { CellColumn } from './cells.js';
import { type Counts, isMeasure, isScale } from './counts.js';
import { type Codes, coded } from './dependence.js';
import { isOffGrid } from './isOffGrid.js';

/** Equal rows that may be copies of one: at most so many, or this share of all rows. */
const FEW = { rows: 4, share: 0.05 };
/**
 * The only column tells copies when its numbers have all their decimals and so many are there twice: agreement is then worth so
 * many nats more.
 */
const [TWICE, PROOF] = [3, 12];

/** What is known of the values of one column. */
export interface ColumnRarity extends Codes {
  /** By value, 1 where the rows that have it are copies of one, as far as this column tells. */
  readonly alone: Uint8Array;
  /**
   * By value, 1 for one of a column of many values that is no end of numbers, nor the commonest level of a category: those are
   * what many rows may hold, such as all that were not ill.
   */
  readonly telling: Uint8Array;
  /** Chance of a value that no other row has. */
  readonly unseen: number;
  /** What agreement in a value that no other row has is worth beyond its rarity, in nats. */
  readonly bonus: number;
}

/** Which rows may be copies of one. */
export interface Alike {
  /** A number for each row of the table that is equal where rows may be copies of one. */
  readonly of: Int32Array;
  /** Rows of each number in the sample. */
  readonly counts: Int32Array;
}

/**
 * @param single it is the only column but times and ids
 * @param followers the columns that may follow from coarse ones
 */
export function columnRarity(
  counts: Counts,
  sample: Int32Array,
  alike: Alike,
  single: boolean,
  followers: () => ReadonlySet<Column>,
): ColumnRarity {
  const { column, rows, places } = counts;
  const once = ofOneContent(counts, sample, alike);
  const valuesOf = (wanted: (count: number, isOnce: boolean) => boolean) =>
    rows.reduce((total, count, at) => total + Number(wanted(count, once[at] === 1)), 0);
  const repeated = valuesOf((count, isOnce) => count > 1 && isOnce);
  // Numbers on no grid that do not go along with coarse ones are not equal by chance.
  const isProof = () =>
    isOffGrid({ kind: 'number', values: firstOfEach(column, sample, alike.of) }) && !followers().has(column.columns[0]);
  const copies = repeated > 0 && !column.folded && isProof();
  // Of numbers with all their decimals, what few rows of one content share is theirs alone, and a value inside of any number.
  const few = Math.max(FEW.rows, FEW.share * sample.length);
  const inside = insideOf(places.numbers);
  const alone = once.map((one, at) => (copies && (rows[at] <= few || inside[at] === 1) ? one : 0));
  const twice = valuesOf((count, isOnce) => count === 2 && !(copies && isOnce));
  // Good & Turing: what is there once is seen again as often as what is there twice says.
  const singles = valuesOf((count) => count === 1) + (copies ? repeated : 0);
  const unseen = Math.min(1.5, (2 * twice + 1) / (singles + 1)) / sample.length;
  const bonus = copies && single && repeated + twice >= TWICE ? PROOF : 0;
  const telling = isScale(counts) ? new Uint8Array(rows.length) : isMeasure(counts) ? inside : notCommonest(counts);
  return { ...coded(counts), alone, telling, unseen, bonus };
}

/** By value, 1 where it is neither the commonest nor missing. */
function notCommonest({ rows, places }: Counts): Uint8Array {
  const most = rows.reduce((best, count) => Math.max(best, count), 0);
  return Uint8Array.from(rows, (count, at) => Number(count < most && !Number.isNaN(places.numbers[at])));
}

/** By number, 1 where it is no end of them. */
function insideOf(numbers: Float64Array): Uint8Array {
  const [low, high] = endsOf(numbers);
  const inside = new Uint8Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) if (numbers[at] > low && numbers[at] < high) inside[at] = 1;
  return inside;
}

/** The smallest and the largest of some numbers; NaN among them is left out. */
function endsOf(numbers: Float64Array): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at < numbers.length; at++) {
    if (numbers[at] < low) low = numbers[at];
    if (numbers[at] > high) high = numbers[at];
  }
  return [low, high];
}

/** By value, 1 where its rows may all be copies of one. */
function ofOneContent({ placeOf, rows, places }: Counts, sample: Int32Array, { of }: Alike): Uint8Array {
  const firsts = new Int32Array(rows.length).fill(-1);
  const once = new Uint8Array(rows.length).fill(1);
  for (let at = 0; at < placeOf.length; at++) {
    const [place, content] = [placeOf[at], of[sample[at]]];
    if (firsts[place] < 0) firsts[place] = content;
    if (firsts[place] !== content) once[place] = 0;
  }
  const missing = places.placeOf(Number.NaN);
  if (missing >= 0) once[missing] = 0;
  return once;
}

/** The values of one row of each content. */
function firstOfEach({ values }: CellColumn, sample: Int32Array, contents: Int32Array): Float64Array {
  const seen = new Set<number>();
  return Float64Array.from(
    sample.filter((row) => seen.size < seen.add(contents[row]).size),
    (row) => values[row],
  );
}
