/** Distances and scores of masks against scipy and numpy (test/reference/masks.py, which says how MONAI's formulas were taken). */
import { describe, expect, it } from 'vitest';
import { squaredDistances } from '../../../src/metrics/masks/distanceTransform.js';
import { labelsIn, type MaskPair, maskPair } from '../../../src/metrics/masks/maskPair.js';
import {
  hausdorffDistance,
  maskDice,
  maskIou,
  normalisedSurfaceDistance,
  surfaceDistances,
} from '../../../src/metrics/masks/surfaceDistances.js';
import reference from '../../reference/masks.json' with { type: 'json' };

const { versions, tolerances, percentiles, transforms, pairs, maps } = reference;

interface Expected {
  elements: number[];
  sums: number[] | null;
  empty: string | null;
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
  for (const [at, percentile] of percentiles.entries()) {
    const value = hausdorffDistance(distances, percentile);
    if (expected.hausdorff) expectClose(value as number, expected.hausdorff[at]);
    else expect(value).toMatchObject({ empty: expected.empty, reason: expect.stringContaining('empty') });
  }
  for (const [at, tolerance] of tolerances.entries()) {
    expectClose(normalisedSurfaceDistance(distances, tolerance), expected.nsd[at]);
  }
  expectClose(maskDice(pair), expected.dice);
  expectClose(maskIou(pair), expected.iou);
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
    const { classes, ...both } = maps;
    expect(labelsIn(both.truth, both.prediction)).toEqual(classes.map(({ label }) => label));
    for (const { label, ...expected } of classes) expectScores(maskPair({ ...both, label }), expected);
  });
});
