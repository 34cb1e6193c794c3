import { expect, it } from 'vitest';
import { nearRows } from '../../../src/checkers/spatial/nearRows.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';

it('counts test rows with a training row nearer than the distance', () => {
  // Places 0, 1, 5, 6, 20 on a line; 0 and 5 are tested against 1, 6, 20, then the other way round.
  const points = { values: Float64Array.of(0, 1, 5, 6, 20), width: 1 };
  const folds = foldsOf(new PredefinedSplit({ testFold: [0, 1, 0, 1, 1] }), 5);
  expect(nearRows(folds, points, 1.5)).toEqual([
    { fold: 'fold-0', testRows: 2, near: 2, example: { train: 1, test: 0 } },
    { fold: 'fold-1', testRows: 3, near: 2, example: { train: 0, test: 1 } },
  ]);
  // A row at the distance itself is not nearer.
  expect(nearRows(folds, points, 1)).toEqual([
    { fold: 'fold-0', testRows: 2, near: 0 },
    { fold: 'fold-1', testRows: 3, near: 0 },
  ]);
});

it('tells the same by a tree as by all pairs', () => {
  const values = Float64Array.from({ length: 200 }, (_, i) => (i * 37.7) % 11);
  const folds = foldsOf(new KFold({ nSplits: 4, shuffle: true, randomState: 1 }), 100);
  const found = nearRows(folds, { values, width: 2 }, 0.8);
  const byPairs = Array.from(folds, ({ train, test }) => {
    const distance = (a: number, b: number) =>
      Math.hypot(values[2 * a] - values[2 * b], values[2 * a + 1] - values[2 * b + 1]);
    return Array.from(test).filter((row) => Array.from(train).some((other) => distance(row, other) < 0.8)).length;
  });
  expect(found.map(({ near }) => near)).toEqual(byPairs);
  expect(byPairs.some((count) => count > 0)).toBe(true);
});
