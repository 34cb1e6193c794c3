import type { Metric } from '../metric.js';
import { score } from '../metric.js';
import { labelsFromProbabilities, type ScoreTable } from '../scoreTable.js';
import type { UnitBlock } from './unitBlocks.js';

/** A kernel of this height on either side of 0 has the standard deviation of a normal one of 1. */
const UNIFORM = Math.sqrt(3);

/**
 * Influence of each row on a metric of labels through the prevalence of the training sets. A patient more in the
 * positive class raises the log-odds that every model trained with him gives to every row, by the influence of a row on
 * the log-odds of the prevalence, (y - prevalence) / (n prevalence (1 - prevalence)); and the metric changes by its slope
 * in the cut-off, taken as a difference quotient over a window around it. Sensitivity and specificity move against each
 * other, so that neither varies as the hits in the test rows would have it; accuracy near its best cut-off hardly moves.
 *
 * For labels that follow from probabilities at .5 in a binary task; undefined for all others, and where the slope cannot
 * be had. In the simulations of the coverage study it takes the coverage of sensitivity from .52-.99 to what the
 * published table says; it is not in the literature.
 *
 * The width of the window is Silverman's: Silverman 1986, Density Estimation, equation 3.31.
 */
export function prevalenceShift(metric: Metric, blocks: readonly UnitBlock[]): Float64Array | undefined {
  const [{ table, units } = { table: undefined, units: undefined }, ...others] = blocks;
  if (!table || others.length > 0 || metric.needs !== 'labels' || !cutAtHalf(table)) return undefined;
  const { yTrue, positive, weight, length } = table;
  const logits = Float64Array.from(table.yProba, logit);
  const half = UNIFORM * bandwidth(logits, new Set(units).size);
  const at = (shift: number) => {
    const yProba = logits.map((value) => logistic(value + shift));
    return score(metric, { ...table, yProba, yPred: labelsFromProbabilities(yProba, table) }).value;
  };
  const [up, down] = [at(half), at(-half)];
  if (up === null || down === null || half === 0) return undefined;
  const slope = (up - down) / (2 * half);
  const weightOf = (row: number) => (weight ? weight[row] : 1);
  let [total, positives] = [0, 0];
  for (let row = 0; row < length; row++) {
    total += weightOf(row);
    if (yTrue[row] === positive) positives += weightOf(row);
  }
  const prevalence = positives / total;
  return Float64Array.from(
    { length },
    (_, row) =>
      (slope * weightOf(row) * ((yTrue[row] === positive ? 1 : 0) - prevalence)) /
      (total * prevalence * (1 - prevalence)),
  );
}

/** A binary table whose labels are its probabilities cut at one half. */
function cutAtHalf(table: ScoreTable): table is ScoreTable & Required<Pick<ScoreTable, 'yProba'>> {
  if (table.task !== 'binary' || !table.yProba) return false;
  const labels = labelsFromProbabilities(table.yProba, table);
  return labels.every((label, row) => label === table.yPred[row]);
}

/** Probabilities of 0 and 1 are a million to one. */
const EDGE = 1e-6;
const logit = (p: number) => {
  const inside = Math.min(1 - EDGE, Math.max(EDGE, p));
  return Math.log(inside / (1 - inside));
};
const logistic = (u: number) => 1 / (1 + Math.exp(-u));

/** Silverman's robust rule. */
function bandwidth(values: Float64Array, n: number): number {
  const sorted = Float64Array.from(values).sort();
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  const sd = Math.sqrt(sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, sorted.length - 1));
  const quartile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))];
  const spread = (quartile(0.75) - quartile(0.25)) / 1.349;
  return 0.9 * (spread > 0 ? Math.min(sd, spread) : sd) * n ** -0.2;
}
