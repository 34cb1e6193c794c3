/** A function of rows, and the transform of a step of the caller, may look at the other rows that they are given. */
import { AdapterError, phrase, sentence } from '../core/errors.js';
import { isList, isPlainObject } from '../core/options.js';
import { type Rows, rowsOf } from '../data/rows.js';
import { isMissing } from '../data/tableColumns.js';
import { Stage } from './stage.js';

/** Relative; the sums of a library may differ a little with the number of rows. */
const TOLERANCE = 1e-6;
/** So many rows are looked at from each end, and are read of a source. */
const ENDS = 8;

/**
 * Throws {@link AdapterError} where a row becomes another one when it is prepared alone: then test rows would be
 * prepared by statistics of each other, or would come back in another order.
 *
 * @param name of the step, for messages
 * @param transform of the fitted step
 */
export async function checkRowwise(
  name: string,
  before: Stage,
  after: Stage,
  transform: (rows: Stage) => Promise<Stage>,
): Promise<void> {
  let [given, made] = [before.rows(), after.rows()];
  if (given.kind === 'source') {
    const first = Int32Array.from({ length: Math.min(ENDS, given.window ?? ENDS, given.length) }, (_, row) => row);
    given = rowsOf(await given.take(first).toArrays());
    made = (await transform(new Stage({ rows: given }))).rows();
  }
  const n = given.length;
  if (n < 2) return;
  const ends = await endsOf(made);
  // The first row that is not the same as its mirror image, so that another order shows. Row 0 where all are.
  const row = Math.max(
    0,
    ends.findIndex(([here, there]) => !same(here, there, [])),
  );
  const scale = ends.flat().map(cellsOf);
  const [alone] = await cells((await transform(new Stage({ rows: given.take(Int32Array.of(row)) }))).rows());
  if (same(ends[row][0], alone, scale)) return;
  throw new AdapterError(
    sentence(
      `The transform of ${name}`,
      'prepare each row by itself',
      phrase(`another result for row ${row} alone than for the same row among ${n}`),
      'Learn in `fit` what it needs to know of other rows.',
    ),
    { code: 'not_rowwise' },
  );
}

/** Rows from the start, each with the one that is as far from the end. */
async function endsOf(rows: Rows): Promise<[here: unknown, there: unknown][]> {
  const count = Math.min(ENDS, Math.floor(rows.length / 2));
  const places = Int32Array.from({ length: 2 * count }, (_, at) => (at < count ? at : rows.length - 1 - (at - count)));
  const read = await cells(rows.take(places));
  return Array.from({ length: count }, (_, at) => [read[at], read[count + at]]);
}

const cells = (rows: Rows): Promise<unknown[]> => rows.toArrays();

/** The cells of a row, one after the other. */
function cellsOf(row: unknown): unknown[] {
  if (isList(row)) return Array.from(row as ArrayLike<unknown>).flatMap(cellsOf);
  return isPlainObject(row) ? Object.values(row).flatMap(cellsOf) : [row];
}

/** Whether rows hold the same. `scale`: cells of other rows, since what nearly is 0 beside them may differ by rounding. */
function same(left: unknown, right: unknown, scale: readonly (readonly unknown[])[]): boolean {
  const [a, b] = [cellsOf(left), cellsOf(right)];
  return a.length === b.length && a.every((cell, at) => sameCell(cell, b[at], () => scale.map((row) => row[at])));
}

function sameCell(a: unknown, b: unknown, others: () => readonly unknown[]): boolean {
  if (Object.is(a, b) || a === b || (isMissing(a) && isMissing(b))) return true;
  if (typeof a !== 'number' || typeof b !== 'number') return isOther(a) && isOther(b);
  const difference = Math.abs(a - b);
  if (difference <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b))) return true;
  const sizes = others().map((cell) => (Number.isFinite(cell) ? Math.abs(cell as number) : 0));
  return difference <= TOLERANCE * Math.max(0, ...sizes);
}

/** Objects such as dates are not compared. */
const isOther = (cell: unknown) => typeof cell === 'object' && cell !== null;
