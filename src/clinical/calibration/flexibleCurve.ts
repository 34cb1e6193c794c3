import { hasReason } from '../../core/hasReason.js';
import { studentTQuantile } from '../../core/incompleteBeta.js';
import { lowerBound } from '../../core/lowerBound.js';
import { weightedQuantile } from '../../core/quantiles.js';
import { tooFewUnits } from '../../intervals/interval.js';
import { unitVariance } from '../../intervals/unitVariance.js';
import type { Score, Undefined } from '../../metrics/metric.js';
import type { BinaryRows } from '../binaryRows.js';
import { inSmallestUnits, type LocalWeights, localQuadratic } from './localRegression.js';

/** A place on the flexible curve; the band is pointwise. */
export interface CurvePoint {
  readonly predicted: number;
  /** Smoothed share with the outcome, from 0 to 1. */
  readonly observed: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

export interface FlexibleCurve {
  /** Evenly spaced from the smallest to the largest probability; empty when there is no curve. */
  readonly curve: readonly CurvePoint[];
  /** Why the curve or its band is missing. */
  readonly curveReason?: string;
  /** Mean distance of the curve from the diagonal over the rows, then the median and the 90th percentile. */
  readonly ici: Score;
  readonly e50: Score;
  readonly e90: Score;
}

/** With more different probabilities the fit at the rows is interpolated between as many quantiles of them. */
const MAX_FITS = 500;

/**
 * Observed shares as a smooth function of the predicted ones, by local quadratic regression, with the distances of the
 * curve from the diagonal. The band is that of a linear smoother with the residuals of whole patients summed, Student's
 * t, cut to [0, 1].
 *
 * Source: Austin & Steyerberg 2019, Statistics in Medicine 38:4051 (curve, ICI, E50, E90); Van Calster et al. 2016,
 * Journal of Clinical Epidemiology 74:167; variance, Huber 1967.
 */
export function flexibleCurve(rows: BinaryRows, span: number, nPoints: number): FlexibleCurve {
  const { y, units, unit, nUnits, level } = rows;
  const missing = (reason: string): FlexibleCurve => {
    const none = { value: null, reason };
    return { curve: [], curveReason: reason, ici: none, e50: none, e90: none };
  };
  const lacking = [1, 0].find((side) => !y.includes(side));
  if (lacking !== undefined) return missing(`no ${lacking === 1 ? 'positive' : 'negative'} rows`);
  const smooth = smoothed(rows, span);
  if (hasReason(smooth)) return missing(smooth.reason);
  const { fitAt, heightOf, knots, fitted } = smooth;

  const few = tooFewUnits(nUnits, unit);
  let gap = few;
  const curve: CurvePoint[] = [];
  const [low, high] = [knots[0], knots[knots.length - 1]];
  for (let i = 0; i < nPoints; i++) {
    const predicted = i === nPoints - 1 ? high : low + (i * (high - low)) / (nPoints - 1);
    const local = fitAt(predicted);
    if (hasReason(local)) return missing(local.reason);
    const influence = new Float64Array(y.length);
    local.values.forEach((each, i) => {
      influence[local.rows[i]] = each * (y[local.rows[i]] - fitted[local.rows[i]]);
    });
    const { variance, df } = unitVariance(influence, units);
    const varies = variance > 1e-24;
    if (!varies) gap ??= 'the outcomes near some probabilities do not differ';
    const half = few === undefined && varies ? studentTQuantile((1 + level) / 2, df) * Math.sqrt(variance) : null;
    const value = heightOf(local);
    const limit = (side: number) => (half === null ? null : within(value + side * half));
    curve.push({ predicted, observed: within(value), lower: limit(-1), upper: limit(1) });
  }

  const { ici, e50, e90 } = distancesOf(rows, fitted);
  return {
    curve,
    ...(gap === undefined ? {} : { curveReason: gap }),
    ici: { value: ici },
    e50: { value: e50 },
    e90: { value: e90 },
  };
}

/** Mean, median and 90th percentile of the distance of the curve from the diagonal over the rows. */
export type Distances = Readonly<Record<'ici' | 'e50' | 'e90', number>>;

/** The distances of the curve of these rows, without its points; a reason where there is no curve. */
export function curveDistances(rows: Pick<BinaryRows, 'table' | 'y'>, span: number): Distances | Undefined {
  const smooth = smoothed(rows, span);
  return hasReason(smooth) ? smooth : distancesOf(rows, smooth.fitted);
}

/** The curve at the rows, and the means to fit it elsewhere. */
function smoothed({ table, y }: Pick<BinaryRows, 'table' | 'y'>, span: number) {
  const { yProba, weight } = table;
  const fitAt = localQuadratic(yProba, span, weight);
  const heightOf = ({ rows, values }: LocalWeights) => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[i] * y[rows[i]];
    return sum;
  };
  const knots = Float64Array.from(new Set(yProba)).sort();
  const places = knots.length <= MAX_FITS ? knots : quantilesOf(knots, MAX_FITS);
  const heights = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) {
    const local = fitAt(places[i]);
    if (hasReason(local)) return local;
    heights[i] = heightOf(local);
  }
  return { fitAt, heightOf, knots, fitted: interpolate(yProba, places, heights) };
}

function distancesOf({ table, y }: Pick<BinaryRows, 'table' | 'y'>, fitted: Float64Array): Distances {
  const copies = inSmallestUnits(table.weight, y.length);
  const distance = fitted.map((value, row) => Math.abs(value - table.yProba[row]));
  const quantile = weightedQuantile(distance, copies);
  const total = copies.reduce((sum, each) => sum + each, 0);
  const ici = distance.reduce((sum, each, row) => sum + copies[row] * each, 0) / total;
  return { ici, e50: quantile(0.5), e90: quantile(0.9) };
}

const within = (share: number) => Math.min(1, Math.max(0, share));

/** `count` of the ascending values, evenly spaced by rank, both ends included. */
const quantilesOf = (sorted: Float64Array, count: number) =>
  Float64Array.from({ length: count }, (_, i) => sorted[Math.round((i * (sorted.length - 1)) / (count - 1))]);

/** Straight lines between ascending places. */
function interpolate(x: Float64Array, places: Float64Array, heights: Float64Array): Float64Array {
  return x.map((each) => {
    const right = lowerBound(places, each);
    if (places[right] === each) return heights[right];
    const share = (each - places[right - 1]) / (places[right] - places[right - 1]);
    return heights[right - 1] + share * (heights[right] - heights[right - 1]);
  });
}
