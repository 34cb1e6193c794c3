import { countUnits, tooFewUnits } from '../../intervals/interval.js';
import { type UnitBlock, unitBlocks } from '../../intervals/unitBlocks.js';
import { combineBlocks } from '../../metrics/combineFolds.js';
import type { Metric } from '../../metrics/metric.js';
import { ascendingOrder } from '../../metrics/rocPlacements.js';
import type { ScoreTable } from '../../metrics/scoreTable.js';
import { joinTables } from '../../metrics/tableRows.js';
import { valuedFolds } from '../results.js';
import type { ComparisonInput, SignFlipTest } from './answers.js';

/**
 * Randomisation test on these predictions: if the two models were alike, it would not matter which of them gave which
 * prediction, so the predictions of a whole patient (in all folds and repeats) are swapped by the toss of a coin and the
 * difference of the estimates is computed anew. Two-sided, p = (b + 1) / (B + 1) for b of B swaps with a difference at
 * least as large. For metrics of ranks the scores are first replaced by their ranks within the fold: probabilities of
 * two models may differ in spread alone, and mixed they would not rank alike.
 *
 * Source: Fisher 1935, The Design of Experiments, section 21; for areas under the curve, Venkatraman & Begg 1996,
 * Biometrika 83:835; the p-value, Phipson & Smyth 2010, SAGMB 9:39.
 */
export function signFlip(input: ComparisonInput): SignFlipTest {
  const { metric, unit, nPermutations, random, a, b } = input;
  const nUnits = countUnits(a);
  const facts = {
    method: 'sign_flip',
    estimand: 'predictions',
    unit,
    nUnits,
    nFolds: a.length,
    nPermutations,
  } as const;
  const repeats = swapped(metric, unitBlocks({ metric, folds: valuedFolds(metric, a) }), [
    ...unitBlocks({ metric, folds: valuedFolds(metric, b) }),
  ]);
  const all = repeats.flat();
  const flips = new Uint8Array(1 + all.reduce((most, { units }) => units.reduce((x, y) => Math.max(x, y), most), 0));
  const difference = () => {
    const [x, y] = [0, 1].map((side) =>
      combineBlocks(
        metric,
        repeats.map((each) => each.map(({ sides }) => sides[side])),
      ),
    );
    if (x.value === null) return x;
    return y.value === null ? y : { value: x.value - y.value };
  };
  for (const block of all) swap(block, flips);
  const observed = difference();
  const none = (reason: string) => ({ ...facts, difference: observed.value, nAtLeast: null, pValue: null, reason });
  if (observed.value === null) return none(observed.reason);
  const obstacle = tooFewUnits(nUnits, unit);
  if (obstacle !== undefined) return none(obstacle);
  // What is equal but for rounding counts as equal.
  const least = Math.abs(observed.value) * (1 - 1e-9) - 1e-12;
  let nAtLeast = 0;
  for (let permutation = 0; permutation < nPermutations; permutation++) {
    for (let code = 0; code < flips.length; code++) flips[code] = random.uint32() >>> 31;
    for (const block of all) swap(block, flips);
    const { value } = difference();
    // A swap without a value cannot speak against chance.
    if (value === null || Math.abs(value) >= least) nAtLeast++;
  }
  return { ...facts, difference: observed.value, nAtLeast, pValue: (nAtLeast + 1) / (nPermutations + 1) };
}

/**
 * Both models' rows in one table, the rows of A first, seen twice: a weight of 0 hides what a side does not hold. So
 * swaps rewrite weights alone, and scores are sorted once.
 */
interface SwapBlock {
  readonly units: Int32Array;
  readonly own: Float64Array | undefined;
  readonly sides: readonly [Weighted, Weighted];
}

type Weighted = ScoreTable & { readonly weight: Float64Array };

function swapped(
  metric: Metric,
  a: readonly (readonly UnitBlock[])[],
  b: readonly (readonly UnitBlock[])[],
): SwapBlock[][] {
  return a.map((blocks, repeat) =>
    blocks.map(({ table, units }, at) => {
      const both = joinTables([table, b[repeat][at].table].map((each) => (usesRanks(metric) ? ranked(each) : each)));
      const side = (): Weighted => ({ ...both, weight: new Float64Array(both.length) });
      return { units, own: table.weight, sides: [side(), side()] };
    }),
  );
}

const usesRanks = ({ needs, combine }: Metric) => needs === 'probabilities' && combine === 'mean';

/** Probabilities as their ranks among the rows of the block, ties sharing the mean, scaled to (0, 1]. */
function ranked(table: ScoreTable): ScoreTable {
  const { yProba, length } = table;
  if (!yProba) return table;
  const width = yProba.length / length;
  const ranks = new Float64Array(yProba.length);
  for (let column = 0; column < width; column++) {
    const scores = Float64Array.from({ length }, (_, row) => yProba[row * width + column]);
    const order = ascendingOrder(scores);
    for (let at = 0; at < length; ) {
      const from = at;
      while (at < length && scores[order[at]] === scores[order[from]]) at++;
      for (let i = from; i < at; i++) ranks[order[i] * width + column] = (from + at + 1) / 2 / length;
    }
  }
  return { ...table, yProba: ranks };
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
