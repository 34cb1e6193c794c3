import { mean } from '../core/numbers.js';
import { encode } from '../data/encode.js';
import { gather, rowNumbers } from '../data/labels.js';
import { ascendingOrder, concordance } from '../metrics/rocPlacements.js';
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
export function pairExcess(models: readonly (readonly UnitBlock[])[]): number {
  const areas = models.map((blocks) =>
    blocks.map(({ table }) => concordance({ ...table, scores: table.yProba as Float64Array })),
  );
  const valued = [...areas[0].keys()].filter((fold) => areas[0][fold].positives * areas[0][fold].negatives > 0);
  const means = areas.map((folds) =>
    mean(valued.map((fold) => folds[fold].concordant / (folds[fold].positives * folds[fold].negatives))),
  );
  const estimate = means[0] - (means[1] ?? 0);
  const found = valued.map((fold) =>
    ofFold(
      models.map((blocks) => blocks[fold]),
      estimate,
    ),
  );
  return found.length === 0 ? 0 : found.reduce((sum, each) => sum + each, 0) / found.length ** 2;
}

/** The sum of one fold, which has both classes. */
function ofFold(models: readonly UnitBlock[], estimate: number): number {
  const [{ table, units }] = models;
  const [positive, negative] = [true, false].map((side) => sideOf(table, units, side));
  const ascending = models.map(({ table: { yProba } }) =>
    ascendingOrder(yProba as Float64Array).filter((row) => negative.codeOf[row] >= 0),
  );
  const sums = new Float64Array(negative.weights.length);
  let excess = 0;
  positive.rows.forEach((rows, g) => {
    sums.fill(0);
    for (const [model, each] of models.entries()) {
      addPairs(sums, model === 0 ? 1 : -1, rows, { ascending: ascending[model], codeOf: negative.codeOf }, each.table);
    }
    for (let h = 0; h < sums.length; h++) {
      excess += (sums[h] - positive.weights[g] * negative.weights[h] * estimate) ** 2;
    }
  });
  return excess / (positive.total * negative.total) ** 2;
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

/** Adds to `sums`, by unit of the negative rows, the weighted kernel over their pairs with some positive rows. */
function addPairs(
  sums: Float64Array,
  sign: 1 | -1,
  positives: readonly number[],
  { ascending, codeOf }: { readonly ascending: Int32Array; readonly codeOf: Int32Array },
  { yProba, weight }: ScoreTable,
): void {
  const scores = yProba as Float64Array;
  const weightOf = (row: number) => (weight ? weight[row] : 1);
  const inOrder = [...positives].sort((a, b) => scores[a] - scores[b]);
  // From the lowest negative row up: the weight of the positive rows above it, and of those that tie with it.
  let above = inOrder.reduce((total, row) => total + weightOf(row), 0);
  let next = 0;
  for (let at = 0; at < ascending.length; ) {
    const score = scores[ascending[at]];
    while (next < inOrder.length && scores[inOrder[next]] < score) above -= weightOf(inOrder[next++]);
    let tied = 0;
    for (let tie = next; tie < inOrder.length && scores[inOrder[tie]] === score; tie++) tied += weightOf(inOrder[tie]);
    for (; at < ascending.length && scores[ascending[at]] === score; at++) {
      sums[codeOf[ascending[at]]] += sign * (above - tied / 2) * weightOf(ascending[at]);
    }
  }
}
