import { hasReason } from '../core/hasReason.js';
import { mean } from '../core/numbers.js';
import { encode } from '../data/encode.js';
import { allUnits, type IntervalInput } from '../intervals/interval.js';
import { estimateByUnits, resampleUnits } from '../intervals/resampleUnits.js';
import { blockInfluences, blocksAsCoded, isInfluential, type UnitBlock } from '../intervals/unitBlocks.js';
import { unitStrata, unitVariance } from '../intervals/unitVariance.js';
import { combinedEstimate } from '../metrics/combineFolds.js';
import { type Metric, score } from '../metrics/metric.js';
import type { ScoredFold } from './results.js';

export type ScoredSide = readonly ScoredFold[];

type PairedDifference =
  | { readonly estimate: number; readonly variance: number; readonly df: number; readonly notes: readonly string[] }
  | { readonly estimate: number | null; readonly reason: string };

/** A difference is never larger than the range of its metric. */
export function differenceLimits({ range }: Pick<Metric, 'range'>, estimate: number, half: number) {
  const width = range[1] - range[0];
  return { lower: Math.max(-width, estimate - half), upper: Math.min(width, estimate + half) };
}

type Input = Pick<IntervalInput, 'metric' | 'sampling' | 'nBootstrap' | 'random' | 'draws'>;

/**
 * a - b of two estimates that may rest on the same units: two models on the same rows, or two parts of the rows of the
 * same patients. Influences of a unit's rows on either side are summed with their sign before they are squared, so what
 * both sides share cancels; a metric without an influence function is recomputed on resamples of units. Over repeats
 * estimates and variances are averaged.
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837, for areas under the curve; clustered, Obuchowski
 * 1997, Biometrics 53:567.
 */
export function pairedDifference(input: Input, a: ScoredSide, b: ScoredSide): PairedDifference {
  const { metric } = input;
  const [sideA, sideB] = [blocksAsCoded(metric, a), blocksAsCoded(metric, b)];
  const [valueA, valueB] = [combinedEstimate(metric, sideA), combinedEstimate(metric, sideB)];
  if (valueA.value === null) return { estimate: null, reason: valueA.reason };
  if (valueB.value === null) return { estimate: null, reason: valueB.reason };
  const estimate = valueA.value - valueB.value;
  const parts = sideA.map((blocks, repeat) => spreadOf(input, blocks, sideB[repeat] ?? []));
  const failed = parts.find((part) => hasReason(part));
  if (failed && hasReason(failed)) return { estimate, reason: failed.reason };
  const spreads = parts as Spread[];
  return {
    estimate,
    variance: mean(spreads.map(({ variance }) => variance)),
    df: mean(spreads.map(({ df }) => df)),
    notes: [...new Set([valueA.note, valueB.note, ...spreads.flatMap(({ notes }) => notes)])].filter(
      (note) => note !== undefined,
    ),
  };
}

interface Spread {
  readonly variance: number;
  readonly df: number;
  readonly notes: readonly (string | undefined)[];
}

function spreadOf(input: Input, a: readonly UnitBlock[], b: readonly UnitBlock[]): Spread | { reason: string } {
  const { metric, sampling } = input;
  if (!isInfluential(metric)) return resampledSpread(input, a, b);
  const [up, down] = [blockInfluences(metric, a), blockInfluences(metric, b)];
  if (!up || !down) return { reason: 'a repeat has no value' };
  const influence = [...up.influence, ...down.influence.map((each) => -each)];
  const units = [...up.units, ...down.units];
  const stratify = sampling === 'case_control' || !metric.dependsOnPrevalence;
  return { ...unitVariance(influence, units, stratify ? strataOf(units, [...a, ...b]) : undefined), notes: [] };
}

function strataOf(units: readonly number[], blocks: readonly UnitBlock[]): number[] {
  const all = blocks.flatMap((block) => Array.from(block.units));
  const classes = blocks.flatMap(({ table }) =>
    table.task === 'binary' || table.task === 'multiclass'
      ? Array.from(table.yTrue)
      : new Array<number>(table.length).fill(0),
  );
  const strata = unitStrata(classes, all);
  const ofUnit = new Map(all.map((unit, at) => [unit, strata[at]]));
  return units.map((unit) => ofUnit.get(unit) as number);
}

/** Resamples of the units of both sides at once. Folds without a value are in no count. */
function resampledSpread(input: Input, ...bothSides: readonly (readonly UnitBlock[])[]): Spread | { reason: string } {
  const { metric } = input;
  const [a, b] = bothSides.map((blocks) => blocks.filter(({ table }) => score(metric, table).value !== null));
  const { codes, classes } = encode(allUnits([...a, ...b]));
  let end = 0;
  const coded = (block: UnitBlock): UnitBlock => {
    end += block.units.length;
    return { ...block, units: codes.subarray(end - block.units.length, end) };
  };
  const sides = [[a.map(coded)], [b.map(coded)]];
  const [ofA, ofB] = sides.map((side) => estimateByUnits(metric, side));
  const spread = resampleUnits(input, [sides.flat(2)], (draws) => {
    const [x, y] = [ofA(draws), ofB(draws)];
    if (x.value === null) return x;
    return y.value === null ? y : { ...x, value: x.value - y.value, defined: x.defined + y.defined };
  });
  return hasReason(spread) ? spread : { ...spread, df: classes.length - 1 };
}
