/** How strongly one feature goes with y: area under the ROC curve, correlation, and a test by patients. */
import { hasReason } from '../../core/hasReason.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import { gather } from '../../data/labels.js';
import { normalTail } from '../../intervals/normalTail.js';
import { unitStrata, unitVariance } from '../../intervals/unitVariance.js';
import { rocPlacements } from '../../metrics/rocPlacements.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { type ClassColumn, classColumn, placesOf } from './classColumn.js';
import type { Independent, Target } from './targets.js';

export interface Association {
  /** For classes: .5 to 1, whichever way the feature points. Null for a regression. */
  readonly auc: number | null;
  /** Size of the correlation, Pearson's or Spearman's: see {@link targetAssociation}. Null for classes. */
  readonly r: number | null;
  /** Two-sided p-value of the ranks; null where nothing varies. */
  readonly p: number | null;
}

/** Share of the rows at either end of the feature (and of y) that Pearson's correlation leaves out. */
const TAIL = 0.025;

/** Pearson's correlation counts only where ranks agree at least so well. */
export const AGREEING = { auc: 0.9, spearman: 0.7 };

/**
 * The area under the ROC curve of a class; Spearman's correlation with numbers, or Pearson's where it is larger. One row
 * far out can make a correlation of its own: {@link innerPearson} counts only where the ranks agree. Rows without a value are left out. The test sums the scores (rank of the feature less its mean)
 * times (rank or class of y less its mean) by patients: z = sum / root of the sum of squares.
 *
 * Source: Lin & Wei 1989, JASA 84:1074 (robust score test); Spearman 1904, American Journal of Psychology 15:72.
 */
export function targetAssociation(
  column: Column,
  target: Target,
  independent: Independent,
  prepared?: ClassColumn,
): Association {
  if (target.classes) return classAssociation(prepared ?? classColumn(column, independent), target);
  const { codes, count } = independent;
  const { order, ranks, distinct } = columnRanks(column);
  const of = target.ranks;
  const [mean, middle] = [order.reduce((sum, row) => sum + of[row], 0) / order.length, (order.length + 1) / 2];
  const sums = new Float64Array(count);
  let [xy, xx, yy] = [0, 0, 0];
  for (let row = 0; row < of.length; row++) {
    if (Number.isNaN(ranks[row])) continue;
    const [x, y] = [ranks[row] - middle, of[row] - mean];
    sums[codes[row]] += x * y;
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  if (distinct < 2 || yy < 1e-9) return { auc: null, r: null, p: null };
  let squares = 0;
  for (let unit = 0; unit < count; unit++) squares += sums[unit] ** 2;
  const spearman = Math.abs(xy) / Math.sqrt(xx * yy);
  const pearson = spearman < AGREEING.spearman ? 0 : innerPearson(column, target);
  return { auc: null, r: Math.min(1, Math.max(spearman, pearson)), p: twoSided(xy, squares) };
}

const twoSided = (sum: number, squares: number) =>
  squares > 0 ? Math.min(1, 2 * normalTail(Math.abs(sum) / Math.sqrt(squares))) : 1;

/**
 * The same of a class, by its rows alone: the scores of a unit sum to those of its rows of the class less the share of
 * the class times those of all its rows.
 */
function classAssociation(column: ClassColumn, target: Target): Association {
  const { order, ranks, level, unitSums, unitSquares, starts, independent } = column;
  const m = order.length;
  const places = placesOf(column, target);
  const total = places.length;
  if (starts.length < 3 || total === 0 || total === m) return { auc: null, r: null, p: null };
  const [share, middle] = [total / m, (m + 1) / 2];
  let [inClass, squares] = [0, share ** 2 * unitSquares];
  if (!unitSums) {
    for (const place of places) {
      const rank = ranks[level[place]];
      inClass += rank;
      squares += (1 - 2 * share) * (rank - middle) ** 2;
    }
  } else {
    const sums = new Float64Array(independent.count);
    for (const place of places) {
      const rank = ranks[level[place]];
      inClass += rank;
      sums[independent.codes[order[place]]] += rank - middle;
    }
    for (let unit = 0; unit < sums.length; unit++) squares += sums[unit] * (sums[unit] - 2 * share * unitSums[unit]);
  }
  // Ranks are whole or half numbers: their sums, and so an area of 1, are exact.
  const above = (inClass - (total * (total + 1)) / 2) / (total * (m - total));
  return { auc: Math.max(above, 1 - above), r: null, p: twoSided(inClass - total * middle, squares) };
}

/**
 * Size of Pearson's correlation, 0 without spread, over the rows that are at no end of the feature, nor of numbers y: one
 * row far out could make it.
 */
export const innerPearson = (column: Column, target: Target): number =>
  pearsonOver(innerRows(column, target), column, target);

function innerRows(column: Column, { classes, ranks }: Target): Int32Array {
  const { order } = columnRanks(column);
  const m = order.length;
  const tail = Math.ceil(TAIL * m);
  const n = column.values.length;
  const out = Math.ceil(TAIL * n);
  const inner = order.subarray(tail, m - tail).filter((row) => Number.isFinite(column.values[row]));
  return classes ? inner : inner.filter((row) => ranks[row] > out && ranks[row] <= n - out);
}

/** Size of Pearson's correlation over all rows with a value, as a caller who names a threshold means it. */
export const pearson = (column: Column, target: Target): number => pearsonOver(finiteRows(column), column, target);

const finiteRows = (column: Column) => columnRanks(column).order.filter((row) => Number.isFinite(column.values[row]));

/** The size of a correlation with any class, by its rows alone, up to {@link ROUNDING}. */
export type ClassCorrelation = (target: Target) => number;

/** How far {@link ClassCorrelation} may be from the sum over all rows. */
export const ROUNDING = 1e-6;

/** For {@link innerPearson} (`ends` left out) or {@link pearson} of a column with many classes. */
export function classCorrelation(column: Column, target: Target, ends: boolean): ClassCorrelation {
  const rows = ends ? finiteRows(column) : innerRows(column, target);
  const x = centred(gather(column.values, rows));
  const byRow = new Float64Array(column.values.length).fill(Number.NaN);
  rows.forEach((row, at) => {
    byRow[row] = x[at];
  });
  const sum = x.reduce((total, each) => total + each, 0);
  const squares = x.reduce((total, each) => total + each * each, 0);
  return (target) => {
    let [inClass, count] = [0, 0];
    for (const row of target.rows) {
      if (Number.isNaN(byRow[row])) continue;
      inClass += byRow[row];
      count++;
    }
    const yy = count - count ** 2 / x.length;
    const xy = inClass - (count / x.length) * sum;
    return yy > 0 && squares > 0 ? Math.min(1, Math.abs(xy) / Math.sqrt(squares * yy)) : 0;
  };
}

function pearsonOver(rows: Int32Array, column: Column, target: Target): number {
  const x = centred(gather(column.values, rows));
  const y = centred(gather(target.values, rows));
  let [xy, xx, yy] = [0, 0, 0];
  for (let at = 0; at < x.length; at++) {
    xy += x[at] * y[at];
    xx += x[at] * x[at];
    yy += y[at] * y[at];
  }
  return xx > 0 && yy > 0 ? Math.min(1, Math.abs(xy) / Math.sqrt(xx * yy)) : 0;
}

/** Less their mean, on a scale on which neither huge nor tiny values are lost in squares. */
function centred(values: Float64Array): Float64Array {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const scaled = values.map((value) => value / largest);
  const mean = scaled.reduce((sum, value) => sum + value / scaled.length, 0);
  const less = scaled.map((value) => value - mean);
  const spread = less.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return spread > 1e-12 ? less.map((value) => value / spread) : less.fill(0);
}

/** The area above which a feature is looked at; of an image as a whole (brightness, borders) a smaller one is strange. */
export const AREA = { feature: 0.99, image: 0.9 };

/**
 * Whether the lower bound of the area exceeds a mark: a score test at that value, with the larger of DeLong's
 * variance summed by patients and Hanley and McNeil's at the value, for as many of either class as there are patients.
 * The latter is there at an area of 1, too.
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; Obuchowski 1997, Biometrics 53:567; Hanley & McNeil
 * 1982, Radiology 143:29.
 *
 * @param alpha one-sided
 */
export function areaExceeds(
  column: Column,
  target: Target,
  independent: Independent,
  mark: number,
  alpha: number,
): boolean {
  const { order } = columnRanks(column);
  const scores = gather(column.values, order);
  const ofClass = target.values;
  const yTrue = Array.from(order, (row) => ofClass[row]);
  const found = rocPlacements({ length: order.length, positive: 1, yTrue, scores });
  if (hasReason(found)) return false;
  const { auc, positives, negatives, values } = found;
  const flipped = auc < 0.5;
  const influence = values.map((value, at) => (value - auc) / (yTrue[at] === 1 ? positives : negatives));
  const units = gather(independent.codes, order);
  const { variance } = unitVariance(influence, units, unitStrata(yTrue, units));
  const [withOut, within] = [0, 1].map((side) => new Set(units.filter((_, at) => yTrue[at] === side)).size);
  const least = hanleyMcNeil(mark, within, withOut);
  const z = ((flipped ? 1 - auc : auc) - mark) / Math.sqrt(Math.max(variance, least));
  return z > -normalQuantile(alpha);
}

/**
 * Whether {@link areaExceeds} may be true of an area, by the sizes of the classes alone: there are no more patients than
 * rows, so the variance is at least that for as many patients as rows.
 */
export function areaMayExceed(auc: number, mark: number, inClass: number, others: number, alpha: number): boolean {
  const least = hanleyMcNeil(mark, inClass, others) * (1 - 1e-9);
  return auc > mark && (auc - mark) / Math.sqrt(least) > -normalQuantile(alpha);
}

/** Variance of an area by its value and the sizes of the classes. */
export function hanleyMcNeil(area: number, positives: number, negatives: number): number {
  const [first, second] = [area / (2 - area), (2 * area ** 2) / (1 + area)];
  const sum = area * (1 - area) + (positives - 1) * (first - area ** 2) + (negatives - 1) * (second - area ** 2);
  return sum / (positives * negatives);
}

/**
 * Whether the lower bound of a correlation exceeds a threshold, by Fisher's z with patients as the number of
 * observations and the variance of rank correlations, which is the larger one.
 *
 * Source: Fisher 1921, Metron 1:3; Bonett & Wright 2000, Psychometrika 65:23.
 *
 * @param alpha one-sided
 */
export function correlationExceeds(r: number, threshold: number, units: number, alpha: number): boolean {
  if (units < 10) return false;
  const se = Math.sqrt((1 + r ** 2 / 2) / (units - 3));
  return Math.tanh(Math.atanh(r) + normalQuantile(alpha) * se) > threshold;
}
