/** Is a column a function of others: a sum, a weighted sum, a mean, a bin of counts that add up to a constant? */
import { mean } from '../../core/numbers.js';
import { gather, rowNumbers } from '../../data/labels.js';
import type { Column } from '../features/columns.js';
import { dot, OrthonormalBasis } from '../features/orthonormalBasis.js';

/** Rows that are compared; fewer than so many more than columns would give any column. */
const [COMPARED, SPARE] = [500, 20];
/** What rounding leaves, of the variance. */
const ROUNDING = 1e-9;
/** What rounding to whole numbers leaves is 1/12 on the mean; of columns that vary by ten times as much and more. */
const [WHOLE, WIDE] = [1 / 8, 10];
/** So many columns are chosen from a table that is wider than it is long. */
const CHOSEN = 64;

/**
 * A sum of multiples of several other columns, to rounding. A missing cell counts as 0, if the rows without one are too
 * few: sums are often taken of what is known. A multiple of one other column says nothing: an id may be there twice.
 *
 * Of a table that is wider than it is long all that is looked for is a sum of neighbouring columns, and what the columns
 * that go best with the rest give, chosen one by one (orthogonal matching pursuit; Tropp & Gilbert 2007, IEEE
 * Transactions on Information Theory 53:4655). A few rows fix the multiples, and twenty rows more hold them to account.
 */
export function isComputed(column: Column, columns: readonly Column[]): boolean {
  const numbers = columns.filter((other) => other !== column && other.kind === 'number' && !other.dates);
  if (column.kind === 'category' || numbers.length < 2) return false;
  const known = rowNumbers(column.values.length).filter((row) => Number.isFinite(column.values[row]));
  const hasAll = (row: number) => numbers.every(({ values }) => Number.isFinite(values[row]));
  const complete = known.filter(hasAll);
  const rows = thinned(complete.length >= numbers.length + SPARE ? complete : known);
  const own = centred(column, rows);
  const size = dot(own, own);
  const others = numbers.map((other) => centred(other, rows)).filter((other) => !isMultiple(other, own, size));
  if (others.length < 2 || rows.length <= SPARE) return false;
  if (rows.length >= others.length + SPARE)
    return isNothing(new OrthonormalBasis(others).rest(own), size, others.length);
  return sumsNeighbours(own, others) || matchesFew(own, others, size);
}

function thinned(rows: Int32Array): Int32Array {
  const step = Math.ceil(rows.length / COMPARED);
  return rows.filter((_, at) => at % step === 0);
}

/** Values less their mean. */
function centred({ values }: Column, rows: Int32Array): Float64Array {
  const found = gather(values, rows).map((value) => (Number.isFinite(value) ? value : 0));
  const centre = mean(found);
  return found.map((value) => value - centre);
}

function isMultiple(other: Float64Array, own: Float64Array, size: number): boolean {
  const along = dot(other, own);
  return along * along >= (1 - ROUNDING) * size * dot(other, other);
}

/** Nothing is left of a vector, or what rounding to whole numbers leaves. */
function isNothing(rest: Float64Array, size: number, used: number): boolean {
  const left = dot(rest, rest);
  const [free, n] = [rest.length - used, rest.length];
  return left <= ROUNDING * size || (left <= WHOLE * free && size >= WIDE * WHOLE * n);
}

/** The sum of a run of columns is the column, or the column and the sum of a run make a constant. */
function sumsNeighbours(own: Float64Array, others: readonly Float64Array[]): boolean {
  const key = (sums: Float64Array) => Array.from(sums, (value) => Math.round(1e4 * value)).join();
  const sums = new Float64Array(own.length);
  // Sums up to a place that would make a sum of the columns from there on the column itself, or what lacks to a constant.
  const awaited = new Set<string>();
  const await_ = () => {
    for (const sign of [1, -1]) awaited.add(key(sums.map((value, at) => value + sign * own[at])));
  };
  for (const other of others) {
    await_();
    for (let at = 0; at < sums.length; at++) sums[at] += other[at];
    if (awaited.has(key(sums))) return true;
  }
  return false;
}

function matchesFew(own: Float64Array, others: readonly Float64Array[], size: number): boolean {
  const lengths = others.map((other) => Math.sqrt(dot(other, other)));
  const basis = new OrthonormalBasis();
  let rest = own;
  for (let used = 1; used <= Math.min(CHOSEN, own.length - SPARE); used++) {
    let [best, most] = [-1, 0];
    others.forEach((other, at) => {
      const along = lengths[at] > 0 ? Math.abs(dot(rest, other)) / lengths[at] : 0;
      if (along > most) [best, most] = [at, along];
    });
    if (best < 0) return false;
    basis.add(others[best]);
    rest = basis.rest(own);
    // To whole numbers many columns of a wide table can be fitted.
    if (dot(rest, rest) <= ROUNDING * size) return true;
  }
  return false;
}
