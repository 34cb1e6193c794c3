import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { squaredDistances } from '../../../src/metrics/masks/distanceTransform.js';
import { type MaskPair, maskPair } from '../../../src/metrics/masks/maskPair.js';
import {
  hausdorffDistance,
  normalisedSurfaceDistance,
  surfaceDistances,
  surfaceOf,
} from '../../../src/metrics/masks/surfaceDistances.js';

/** Every distance to every target: the definition. */
function bySearch(targets: Uint8Array, shape: readonly number[], spacing: readonly number[]): Float64Array {
  const place = (at: number) =>
    shape.map((size, axis) => Math.floor(at / shape.slice(axis + 1).reduce((all, each) => all * each, 1)) % size);
  return Float64Array.from(targets, (_, at) => {
    let least = Infinity;
    targets.forEach((is, other) => {
      const [a, b] = [place(at), place(other)];
      if (is)
        least = Math.min(
          least,
          a.reduce((sum, each, axis) => sum + ((each - b[axis]) * spacing[axis]) ** 2, 0),
        );
    });
    return least;
  });
}

describe('distances', () => {
  it('are the least of all, on 200 random grids', () => {
    const random = randomSource(47);
    for (let round = 0; round < 200; round++) {
      const shape = Array.from({ length: 2 + (round % 2) }, () => 1 + Math.floor(random.random() * 7));
      const spacing = shape.map(() => 10 ** (4 * random.random() - 2));
      const share = random.random() ** 2;
      const size = shape.reduce((all, each) => all * each, 1);
      const targets = Uint8Array.from({ length: size }, () => Number(random.random() < share));
      const [squares, expected] = [squaredDistances(targets, shape, spacing), bySearch(targets, shape, spacing)];
      for (const [at, square] of squares.entries()) {
        if (expected[at] === Infinity) expect(square).toBe(Infinity);
        else expect(Math.abs(square - expected[at])).toBeLessThanOrEqual(1e-9 * expected[at]);
      }
    }
  });

  it('are infinite without a target', () => {
    expect([...squaredDistances(new Uint8Array(4), [2, 2], [1, 1])]).toEqual(new Array(4).fill(Infinity));
  });
});

const pairOf = (truth: number[], prediction: number[], shape: number[], spacing = shape.map(() => 1)): MaskPair =>
  maskPair({ truth: Uint8Array.from(truth), prediction: Uint8Array.from(prediction), shape, spacing });
const square = pairOf([1, 1, 0, 0], [0, 0, 1, 1], [2, 2], [3, 1]);

describe('a surface', () => {
  it('is what has a face outside, not a corner', () => {
    const plus = Uint8Array.from([0, 1, 0, 1, 1, 1, 0, 1, 0]);
    expect([...surfaceOf(plus, [3, 3])]).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0]);
  });

  it('lies at the border of the image, and fills a volume of one slice', () => {
    const all = new Uint8Array(9).fill(1);
    expect([...surfaceOf(all, [3, 3])]).toEqual([1, 1, 1, 1, 0, 1, 1, 1, 1]);
    expect([...surfaceOf(all, [1, 3, 3])]).toEqual([...all]);
  });
});

describe('scores of a pair', () => {
  it('are in the unit of the spacing, in the order of the axes', () => {
    const distances = surfaceDistances(square);
    expect(hausdorffDistance(distances)).toBe(3);
    expect(hausdorffDistance(surfaceDistances({ ...square, spacing: [1, 3] }))).toBe(1);
    expect([2.99, 3].map((tolerance) => normalisedSurfaceDistance(distances, tolerance))).toEqual([0, 1]);
  });

  it('count a distance that is the tolerance but for rounding', () => {
    const pair = pairOf([1, 0, 0, 0], [0, 0, 0, 1], [1, 4], [1, 0.1]);
    const distances = surfaceDistances(pair);
    expect(distances.fromTruth[0]).toBeGreaterThan(0.3);
    expect(normalisedSurfaceDistance(distances, 0.3)).toBe(1);
  });

  it('change sides with the masks, but not in value', () => {
    const pair = pairOf([1, 0, 0, 1, 0, 0], [0, 1, 1, 0, 0, 0], [2, 3]);
    const turned = pairOf([0, 1, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [2, 3]);
    const [there, back] = [pair, turned].map(surfaceDistances);
    expect(there.fromTruth).toEqual(back.fromPrediction);
    expect(hausdorffDistance(there)).toBe(hausdorffDistance(back));
  });

  it('do not change where the image is wider', () => {
    const [truth, prediction] = [square.truth, square.prediction].map((mask) =>
      Array.from({ length: 20 }, (_, at) => {
        const [y, x] = [Math.floor(at / 5) - 1, (at % 5) - 2];
        return y === 0 || y === 1 ? Number((x === 0 || x === 1) && mask[2 * y + x]) : 0;
      }),
    );
    expect(pairOf(truth, prediction, [4, 5], [3, 1])).toEqual(square);
  });

  it.each([
    ['both', [0, 0], [0, 0], 1],
    ['prediction', [0, 1], [0, 0], 0],
    ['truth', [0, 0], [1, 1], 0],
  ])('where empty: %s, no distance, and a share as MetricsReloaded', (_, truth, prediction, share) => {
    const distances = surfaceDistances(pairOf(truth, prediction, [1, 2]));
    expect([hausdorffDistance(distances), normalisedSurfaceDistance(distances, 5)]).toEqual([null, share]);
  });
});
