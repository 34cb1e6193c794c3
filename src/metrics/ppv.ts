import type { Metric } from './metric.js';
import { precision } from './precision.js';

/** {@link precision} under its name in diagnostics: the positive predictive value at the prevalence of these rows. */
export const ppv: Metric = {
  ...precision,
  name: 'ppv',
  description: 'Positive predictive value at the prevalence of these rows; the same number as precision.',
};
