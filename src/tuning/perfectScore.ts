/** Whether a metric can have a value on some rows at all, whatever is predicted. */
import { type Metric, type Score, score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';

/** The score of predictions that equal the truth; null with the reason where even these have none. */
export const perfectScore = (metric: Metric, { fixed: _fixed, ...table }: ScoreTable): Score =>
  score(metric, { ...table, yPred: table.yTrue, ...(table.task === 'regression' ? {} : { yProba: certain(table) }) });

/** Probability 1 for what is true. */
function certain({ task, yTrue, positive, classes, length }: Omit<ScoreTable, 'fixed'>): Float64Array {
  if (task === 'binary') return Float64Array.from(yTrue, (code) => Number(code === positive));
  if (task !== 'multiclass') return Float64Array.from(yTrue);
  const probabilities = new Float64Array(length * classes.length);
  for (let row = 0; row < length; row++) probabilities[row * classes.length + yTrue[row]] = 1;
  return probabilities;
}
