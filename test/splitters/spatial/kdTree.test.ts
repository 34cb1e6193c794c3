import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DistanceMetric, KdTree } from '../../../src/splitters/spatial/kdTree.js';
import { spread } from './places.js';

const METRICS: DistanceMetric[] = ['euclidean', 'manhattan', 'chebyshev'];

/** The definitions, written out. */
function distance(metric: DistanceMetric, a: readonly number[], b: readonly number[]): number {
  const differences = a.map((value, axis) => Math.abs(value - b[axis]));
  if (metric === 'chebyshev') return Math.max(...differences);
  if (metric === 'manhattan') return differences.reduce((sum, each) => sum + each, 0);
  return Math.sqrt(differences.reduce((sum, each) => sum + each * each, 0));
}

const nearestByHand = (metric: DistanceMetric, points: number[][], query: number[], skip = -1) =>
  Math.min(...points.map((point, row) => (row === skip ? Number.POSITIVE_INFINITY : distance(metric, point, query))));

/** Points that are spread, equal, on a line, or huge and negative. */
const clouds = fc.integer({ min: 1, max: 4 }).chain((width) => {
  const cloud = (value: fc.Arbitrary<number>) =>
    fc.array(fc.array(value, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 120 });
  return fc.oneof(
    cloud(spread(-100, 100)),
    cloud(fc.double({ min: -100, max: 100, noNaN: true })),
    cloud(fc.integer({ min: 0, max: 2 })),
    cloud(spread(-1e140, 1e140)),
    fc
      .array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 120 })
      .map((at) => at.map((t) => Array.from({ length: width }, (_, axis) => axis + t * (axis + 1)))),
  );
});

describe('KdTree equals an exhaustive search to the last bit', () => {
  it.each(METRICS)('nearest, %s', (metric) => {
    fc.assert(
      fc.property(clouds, fc.nat(), (points, at) => {
        const flat = Float64Array.from(points.flat());
        const tree = new KdTree(flat, points[0].length, metric);
        const row = at % points.length;
        expect(tree.nearest(flat, row)).toBe(0);
        expect(tree.nearest(flat, row, row)).toBe(nearestByHand(metric, points, points[row], row));
      }),
      { numRuns: 300 },
    );
  });

  it.each(METRICS)('hasNearer among some of the rows, %s', (metric) => {
    fc.assert(
      fc.property(clouds, fc.nat(), spread(0, 1), (points, at, share) => {
        const flat = Float64Array.from(points.flat());
        const rows = Int32Array.from(points.keys()).filter((row) => row % 2 === 0);
        const held = Array.from(rows, (row) => points[row]);
        const tree = new KdTree(flat, points[0].length, metric, rows);
        const row = at % points.length;
        const nearest = nearestByHand(metric, held, points[row]);
        expect(tree.nearest(flat, row)).toBe(nearest);
        // a point at the radius itself is not nearer; at the next larger number it is
        expect(tree.hasNearer(flat, row, nearest)).toBe(false);
        expect(tree.hasNearer(flat, row, nearest * (1 + 2 ** -52) + Number.MIN_VALUE)).toBe(true);
        expect(tree.hasNearer(flat, row, nearest * share)).toBe(false);
        const all = new KdTree(flat, points[0].length, metric);
        const radius = nearest * 2 * share;
        const isOdd = (other: number) => other % 2 === 1;
        expect(all.hasNearer(flat, row, radius, isOdd)).toBe(tree.hasNearer(flat, row, radius));
      }),
      { numRuns: 300 },
    );
  });

  it('in a large tree, spread and in clusters', () => {
    let seed = 1;
    const random = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    const points = Array.from({ length: 5000 }, (_, row) =>
      row % 3 === 0 ? [random(), random()] : [Math.floor(5 * random()) + random() ** 6, 1],
    );
    const flat = Float64Array.from(points.flat());
    for (const metric of METRICS) {
      const tree = new KdTree(flat, 2, metric);
      for (let row = 0; row < 5000; row += 49) {
        expect(tree.nearest(flat, row, row)).toBe(nearestByHand(metric, points, points[row], row));
      }
    }
  });
});

describe('KdTree', () => {
  // by hand: from (0, 0) to (3, 4) it is 5 straight, 7 along the axes, 4 along the longer one
  it.each([
    ['euclidean', 5],
    ['manhattan', 7],
    ['chebyshev', 4],
  ] as const)('measures %s', (metric, expected) => {
    expect(new KdTree(Float64Array.of(3, 4), 2, metric).nearest(Float64Array.of(9, 9, 0, 0), 1)).toBe(expected);
  });

  it('is at infinity when it is empty or all of it is skipped', () => {
    const points = Float64Array.of(1, 2);
    const empty = new KdTree(points, 2, 'euclidean', new Int32Array(0));
    expect(empty.nearest(points, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(empty.hasNearer(points, 0, Number.POSITIVE_INFINITY)).toBe(false);
    expect(new KdTree(points, 2).nearest(points, 0, 0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('leaves the points and the rows as they were', () => {
    const points = Float64Array.from({ length: 60 }, (_, i) => (i * 37) % 60);
    const rows = Int32Array.from({ length: 30 }, (_, row) => 29 - row);
    const before = [points.slice(), rows.slice()];
    new KdTree(points, 2, 'manhattan', rows).nearest(points, 3);
    expect([points, rows]).toEqual(before);
  });
});
