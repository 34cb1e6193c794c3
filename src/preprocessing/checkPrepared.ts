/**
 * Finds what a step broke: a row of X without missing cells must reach the model without missing cells, and one without
 * infinite numbers without those. A step in between may leave a hole that a later one fills.
 */
import { AdapterError, InvalidDataError, phrase, sentence, show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { blocksOf } from '../data/rowKinds.js';
import type { Column, Rows } from '../data/rows.js';
import { isMissing } from '../data/tableColumns.js';
import { Stage } from './stage.js';
import { type AnyTransformer, describedAs, transformStep } from './step.js';
import { readTable } from './table.js';

type Fault = 'missing' | 'infinite';

/** The first cell of a row that is missing or infinite. */
interface OddCell {
  /** Name of its column; undefined where rows are no table. */
  readonly column: string | undefined;
  readonly fault: Fault;
}

/** Rows with such cells, by their place, each with the first cell of each fault. */
type OddRows = Map<number, Partial<Record<Fault, OddCell>>>;

const faultOf = (cell: unknown): Fault | undefined => {
  if (isMissing(cell)) return 'missing';
  return cell === Infinity || cell === -Infinity ? 'infinite' : undefined;
};

function note(found: OddRows, row: number, column: string | undefined, fault: Fault): void {
  const of = found.get(row) ?? {};
  of[fault] ??= { column, fault };
  found.set(row, of);
}

function noteColumns(found: OddRows, columns: readonly Column[], names: readonly string[], from = 0): void {
  columns.forEach((column, at) => {
    for (let row = 0; row < column.length; row++) {
      const cell = column[row];
      // A finite number less itself is 0, and nearly all cells are finite numbers.
      if (typeof cell === 'number' && cell - cell === 0) continue;
      const fault = faultOf(cell);
      if (fault) note(found, from + row, names[at], fault);
    }
  });
}

async function oddRows(stage: Stage): Promise<OddRows> {
  const found: OddRows = new Map();
  const { known } = stage;
  if (known) {
    noteColumns(found, known.columns, known.names);
    return found;
  }
  const rows = stage.rows();
  // Block by block: images need not be in memory twice.
  let from = 0;
  for (const block of blocksOf(rows)) {
    await noteBlock(found, rows.take(block), from);
    from += block.length;
  }
  return found;
}

async function noteBlock(found: OddRows, rows: Rows, from: number): Promise<void> {
  if (rows.rowShape?.length === 1) {
    const { columns, names } = await readTable(rows);
    return noteColumns(found, columns, names, from);
  }
  const { data } = await rows.toDense();
  const width = data.length / rows.length;
  for (let at = 0; at < data.length; at++) {
    const fault = data[at] - data[at] === 0 ? undefined : faultOf(data[at]);
    if (fault) note(found, from + Math.floor(at / width), undefined, fault);
  }
}

/**
 * Throws {@link AdapterError} that names the step, the column and the row where a row became worse on its way, and
 * {@link InvalidDataError} where X itself holds an infinite number, which is the likelier cause.
 *
 * @param X the rows before the steps
 * @param after those that reach the model
 * @param rows for each of them its place in X, where they were resampled
 * @param places for each row of X its place in the data, for messages
 */
export async function checkPrepared(
  steps: readonly AnyTransformer[],
  X: Rows,
  after: Stage,
  { rows, places }: { readonly rows?: Int32Array; readonly places?: Int32Array } = {},
): Promise<void> {
  const found = await worsened(steps, X, after, rows);
  if (found) throw (await infiniteIn(X, places)) ?? (await brokenBy(steps, X, found));
}

interface Worse {
  /** Place in X. */
  readonly row: number;
  readonly cell: OddCell;
}

/** The first row that has a fault which it had not in X; undefined where there is none. */
async function worsened(
  steps: readonly AnyTransformer[],
  X: Rows,
  after: Stage,
  rows?: Int32Array,
): Promise<Worse | undefined> {
  const odd = await oddRows(after);
  if (odd.size === 0) return undefined;
  const places = Array.from(odd.keys(), (row) => (rows ? rows[row] : row));
  const before = await oddRows(new Stage({ rows: X.take(Int32Array.from(places)) }));
  const wanted = steps.some((step) => step.makesMissing === true);
  for (const [at, { infinite, missing }] of Array.from(odd.values()).entries()) {
    if (infinite && !before.get(at)?.infinite) return { row: places[at], cell: infinite };
    if (missing && !wanted && !before.get(at)?.missing) return { row: places[at], cell: missing };
  }
  return undefined;
}

const WORDS = {
  missing: {
    noun: 'missing cell',
    got: 'NaN, null or undefined',
    way: 'Mend the step, or let a SimpleImputer after it fill such cells.',
  },
  infinite: { noun: 'infinite number', got: 'an infinite number', way: 'Mend the step.' },
};

/**
 * An infinite number in one row of X breaks what is learnt from all of them, so that other rows become worse.
 *
 * @param places of the rows in the data, where they are known
 */
async function infiniteIn(X: Rows, places: Int32Array | undefined): Promise<InvalidDataError | undefined> {
  for (const [row, { infinite }] of await oddRows(new Stage({ rows: X }))) {
    if (!infinite) continue;
    const where = infinite.column === undefined ? '' : `, column ${show(infinite.column)},`;
    const of = places ? 'X' : `the ${X.length} rows that are prepared`;
    const way = 'Write null for what is not known, and fill it by a SimpleImputer.';
    const got = phrase('an infinite number');
    return new InvalidDataError(
      sentence(`Row ${places ? places[row] : row}${where} of ${of}`, 'hold finite numbers', got, way),
      { code: 'not_finite' },
    );
  }
  return undefined;
}

/** A step refused the rows. Of an infinite number in X the row is told; the step knows its column alone. */
export async function refusedBy(error: unknown, X: Rows, places: Int32Array | undefined): Promise<never> {
  const isInfinite = error instanceof InvalidDataError && error.code === 'infinite_cells';
  throw (isInfinite && (await infiniteIn(X, places))) || error;
}

/**
 * The error for rows that became worse. The first step after which some are is named; what a later step mended does not
 * count.
 */
async function brokenBy(steps: readonly AnyTransformer[], X: Rows, atEnd: Worse): Promise<AdapterError> {
  let at = new Stage({ rows: X });
  let first: (Worse & { readonly by: string }) | undefined;
  for (const step of steps) {
    at = await transformStep(step, at);
    const found = await worsened(steps, X, at);
    first = found && (first ?? { ...found, by: nameText(describedAs(step)) });
  }
  const { row, cell, by } = first ?? { ...atEnd, by: 'the preparation' };
  const { noun, got, way } = WORDS[cell.fault];
  const place = cell.column === undefined ? '' : ` in the column ${show(cell.column)}`;
  const text = phrase(`${got}${place}, in row ${row} of the ${X.length} that it was given`);
  return new AdapterError(sentence(`What ${by} gives`, `have no ${noun} in a row that had none`, text, way), {
    code: cell.fault === 'missing' ? 'made_missing' : 'made_infinite',
  });
}
