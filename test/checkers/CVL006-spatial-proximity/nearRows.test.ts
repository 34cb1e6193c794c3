import { describe, expect, it } from 'vitest';
import { nearRows } from '../../../src/checkers/CVL006-spatial-proximity/spatialProximity.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';
import type { Splitter } from '../../../src/splitters/splitter.js';

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

describe('folds of every kind', () => {
  const values = Float64Array.from({ length: 200 }, (_, i) => (i * 37.7) % 11);
  const near = (a: number, b: number) =>
    Math.sqrt((values[2 * a] - values[2 * b]) ** 2 + (values[2 * a + 1] - values[2 * b + 1]) ** 2) < 0.8;

  it.each<Splitter>([
    new KFold({ nSplits: 4, shuffle: true, randomState: 1 }),
    new LOOCV(),
    new KFold({ nSplits: 20, shuffle: true, randomState: 1 }),
    new PredefinedSplit({ testFold: Array.from({ length: 100 }, (_, row) => (row < 5 ? 0 : -1)) }),
    new PredefinedSplit({ folds: [{ train: [7, 8, 9, 40], test: [0, 1] }] }),
    new BootstrapValidation({ nIterations: 3, randomState: 1 }),
  ])('have the rows that all pairs show, with examples of the first folds: %o', (splitter) => {
    const folds = foldsOf(splitter, 100);
    const found = nearRows(folds, { values, width: 2 }, 0.8);
    const byPairs = Array.from(folds, ({ id, train, test }) => {
      const close = Array.from(test).filter((row) => train.some((other) => near(row, other)));
      const example = { train: train.find((other) => near(close[0], other)), test: close[0] };
      return { fold: id, testRows: test.length, near: close.length, ...(close.length > 0 ? { example } : {}) };
    });
    expect(found.map(({ fold, testRows, near }) => ({ fold, testRows, near }))).toEqual(
      byPairs.map(({ fold, testRows, near }) => ({ fold, testRows, near })),
    );
    const shown = byPairs.flatMap(({ example }) => example ?? []);
    expect(shown.length).toBeGreaterThan(0);
    expect(found.flatMap(({ example }) => example ?? [])).toEqual(shown.slice(0, 5));
  });
});
