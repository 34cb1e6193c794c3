/** Test rows that have a training row of their fold nearby. */
import { rowsOutside } from '../../splitters/assignment.js';
import type { FoldPlan, FoldSides } from '../../splitters/foldsOf.js';
import { KdTree } from '../../splitters/spatial/kdTree.js';
import type { Points } from '../../splitters/spatial/points.js';
import { EXAMPLES } from '../overlap.js';

/** So few test rows are looked up in one tree of all rows, or among all training rows: a tree of those would cost more. */
const FEW = 16;

export interface NearRows {
  readonly fold: string;
  readonly testRows: number;
  /** Test rows with a training row nearer than the distance. */
  readonly near: number;
  /** The first of them, and the first training row near to it; in the first folds that have any. */
  readonly example?: { readonly train: number; readonly test: number };
}

/** Counts, for each fold, the test rows that are nearer than `distance` to a training row. */
export function nearRows(folds: FoldPlan, { values, width }: Points, distance: number): NearRows[] {
  const isNear = (a: number, b: number) => {
    let square = 0;
    for (let axis = 0; axis < width; axis++) square += (values[a * width + axis] - values[b * width + axis]) ** 2;
    return Math.sqrt(square) < distance;
  };
  const treeOf = (rows?: Int32Array) => new KdTree(values, width, 'euclidean', rows);
  let ofAll: KdTree | undefined;
  const isNearAny = ({ test, train }: FoldSides): ((row: number) => boolean) => {
    if (test.length >= FEW) {
      const tree = treeOf(train ?? rowsOutside(test, folds.n));
      return (row) => tree.hasNearer(values, row, distance);
    }
    if (train) return (row) => train.some((other) => isNear(row, other));
    ofAll ??= treeOf();
    const tree = ofAll;
    return (row) => tree.hasNearer(values, row, distance, (other) => test.includes(other));
  };
  let examples = 0;
  return Array.from(folds.sides(), (sides) => {
    const { id, test, train } = sides;
    const near = test.filter(isNearAny(sides));
    const found = { fold: id, testRows: test.length, near: near.length };
    if (near.length === 0 || examples++ >= EXAMPLES) return found;
    const [row] = near;
    const other = (train ?? rowsOutside(test, folds.n)).find((each) => isNear(row, each)) as number;
    return { ...found, example: { train: other, test: row } };
  });
}
