/** Columns without those that are computed from others: they repeat what the others say. */
import { gather, rowNumbers } from '../../core/labels.js';
import type { Column } from '../features.js';

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
  const [sums, products] = [new Span(rows.length), new Span(rows.length)];
  const orders: Int32Array[] = [];
  return columns.filter(({ kind, values }) => {
    if (kind === 'category') return true;
    const sample = gather(values, rows);
    const close = closeTo(sample);
    const order = orderOf(sample);
    if (orders.some((other) => isMonotone(order, other)) || close(sums.fit(sample))) return false;
    const positive = sample.every((value) => value > 0);
    const logs = sample.map(Math.log);
    if (positive && close(products.fit(logs).map(Math.exp))) return false;
    orders.push(order);
    sums.add(sample);
    if (positive) products.add(logs);
    return true;
  });
}

/** Linear combinations of columns and of a constant, by an orthonormal basis. */
class Span {
  readonly #basis: Float64Array[] = [];

  constructor(rows: number) {
    this.add(new Float64Array(rows).fill(1));
  }

  /** The nearest of them. */
  fit(values: Float64Array): Float64Array {
    const fitted = new Float64Array(values.length);
    for (const axis of this.#basis) {
      let along = 0;
      for (let row = 0; row < values.length; row++) along += axis[row] * (values[row] - fitted[row]);
      for (let row = 0; row < values.length; row++) fitted[row] += along * axis[row];
    }
    return fitted;
  }

  add(values: Float64Array): void {
    const fitted = this.fit(values);
    const rest = values.map((value, row) => value - fitted[row]);
    const length = Math.hypot(...rest);
    if (length > 0) this.#basis.push(rest.map((value) => value / length));
  }
}

/** Whether numbers are the values, up to the step to which these are rounded. */
function closeTo(values: Float64Array): (fitted: Float64Array) => boolean {
  const step = [1, 0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6].find((size) =>
    values.every((value) => Math.abs(value / size - Math.round(value / size)) < 1e-6),
  );
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  // Anything is near to one of a few values.
  const rounding = step !== undefined && deviation >= 4 * step ? STEPS * step : 0;
  const most = rounding + EXACT * largest;
  return (fitted) => values.every((value, row) => Math.abs(value - fitted[row]) <= most);
}

/** Place of each value among the different ones. */
function orderOf(values: Float64Array): Int32Array {
  const places = new Map([...new Set(values)].sort((a, b) => a - b).map((value, at) => [value, at]));
  return Int32Array.from(values, (value) => places.get(value) as number);
}

/** Whether one rises or falls with the other, always. */
function isMonotone(a: Int32Array, b: Int32Array): boolean {
  const last = Math.max(...a);
  return last > 0 && (a.every((place, row) => place === b[row]) || a.every((place, row) => place === last - b[row]));
}
