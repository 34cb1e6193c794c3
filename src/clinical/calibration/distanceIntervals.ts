import { counted } from '../../core/format.js';
import { hasReason } from '../../core/hasReason.js';
import { type RandomSource, randomInterval } from '../../core/random.js';
import { weightedQuantile } from '../../core/weightedQuantile.js';
import { gather } from '../../data/labels.js';
import { type Interval, joinNotes, tooFewUnits } from '../../intervals/interval.js';
import { sampleFacts } from '../../intervals/sample.js';
import type { Score } from '../../metrics/metric.js';
import { takeRows } from '../../metrics/tableRows.js';
import type { BinaryRows } from '../binaryRows.js';
import { curveDistances, type Distances } from './flexibleCurve.js';

const NAMES = ['ici', 'e50', 'e90'] as const;

/**
 * Percentile intervals of the distances between curve and diagonal: patients (else rows) are drawn with replacement,
 * the curve is fitted anew, and the percentiles of its distances are the limits. A resample with too few different
 * probabilities for a curve is dropped; more than half of them are a reason to give none.
 *
 * Distances cannot be negative, and a resample adds its noise to that of the sample: the limits lie high. For well
 * calibrated probabilities they can lie above the estimate. The note says so.
 *
 * Source: Austin & Steyerberg 2019, Statistics in Medicine 38:4051; percentiles, Efron & Tibshirani 1993, chapter 13.
 */
export function distanceIntervals(
  rows: BinaryRows,
  span: number,
  found: Readonly<Record<keyof Distances, Score>>,
  { nBootstrap, random }: { readonly nBootstrap: number; readonly random: RandomSource },
): Record<keyof Distances, Interval> {
  const { nUnits, unit, level } = rows;
  const few = found.ici.value === null ? found.ici.reason : tooFewUnits(nUnits, unit);
  const drawn = few === undefined ? resampled(rows, span, nBootstrap, random) : [];
  const dropped = nBootstrap - drawn.length;
  const ofAll = `${dropped} of ${counted(nBootstrap, 'resample')}`;
  const reason = few ?? (dropped > nBootstrap / 2 ? `${ofAll} have no curve` : undefined);
  const once = new Float64Array(drawn.length).fill(1);
  const intervals = NAMES.map((name): [keyof Distances, Interval] => {
    const facts = { ...sampleFacts(rows), method: 'percentile_bootstrap', estimate: found[name].value };
    if (reason !== undefined) return [name, { ...facts, lower: null, upper: null, reason }];
    const quantile = weightedQuantile(
      Float64Array.from(drawn, (each) => each[name]),
      once,
    );
    const note = joinNotes(
      'Resamples add noise to the curve, so the limits of its distances lie high.',
      dropped > 0 ? `${ofAll} had no curve and were dropped.` : undefined,
    );
    return [name, { ...facts, lower: quantile((1 - level) / 2), upper: quantile((1 + level) / 2), ...note }];
  });
  return Object.fromEntries(intervals) as Record<keyof Distances, Interval>;
}

/** The distances of the resamples that have a curve. */
function resampled({ table, y, units, nUnits }: BinaryRows, span: number, times: number, random: RandomSource) {
  const members = Array.from({ length: nUnits }, () => [] as number[]);
  units.forEach((unit, row) => {
    members[unit].push(row);
  });
  return Array.from({ length: times }).flatMap(() => {
    const rows = Int32Array.from(members.flatMap(() => members[randomInterval(random, nUnits - 1)]));
    const of = {
      table: takeRows(table, rows) as BinaryRows['table'],
      y: Uint8Array.from(gather(Int32Array.from(y), rows)),
    };
    const distances = curveDistances(of, span);
    return hasReason(distances) ? [] : [distances];
  });
}
