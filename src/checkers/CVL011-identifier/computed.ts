/** Is a column a function of others: a sum, a weighted sum, a mean, a bin of counts, a share of a whole, a product, a ratio? */
import { gather, rowNumbers } from '../../data/labels.js';
import type { Column } from '../features/columns.js';
import { centred, dot, OrthonormalBasis } from '../features/orthonormalBasis.js';

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
  const own = deviations(column, rows);
  const size = dot(own, own);
  const others = numbers.map((other) => deviations(other, rows)).filter((other) => !isMultiple(other, own, size));
  if (others.length < 2 || rows.length <= SPARE) return false;
  if (isPart(own, others, size) || isProduct(column, numbers, rows)) return true;
  if (rows.length >= others.length + SPARE)
    return isNothing(new OrthonormalBasis(others).rest(own), size, others.length);
  return sumsNeighbours(own, others) || matchesFew(own, others, size);
}

function thinned(rows: Int32Array): Int32Array {
  const step = Math.ceil(rows.length / COMPARED);
  return rows.filter((_, at) => at % step === 0);
}

/** So many columns at least make a whole, of variances within this factor of that in question. */
const [PARTS, SCALE] = [3, 100];
/** Half of what the columns vary by is gone in their sum, and half of what this one varies by follows from the others. */
const HALF = 0.5;

/**
 * A part of a whole, such as a bin of a histogram or a share, although some parts are missing from the table or all are
 * rounded: the sum of the columns varies much less than the columns do, and the others foretell this one. They do not
 * foretell an id; of as many values as columns they would by chance.
 */
function isPart(own: Float64Array, others: readonly Float64Array[], size: number): boolean {
  const parts = others.filter((other) => {
    const length = dot(other, other);
    return length > size / SCALE && length < size * SCALE;
  });
  const free = new Set(own).size - parts.length;
  if (parts.length < PARTS || free <= 0) return false;
  const sum = own.slice();
  let squares = size;
  for (const part of parts) {
    squares += dot(part, part);
    for (let row = 0; row < sum.length; row++) sum[row] += part[row];
  }
  if (dot(sum, sum) > HALF * squares) return false;
  const rest = new OrthonormalBasis(parts).rest(own);
  return dot(rest, rest) * (free + parts.length) <= HALF * size * free;
}

/** What two columns leave of the logarithms of their product, rounded; each alone leaves so many times as much. */
const [PRODUCT, ALONE] = [5e-4, 20];

/**
 * A product or ratio of two columns, or of powers of them, such as a dose over a weight: its logarithms are a sum of
 * multiples of theirs. A column that follows one other alone says nothing, as with sums.
 */
function isProduct(column: Column, numbers: readonly Column[], rows: Int32Array): boolean {
  const own = logarithms(column, rows);
  if (!own) return false;
  const size = dot(own, own);
  const factors = numbers
    .flatMap((other) => {
      const logs = logarithms(other, rows);
      if (!logs) return [];
      const [square, along] = [dot(logs, logs), dot(logs, own)];
      return square > 0 ? [{ logs, square, along, explained: along ** 2 / square }] : [];
    })
    .sort((a, b) => b.explained - a.explained)
    .slice(0, CHOSEN);
  return factors.some((first, at) =>
    factors.slice(at + 1).some((second) => {
      const both = dot(first.logs, second.logs);
      const apart = second.square - both ** 2 / first.square;
      if (!(apart > ROUNDING * second.square)) return false;
      const more = second.along - (both * first.along) / first.square;
      const left = Math.max(0, size - first.explained - more ** 2 / apart);
      return left <= PRODUCT * size && size - first.explained > ALONE * left;
    }),
  );
}

/** Logarithms less their mean; undefined where some value has none. */
function logarithms({ values }: Column, rows: Int32Array): Float64Array | undefined {
  const logs = gather(values, rows).map(Math.log);
  return logs.every(Number.isFinite) ? centred(logs) : undefined;
}

/** Values less their mean, a missing one as 0. */
const deviations = ({ values }: Column, rows: Int32Array): Float64Array =>
  centred(gather(values, rows).map((value) => (Number.isFinite(value) ? value : 0)));

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
