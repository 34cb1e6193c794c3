import { hasReason } from '../core/hasReason.js';
import { encode } from '../data/encode.js';
import { gather, rowNumbers } from '../data/labels.js';
import { ascendingOrder, rocPlacements } from '../metrics/rocPlacements.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { UnitBlock } from './unitBlocks.js';

/**
 * What the pairs of an area under the ROC curve, each of a positive and a negative row, add to sums of squared influences:
 * a pair is part of the influence of both of its units, so such sums count it twice.
 */
export interface PairTerms {
  /** Sum over pairs of units of the squared influence of their pairs of rows, centred at the estimate: the excess. */
  readonly excess: number;
  /** The same without what belongs to either unit alone; at most `excess`. */
  readonly interaction: number;
}

const NONE: PairTerms = { excess: 0, interaction: 0 };

/**
 * The {@link PairTerms} of the mean area over the folds of a repeat. For fold k with m positive and n negative rows and
 * the kernel psi (1 where the positive row scores higher, .5 for ties): sum over units g, h of the square of S_gh, the sum
 * of psi - estimate over positive rows of g and negative rows of h, divided by (m n)^2; the mean over folds, squared
 * weights. `interaction` takes psi centred in rows and columns within the fold, with the degrees of freedom
 * G+ G- / ((G+ - 1) (G- - 1)) of the units per class.
 *
 * Source: the second-order term of a U-statistic of two samples, Hoeffding 1948, Annals of Mathematical Statistics 19:293;
 * Lee 1990, U-Statistics, section 1.6.
 */
export function pairTerms(blocks: readonly UnitBlock[], estimate: number): PairTerms {
  let [excess, interaction, units, freedom, valued] = [0, 0, 0, 0, 0];
  for (const block of blocks) {
    const found = ofFold(block, estimate);
    if (!found) continue;
    valued++;
    excess += found.excess;
    interaction += found.interaction;
    units += found.positiveUnits * found.negativeUnits;
    freedom += (found.positiveUnits - 1) * (found.negativeUnits - 1);
  }
  if (valued === 0) return NONE;
  excess /= valued ** 2;
  interaction *= units / valued ** 2;
  return { excess, interaction: freedom > 0 ? Math.min(excess, interaction / freedom) : excess };
}

/** Sums of one fold; undefined where a class has no rows. */
function ofFold({ table, units }: UnitBlock, estimate: number) {
  const scores = table.yProba as Float64Array;
  const placed = rocPlacements({ ...table, scores });
  if (hasReason(placed)) return undefined;
  const { auc, positives, negatives, values } = placed;
  const weightOf = (row: number) => (table.weight ? table.weight[row] : 1);
  const sides = [true, false].map((side) => sideOf(table, units, side, (row) => [weightOf(row), values[row]]));
  const [positive, negative] = sides;
  const inOrder = ascendingOrder(scores).filter((row) => table.yTrue[row] !== table.positive && weightOf(row) > 0);
  const ordered: Negatives = {
    scores: Float64Array.from(inOrder, (row) => scores[row]),
    weights: Float64Array.from(inOrder, weightOf),
    units: inOrder.map((row) => negative.codeOf[row]),
  };
  const sums = new Float64Array(negative.count);
  let [excess, interaction] = [0, 0];
  for (let g = 0; g < positive.count; g++) {
    const above = positive.rows[g].map((row) => [scores[row], weightOf(row)] as const).sort(([a], [b]) => a - b);
    pairSums(sums.fill(0), above, ordered);
    const ownWeight = positive.weight[g];
    const ownPlaced = positive.placed[g];
    for (let h = 0; h < sums.length; h++) {
      const weight = ownWeight * negative.weight[h];
      const apart = sums[h] - weight * estimate;
      const own = ownPlaced * negative.weight[h] + negative.placed[h] * ownWeight;
      const centred = sums[h] - own + weight * auc;
      excess += apart * apart;
      interaction += centred * centred;
    }
  }
  const pairs = (positives * negatives) ** 2;
  return {
    excess: excess / pairs,
    interaction: interaction / pairs,
    positiveUnits: positive.count,
    negativeUnits: negative.count,
  };
}

/** The units with rows of one class: their rows, weights, and sums of weighted placements. */
function sideOf(
  { yTrue, positive, length }: ScoreTable,
  units: Int32Array,
  isPositive: boolean,
  of: (row: number) => readonly [weight: number, placement: number],
) {
  const rows = rowNumbers(length).filter((row) => (yTrue[row] === positive) === isPositive && of(row)[0] > 0);
  const { codes, classes } = encode(gather(units, rows));
  const count = classes.length;
  const codeOf = new Int32Array(length);
  const [weight, placed] = [new Float64Array(count), new Float64Array(count)];
  const rowsOf: number[][] = Array.from({ length: count }, () => []);
  rows.forEach((row, at) => {
    const [w, placement] = of(row);
    codeOf[row] = codes[at];
    weight[codes[at]] += w;
    placed[codes[at]] += w * placement;
    rowsOf[codes[at]].push(row);
  });
  return { count, codeOf, weight, placed, rows: rowsOf };
}

/** Negative rows by ascending score. */
interface Negatives {
  readonly scores: Float64Array;
  readonly weights: Float64Array;
  readonly units: Int32Array;
}

/**
 * Adds to `sums`, by unit of the negative rows, the weighted kernel over all pairs with the positive rows of one unit.
 *
 * @param above score and weight of the positive rows, by ascending score
 */
function pairSums(
  sums: Float64Array,
  above: readonly (readonly [score: number, weight: number])[],
  { scores, weights, units }: Negatives,
): void {
  // From the lowest row up: negative rows below the next positive ones are below all that are left.
  let weight = above.reduce((total, [, own]) => total + own, 0);
  let at = 0;
  for (let next = 0; next < above.length; ) {
    const [score] = above[next];
    let tied = 0;
    for (; next < above.length && above[next][0] === score; next++) tied += above[next][1];
    for (; at < scores.length && scores[at] < score; at++) sums[units[at]] += weight * weights[at];
    for (; at < scores.length && scores[at] === score; at++) sums[units[at]] += (weight - tied / 2) * weights[at];
    weight -= tied;
  }
}
