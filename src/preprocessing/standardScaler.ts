import { boolean, type InputOf, optionTable } from '../core/options.js';
import { doubles, fields, notNegative, positive } from '../core/shape.js';
import { defineTransformer } from './defineTransformer.js';
import { MOST, measuredColumns, scaled } from './table.js';

const options = optionTable('StandardScaler', {
  withMean: boolean().default(true).describe('Subtract the mean of each column.'),
  withStd: boolean().default(true).describe('Divide by the standard deviation of each column, of n and not of n - 1.'),
});

export type StandardScalerOptions = InputOf<typeof options>;

interface State {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  readonly scale: Float64Array;
}

/**
 * Scales each column to a mean of 0 and a standard deviation of 1. Missing cells are left out and stay missing; a constant
 * column is divided by 1. With weights, a row of weight 2 counts as two rows. As scikit-learn's `StandardScaler`.
 *
 * @example
 * const scaler = new StandardScaler();
 * console.log(await scaler.fitTransform([[1, 10], [2, 20], [3, 60]]));
 * console.log(scaler.mean);
 */
export class StandardScaler extends defineTransformer({
  options,
  fit(table, _options, _y, weight): State {
    const moments = measuredColumns(table, options.owner).map((column) => momentsOf(column, weight));
    return {
      mean: Float64Array.from(moments, ({ mean }) => mean),
      variance: Float64Array.from(moments, ({ variance }) => variance),
      scale: Float64Array.from(moments, ({ scale }) => scale),
    };
  },
  state: (width) => fields({ mean: doubles(width), variance: notNegative(width), scale: positive(width) }),
  transform: (table, { mean, scale }, { withMean, withStd }) =>
    scaled(table, options.owner, withMean ? mean : undefined, withStd ? scale : undefined),
  block: { fit: blockMoments, transform: scaleBlock },
})<StandardScalerOptions> {
  /** Mean of each column. */
  get mean(): Float64Array {
    return this.fitted.mean;
  }

  /** Variance of each column, of n. */
  get variance(): Float64Array {
    return this.fitted.variance;
  }

  /** What each column is divided by. */
  get scale(): Float64Array {
    return this.fitted.scale;
  }
}

/** Two passes, so that columns far from 0 keep their digits. */
function momentsOf(column: Float64Array, weight: Float64Array | undefined) {
  let count = 0;
  let sum = 0;
  for (let row = 0; row < column.length; row++) {
    const value = column[row];
    if (Number.isNaN(value)) continue;
    const w = weight ? weight[row] : 1;
    count += w;
    sum += w * value;
  }
  const mean = sum / count;
  let squares = 0;
  let rest = 0;
  for (let row = 0; row < column.length; row++) {
    const off = column[row] - mean;
    if (Number.isNaN(off)) continue;
    const w = weight ? weight[row] : 1;
    squares += w * off * off;
    rest += w * off;
  }
  const variance = (squares - rest ** 2 / count) / count;
  return { mean, variance, scale: isConstant(mean, variance, count) ? 1 : Math.sqrt(variance) };
}

/**
 * As {@link momentsOf} for each column, in the same order of sums. Four rows are taken at a time, because reading and writing
 * the sums costs more than they do.
 */
function blockMoments(cells: Float64Array, width: number, weight: Float64Array | undefined): State | undefined {
  const [sums, squares, rests] = [0, 0, 0].map(() => new Float64Array(width));
  const n = cells.length / width;
  const weightAt = (row: number) => (row >= n ? 0 : weight ? weight[row] : 1);
  // Rows beyond the last one count as it with a weight of 0.
  const placeOf = (row: number) => Math.min(row, n - 1) * width;
  let count = 0;
  for (let row = 0; row < n; row++) count += weightAt(row);
  for (let row = 0; row < n; row += 4) {
    const [a, b, c, d] = [placeOf(row), placeOf(row + 1), placeOf(row + 2), placeOf(row + 3)];
    const [wA, wB, wC, wD] = [weightAt(row), weightAt(row + 1), weightAt(row + 2), weightAt(row + 3)];
    for (let column = 0; column < width; column++) {
      const xA = cells[a + column];
      const xB = cells[b + column];
      const xC = cells[c + column];
      const xD = cells[d + column];
      sums[column] = sums[column] + wA * xA + wB * xB + wC * xC + wD * xD;
      if (!(canSquare(xA) && canSquare(xB) && canSquare(xC) && canSquare(xD))) return undefined;
    }
  }
  const mean = sums.map((sum) => sum / count);
  for (let row = 0; row < n; row += 4) {
    const [a, b, c, d] = [placeOf(row), placeOf(row + 1), placeOf(row + 2), placeOf(row + 3)];
    const [wA, wB, wC, wD] = [weightAt(row), weightAt(row + 1), weightAt(row + 2), weightAt(row + 3)];
    for (let column = 0; column < width; column++) {
      const xA = cells[a + column] - mean[column];
      const xB = cells[b + column] - mean[column];
      const xC = cells[c + column] - mean[column];
      const xD = cells[d + column] - mean[column];
      squares[column] = squares[column] + wA * xA * xA + wB * xB * xB + wC * xC * xC + wD * xD * xD;
      rests[column] = rests[column] + wA * xA + wB * xB + wC * xC + wD * xD;
    }
  }
  const variance = squares.map((sum, column) => (sum - rests[column] ** 2 / count) / count);
  const scale = variance.map((own, column) => (isConstant(mean[column], own, count) ? 1 : Math.sqrt(own)));
  return { mean, variance, scale };
}

const canSquare = (cell: number) => cell <= MOST && cell >= -MOST;

function scaleBlock(
  cells: Float64Array,
  { mean, scale }: State,
  { withMean, withStd }: { readonly withMean: boolean; readonly withStd: boolean },
): boolean {
  const centre = withMean ? mean : new Float64Array(mean.length);
  const spread = withStd ? scale : new Float64Array(mean.length).fill(1);
  let rest = 0;
  for (let at = 0; at < cells.length; ) {
    for (let column = 0; column < centre.length; column++, at++) {
      const cell = (cells[at] - centre[column]) / spread[column];
      cells[at] = cell;
      // A finite number less itself is 0.
      rest += cell - cell;
    }
  }
  return rest === 0;
}

/** The bound of scikit-learn for what rounding may leave of the variance of a constant column. */
export function isConstant(mean: number, variance: number, count: number): boolean {
  return variance <= count * Number.EPSILON * variance + (count * mean * Number.EPSILON) ** 2;
}
