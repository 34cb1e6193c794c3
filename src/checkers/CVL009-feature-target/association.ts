/** How strongly one feature goes with y: area under the ROC curve, correlation, and a test by patients. */
import { hasReason } from '../../core/hasReason.js';
import { gather } from '../../data/labels.js';
import { normalQuantile } from '../../intervals/normalQuantile.js';
import { normalTail } from '../../intervals/normalTail.js';
import { unitStrata, unitVariance } from '../../intervals/unitVariance.js';
import { rocPlacements } from '../../metrics/rocPlacements.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import type { Independent, Target } from './targets.js';

export interface Association {
  /** For classes: .5 to 1, whichever way the feature points. Null for a regression. */
  readonly auc: number | null;
  /** Size of the correlation, Pearson's or Spearman's: see {@link targetAssociation}. Null where an area says it. */
  readonly r: number | null;
  /** Two-sided p-value of the ranks; null where nothing varies. */
  readonly p: number | null;
}

/** Share of the rows at either end of the feature (and of y) that Pearson's correlation leaves out. */
const TAIL = 0.025;

/** Pearson's correlation counts only where ranks agree at least so well. */
const AGREEING = { auc: 0.9, spearman: 0.7 };

/**
 * The area under the ROC curve of a class, or Spearman's correlation with numbers; and Pearson's where it is larger. One
 * row far out can make a correlation of its own: Pearson's leaves out 2.5 % of the rows at either end, and counts only
 * where the ranks agree. Rows without a value are left out. The test sums the scores (rank of the feature less its mean)
 * times (rank or class of y less its mean) by patients: z = sum / root of the sum of squares.
 *
 * Source: Lin & Wei 1989, JASA 84:1074 (robust score test); Spearman 1904, American Journal of Psychology 15:72.
 */
export function targetAssociation(column: Column, target: Target, { codes, count }: Independent): Association {
  const { order, ranks, distinct } = columnRanks(column);
  const m = order.length;
  const of = target.classes ? target.values : target.ranks;
  let [total, inPositives] = [0, 0];
  for (let row = 0; row < of.length; row++) {
    if (Number.isNaN(ranks[row])) continue;
    total += of[row];
    if (of[row] === 1) inPositives += ranks[row];
  }
  const [mean, middle] = [total / m, (m + 1) / 2];
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
  const p = squares > 0 ? Math.min(1, 2 * normalTail(Math.abs(xy) / Math.sqrt(squares))) : 1;
  if (!target.classes) {
    const spearman = Math.abs(xy) / Math.sqrt(xx * yy);
    const pearson = spearman < AGREEING.spearman ? 0 : innerPearson(column, target);
    return { auc: null, r: Math.min(1, Math.max(spearman, pearson)), p };
  }
  // Ranks are whole or half numbers: their sums, and so an area of 1, are exact.
  const above = (inPositives - (total * (total + 1)) / 2) / (total * (m - total));
  const auc = Math.max(above, 1 - above);
  return { auc, r: auc < AGREEING.auc ? null : innerPearson(column, target), p };
}

/** Size of Pearson's correlation over the rows that are at no end of the feature, nor of numbers y; 0 without spread. */
function innerPearson(column: Column, target: Target): number {
  const { order } = columnRanks(column);
  const m = order.length;
  const tail = Math.ceil(TAIL * m);
  const n = target.values.length;
  const out = Math.ceil(TAIL * n);
  const ranks = target.classes ? undefined : target.ranks;
  const inner = order
    .subarray(tail, m - tail)
    .filter((row) => Number.isFinite(column.values[row]) && (!ranks || (ranks[row] > out && ranks[row] <= n - out)));
  return pearsonOver(inner, column, target);
}

/** Size of Pearson's correlation over all rows with a value, as a caller who names a threshold means it. */
export const pearson = (column: Column, target: Target): number =>
  pearsonOver(
    columnRanks(column).order.filter((row) => Number.isFinite(column.values[row])),
    column,
    target,
  );

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

/** The area above which a feature is looked at. */
export const AREA = 0.99;

/**
 * Whether the lower bound of the area exceeds {@link AREA}: a score test at that value, with the larger of DeLong's
 * variance summed by patients and Hanley and McNeil's at the value, for as many of either class as there are patients.
 * The latter is there at an area of 1, too.
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; Obuchowski 1997, Biometrics 53:567; Hanley & McNeil
 * 1982, Radiology 143:29.
 *
 * @param alpha one-sided
 */
export function areaExceeds(column: Column, target: Target, independent: Independent, alpha: number): boolean {
  const { order } = columnRanks(column);
  const scores = gather(column.values, order);
  const yTrue = Array.from(order, (row) => target.values[row]);
  const found = rocPlacements({ length: order.length, positive: 1, yTrue, scores });
  if (hasReason(found)) return false;
  const { auc, positives, negatives, values } = found;
  const flipped = auc < 0.5;
  const influence = values.map((value, at) => (value - auc) / (yTrue[at] === 1 ? positives : negatives));
  const units = gather(independent.codes, order);
  const { variance } = unitVariance(influence, units, unitStrata(yTrue, units));
  const [withOut, within] = [0, 1].map((side) => new Set(units.filter((_, at) => yTrue[at] === side)).size);
  const least = hanleyMcNeil(AREA, within, withOut);
  const z = ((flipped ? 1 - auc : auc) - AREA) / Math.sqrt(Math.max(variance, least));
  return z > -normalQuantile(alpha);
}

/** Variance of an area by its value and the sizes of the classes. */
function hanleyMcNeil(area: number, positives: number, negatives: number): number {
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
