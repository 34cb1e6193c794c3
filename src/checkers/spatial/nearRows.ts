/** Test rows that have a training row of their fold nearby. */
import type { FoldPlan } from '../../splitters/foldsOf.js';
import { KdTree } from '../../splitters/spatial/kdTree.js';
import type { Points } from '../../splitters/spatial/points.js';

/** Below this many test rows, looking at all training rows costs less than a tree over them. */
const FEW = 16;

export interface NearRows {
  readonly fold: string;
  readonly testRows: number;
  /** Test rows with a training row nearer than the distance. */
  readonly near: number;
  /** The first of them, and a training row near to it. */
  readonly example?: { readonly train: number; readonly test: number };
}

/** Counts, for each fold, the test rows that are nearer than `distance` to a training row. */
export function nearRows(folds: FoldPlan, { values, width }: Points, distance: number): NearRows[] {
  const limit = distance * distance;
  const isNear = (a: number, b: number) => {
    let square = 0;
    for (let axis = 0; axis < width; axis++) square += (values[a * width + axis] - values[b * width + axis]) ** 2;
    return square < limit;
  };
  return Array.from(folds, ({ id, train, test }) => {
    const tree = test.length < FEW ? undefined : new KdTree(values, width, 'euclidean', train);
    const near = test.filter((row) =>
      tree ? tree.hasNearer(values, row, distance) : train.some((other) => isNear(row, other)),
    );
    const other = near.length > 0 ? train.find((row) => isNear(near[0], row)) : undefined;
    const example = other === undefined ? {} : { example: { train: other, test: near[0] } };
    return { fold: id, testRows: test.length, near: near.length, ...example };
  });
}
