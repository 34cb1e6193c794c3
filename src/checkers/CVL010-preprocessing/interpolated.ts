/** Rows that were made between two others of their class, as SMOTE makes them, before the table was split. */
import { lowerBound } from '../../core/lowerBound.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { type Labels, rowNumbers } from '../../data/labels.js';
import { independentColumns } from '../CVL002-duplicate/derivedColumns.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { squaredDistance } from '../features/squaredDistance.js';
import { isSinglePrecision, moments } from './columnStatistics.js';

/** Columns of fewer values may be categories, which are not interpolated; so many others must agree. */
const [LEAST_VALUES, LEAST_COLUMNS] = [20, 3];
/** Columns and rows that are examined, neighbours of each row, and cells that are read in all: they bound the time. */
const [COLUMNS, ROWS, NEIGHBOURS, CELLS] = [16, 300, 100, 5e7];
/** So many such rows, in as many directions, are a finding: nearly all tables of which 3 % were made have them. */
const LEAST_ROWS = 3;
/**
 * On a grid rows lie between others by chance, but at shares p / q alone, with hardly ever a larger q; a random share
 * is none.
 */
const DENOMINATOR = 20;

/** A row that is `from` + `share` (`to` - `from`) in every column. */
export interface Between {
  readonly row: number;
  readonly from: number;
  readonly to: number;
  readonly share: number;
  readonly way: string;
}

export interface Interpolation {
  readonly rows: number;
  readonly found: readonly Between[];
}

/**
 * Whether rows lie exactly between two of the nearest rows of their class. Chawla et al. 2002, Journal of Artificial
 * Intelligence Research 16:321 (SMOTE: x = a + t (b - a), t uniform). Of `patients` no two rows are joined by a line.
 */
export async function interpolated(
  columns: readonly Column[],
  y: Labels | undefined,
  patients: Int32Array | undefined,
): Promise<Interpolation | undefined> {
  const n = columns[0]?.values.length ?? 0;
  const fine = columns.filter(
    (column) => column.kind === 'number' && !column.dates && columnRanks(column).distinct >= LEAST_VALUES,
  );
  const step = Math.max(1, fine.length / COLUMNS);
  const chosen = fine.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  const scaled = independentColumns(chosen).map(({ values }) => {
    const { n, mean, squares } = moments(values);
    return { values, mean, scale: 1 / (Math.sqrt(squares / n) || 1) };
  });
  if (scaled.length < LEAST_COLUMNS) return undefined;
  const classOf = y && !y.shape && y.codes.length === n ? y.codes : new Int32Array(n);
  const every = rowNumbers(n);
  // Neighbours in standard deviations and, where columns are not about as wide as each other, as measured: nobody knows on
  // which scale SMOTE had them.
  const deviations = scaled.map(({ scale }) => scale);
  const areAlike = Math.max(...deviations) < 2 * Math.min(...deviations);
  const scales = areAlike ? [deviations] : [deviations, scaled.map(() => 1)];
  const classes = Array.from({ length: classOf.reduce((most, code) => Math.max(most, code), 0) + 1 }, (_, code) => {
    const rows = every.filter((row) => classOf[row] === code);
    return scales.map((scale) => pointsOf(scaled, rows, scale));
  });
  const exact = scaled.every(({ values }) => isSinglePrecision(values))
    ? { relative: 1e-4, rounding: 2 ** -21 }
    : { relative: 1e-8, rounding: 2 ** -46 };
  const most = Math.max(30, Math.min(ROWS, CELLS / (n * scaled.length)));
  const stride = Math.max(1, n / most);
  const rows = every.filter((row) => Math.floor(row / stride) !== Math.floor((row - 1) / stride));
  const found: Between[] = [];
  for (const row of rows) {
    await yieldToPage();
    for (const points of classes[classOf[row]]) {
      const near = nearest(points, row).filter((other) => !patients || patients[other] !== patients[row]);
      const between = betweenTwo(scaled, row, near, exact);
      if (!between) continue;
      found.push(between);
      break;
    }
  }
  // Visits of one patient lie on a line, too, along which age and time go on: one direction for all patients.
  const ways = new Set(found.map(({ way }) => way)).size;
  return { rows: rows.length, found: ways >= LEAST_ROWS ? found : [] };
}

/** Two directions are opposite up to this. */
const NEARLY = 1e-3;

interface Scaled {
  readonly values: Float64Array;
  readonly mean: number;
  readonly scale: number;
}

/** Rows of a class on one scale, row-major. */
interface Points {
  readonly rows: Int32Array;
  readonly data: Float32Array;
}

function pointsOf(columns: readonly Scaled[], rows: Int32Array, scale: readonly number[]): Points {
  const data = new Float32Array(rows.length * columns.length);
  columns.forEach(({ values, mean }, column) => {
    rows.forEach((row, at) => {
      data[at * columns.length + column] = scale[column] * (values[row] - mean);
    });
  });
  return { rows, data };
}

/** The nearest rows of a class, equal ones left out; a missing cell is far from all. */
function nearest({ rows, data }: Points, row: number): Int32Array {
  const width = data.length / rows.length;
  const centre = lowerBound(rows, row);
  const [last, squares] = [NEIGHBOURS - 1, new Float64Array(NEIGHBOURS).fill(Infinity)];
  const found = new Int32Array(NEIGHBOURS);
  for (let at = 0; at < rows.length; at++) {
    const square = squaredDistance(data, width, centre, at, squares[last]);
    if (!(square > 0 && square < squares[last])) continue;
    let place = last;
    for (; place > 0 && squares[place - 1] > square; place--) {
      squares[place] = squares[place - 1];
      found[place] = found[place - 1];
    }
    squares[place] = square;
    found[place] = rows[at];
  }
  return found.subarray(0, lowerBound(squares, Infinity));
}

function betweenTwo(
  columns: readonly Scaled[],
  row: number,
  near: Int32Array,
  { relative, rounding }: { readonly relative: number; readonly rounding: number },
): Between | undefined {
  const width = columns.length;
  const directions = new Float64Array(near.length * width);
  for (let a = 0; a < near.length; a++) {
    let squares = 0;
    for (let at = 0; at < width; at++) {
      const { values, scale } = columns[at];
      const difference = (values[near[a]] - values[row]) * scale;
      directions[a * width + at] = difference;
      squares += difference ** 2;
    }
    for (let at = 0; at < width; at++) directions[a * width + at] /= Math.sqrt(squares);
  }
  for (let a = 0; a < near.length; a++) {
    for (let b = 0; b < a; b++) {
      let at = 0;
      while (at < width && Math.abs(directions[a * width + at] + directions[b * width + at]) < NEARLY) at++;
      if (at < width) continue;
      const share = shareBetween(columns, [near[a], row, near[b]], relative, rounding);
      if (share === undefined) continue;
      const own = Array.from(directions.subarray(b * width, (b + 1) * width), (each) => Math.round(each / NEARLY));
      const sign = Math.sign(own.find((each) => each !== 0) ?? 1);
      return { row, from: near[a], to: near[b], share, way: own.map((each) => sign * each).join() };
    }
  }
  return undefined;
}

/** The one share of the way at which every column of a row lies between two others, unless a grid gives it. */
function shareBetween(
  columns: readonly Scaled[],
  [from, row, to]: readonly [number, number, number],
  relative: number,
  rounding: number,
): number | undefined {
  const known = columns.map(({ values }) => [values[from], values[row], values[to]] as const);
  const errorOf = ([a, , b]: readonly [number, number, number]) => rounding * (Math.abs(a) + Math.abs(b));
  // A column in which both are nearly equal says nothing but that the row must be, too.
  const telling = known.filter((cells) => errorOf(cells) < relative * Math.abs(cells[2] - cells[0]));
  if (telling.length < LEAST_COLUMNS) return undefined;
  const shares = telling.map(([a, x, b]) => (x - a) / (b - a)).sort((s, t) => s - t);
  const share = shares[shares.length >> 1];
  const fits = known.every((cells) => {
    const [a, x, b] = cells;
    return Math.abs(x - a - share * (b - a)) <= relative * Math.abs(b - a) + errorOf(cells);
  });
  if (!fits || share <= 0 || share >= 1) return undefined;
  for (let q = 2; q <= DENOMINATOR; q++)
    if (Math.abs(share * q - Math.round(share * q)) < 10 * q * relative) return undefined;
  return share;
}
