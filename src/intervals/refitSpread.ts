import { counted } from '../core/format.js';
import type { Refits } from './interval.js';

/** A standard error with what is to be said about it, or the reason why there is none. */
export type RefitSpread =
  | { readonly se: number; readonly note?: string }
  | { readonly se: null; readonly reason: string };

/** Share of the units that a resample holds, 1 - 1/e. */
const DISTINCT = 0.632;

/**
 * Standard error of an estimate from {@link Refits} of the whole procedure on resampled units: their standard deviation
 * times sqrt(.632), since models of a resample learn from .632 of the units and vary more. Null when more than half of
 * the resamples have no value.
 *
 * Source: Efron & Tibshirani 1993, chapter 6, for the resamples, and section 17.7 for the share of distinct units.
 */
export function refitSpread({ values, count }: Refits): RefitSpread {
  const dropped = count - values.length;
  const lost = `${dropped} of ${counted(count, 'refit')} left the metric undefined`;
  if (dropped > count / 2) return { se: null, reason: lost };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const se = Math.sqrt((DISTINCT * squares) / (values.length - 1));
  return dropped > 0 ? { se, note: `${lost} and were dropped.` } : { se };
}
