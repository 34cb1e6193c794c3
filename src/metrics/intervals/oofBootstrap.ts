import { encode } from '../../core/encode.js';
import { counted, formatNumber } from '../../core/format.js';
import { type RandomSource, randomInterval } from '../../core/random.js';
import { combineBlocks, foldBlocks } from '../combineFolds.js';
import { joinTables, type ScoreTable } from '../scoreTable.js';
import { effectiveUnits } from './effectiveUnits.js';
import { studentTQuantile } from './incompleteBeta.js';
import { commonObstacle, type Interval, type IntervalInput, intervalFacts, joinNotes } from './interval.js';
import { scaleOf } from './scale.js';
import { wilson } from './wilson.js';

/** Smaller than this, relative to the range or the estimate, is rounding. */
const ROUNDING = 1e-12;

/**
 * Interval about these predictions: units (patients, else rows) of the out-of-fold table are drawn with replacement
 * `nBootstrap` times, the metric is recomputed within folds as its `combine` says, and the standard deviation of the
 * results is the standard error. Symmetric on the scale of {@link scaleOf} by the delta method, with Student's t for
 * one unit less than there are. In repeated designs a unit is drawn for all repeats at once.
 *
 * An estimate at the bound of a finite range, or without spread, gets Wilson's interval for the
 * {@link effectiveUnits} instead. Null limits with a reason: a failed fold, fewer than ten units, a metric that most
 * resamples leave undefined. It does not speak of the training procedure: the models are held fixed.
 *
 * Source: Efron & Tibshirani 1993, chapters 6 and 8; for patients as units, Field & Welsh 2007, JRSS B 69:369.
 */
export function oofBootstrap(input: IntervalInput): Interval {
  const { metric } = input;
  const facts = { ...intervalFacts(input), method: 'oof_bootstrap', estimand: 'predictions' } as const;
  const none = { lower: null, upper: null };
  const repeats = resamplingBlocks(input);
  const combined = combineBlocks(
    metric,
    repeats.map((blocks) => blocks.map(({ table }) => table)),
  );
  if (combined.value === null) return { ...facts, ...none, estimate: null, reason: combined.reason };
  const estimate = combined.value;
  const obstacle = commonObstacle(input, facts.nUnits);
  if (obstacle !== undefined) return { ...facts, ...none, estimate, reason: obstacle, ...joinNotes(combined.note) };

  const { values, thinned } = resample(input, repeats, facts.nUnits, combined.defined);
  const dropped = input.nBootstrap - values.length;
  const ofAll = `of ${counted(input.nBootstrap, 'resample')}`;
  if (dropped > input.nBootstrap / 2) {
    const reason = `${dropped} ${ofAll} leave ${metric.name} undefined`;
    return { ...facts, ...none, estimate, reason, ...joinNotes(combined.note) };
  }
  const { note, ...limits } = limitsOf(input, repeats, facts.nUnits, estimate, standardDeviation(values));
  return {
    ...facts,
    estimate,
    ...limits,
    ...joinNotes(
      combined.note,
      dropped > 0 ? `${dropped} ${ofAll} left the metric undefined and were dropped.` : undefined,
      thinned > 0
        ? `${thinned} ${ofAll} left a fold without a value; it counted with the other folds alone.`
        : undefined,
      note,
    ),
  };
}

/** Rows that are scored together, and a twin of their table whose weights a resample rewrites. */
interface Block {
  readonly table: ScoreTable;
  readonly twin: ScoreTable & { readonly weight: Float64Array };
  /** Code 0 ... nUnits-1 of each row's unit. */
  readonly units: Int32Array;
}

/** Blocks per repeat. A resample is a number of draws per unit, hence a weight per row: no row is ever copied. */
function resamplingBlocks({ metric, folds }: IntervalInput): Block[][] {
  const scored = folds.flatMap(({ table, units, repeat }) => (table ? [{ table, units, repeat }] : []));
  const { classes } = encode(scored.flatMap(({ units }) => Array.from(units)));
  const codeOf = new Map(classes.map((unit, code) => [unit, code]));
  const repeats = foldBlocks(
    metric,
    scored.map(({ repeat }) => repeat),
  );
  return repeats.map((blocks) =>
    blocks.map((members) => {
      const table = joinTables(members.map((fold) => scored[fold].table));
      const ids = members.flatMap((fold) => Array.from(scored[fold].units));
      const units = Int32Array.from(ids, (id) => codeOf.get(id) as number);
      return { table, units, twin: { ...table, weight: new Float64Array(table.length) } };
    }),
  );
}

/** The metric on every resample that defines it, and on how many of these fewer folds than `defined` had a value. */
function resample(
  { metric, nBootstrap, random }: IntervalInput,
  repeats: readonly (readonly Block[])[],
  nUnits: number,
  defined: number,
): { values: number[]; thinned: number } {
  const twins = repeats.map((blocks) => blocks.map(({ twin }) => twin));
  const all = repeats.flat();
  const values: number[] = [];
  let thinned = 0;
  for (let b = 0; b < nBootstrap; b++) {
    const draws = drawUnits(random, nUnits);
    for (const block of all) reweigh(block, draws);
    const result = combineBlocks(metric, twins);
    if (result.value === null) continue;
    values.push(result.value);
    if (result.defined < defined) thinned++;
  }
  return { values, thinned };
}

/** A row weighs as often as its unit was drawn, times its own weight. */
function reweigh({ table, twin, units }: Block, draws: Int32Array): void {
  const { weight } = twin;
  const own = table.weight;
  for (let row = 0; row < weight.length; row++) weight[row] = own ? draws[units[row]] * own[row] : draws[units[row]];
}

/** How often each unit is drawn in n draws with replacement from n units. */
function drawUnits(random: RandomSource, n: number): Int32Array {
  const draws = new Int32Array(n);
  for (let i = 0; i < n; i++) draws[randomInterval(random, n - 1)]++;
  return draws;
}

function standardDeviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

type Limits = Pick<Interval, 'lower' | 'upper' | 'note' | 'reason'>;

function limitsOf(
  { metric, level, unit }: IntervalInput,
  repeats: readonly (readonly Block[])[],
  nUnits: number,
  estimate: number,
  se: number,
): Limits {
  const [low, high] = metric.range;
  const finite = Number.isFinite(high - low);
  const rounding = ROUNDING * (finite ? high - low : Math.abs(estimate));
  if (estimate - low > rounding && high - estimate > rounding && se > rounding) {
    const scale = scaleOf(metric.range);
    const half = studentTQuantile((1 + level) / 2, nUnits - 1) * se * scale.slope(estimate);
    const centre = scale.to(estimate);
    return { lower: scale.back(centre - half), upper: scale.back(centre + half) };
  }
  if (!finite) return { lower: null, upper: null, reason: `the estimate, ${formatNumber(estimate)}, has no spread` };
  const blocks = repeats.flat();
  const n = effectiveUnits(
    metric,
    joinTables(blocks.map(({ table }) => table)),
    blocks.flatMap(({ units }) => Array.from(units)),
  );
  const [lower, upper] = wilson((estimate - low) / (high - low), n, level);
  return {
    lower: Math.min(estimate, low + lower * (high - low)),
    upper: Math.max(estimate, low + upper * (high - low)),
    note: `The estimate is at the bound or has no spread: Wilson interval for ${Number(n.toFixed(1))} effective ${unit}s.`,
  };
}
