/** How rare the values of one column are. */
import type { Column } from '../features/columns.js';
import type { CellColumn } from './cells.js';
import type { Counts } from './counts.js';
import { type Codes, coded } from './dependence.js';
import { isOffGrid } from './isOffGrid.js';

/** Equal rows, in all or of all, that may be copies of one. */
const FEW = { rows: 4, share: 0.05 };
/** The only column tells copies when its numbers have all their decimals and so many are there twice. */
const [TWICE, PROOF] = [3, 12];

/** A scale of fewer values may be that of a question. */
const SCALE = 13;

/** What is known of the values of one column. */
export interface ColumnRarity extends Codes {
  /** Whether the rows of each value all have one content. */
  readonly once: Uint8Array;
  /**
   * By value, 1 for a measured one: no whole number and no end of its column, which many rows may hold as a pattern, such as a
   * questionnaire of zeros.
   */
  readonly measured: Uint8Array;
  /** Chance of a value that no other row has. */
  readonly unseen: number;
  readonly bonus: number;
}

/**
 * @param alike a number for each row of the table that is equal where rows may be copies of one
 * @param single it is the only column but times and ids
 * @param followers the columns that may follow from coarse ones
 */
export function columnRarity(
  counts: Counts,
  sample: Int32Array,
  alike: Int32Array,
  single: boolean,
  followers: () => ReadonlySet<Column>,
): ColumnRarity {
  const { column, rows } = counts;
  const once = ofOneContent(counts, sample, alike);
  const how = (wanted: (count: number, isOnce: boolean) => boolean) =>
    rows.reduce((total, count, at) => total + Number(wanted(count, once[at] === 1)), 0);
  const repeated = how((count, isOnce) => count > 1 && isOnce);
  // Numbers on no grid that do not go along with coarse ones are not equal by chance.
  const isProof = () =>
    isOffGrid({ kind: 'number', values: firstOfEach(column, sample, alike) }) && !followers().has(column.columns[0]);
  const copies = repeated > 0 && !column.folded && isProof();
  // Of numbers with all their decimals, what few rows of one content share is theirs alone, and a measured value of any number.
  const few = Math.max(FEW.rows, FEW.share * sample.length);
  const measured = measuredIn(counts, copies);
  const alone = once.map((one, at) => (copies && (rows[at] <= few || measured[at] === 1) ? one : 0));
  const twice = how((count, isOnce) => count === 2 && !(copies && isOnce));
  // Good & Turing: what is there once is seen again as often as what is there twice says.
  const singles = how((count) => count === 1) + (copies ? repeated : 0);
  const unseen = Math.min(1.5, (2 * twice + 1) / (singles + 1)) / sample.length;
  const bonus = copies && single && repeated + twice >= TWICE ? PROOF : 0;
  return { ...coded(counts), once: alone, measured, unseen, bonus };
}

/** By value, 1 for one that is no whole number and no end, `sure` where the column is no scale of few values. */
function measuredIn({ column, places: { numbers, size } }: Counts, sure: boolean): Uint8Array {
  const measured = new Uint8Array(size);
  if (column.folded || column.columns.length > 1 || !(sure || size >= SCALE)) return measured;
  const [low, high] = endsOf(numbers);
  return measured.map((_, at) => {
    const value = numbers[at];
    return Number(value > low && value < high && !Number.isInteger(value));
  });
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

/** By value, 1 where its rows all have one content. */
function ofOneContent({ placeOf, rows }: Counts, sample: Int32Array, contents: Int32Array): Uint8Array {
  const firsts = new Int32Array(rows.length).fill(-1);
  const once = new Uint8Array(rows.length).fill(1);
  for (let at = 0; at < placeOf.length; at++) {
    const [place, content] = [placeOf[at], contents[sample[at]]];
    if (firsts[place] < 0) firsts[place] = content;
    else if (firsts[place] !== content) once[place] = 0;
  }
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
