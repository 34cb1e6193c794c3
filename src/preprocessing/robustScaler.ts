import { boolean, custom, type InputOf, optionTable } from '../core/options.js';
import { sortedQuantile } from '../core/quantiles.js';
import { doubles, fields, positive } from '../core/shape.js';
import { defineTransformer } from './defineTransformer.js';
import { spreadOrOne } from './minMaxScaler.js';
import { measuredColumns, scaled } from './table.js';

const isRange = (value: unknown) =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every((each) => Number.isFinite(each) && each >= 0 && each <= 100) &&
  value[0] < value[1];

const options = optionTable('RobustScaler', {
  withCentering: boolean().default(true).describe('Subtract the median of each column.'),
  withScaling: boolean().default(true).describe('Divide by the distance of two quantiles of each column.'),
  quantileRange: custom<readonly [number, number]>(
    '[number, number]',
    'be two percentages, the smaller one first',
    isRange,
  )
    .default([25, 75])
    .describe('The two quantiles, in percent.'),
});

export type RobustScalerOptions = InputOf<typeof options>;

interface State {
  readonly center: Float64Array;
  readonly scale: Float64Array;
}

/** Centres each column at its median and scales it by its quartiles. Missing cells stay missing. As scikit-learn's `RobustScaler`. */
export class RobustScaler extends defineTransformer({
  options,
  fit(table, { quantileRange: [low, high] }): State {
    const sorted = measuredColumns(table, options.owner).map((column) =>
      column.filter((value) => !Number.isNaN(value)).sort(),
    );
    return {
      center: Float64Array.from(sorted, (column) => sortedQuantile(column, 0.5)),
      scale: Float64Array.from(sorted, (column) =>
        spreadOrOne(sortedQuantile(column, high / 100) - sortedQuantile(column, low / 100)),
      ),
    };
  },
  state: (width) => fields({ center: doubles(width), scale: positive(width) }),
  transform: (table, { center, scale }, { withCentering, withScaling }) =>
    scaled(table, options.owner, withCentering ? center : undefined, withScaling ? scale : undefined),
})<RobustScalerOptions> {
  /** Median of each column. */
  get center(): Float64Array {
    return this.fitted.center;
  }

  /** What each column is divided by. */
  get scale(): Float64Array {
    return this.fitted.scale;
  }
}
