import { InvalidOptionError, sentence } from '../../core/errors.js';
import { type InputOf, isPlainObject, optionTable } from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import { effectiveUnits } from '../../intervals/effectiveUnits.js';
import { type Interval, joinNotes } from '../../intervals/interval.js';
import { sampleFacts } from '../../intervals/sample.js';
import { sensitivity, specificity } from '../../metrics/definitions/binary.js';
import { type ScoredTable, scoredRows } from '../binaryRows.js';
import { byPercentiles, type Rate, rateAt, resampledCurveOptions, rocCurve } from './curve.js';

export const rocAtOptions = optionTable('rocAt', resampledCurveOptions);

export type RocAtOptions = InputOf<typeof rocAtOptions>;

/** The rate that is held fixed: above 0, at most 1. */
export type RocPlace = { readonly specificity: number } | { readonly sensitivity: number };

const METRICS = { sensitivity, specificity };

const FEW = 5;

/**
 * Sensitivity at a fixed specificity, `{ specificity: 0.9 }`, or specificity at a fixed sensitivity. The curve is
 * straight between its points; of several values the highest is taken, as pROC's `coords` does. The threshold follows
 * from the same rows, so the percentile interval of `nBootstrap` resamples finds it anew in each: as `ci.se` and
 * `ci.sp` of pROC. With `groups`, patients are drawn.
 *
 * Source: Carpenter & Bithell 2000, Statistics in Medicine 19:1141 (percentiles); Robin et al. 2011, BMC Bioinformatics
 * 12:77 (pROC).
 *
 * @param yTrue labels of two classes, length n
 * @param scores numbers, higher for the positive class; they need not be probabilities. Length n
 * @param at the rate that is held fixed
 * @throws InvalidDataError for NaN and lengths that differ, InvalidOptionError for a rate or options out of range
 * @example
 * const { estimate, lower, upper } = rocAt(yTrue, yProba, { specificity: 0.8 });
 * console.log(estimate, lower, upper);
 */
export function rocAt(
  yTrue: ArrayLike<Label>,
  scores: ArrayLike<number>,
  at: RocPlace,
  options?: RocAtOptions,
): Interval {
  const { nBootstrap, randomState, ...rowOptions } = rocAtOptions.resolve(options);
  const [axis, place] = checkedPlace(at);
  const other: Rate = axis === 'specificity' ? 'sensitivity' : 'specificity';
  const rows = scoredRows(yTrue, scores, rowOptions);
  const stratum = METRICS[other].stratum as NonNullable<typeof sensitivity.stratum>;
  const value = (table: ScoredTable) => rateAt(rocCurve(table, axis), place);
  const found = byPercentiles(rows, { range: [0, 1], stratum, value }, { nBootstrap, randomState });
  if (found.lower === null) return { ...sampleFacts(rows), ...found };
  const beyond = effectiveUnits(METRICS[axis], rows.table, rows.units) * (1 - place);
  const kind = axis === 'specificity' ? 'negative' : 'positive';
  const rough = `Only about ${Number(beyond.toFixed(1))} ${kind} ${rows.unit}s lie beyond it: the limits are rough.`;
  const where = `At a ${axis} of ${place} on these rows, which the threshold was made from.`;
  return { ...sampleFacts(rows), ...found, ...joinNotes(found.note, where, beyond < FEW ? rough : undefined) };
}

function checkedPlace(at: RocPlace): [Rate, number] {
  const [entry, ...more] = isPlainObject(at) ? Object.entries(at) : [];
  if (entry && more.length === 0 && Object.hasOwn(METRICS, entry[0])) {
    const [rate, place] = entry as [Rate, number];
    if (Number.isFinite(place) && place > 0 && place <= 1) return [rate, place];
    throw new InvalidOptionError(sentence(`The ${rate} of rocAt`, 'be a number > 0 and <= 1', place));
  }
  const must = 'be `{ specificity }` or `{ sensitivity }`, one of both';
  throw new InvalidOptionError(sentence('The place of rocAt', must, at));
}
