import { f1Macro } from './f1Macro.js';
import type { Metric } from './metric.js';
import { overlapOf } from './overlap.js';
import { ratioOfSums } from './ratioOfSums.js';

/**
 * F1 of all classes' counts added up, 2 TP / (2 TP + FP + FN). Where a row has one class it is the accuracy; it differs
 * for multilabel tables, and is undefined there when no row has a label in truth or prediction.
 *
 * Source: as {@link f1Macro}.
 */
export const f1Micro: Metric = {
  ...f1Macro,
  name: 'f1_micro',
  description: 'F1 of the counts of all classes or labels added up; accuracy where rows have one class (Yang 1999).',
  stratum: (table, row) => (table.task === 'multilabel' && overlapOf(table).sum[row] === 0 ? -1 : 0),
  ...ratioOfSums((table) => {
    const { task, yTrue, yPred } = table;
    if (task !== 'multilabel') return { part: (row) => (yTrue[row] === yPred[row] ? 1 : 0) };
    const { both, sum } = overlapOf(table);
    return { part: (row) => 2 * both[row], whole: (row) => sum[row] };
  }, 'no row has a label in truth or prediction'),
};
