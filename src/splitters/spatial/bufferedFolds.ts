import { InfeasibleSplitError, phrase, sentence } from '../../core/errors.js';
import { tally } from '../../data/encode.js';
import { cutOut } from '../assignment.js';
import type { Fold } from '../splitter.js';
import { KdTree, type Metric } from './kdTree.js';
import type { Points } from './points.js';

/** Training rows nearer than `radius` to a test row in this space are left out. A row at the radius itself stays. */
export interface Buffer {
  readonly space: Points;
  readonly metric: Metric;
  readonly radius: number;
}

export interface TestSets {
  readonly foldOf: Int32Array;
  readonly ids: readonly string[];
}

/**
 * Folds in which each row is tested once and every training row respects all buffers; the others are
 * `excluded.buffered`. Folds are made one at a time; one tree per test set is kept, O(n) numbers for all of them.
 *
 * Throws `InfeasibleSplitError` now when a fold would have no row to train on. `size` describes the buffer in that
 * message.
 */
export function bufferedFolds(
  owner: string,
  { foldOf, ids }: TestSets,
  buffers: readonly Buffer[] = [],
  size = '',
): Iterable<Fold> {
  const sizes = tally(foldOf, ids.length);
  const guards = ids.map((id, fold) => {
    const { train, test } = cutOut(foldOf, fold, sizes[fold]);
    const isNear = nearnessTo(test, buffers);
    if (train.every(isNear)) throw nothingToTrain(owner, id, test.length, train.length, size);
    return isNear;
  });
  return { [Symbol.iterator]: () => cut() };

  function* cut(): Generator<Fold> {
    for (const [fold, id] of ids.entries()) {
      const { train, test } = cutOut(foldOf, fold, sizes[fold]);
      const near = train.map((row) => Number(guards[fold](row)));
      const buffered = train.filter((_, at) => near[at] === 1);
      if (buffered.length === 0) yield { id, train, test };
      else yield { id, train: train.filter((_, at) => near[at] === 0), test, excluded: { buffered } };
    }
  }
}

function nearnessTo(test: Int32Array, buffers: readonly Buffer[]): (row: number) => boolean {
  const trees = buffers.map(({ space, metric }) => new KdTree(space.values, space.width, metric, test));
  return (row) => buffers.some(({ space, radius }, at) => trees[at].hasNearer(space.values, row, radius));
}

function nothingToTrain(owner: string, id: string, tested: number, others: number, size: string): InfeasibleSplitError {
  const fold = `${id.startsWith('fold') ? id : `Fold ${id}`} of ${owner}`;
  return new InfeasibleSplitError(
    others === 0
      ? sentence(fold, 'leave a row to train on', phrase(`all ${tested} rows in its test set`))
      : sentence(
          fold,
          'leave a row to train on',
          phrase(`all ${others} rows outside its test set within ${size}`),
          'Use a smaller buffer.',
        ),
  );
}
