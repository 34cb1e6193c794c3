import { classText } from '../data/labels.js';
import { columnsOf, meanArea } from './meanArea.js';
import type { Metric } from './metric.js';

/**
 * Mean over the classes of the area under the ROC curve of each class against all others; multilabel: mean over the
 * labels. As scikit-learn's `roc_auc_score(multi_class='ovr', average='macro')`. Undefined, with the class named, where
 * one has no rows, or nothing else has.
 *
 * Source: Provost & Domingos 2001, CeDER Working Paper IS-00-04, with every class counting alike.
 */
export const rocAucOvrMacro: Metric = {
  name: 'roc_auc_ovr_macro',
  description: 'Mean area under the ROC curve of each class against all others, or of each label (Provost 2001).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['multiclass', 'multilabel'],
  needs: 'probabilities',
  combine: 'mean',
  dependsOnPrevalence: true,
  stratum: ({ task, yTrue }, row) => (task === 'multilabel' ? 0 : yTrue[row]),
  ...meanArea((table) => {
    const { task, yTrue, yProba, classes } = table;
    const scores = columnsOf(yProba as Float64Array, classes.length);
    const labels = task === 'multilabel' ? columnsOf(yTrue, classes.length) : undefined;
    return scores.map((column, code) => ({
      ...table,
      scores: column,
      of: ` of ${labels ? 'label' : 'class'} ${classText(classes, code)}`,
      ...(labels ? { yTrue: labels[code], positive: 1 } : { positive: code }),
    }));
  }),
};
