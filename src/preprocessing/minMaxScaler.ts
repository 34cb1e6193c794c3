import { boolean, custom, type InputOf, optionTable } from '../core/options.js';
import { doubles, fields, notNegative } from '../core/shape.js';
import { defineTransformer } from './defineTransformer.js';
import { measuredColumns, numericColumns } from './table.js';

const isRange = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1];

const options = optionTable('MinMaxScaler', {
  featureRange: custom<readonly [number, number]>('[number, number]', 'be two numbers, the smaller one first', isRange)
    .default([0, 1])
    .describe('What the smallest and the largest value of each column become.'),
  clip: boolean().default(false).describe('Keep later values within that range.'),
});

export type MinMaxScalerOptions = InputOf<typeof options>;

interface State {
  readonly dataMin: Float64Array;
  readonly dataMax: Float64Array;
}

/** Spreads below this are those of constant columns, as in scikit-learn. */
const NO_SPREAD = 10 * Number.EPSILON;

export const spreadOrOne = (spread: number) => (spread < NO_SPREAD ? 1 : spread);

/** Smallest and largest value; NaN where all are. */
export function rangeOf(column: Float64Array): readonly [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of column) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? [least, most] : [Number.NaN, Number.NaN];
}

/** Scales each column to a range. Missing cells stay missing. As scikit-learn's `MinMaxScaler`. */
export class MinMaxScaler extends defineTransformer({
  options,
  fit(table): State {
    const ranges = measuredColumns(table, options.owner).map(rangeOf);
    return {
      dataMin: Float64Array.from(ranges, ([least]) => least),
      dataMax: Float64Array.from(ranges, ([, most]) => most),
    };
  },
  state: (width) => (value, at) =>
    fields({ dataMin: doubles(width), dataMax: doubles(width) })(value, at) ??
    notNegative(width)(
      (value as State).dataMax.map((high, place) => high - (value as State).dataMin[place]),
      `${at} dataMax less dataMin`,
    ),
  transform(table, { dataMin, dataMax }, { featureRange: [low, high], clip }) {
    const columns = numericColumns(table, options.owner).map((column, at) => {
      const scale = (high - low) / spreadOrOne(dataMax[at] - dataMin[at]);
      const shift = low - dataMin[at] * scale;
      return column.map((value) => {
        const scaled = value * scale + shift;
        return clip && !Number.isNaN(scaled) ? Math.min(high, Math.max(low, scaled)) : scaled;
      });
    });
    return { ...table, columns };
  },
})<MinMaxScalerOptions> {
  /** Smallest value of each column. */
  get dataMin(): Float64Array {
    return this.fitted.dataMin;
  }

  /** Largest value of each column. */
  get dataMax(): Float64Array {
    return this.fitted.dataMax;
  }
}
