import { classText } from '../data/labels.js';
import { columnsOf, meanArea } from './meanArea.js';
import type { Metric } from './metric.js';

/**
 * Mean over the pairs of classes of the area under the ROC curve within the rows of the two, ranked once by the
 * probability of either class: the M of Hand & Till. As scikit-learn's `roc_auc_score(multi_class='ovo',
 * average='macro')`. It does not change with the share of the classes. Undefined, with the pair named, where a class has
 * no rows.
 *
 * Source: Hand & Till 2001, Machine Learning 45:171.
 */
export const rocAucOvoMacro: Metric = {
  name: 'roc_auc_ovo_macro',
  description: 'Mean area under the ROC curve over all pairs of classes (Hand & Till 2001).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['multiclass'],
  needs: 'probabilities',
  combine: 'mean',
  stratum: ({ yTrue }, row) => yTrue[row],
  ...meanArea((table) => {
    const { yTrue, yProba, weight, classes } = table;
    const scores = columnsOf(yProba as Float64Array, classes.length);
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
