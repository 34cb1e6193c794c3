import { encode } from '../data/encode.js';
import { gather, rowNumbers } from '../data/labels.js';
import { ascendingOrder } from '../metrics/rocPlacements.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { UnitBlock } from './unitBlocks.js';

/**
 * What the sum of squared influences of a mean area under the ROC curve counts twice. The area is a mean over pairs of a
 * positive and a negative row, and a pair is part of the influence of both of its units. For fold k with m positive and n
 * negative rows and the kernel psi (1 where the positive row scores higher, .5 for ties): the sum over units g, h of the
 * square of S_gh / (m n), S_gh the sum of psi - estimate over positive rows of g and negative rows of h; summed over the
 * folds that have both classes, and divided by the square of their number. Of two models of the same folds, for the
 * difference of their areas: psi is the difference of their kernels.
 *
 * Source: the second-order term of a U-statistic of two samples, Hoeffding 1948, Annals of Mathematical Statistics 19:293;
 * Lee 1990, U-Statistics, section 1.6.
 */
export function pairExcess(models: readonly (readonly UnitBlock[])[], estimate: number): number {
  const found = models[0].flatMap((_, fold) => {
    const blocks = models.map((each) => each[fold]);
    return ofFold(blocks, estimate) ?? [];
  });
  return found.length === 0 ? 0 : found.reduce((sum, each) => sum + each, 0) / found.length ** 2;
}

/** The sum of one fold; undefined where a class has no rows. */
function ofFold(models: readonly UnitBlock[], estimate: number): number | undefined {
  const [{ table, units }] = models;
  const [positive, negative] = [true, false].map((side) => sideOf(table, units, side));
  const pairs = positive.total * negative.total;
  if (pairs === 0) return undefined;
  const weightOf = (row: number) => (table.weight ? table.weight[row] : 1);
  const sides = models.map((model, at) => {
    const scores = model.table.yProba as Float64Array;
    const ascending = ascendingOrder(scores).filter((row) => negative.codeOf[row] >= 0);
    const sign = at === 0 ? 1 : -1;
    const ordered: Negatives = {
      scores: Float64Array.from(ascending, (row) => scores[row]),
      weights: Float64Array.from(ascending, (row) => sign * weightOf(row)),
      units: ascending.map((row) => negative.codeOf[row]),
    };
    return { scores, ordered };
  });
  const sums = new Float64Array(negative.weights.length);
  let excess = 0;
  for (let g = 0; g < positive.rows.length; g++) {
    sums.fill(0);
    for (const { scores, ordered } of sides) {
      const inOrder = positive.rows[g].map((row) => [scores[row], weightOf(row)] as const).sort(([a], [b]) => a - b);
      addPairs(sums, inOrder, ordered);
    }
    const expected = positive.weights[g] * estimate;
    for (let h = 0; h < sums.length; h++) {
      const apart = sums[h] - expected * negative.weights[h];
      excess += apart * apart;
    }
  }
  return excess / pairs ** 2;
}

/** Rows of one class by unit: code of each row's unit (-1 for other rows), rows and weights of the units. */
function sideOf({ yTrue, positive, weight, length }: ScoreTable, units: Int32Array, isPositive: boolean) {
  const rows = rowNumbers(length).filter(
    (row) => (yTrue[row] === positive) === isPositive && (!weight || weight[row] > 0),
  );
  const { codes, classes } = encode(gather(units, rows));
  const codeOf = new Int32Array(length).fill(-1);
  const weights = new Float64Array(classes.length);
  const rowsOf: number[][] = classes.map(() => []);
  let total = 0;
  rows.forEach((row, at) => {
    const w = weight ? weight[row] : 1;
    codeOf[row] = codes[at];
    weights[codes[at]] += w;
    rowsOf[codes[at]].push(row);
    total += w;
  });
  return { codeOf, weights, rows: rowsOf, total };
}

/** Negative rows by ascending score, in arrays of their own: these loops are over all pairs. Weights have the sign of the model. */
interface Negatives {
  readonly scores: Float64Array;
  readonly weights: Float64Array;
  readonly units: Int32Array;
}

/**
 * Adds to `sums`, by unit of the negative rows, the weighted kernel over their pairs with some positive rows.
 *
 * @param positives score and weight of the positive rows, by ascending score
 */
function addPairs(
  sums: Float64Array,
  positives: readonly (readonly [score: number, weight: number])[],
  { scores, weights, units }: Negatives,
): void {
  // From the lowest row up: negative rows below the next positive ones are below all that are left.
  let above = positives.reduce((total, [, weight]) => total + weight, 0);
  let at = 0;
  for (let next = 0; next < positives.length; ) {
    const [score] = positives[next];
    let tied = 0;
    for (; next < positives.length && positives[next][0] === score; next++) tied += positives[next][1];
    for (; at < scores.length && scores[at] < score; at++) sums[units[at]] += above * weights[at];
    for (; at < scores.length && scores[at] === score; at++) sums[units[at]] += (above - tied / 2) * weights[at];
    above -= tied;
  }
}
