/** Distances and scores of masks against scipy and numpy (test/reference/masks.py, which says how MONAI's formulas were taken). */
import { describe, expect, it } from 'vitest';
import { dice, iou } from '../../../src/metrics/definitions/multilabel.js';
import { squaredDistances } from '../../../src/metrics/masks/distanceTransform.js';
import { type MaskPair, maskPair } from '../../../src/metrics/masks/maskPair.js';
import {
  hausdorffDistance,
  normalisedSurfaceDistance,
  surfaceDistances,
} from '../../../src/metrics/masks/surfaceDistances.js';
import reference from '../../reference/masks.json' with { type: 'json' };

const { versions, tolerances, percentiles, transforms, pairs, maps } = reference;

interface Expected {
  elements: number[];
  sums: number[] | null;
  hausdorff: number[] | null;
  nsd: number[];
  dice: number;
  iou: number;
}

/** Lengths of runs, the first of zeros. */
const unpacked = (runs: readonly number[]) =>
  Uint8Array.from(runs.flatMap((length, at) => new Array<number>(length).fill(at % 2)));

function expectClose(value: number, expected: number) {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
}

function expectScores(pair: MaskPair, expected: Expected) {
  const distances = surfaceDistances(pair);
  const both = [distances.fromTruth, distances.fromPrediction];
  expect(both.map(({ length }) => length)).toEqual(expected.elements);
  if (expected.sums) {
    for (const [at, sum] of expected.sums.entries())
      expectClose(
        both[at].reduce((all, each) => all + each, 0),
        sum,
      );
  }
  if (expected.hausdorff === null) expect(hausdorffDistance(distances)).toBe(null);
  else expectClose(hausdorffDistance(distances) as number, expected.hausdorff[percentiles.indexOf(95)]);
  for (const [at, tolerance] of tolerances.entries()) {
    expectClose(normalisedSurfaceDistance(distances, tolerance), expected.nsd[at]);
  }
  const { truth: yTrue, prediction: yPred } = pair;
  const row = { task: 'multilabel', length: 1, classes: [], positive: -1, yTrue, yPred } as const;
  expectClose(dice.compute(row) as number, expected.dice);
  expectClose(iou.compute(row) as number, expected.iou);
}

describe(`masks against scipy ${versions.scipy} and numpy ${versions.numpy}`, () => {
  it.each(transforms)('distance transform of $shape by $spacing', ({ shape, spacing, targets, values }) => {
    const squares = squaredDistances(unpacked(targets), shape, spacing);
    expect(squares).toHaveLength(values.length);
    for (const [at, value] of values.entries()) expectClose(Math.sqrt(squares[at]), value);
  });

  it.each(pairs)('$name', ({ truth, prediction, shape, spacing, ...expected }) => {
    const pair = maskPair({ truth: unpacked(truth), prediction: unpacked(prediction), shape, spacing });
    expectScores(pair, expected);
  });

  it('each class of label maps', () => {
    const { classes, shape, spacing, ...both } = maps;
    for (const { label, ...expected } of classes) {
      const [truth, prediction] = [both.truth, both.prediction].map((map) =>
        Uint8Array.from(map, (each) => Number(each === label)),
      );
      expectScores(maskPair({ truth, prediction, shape, spacing }), expected);
    }
  });
});
