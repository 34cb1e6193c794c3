import { normalQuantile } from '../../core/normalQuantile.js';
import { gather } from '../../data/labels.js';
import { MIN_UNITS } from '../../data/sideData.js';
import { normalTail } from '../../intervals/normalTail.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { dot } from '../features/orthonormalBasis.js';
import { type ClassColumn, classPlaces } from './classColumn.js';
import type { Target } from './targets.js';

export interface TargetAssociation {
  /** For classes: .5 to 1, whichever way the feature points. Null for a regression. */
  readonly auc: number | null;
  /** Size of the rank correlation (correlation ratio of a category). Null for classes. */
  readonly r: number | null;
  /** Two-sided p-value of the ranks; null where nothing varies. */
  readonly p: number | null;
}

/**
 * Area under the ROC curve of a class, or Spearman's correlation with numbers; rows without a value are left out. The
 * test sums (rank of the feature less its mean) times (rank or class of y less its mean) by patients: z = sum / root of
 * the sum of squares.
 * Source: Lin & Wei 1989, JASA 84:1074 (robust score test); Spearman 1904, American Journal of Psychology 15:72.
 */
export function targetAssociation(column: ClassColumn, target: Target): TargetAssociation {
  if (target.classes) return classAssociation(column, target);
  const { codes, count } = column.independent;
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
  return { auc: null, r: Math.min(1, Math.abs(xy) / Math.sqrt(xx * yy)), p: twoSided(xy, squares) };
}

const twoSided = (sum: number, squares: number) =>
  squares > 0 ? Math.min(1, 2 * normalTail(Math.abs(sum) / Math.sqrt(squares))) : 1;

/** The scores of a unit sum to those of its rows of the class less the share of the class times those of all its rows. */
function classAssociation(column: ClassColumn, target: Target): TargetAssociation {
  const { order, ranks, level, unitSums, unitSquares, starts, independent } = column;
  const m = order.length;
  const places = classPlaces(column, target);
  const total = places.length;
  if (starts.length < 3 || total === 0 || total === m) return { auc: null, r: null, p: null };
  const [share, middle] = [total / m, (m + 1) / 2];
  let [inClass, squares] = [0, share ** 2 * unitSquares];
  const isRow = independent.unit === 'row';
  const { codes, room: sums } = independent;
  for (const place of places) {
    const rank = ranks[level[place]];
    inClass += rank;
    if (isRow) squares += (1 - 2 * share) * (rank - middle) ** 2;
    else sums[codes[order[place]]] += rank - middle;
  }
  if (!isRow) {
    for (const place of places) {
      const unit = codes[order[place]];
      squares += sums[unit] * (sums[unit] - 2 * share * unitSums[unit]);
      sums[unit] = 0;
    }
  }
  // Ranks are whole or half numbers: their sums, and so an area of 1, are exact.
  const above = (inClass - (total * (total + 1)) / 2) / (total * (m - total));
  return { auc: Math.max(above, 1 - above), r: null, p: twoSided(inClass - total * middle, squares) };
}

export type Correlation = (target: Target) => number;

/** Over all rows with a value, as a caller who names a threshold means it. */
export function pearsonWith(column: Column): Correlation {
  const rows = columnRanks(column).order.filter((row) => Number.isFinite(column.values[row]));
  const x = centred(gather(column.values, rows));
  return ({ values }) => {
    const y = centred(gather(values, rows));
    const squares = dot(x, x) * dot(y, y);
    return squares > 0 ? Math.min(1, Math.abs(dot(x, y)) / Math.sqrt(squares)) : 0;
  };
}

/** Less their mean, on a scale on which neither huge nor tiny values are lost in squares. */
function centred(values: Float64Array): Float64Array {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const scaled = values.map((value) => value / largest);
  const middle = scaled.reduce((sum, value) => sum + value / scaled.length, 0);
  const less = scaled.map((value) => value - middle);
  const spread = less.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return spread > 1e-12 ? less.map((value) => value / spread) : less.fill(0);
}

/** The area of an image as a whole (brightness, borders) whose lower bound is to be looked at. */
export const IMAGE_AREA = 0.9;

/** A score test, one-sided at `alpha`, whether an area exceeds a mark: Hanley & McNeil 1982, Radiology 143:29. */
export const areaExceeds = (auc: number, mark: number, inClass: number, others: number, alpha: number): boolean =>
  (auc - mark) / Math.sqrt(hanleyMcNeil(mark, inClass, others)) > -normalQuantile(alpha);

/** Variance of an area by its value and the sizes of the classes. */
export function hanleyMcNeil(area: number, positives: number, negatives: number): number {
  const [first, second] = [area / (2 - area), (2 * area ** 2) / (1 + area)];
  const sum = area * (1 - area) + (positives - 1) * (first - area ** 2) + (negatives - 1) * (second - area ** 2);
  return sum / (positives * negatives);
}

/**
 * Whether the lower bound (one-sided, `alpha`) exceeds a threshold, by Fisher's z with the variance of rank
 * correlations: Fisher 1921, Metron 1:3; Bonett & Wright 2000, Psychometrika 65:23.
 */
export function correlationExceeds(r: number, threshold: number, units: number, alpha: number): boolean {
  if (units < MIN_UNITS) return false;
  const se = Math.sqrt((1 + r ** 2 / 2) / (units - 3));
  return Math.tanh(Math.atanh(r) + normalQuantile(alpha) * se) > threshold;
}
