/** Columns without those that are computed from others: they repeat what the others say. */
import { gather, rowNumbers } from '../../core/labels.js';
import type { Column } from '../features.js';
import { stepOf } from '../grain.js';
import { rankedColumn } from '../ranks.js';
import { Span } from '../span.js';

/** Rows that are looked at, and columns: in wider tables no rows coincide by chance. */
const [ROWS, COLUMNS] = [1000, 200];
/** So many rows per column, or a fit says nothing. */
const ROWS_PER_COLUMN = 3;
/** Rounding of a computed value, in steps, with room for the rounding of what it is computed from. */
const STEPS = 0.75;
const EXACT = 1e-9;

/**
 * The columns but those that follow from columns before them, up to rounding: a monotone function of one (age and its
 * square), a linear function of several (pulse pressure, a sum of items, the last of a one-hot code), or a product of
 * powers (body mass index, area). Columns of text stay.
 */
export function independentColumns(columns: readonly Column[]): readonly Column[] {
  const known = rowNumbers(columns[0]?.values.length ?? 0).filter((row) =>
    columns.every(({ kind, values }) => kind === 'category' || Number.isFinite(values[row])),
  );
  const step = Math.ceil(known.length / ROWS);
  const rows = known.filter((_, at) => at % step === 0);
  if (columns.length > COLUMNS || rows.length < ROWS_PER_COLUMN * columns.length + 10) return columns;
  const ones = new Float64Array(rows.length).fill(1);
  const [sums, products] = [new Span([ones]), new Span([ones])];
  const orders: Float64Array[] = [];
  const independent = columns.filter(({ kind, values }) => {
    if (kind === 'category') return true;
    const sample = gather(values, rows);
    const { ranks } = rankedColumn({ values: sample });
    const isRounding = roundingOf(sample);
    if (orders.some((other) => isMonotone(ranks, other)) || isRounding(sums.rest(sample))) return false;
    const positive = sample.every((value) => value > 0);
    const logs = sample.map(Math.log);
    if (positive && isRounding(products.rest(logs).map((rest, row) => sample[row] * -Math.expm1(-rest)))) return false;
    orders.push(ranks);
    sums.add(sample);
    if (positive) products.add(logs);
    return true;
  });
  // Columns of one value each follow from nothing.
  return independent.length > 0 ? independent : columns;
}

/** Whether errors are no larger than the rounding of the values. */
function roundingOf(values: Float64Array): (errors: Float64Array) => boolean {
  const step = stepOf(values);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  // Anything is near to one of a few values.
  const rounding = deviation >= 4 * step ? STEPS * step : 0;
  const most = rounding + EXACT * largest;
  return (errors) => errors.every((error) => Math.abs(error) <= most);
}

/** Whether one rises or falls with the other, always. */
const isMonotone = (a: Float64Array, b: Float64Array) =>
  a.every((rank, row) => rank === b[row]) || a.every((rank, row) => rank === a.length + 1 - b[row]);
