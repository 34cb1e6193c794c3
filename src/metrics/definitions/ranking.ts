import { hasReason } from '../../core/hasReason.js';
import { mean } from '../../core/numbers.js';
import { classText } from '../../data/labels.js';
import { type Metric, type Undefined, undefinedBecause } from '../metric.js';
import {
  ascendingOrder,
  concordance,
  type Ranked,
  type RocPlacements,
  rankedLabels,
  rocPlacements,
} from '../rocPlacements.js';
import type { ScoreTable } from '../scoreTable.js';

const RANKS = {
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'probabilities',
  combine: 'mean',
} as const;

/**
 * Exact with ties and weights, O(n log n). Never reversed: a model that ranks the wrong way scores below .5.
 * Source: Hanley & McNeil 1982, Radiology 143:29; the Mann-Whitney form.
 */
export const rocAuc: Metric = {
  ...RANKS,
  name: 'roc_auc',
  chance: () => 0.5,
  seInflation: 1.2,
  description:
    'Probability that a positive row scores above a negative one, ties counting half (Hanley & McNeil 1982).',
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? 1 : 0),
  ...meanAuc((table) => [{ ...table, scores: table.yProba as Float64Array }]),
};

/**
 * As scikit-learn's `roc_auc_score(multi_class='ovr', average='macro')`. Undefined where a class has no rows.
 * Source: Provost & Domingos 2001, CeDER Working Paper IS-00-04, with every class counting alike.
 */
export const rocAucOvrMacro: Metric = {
  ...RANKS,
  name: 'roc_auc_ovr_macro',
  chance: () => 0.5,
  description: 'Mean area under the ROC curve of each class against all others, or of each label (Provost 2001).',
  tasks: ['multiclass', 'multilabel'],
  dependsOnPrevalence: true,
  stratum: ({ task, yTrue }, row) => (task === 'multilabel' ? 0 : yTrue[row]),
  ...meanAuc((table) => {
    const { task, yTrue, yProba, classes } = table;
    const scores = scoreColumns(yProba as Float64Array, classes.length);
    const labels = task === 'multilabel' ? scoreColumns(yTrue, classes.length) : undefined;
    return scores.map((column, code) => ({
      ...table,
      scores: column,
      of: ` of ${labels ? 'label' : 'class'} ${classText(classes, code)}`,
      ...(labels ? { yTrue: labels[code], positive: 1 } : { positive: code }),
    }));
  }),
};

/**
 * Within the rows of a pair of classes, ranked once by the probability of either: the M of Hand & Till. As
 * scikit-learn's `roc_auc_score(multi_class='ovo', average='macro')`. Undefined where a class has no rows.
 * Source: Hand & Till 2001, Machine Learning 45:171.
 */
export const rocAucOvoMacro: Metric = {
  ...RANKS,
  name: 'roc_auc_ovo_macro',
  chance: () => 0.5,
  description: 'Mean area under the ROC curve over all pairs of classes (Hand & Till 2001).',
  tasks: ['multiclass'],
  stratum: ({ yTrue }, row) => yTrue[row],
  ...meanAuc((table) => {
    const { yTrue, yProba, weight, classes } = table;
    const scores = scoreColumns(yProba as Float64Array, classes.length);
    return scores.flatMap((column, positive) =>
      scores.flatMap((_, other) => {
        if (other === positive) return [];
        const inPair = (row: number) => yTrue[row] === positive || yTrue[row] === other;
        return {
          ...table,
          scores: column,
          positive,
          weight: column.map((__, row) => (inPair(row) ? (weight ? weight[row] : 1) : 0)),
          of: ` in the pair ${classText(classes, positive)}, ${classText(classes, other)}`,
        };
      }),
    );
  }),
};

export type AucProblem = Ranked & {
  /** Which area it is, for the reason why it is undefined: " of class 'b'". */
  readonly of?: string;
};

/**
 * Mean of areas under the ROC curve, undefined when one of them is. The influence of a row is the mean of what it adds
 * to each area: its placement among the rows of the other class less the area, over the weight of its own class.
 * Source: {@link rocPlacements}; the mean of areas, Hand & Till 2001, Machine Learning 45:171.
 */
export function meanAuc(
  problemsOf: (table: ScoreTable) => readonly AucProblem[],
): Required<Pick<Metric, 'weighted' | 'compute' | 'influence'>> {
  return {
    weighted: true,
    compute(table) {
      const problems = problemsOf(table);
      let sum = 0;
      for (const problem of problems) {
        const { positives, negatives, concordant } = concordance(problem);
        if (positives === 0) return undefinedBecause(`no positive rows${problem.of ?? ''}`);
        if (negatives === 0) return undefinedBecause(`no negative rows${problem.of ?? ''}`);
        sum += Math.min(1, concordant / (positives * negatives)); // fractional weights may round to just above 1
      }
      return sum / problems.length;
    },
    influence(table, estimate) {
      const problems = problemsOf(table);
      const found = problems.map(rocPlacements).filter((each): each is RocPlacements => !hasReason(each));
      const out = new Float64Array(table.length);
      if (found.length < problems.length) return out;
      const shift = estimate - mean(found.map(({ auc }) => auc)); // the same for each area
      found.forEach(({ auc, positives, negatives, values }, i) => {
        const { yTrue, positive, weight } = problems[i];
        for (let row = 0; row < out.length; row++) {
          const total = (yTrue[row] === positive ? positives : negatives) * found.length;
          out[row] += ((weight ? weight[row] : 1) * (values[row] - auc - shift)) / total;
        }
      });
      return out;
    },
  };
}

const columnsByArray = new WeakMap<ArrayLike<number>, Float64Array[]>();

/**
 * Kept with the array: a thousand resamples read the same scores, and the order of a column's scores is kept with the
 * column.
 */
export function scoreColumns(values: ArrayLike<number>, width: number): Float64Array[] {
  let found = columnsByArray.get(values);
  if (found?.length !== width) {
    found = Array.from({ length: width }, (_, column) =>
      Float64Array.from({ length: values.length / width }, (__, row) => values[row * width + column]),
    );
    columnsByArray.set(values, found);
  }
  return found;
}

/**
 * Rows of equal score share one threshold. Undefined with one class alone, where scikit-learn gives 0 or 1 whatever the
 * model.
 * Source: Buckley & Voorhees 2000, SIGIR 33; the step-wise form, Boyd, Eng & Page 2013, ECML PKDD 451. The influence is
 * its derivative in the weight of a row.
 */
export const averagePrecision: Metric = {
  ...RANKS,
  name: 'average_precision',
  chance: (_, prevalence) => prevalence,
  description: 'Mean over the positive rows of the precision at their score (Buckley & Voorhees 2000).',
  weighted: true,
  dependsOnPrevalence: true,
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? 1 : 0),
  compute: (table) => precisions(table),
  influence(table, estimate) {
    const { weight } = table;
    const out = new Float64Array(table.length);
    precisions(table, (row, isPositive, precision, share, loss, positives) => {
      const own = isPositive ? precision - estimate + share : 0;
      out[row] = ((weight ? weight[row] : 1) * (own - loss)) / positives;
    });
    return out;
  },
};

type AtRow = (
  row: number,
  isPositive: number,
  precision: number,
  share: number,
  loss: number,
  positives: number,
) => void;

/**
 * `atRow` gets the precision at the score of a row, and sums over the positive rows that score no higher: the `share` that
 * one more positive row at this score would add to their precisions, and the `loss` that one more row of any class would
 * take from them.
 */
function precisions(table: ScoreTable, atRow?: AtRow): number | Undefined {
  const ranked = { ...table, scores: table.yProba as Float64Array };
  const { positives, negatives } = concordance(ranked);
  if (positives === 0 || negatives === 0) {
    return undefinedBecause(`no ${positives > 0 ? 'negative' : 'positive'} rows`);
  }
  let [sum, share, loss] = [0, 0, 0];
  const order = ascendingOrder(ranked.scores);
  const ofPositive = rankedLabels(ranked);
  concordance(ranked, (from, to, belowPositive, belowNegative, tied) => {
    const found = positives - belowPositive;
    const called = found + negatives - belowNegative;
    const precision = called > 0 ? found / called : 0;
    if (tied > 0) {
      sum += tied * precision;
      share += tied / called;
      loss += (tied * precision) / called;
    }
    if (!atRow) return;
    for (let at = from; at < to; at++) atRow(order[at], ofPositive[at], precision, share, loss, positives);
  });
  return Math.min(1, sum / positives);
}
