import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clarkEvans } from '../../src/validator/adviceWarnings.js';
import { planes } from '../splitters/spatial/places.js';

const grid = (side: number, step = 1) =>
  Array.from({ length: side * side }, (_, at) => [step * (at % side), step * Math.floor(at / side)]);

/** Each place with each other one, as the definition says. */
function byDefinition(coordinates: readonly (readonly number[])[]): number {
  const places = [...new Map(coordinates.map((place) => [`${place[0]} ${place[1]}`, place])).values()];
  const sides = [0, 1].map((axis) => {
    const values = places.map((place) => place[axis]);
    return Math.max(...values) - Math.min(...values);
  });
  const nearest = places.map(([x, y], at) =>
    Math.min(...places.flatMap(([u, v], other) => (other === at ? [] : [Math.hypot(x - u, y - v)]))),
  );
  const mean = nearest.reduce((sum, each) => sum + each, 0) / places.length;
  return mean / (0.5 * Math.sqrt((sides[0] * sides[1]) / places.length));
}

describe('clarkEvans', () => {
  it('is 2 k / (k - 1) of a square lattice of k by k: by the formula', () => {
    for (const k of [2, 5, 12]) expect(clarkEvans(grid(k)).ratio).toBeCloseTo((2 * k) / (k - 1), 12);
    expect(clarkEvans(grid(5, 1000)).ratio).toBeCloseTo(2.5, 12);
  });

  it('counts a place once, and is NaN where there is no area', () => {
    expect(clarkEvans([...grid(5), ...grid(5)])).toEqual(clarkEvans(grid(5)));
    expect(clarkEvans([...grid(5), ...grid(5)]).distinct).toBe(25);
    expect(
      clarkEvans([
        [1, 1],
        [1, 1],
      ]),
    ).toEqual({ distinct: 1, ratio: Number.NaN });
    expect(
      clarkEvans([
        [1, 1],
        [2, 1],
        [4, 1],
      ]).ratio,
    ).toBeNaN();
  });

  it('is small in clumps', () => {
    const clumps = grid(5, 100).flatMap(([x, y]) => grid(3).map(([u, v]) => [x + u / 9, y + v / 9]));
    expect(clarkEvans(clumps).ratio).toBeLessThan(0.5);
  });

  it('equals the definition', () => {
    fc.assert(
      fc.property(planes, (places) => {
        const { ratio } = clarkEvans(places);
        const expected = byDefinition(places);
        if (!Number.isFinite(expected)) expect(Number.isFinite(ratio)).toBe(false);
        else expect(Math.abs(ratio - expected)).toBeLessThanOrEqual(1e-9 * expected);
      }),
    );
  });
});
