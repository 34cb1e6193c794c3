import { mean } from '../../core/numbers.js';
import { countUnits, foldsThatCount, tooFewUnits } from '../../intervals/interval.js';
import { type Influential, isInfluential, type UnitBlock, unitBlocks } from '../../intervals/unitBlocks.js';
import { type CombinedScore, combineBlocks } from '../../metrics/combineFolds.js';
import { type Metric, score } from '../../metrics/metric.js';
import type { ScoreTable } from '../../metrics/scoreTable.js';
import { joinTables } from '../../metrics/tableRows.js';
import { valuedFolds } from '../results.js';
import type { ComparisonInput, SignFlipTest } from './answers.js';

/**
 * Randomisation test on these predictions: those of a whole patient (in all folds and repeats) are swapped by the toss of
 * a coin, and the difference of the estimates is computed anew. Two-sided, p = (b + 1) / (B + 1) for b of B swaps with a
 * difference at least as large.
 *
 * Losses, counts and shares are sums over rows, and the test is exact when the swap leaves their distribution as it is.
 * A metric of ranks compares rows with each other, and after a swap scores of one model with those of the other. Its
 * difference is divided by its standard error between patients, computed anew for every swap: exact when the models'
 * scores are exchangeable, and right for many patients when they are not (another scale, more extreme probabilities),
 * where the difference alone would not be. A metric of ranks without an influence function has its difference alone.
 * Source: Fisher 1935, The Design of Experiments, section 21; for areas under the curve, Venkatraman & Begg 1996,
 * Biometrika 83:835; studentised, Janssen 1997, Statistics & Probability Letters 36:9, and Konietschke & Pauly 2014,
 * Statistics and Computing 24:283; the p-value, Phipson & Smyth 2010, SAGMB 9:39.
 */
export function signFlip(input: ComparisonInput): SignFlipTest {
  const { metric, unit, nPermutations, random, a, b } = input;
  const nUnits = countUnits(foldsThatCount(metric, a));
  const repeats = paired(...([a, b].map((side) => unitBlocks({ metric, folds: valuedFolds(metric, side) })) as Pair));
  const blocks = repeats.flat();
  const flips = new Uint8Array(1 + blocks.reduce((most, { units }) => units.reduce((x, y) => Math.max(x, y), most), 0));
  const studentised = usesRanks(metric) && isInfluential(metric);
  const judged = () =>
    studentised ? studentisedDifference(metric, repeats, flips.length) : differenceOf(metric, repeats).value;
  for (const block of blocks) swap(block, flips);
  const found = differenceOf(metric, repeats);
  const facts = {
    method: 'sign_flip',
    estimand: 'predictions',
    statistic: studentised ? 'studentised' : 'difference',
    unit,
    nUnits,
    nFolds: a.length,
    nPermutations,
    difference: found.value,
  } as const;
  const none = (reason: string) => ({ ...facts, nAtLeast: null, pValue: null, reason });
  if (found.value === null) return none(found.reason);
  const observed = judged();
  const obstacle = tooFewUnits(nUnits, unit);
  if (obstacle !== undefined || observed === null) return none(obstacle ?? 'no statistic');
  // Values equal but for rounding count as equal.
  const least = Math.abs(observed) * (1 - 1e-9) - 1e-12;
  let nAtLeast = 0;
  for (let permutation = 0; permutation < nPermutations; permutation++) {
    for (let code = 0; code < flips.length; code++) flips[code] = random.uint32() >>> 31;
    for (const block of blocks) swap(block, flips);
    const value = judged();
    // A swap without a value cannot speak against chance.
    if (value === null || Math.abs(value) >= least) nAtLeast++;
  }
  return { ...facts, nAtLeast, pValue: (nAtLeast + 1) / (nPermutations + 1) };
}

/** Metrics of ranks are functions of all rows of a fold at once, so their difference is divided by its standard error. */
const usesRanks = ({ needs, combine }: Metric) => needs === 'probabilities' && combine === 'mean';

type Weighted = ScoreTable & { readonly weight: Float64Array };

/**
 * Both models' rows in one table, the rows of A first, in two views: a weight of 0 hides what a side does not hold, so
 * that swaps rewrite weights alone, and scores are sorted once.
 */
interface SwapBlock {
  /** Code of the unit of each row of A, which is also that of the row of B. */
  readonly units: Int32Array;
  readonly own: Float64Array | undefined;
  readonly sides: readonly [Weighted, Weighted];
}

function differenceOf(
  metric: Metric,
  repeats: readonly (readonly SwapBlock[])[],
): CombinedScore | { readonly value: number } {
  const [x, y] = [0, 1].map((side) =>
    combineBlocks(
      metric,
      repeats.map((blocks) => blocks.map(({ sides }) => sides[side])),
    ),
  );
  if (x.value === null) return x;
  return y.value === null ? y : { value: x.value - y.value };
}

/** Null without a value. A difference from 0 by rounding is 0. */
function studentisedDifference(metric: Influential, repeats: readonly (readonly SwapBlock[])[], nUnits: number) {
  const spreads = repeats.flatMap((blocks) => spreadOf(metric, blocks, nUnits) ?? []);
  if (spreads.length === 0) return null;
  const difference = mean(spreads.map((each) => each.difference));
  if (Math.abs(difference) < 1e-12) return 0;
  return difference / Math.sqrt(mean(spreads.map(({ variance }) => variance)));
}

/** A - B of the blocks with a value, and the sum over units of their squared influences on it. */
function spreadOf(metric: Influential, blocks: readonly SwapBlock[], nUnits: number) {
  const valued = blocks.flatMap(({ units, sides }) => {
    const values = sides.map((side) => score(metric, side).value);
    return values.includes(null) ? [] : [{ units, sides, values: values as number[] }];
  });
  if (valued.length === 0) return undefined;
  const sums = new Float64Array(nUnits);
  const estimates = [0, 1].map((side) => mean(valued.map(({ values }) => values[side])));
  for (const { units, sides } of valued) {
    const n = units.length;
    const [ofA, ofB] = sides.map((table, side) => metric.influence(table, estimates[side]));
    // The rows of A, then those of B; a side has no influence from rows that it does not hold.
    for (let at = 0; at < 2 * n; at++) sums[units[at < n ? at : at - n]] += (ofA[at] - ofB[at]) / valued.length;
  }
  return {
    difference: estimates[0] - estimates[1],
    variance: sums.reduce((sum, each) => sum + each * each, 0),
  };
}

type Pair = [UnitBlock[][], UnitBlock[][]];

function paired(a: Pair[0], b: Pair[1]): SwapBlock[][] {
  return a.map((blocks, repeat) =>
    blocks.map(({ table, units }, at) => {
      const both = joinTables([table, b[repeat][at].table]);
      const side = (): Weighted => ({ ...both, weight: new Float64Array(both.length) });
      return { units, own: table.weight, sides: [side(), side()] };
    }),
  );
}

function swap({ units, own, sides: [x, y] }: SwapBlock, flips: Uint8Array): void {
  const n = units.length;
  for (let row = 0; row < n; row++) {
    const weight = own ? own[row] : 1;
    const flipped = flips[units[row]] === 1;
    x.weight[row] = flipped ? 0 : weight;
    x.weight[n + row] = flipped ? weight : 0;
    y.weight[row] = flipped ? weight : 0;
    y.weight[n + row] = flipped ? 0 : weight;
  }
}
