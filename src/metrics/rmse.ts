import type { Metric } from './metric.js';
import { mse } from './mse.js';

/** Square root of the mean squared error, in the unit of `y`. */
export const rmse: Metric = {
  name: 'rmse',
  description: 'Square root of the mean squared error.',
  direction: 'minimize',
  range: [0, Number.POSITIVE_INFINITY],
  tasks: ['regression'],
  needs: 'labels',
  combine: 'pooled',
  weighted: true,
  compute(table) {
    const value = mse.compute(table);
    return typeof value === 'number' ? Math.sqrt(value) : value;
  },
  // By the delta method; without any error there is no slope, and nothing to say.
  influence: (table, estimate) =>
    (mse.influence as NonNullable<Metric['influence']>)(table, estimate ** 2).map((each) =>
      estimate === 0 ? 0 : each / (2 * estimate),
    ),
};
