import type { Metric } from './metric.js';
import { sensitivity } from './sensitivity.js';

/** {@link sensitivity} under its name in information retrieval. */
export const recall: Metric = {
  ...sensitivity,
  name: 'recall',
  description: 'Share of the positive rows that are found; the same number as sensitivity.',
};
