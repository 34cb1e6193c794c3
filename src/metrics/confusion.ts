/** The weighted 2 x 2 table behind sensitivity, specificity, precision, F1 and their kin. */
import type { ScoreTable } from './scoreTable.js';

/** Sums of weights by truth and prediction. */
export interface Confusion {
  readonly truePositive: number;
  readonly falsePositive: number;
  readonly falseNegative: number;
  readonly trueNegative: number;
}

/** Counts of a binary table; its `positive` class is the positive one. */
export function confusion({ yTrue, yPred, weight, length, positive }: ScoreTable): Confusion {
  let truePositive = 0;
  let falsePositive = 0;
  let falseNegative = 0;
  let trueNegative = 0;
  for (let row = 0; row < length; row++) {
    const w = weight ? weight[row] : 1;
    if (yTrue[row] === positive) {
      if (yPred[row] === positive) truePositive += w;
      else falseNegative += w;
    } else if (yPred[row] === positive) falsePositive += w;
    else trueNegative += w;
  }
  return { truePositive, falsePositive, falseNegative, trueNegative };
}
