import { gather, rowNumbers } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { decimalStep } from '../features/decimalStep.js';
import { centred, dot, OrthonormalBasis } from '../features/orthonormalBasis.js';

const COLUMNS = 200;
/** So many rows are looked at, fewer where there are many columns; too few for the columns say nothing. */
const [ROWS, CELLS, ROWS_PER_COLUMN, MORE_ROWS] = [1000, 20_000, 3, 10];
/** Rounding of a computed value, in steps, with room for the rounding of what it is computed from. */
const STEPS = 0.75;
const EXACT = 1e-9;

/**
 * The columns but those that follow from others, up to rounding: a monotone function of one (age and its
 * square), a linear function of several (pulse pressure, a sum of items, the last of a one-hot code), or a product of
 * powers (body mass index, area). Columns of text stay.
 */
export function independentColumns(columns: readonly Column[]): readonly Column[] {
  if (columns.length > COLUMNS) return columns;
  const numbers = columns.filter(({ kind }) => kind === 'number');
  const isKnown = (row: number) => numbers.every(({ values }) => Number.isFinite(values[row]));
  const known = rowNumbers(columns[0]?.values.length ?? 0).filter(isKnown);
  const least = ROWS_PER_COLUMN * columns.length + MORE_ROWS;
  if (known.length < least) return columns;
  const enough = Math.max(least, Math.min(ROWS, CELLS / columns.length));
  const step = Math.max(1, Math.floor(known.length / enough));
  const rows = known.filter((_, at) => at % step === 0);
  const ones = new Float64Array(rows.length).fill(1);
  const [sums, products] = [new OrthonormalBasis([ones]), new OrthonormalBasis([ones])];
  const [orders, samples]: Float64Array[][] = [[], []];
  // Decimals last: height and weight stay, wherever the index that is computed from them stands.
  const hasDecimals = (column: Column) => decimalStep(gather(column.values, rows)) === 0;
  const wholeFirst = [...columns.filter((column) => !hasDecimals(column)), ...columns.filter(hasDecimals)];
  const kept = wholeFirst.filter(({ kind, values }) => {
    if (kind === 'category') return true;
    const sample = gather(values, rows);
    const { ranks } = columnRanks({ values: sample });
    const isRounding = roundingOf(sample);
    const rest = sums.rest(sample);
    if (isRounding(rest) || orders.some((other) => isMonotone(ranks, other))) return false;
    if (sample.every((value) => value > 0)) {
      const logs = sample.map(Math.log);
      const factors = products.rest(logs);
      if (isProduct(sample, logs, factors)) return false;
      products.add(logs, factors);
    } else if (isProductWhereKnown(sample, samples)) return false;
    samples.push(sample);
    sums.add(sample, rest);
    orders.push(ranks);
    return true;
  });
  return kept.length > 0 ? columns.filter((column) => kept.includes(column)) : columns;
}

const PRODUCT = 5e-4;
/** Nearly anything fits fewer different values. */
const FEWEST = 10;
/** Of a column with zeros it is asked whether it is a product of these, which go best with it. */
const FACTORS = 10;

/** @param rest what powers of other columns leave of the logarithms of the values */
function isProduct(values: Float64Array, logs: Float64Array, rest: Float64Array): boolean {
  if (new Set(values).size < FEWEST) return false;
  const errors = values.map((value, row) => value * -Math.expm1(-rest[row]));
  const isSmall = (part: Float64Array, of: Float64Array) => dot(part, part) <= PRODUCT * squares(of);
  return roundingOf(values)(errors) || isSmall(rest, logs) || isSmall(errors, values);
}

/** A product of powers of others that is 0 where one of them is, as pack years are: looked at where it is not. */
function isProductWhereKnown(sample: Float64Array, others: readonly Float64Array[]): boolean {
  if (sample.some((value) => value < 0) || new Set(sample).size < FEWEST) return false;
  const rows = rowNumbers(sample.length).filter((row) => sample[row] > 0);
  const values = gather(sample, rows);
  const [logs, ...factors] = [values, ...others.map((other) => gather(other, rows))]
    .map((each) => each.map(Math.log))
    .filter((each) => each.every(Number.isFinite));
  const own = centred(logs);
  const along = (factor: Float64Array) => dot(centred(factor), own) ** 2 / (squares(factor) || 1);
  const sizes = new Map(factors.map((factor) => [factor, along(factor)]));
  const best = factors.sort((a, b) => sizes.get(b)! - sizes.get(a)!).slice(0, FACTORS);
  if (best.length === 0 || rows.length < ROWS_PER_COLUMN * best.length + MORE_ROWS) return false;
  const ones = new Float64Array(rows.length).fill(1);
  return isProduct(values, logs, new OrthonormalBasis([ones, ...best]).rest(logs));
}

function squares(values: Float64Array): number {
  const deviations = centred(values);
  return dot(deviations, deviations);
}

function roundingOf(values: Float64Array): (errors: Float64Array) => boolean {
  const step = decimalStep(values);
  const deviation = Math.sqrt(squares(values) / values.length);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const rounding = deviation >= 4 * step ? STEPS * step : 0;
  const most = rounding + EXACT * largest;
  return (errors) => errors.every((error) => Math.abs(error) <= most);
}

const isMonotone = (a: Float64Array, b: Float64Array) =>
  a.every((rank, row) => rank === b[row]) || a.every((rank, row) => rank === a.length + 1 - b[row]);

/** Rows in which columns are compared; others that explain less of the variance of ranks do not determine a column. */
const [COMPARED, EXPLAINED] = [1000, 0.5];
/** Of fewer different values than this share of the rows a column is coarse. */
const COARSE = 0.5;

/** A column of decimals of which coarse ones explain as much is computed from them. */
const DETERMINED = 0.9;

/** The columns that go along with coarse ones so closely that they may be computed from them, as a risk is from age. */
export function mayFollow(columns: readonly Column[]): ReadonlySet<Column> {
  const explained = explainedByCoarse(columns);
  return new Set(columns.filter((_, at) => explained[at] >= EXPLAINED));
}

/** The columns but numbers with all their decimals that coarse columns determine, in whatever way: a risk, a score. */
export function undeterminedColumns(columns: readonly Column[]): readonly Column[] {
  const explained = explainedByCoarse(columns);
  return columns.filter((_, at) => explained[at] < DETERMINED);
}

/** The share of the variance of ranks that coarse columns explain of numbers with all their decimals; 0 for all others. */
function explainedByCoarse(columns: readonly Column[]): number[] {
  if (columns.length > COLUMNS) return columns.map(() => 0);
  const n = columns[0]?.values.length ?? 0;
  const step = Math.ceil(n / COMPARED);
  const rows = rowNumbers(n).filter((row) => row % step === 0);
  const examined = columns.map((column) => {
    const values = gather(column.values, rows);
    return { values, decimals: decimalStep(values) === 0 };
  });
  const centredRanks = (values: Float64Array) => {
    const { ranks, order } = columnRanks({ values });
    return ranks.map((rank) => (Number.isNaN(rank) ? 0 : rank - (order.length + 1) / 2));
  };
  const isCoarse = (values: Float64Array) => columnRanks({ values }).distinct < COARSE * rows.length;
  const coarse = examined.filter(({ values, decimals }) => !decimals && isCoarse(values));
  if (coarse.length === 0) return columns.map(() => 0);
  const basis = new OrthonormalBasis(coarse.map(({ values }) => centredRanks(values)));
  return examined.map(({ values, decimals }) => {
    if (!decimals) return 0;
    const ranks = centredRanks(values);
    const [rest, all] = [basis.rest(ranks), dot(ranks, ranks)];
    return all > 0 ? 1 - dot(rest, rest) / all : 0;
  });
}
