import { counted } from '../../core/format.js';
import { hasReason } from '../../core/hasReason.js';
import { type RandomSource, randomInterval } from '../../core/random.js';
import { type CombinedScore, combineBlocks } from '../combineFolds.js';
import type { Metric } from '../metric.js';
import type { ScoreTable } from '../scoreTable.js';
import { combinedEstimate } from './influenceVariance.js';
import type { IntervalInput } from './interval.js';
import type { UnitBlock } from './unitBlocks.js';

/** Variance over resamples of units, and what is to be said about the resamples; or the reason why there is none. */
export type Resampled =
  | { readonly variance: number; readonly notes: readonly (string | undefined)[] }
  | { readonly reason: string };

type Input = Pick<IntervalInput, 'metric' | 'nBootstrap' | 'random'>;
type Repeats = readonly (readonly UnitBlock[])[];

/**
 * Draws units (patients, else rows) with replacement `nBootstrap` times, recomputes the metric within folds as its
 * `combine` says, and gives the variance of the results. A unit is drawn for all of `repeats` at once. More than half
 * of the resamples without a value are a reason to give none.
 *
 * Source: Efron & Tibshirani 1993, chapter 6; for patients as units, Field & Welsh 2007, JRSS B 69:369.
 */
export function resampleUnits(input: Input, repeats: Repeats): Resampled {
  const found = resampledValues(input, repeats, estimateByUnits(input.metric, repeats));
  return hasReason(found) ? found : { variance: varianceOf(found.values), notes: found.notes };
}

/**
 * What `valueFor` makes of every resample that gives it a value, and what is to be said about the others and about those
 * in which fewer folds had a value than in the data; or the reason why more than half have none.
 *
 * @param valueFor given how often each unit was drawn
 */
export function resampledValues(
  { metric, nBootstrap, random }: Input,
  repeats: Repeats,
  valueFor: (draws: Int32Array) => CombinedScore,
): { readonly values: readonly number[]; readonly notes: readonly (string | undefined)[] } | { reason: string } {
  const { defined } = combinedEstimate(metric, repeats);
  const nUnits = 1 + repeats.flat().reduce((most, { units }) => units.reduce((a, b) => Math.max(a, b), most), -1);
  const values: number[] = [];
  let thinned = 0;
  for (let b = 0; b < nBootstrap; b++) {
    const result = valueFor(drawUnits(random, nUnits));
    if (result.value === null) continue;
    values.push(result.value);
    if (result.defined < defined) thinned++;
  }
  const dropped = nBootstrap - values.length;
  const ofAll = `of ${counted(nBootstrap, 'resample')}`;
  if (dropped > nBootstrap / 2) return { reason: `${dropped} ${ofAll} leave ${metric.name} undefined` };
  return {
    values,
    notes: [
      dropped > 0 ? `${dropped} ${ofAll} left the metric undefined and were dropped.` : undefined,
      thinned > 0
        ? `${thinned} ${ofAll} left a fold without a value; it counted with the other folds alone.`
        : undefined,
    ],
  };
}

/** The estimate when each unit counts as often as `times` says; 0 leaves its rows out. */
export function estimateByUnits(metric: Metric, repeats: Repeats): (times: Int32Array) => CombinedScore {
  const blocks = repeats.map((each) => each.map(withTwin));
  const twins = blocks.map((each) => each.map(({ twin }) => twin));
  const all = blocks.flat();
  return (times) => {
    for (const block of all) reweigh(block, times);
    return combineBlocks(metric, twins);
  };
}

/**
 * A block with a twin of its table whose weights a resample rewrites: a resample is a number of draws per unit, hence a
 * weight per row, and no row is ever copied.
 */
interface Block extends UnitBlock {
  readonly twin: ScoreTable & { readonly weight: Float64Array };
}

const withTwin = (block: UnitBlock): Block => ({
  ...block,
  twin: { ...block.table, fixed: true, weight: new Float64Array(block.table.length) },
});

/** A row weighs as often as its unit counts, times its own weight. */
function reweigh({ table, twin, units }: Block, times: Int32Array): void {
  const { weight } = twin;
  const own = table.weight;
  for (let row = 0; row < weight.length; row++) weight[row] = own ? times[units[row]] * own[row] : times[units[row]];
}

/** How often each unit is drawn in n draws with replacement from n units. */
function drawUnits(random: RandomSource, n: number): Int32Array {
  const draws = new Int32Array(n);
  for (let i = 0; i < n; i++) draws[randomInterval(random, n - 1)]++;
  return draws;
}

function varianceOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}
