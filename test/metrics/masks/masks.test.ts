import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { squaredDistances } from '../../../src/metrics/masks/distanceTransform.js';
import { labelsIn, type MaskPairInput, maskPair } from '../../../src/metrics/masks/maskPair.js';
import {
  hausdorffDistance,
  maskDice,
  maskIou,
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

const square: MaskPairInput = { truth: [1, 1, 0, 0], prediction: [0, 0, 1, 1], shape: [2, 2], spacing: [3, 1] };

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
    const distances = surfaceDistances(maskPair(square));
    expect(hausdorffDistance(distances)).toBe(3);
    expect(hausdorffDistance(surfaceDistances(maskPair({ ...square, spacing: [1, 3] })))).toBe(1);
    expect([2.99, 3].map((tolerance) => normalisedSurfaceDistance(distances, tolerance))).toEqual([0, 1]);
  });

  it('count a distance that is the tolerance but for rounding', () => {
    const pair = maskPair({ truth: [1, 0, 0, 0], prediction: [0, 0, 0, 1], shape: [1, 4], spacing: [1, 0.1] });
    const distances = surfaceDistances(pair);
    expect(distances.fromTruth[0]).toBeGreaterThan(0.3);
    expect(normalisedSurfaceDistance(distances, 0.3)).toBe(1);
  });

  it('change sides with the masks, but not in value', () => {
    const pair = maskPair({ truth: [1, 0, 0, 1, 0, 0], prediction: [0, 1, 1, 0, 0, 0], shape: [2, 3] });
    const turned = maskPair({ truth: [0, 1, 1, 0, 0, 0], prediction: [1, 0, 0, 1, 0, 0], shape: [2, 3] });
    const [there, back] = [pair, turned].map(surfaceDistances);
    expect(there.fromTruth).toEqual(back.fromPrediction);
    expect(hausdorffDistance(there)).toBe(hausdorffDistance(back));
  });

  it('do not change where the image is wider', () => {
    const wide = { shape: [4, 5], spacing: [3, 1] };
    const [truth, prediction] = [square.truth, square.prediction].map((mask) =>
      Array.from({ length: 20 }, (_, at) => {
        const [y, x] = [Math.floor(at / 5) - 1, (at % 5) - 2];
        return y === 0 || y === 1 ? Number((x === 0 || x === 1) && mask[2 * y + x]) : 0;
      }),
    );
    expect(maskPair({ truth, prediction, ...wide })).toEqual(maskPair(square));
  });

  it.each([
    ['both', [0, 0], [0, 0], 1, 'both masks are empty'],
    ['prediction', [0, 1], [0, 0], 0, 'the predicted mask is empty'],
    ['truth', [0, 0], [1, 1], 0, 'the true mask is empty'],
  ])('where empty: %s, no distance, and shares as MetricsReloaded', (empty, truth, prediction, share, reason) => {
    const pair = maskPair({ truth, prediction, shape: [1, 2] });
    const distances = surfaceDistances(pair);
    expect(hausdorffDistance(distances)).toEqual({ empty, reason: expect.stringContaining(reason) });
    expect([maskDice(pair), maskIou(pair), normalisedSurfaceDistance(distances, 5)]).toEqual([share, share, share]);
  });

  it('of label maps are of one class', () => {
    const maps = { truth: [0, 2, 2, 7], prediction: [0, 2, 7, 7], shape: [2, 2] };
    expect(labelsIn(maps.truth, maps.prediction)).toEqual([2, 7]);
    expect([2, 7, 9].map((label) => maskDice(maskPair({ ...maps, label })))).toEqual([2 / 3, 2 / 3, 1]);
    expect(maskIou(maskPair({ truth: [true, false], prediction: [true, true], shape: [1, 2] }))).toBe(0.5);
  });
});

it.each<[string, Partial<MaskPairInput>, string]>([
  ['four axes', { shape: [1, 1, 2, 2] }, 'must be [height, width] or [depth, height, width]. Got [1, 1, 2, 2]'],
  ['another size', { prediction: [1] }, 'The mask prediction must have 4 values, as its shape says. Got 1'],
  ['255', { truth: [0, 255, 0, 0] }, 'The mask truth must be of 0 and 1 unless a `label` is named. Got 255'],
  ['NaN', { truth: [0, Number.NaN, 0, 0] }, 'The mask truth must be of 0 and 1 unless a `label` is named. Got NaN'],
  ['a spacing of one axis', { spacing: [1] }, 'must be 2 numbers above 0, one per axis of the mask. Got [1]'],
  ['a spacing of 0', { spacing: [0, 1] }, 'must be 2 numbers above 0, one per axis of the mask. Got [0, 1]'],
  ['half a label', { label: 0.5 }, 'The label of a mask must be a whole number. Got 0.5'],
])('%s is refused', (_, part, message) => {
  const refused = expect.objectContaining({ name: 'InvalidDataError', message: expect.stringContaining(message) });
  expect(() => maskPair({ ...square, ...part })).toThrow(refused);
});

it('percentiles and tolerances that are none are refused', () => {
  const distances = surfaceDistances(maskPair(square));
  for (const percentile of [0, 101, Number.NaN]) {
    expect(() => hausdorffDistance(distances, percentile)).toThrow('must be above 0 and <= 100. Got');
  }
  for (const tolerance of [-1, Infinity, Number.NaN]) {
    expect(() => normalisedSurfaceDistance(distances, tolerance)).toThrow('must be a number >= 0. Got');
  }
});
