import { InvalidDataError, kindOf, phrase, sentence, show } from '../core/errors.js';
import { isList } from '../core/options.js';
import { numberOf } from '../core/readNumbers.js';
import { isDense } from '../data/dense.js';
import { TO_VECTORS } from '../data/tableColumns.js';

export type DenseInput =
  | readonly ArrayLike<number>[]
  | { readonly data: ArrayLike<number>; readonly shape: readonly number[] };

export interface Block {
  readonly data: ArrayLike<number>;
  readonly n: number;
  readonly width: number;
}

/**
 * The rows as one block. Throws {@link InvalidDataError} for rows of different lengths and for cells that are no finite
 * numbers, by their place.
 *
 * @param width number of columns that the model was fitted on
 */
export function blockOf(X: unknown, owner: string, width?: number): Block {
  const rows = `${width === undefined ? 'training rows' : 'rows to predict'} for ${owner}`;
  const block = isDense(X) ? denseBlock(X, owner) : listBlock(X, owner, rows);
  if (width !== undefined && block.width !== width) {
    const must = `have the ${width} columns that it was fitted on`;
    const got = phrase(String(block.width));
    throw new InvalidDataError(sentence(`Rows for ${owner}`, must, got), { code: 'column_mismatch' });
  }
  for (let at = 0; at < block.data.length; at++) {
    // A finite number less itself is 0.
    if (block.data[at] - block.data[at] !== 0)
      throw notFinite(block, at, rows, (X as { featureNames?: readonly string[] }).featureNames);
  }
  return block;
}

function denseBlock(
  { data, shape: [n, ...row] }: { data: ArrayLike<number>; shape: readonly number[] },
  owner: string,
): Block {
  if (row.length === 1) return { data, n, width: row[0] };
  const must = 'be a table, one number per row and column';
  const got = phrase(`rows of shape [${row.join(', ')}]`);
  throw new InvalidDataError(sentence(`Rows for ${owner}`, must, got, TO_VECTORS), { code: 'not_a_table' });
}

function listBlock(X: unknown, owner: string, of: string): Block {
  const rows = isList(X) ? (X as ArrayLike<unknown>) : [];
  const width = isList(rows[0]) ? (rows[0] as ArrayLike<number>).length : 0;
  if (width === 0) {
    throw new InvalidDataError(sentence(`Rows for ${owner}`, 'be lists of numbers', kindOf(isList(X) ? rows[0] : X)));
  }
  const data = new Float64Array(rows.length * width);
  for (let row = 0; row < rows.length; row++) {
    const cells = rows[row] as ArrayLike<number>;
    if (!isList(cells) || cells.length !== width) {
      const got = isList(cells) ? phrase(String((cells as ArrayLike<number>).length)) : kindOf(cells);
      const subject = `Row ${row} of the ${rows.length} ${of}`;
      const must = `have ${width} numbers, as row 0 has`;
      throw new InvalidDataError(sentence(subject, must, got), { code: 'ragged_rows', row });
    }
    for (let column = 0; column < width; column++) {
      const cell: unknown = cells[column];
      data[row * width + column] = typeof cell === 'boolean' ? Number(cell) : numberOf(cell);
    }
  }
  return { data, n: rows.length, width };
}

function notFinite({ data, n, width }: Block, at: number, rows: string, names?: readonly string[]): InvalidDataError {
  const got = Number.isNaN(data[at]) ? 'a missing cell or text' : String(data[at]);
  const way = Number.isNaN(data[at])
    ? 'Prepare the rows: `preprocessing: tabular()`, or a SimpleImputer and a OneHotEncoder.'
    : 'Write null for what is not known, and fill it by a SimpleImputer.';
  const row = Math.floor(at / width);
  const column = at % width;
  const subject = `Row ${row}, column ${names ? show(names[column]) : column} of the ${n} ${rows}`;
  return new InvalidDataError(sentence(subject, 'be a finite number', phrase(got), way), { code: 'not_finite', row });
}
