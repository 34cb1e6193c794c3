import { dice } from './dice.js';
import type { Metric } from './metric.js';

/** {@link dice} under scikit-learn's name for labels: the mean over rows of the F1 of the row's labels. */
export const f1Samples: Metric = {
  ...dice,
  name: 'f1_samples',
  description: 'Mean over rows of the F1 of their labels, 1 for a row without any; the same number as dice.',
};
