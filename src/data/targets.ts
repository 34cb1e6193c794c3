/** A regression with several targets, whose places stand in `classes`. */
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
