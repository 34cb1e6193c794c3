/** A regression with several targets, whose places stand in `classes`. */
import { mean } from '../core/numbers.js';
import type { Labels } from './labels.js';

export const hasSeveralTargets = ({ task, classes }: Pick<Labels, 'task' | 'classes'>): boolean =>
  task === 'regression' && classes.length > 0;

/** The numbers of each target; of one, the numbers as they are. */
export function targetColumns({ numbers, length }: Pick<Labels, 'numbers' | 'length'>): Float64Array[] {
  const width = numbers.length / length;
  if (width === 1) return [numbers];
  return Array.from({ length: width }, (_, target) =>
    Float64Array.from({ length }, (_, row) => numbers[row * width + target]),
  );
}

/** `y`, or the name of each of several targets. */
export const targetName = (target: number, { length }: readonly unknown[]): string =>
  length > 1 ? `target ${target}` : 'y';

/** Numbers of several targets as a list per row. */
export const rowsOfTargets = (numbers: ArrayLike<number>, width: number): number[][] =>
  Array.from({ length: numbers.length / width }, (_, row) =>
    Array.prototype.slice.call(numbers, row * width, (row + 1) * width),
  );

/** One number per row of what has no classes: the number itself, of several targets their mean in standard deviations, of a mask the share that is marked. */
export function numberPerRow({ shape, numbers, indicators, classes, length }: Labels): Float64Array {
  if (!shape) return classes.length > 0 ? standardisedMeans(targetColumns({ numbers, length })) : numbers;
  const width = classes.length;
  return Float64Array.from({ length }, (_, row) => mean(indicators.subarray(row * width, (row + 1) * width)));
}

/** Of each row, the mean of its targets in standard deviations. */
function standardisedMeans(targets: readonly Float64Array[]): Float64Array {
  const centres = targets.map((values) => mean(values));
  const spreads = targets.map((values, at) => Math.sqrt(mean(values.map((value) => (value - centres[at]) ** 2))) || 1);
  return targets[0].map((_, row) => mean(targets.map((values, at) => (values[row] - centres[at]) / spreads[at])));
}
