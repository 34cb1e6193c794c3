import { invalidData } from '../core/errors.js';
import { mean } from '../core/numbers.js';
import { type InputOf, number, optionTable } from '../core/options.js';
import { fields, list, notNegative, whole } from '../core/shape.js';
import { defineTransformer } from './defineTransformer.js';
import { rangeOf } from './minMaxScaler.js';
import { measuredColumns, takeColumns } from './table.js';

const options = optionTable('VarianceThreshold', {
  threshold: number({ min: 0 }).default(0).describe('Columns with a variance of no more than this are left out.'),
});

export type VarianceThresholdOptions = InputOf<typeof options>;

interface State {
  readonly variances: Float64Array;
  readonly kept: readonly number[];
}

/**
 * Leaves out columns that hardly vary, by default those that are constant. Missing cells are not counted. As scikit-learn's
 * `VarianceThreshold`.
 */
export class VarianceThreshold extends defineTransformer({
  options,
  fit(table, { threshold }): State {
    const variances = Float64Array.from(measuredColumns(table, options.owner), (column) =>
      varianceOf(column, threshold),
    );
    const kept = Array.from(variances, (_, at) => at).filter((at) => variances[at] > threshold);
    if (kept.length > 0) return { variances, kept };
    const got = `none of ${table.names.length}`;
    throw invalidData('no_columns', 'The columns for VarianceThreshold', `vary by more than ${threshold}`, got);
  },
  state: (width) => fields({ variances: notNegative(width), kept: list(whole(width)) }),
  transform: (table, { kept }) => takeColumns(table, kept),
})<VarianceThresholdOptions> {
  /** Variance of each column, of n; with the threshold 0, the range of a column where that is smaller. */
  get variances(): Float64Array {
    return this.fitted.variances;
  }

  /** For each column of `fit` whether it is kept. */
  getSupport(): readonly boolean[] {
    return Array.from(this.fitted.variances, (_, at) => this.fitted.kept.includes(at));
  }
}

/** The range of a constant column is 0, where rounding may leave a variance: scikit-learn takes the smaller of the two. */
function varianceOf(column: Float64Array, threshold: number): number {
  const present = column.filter((value) => !Number.isNaN(value));
  const centre = mean(present);
  const variance = mean(present.map((value) => (value - centre) ** 2));
  if (threshold > 0) return variance;
  const [least, most] = rangeOf(present);
  return Math.min(variance, most - least);
}
