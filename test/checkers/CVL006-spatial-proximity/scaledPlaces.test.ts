import { describe, expect, it } from 'vitest';
import { scaledPlaces } from '../../../src/checkers/CVL006-spatial-proximity/spatialProximity.js';

describe('scaledPlaces', () => {
  it('brings the longer side to 1, and distances there and back', () => {
    const { points, count, codes, toUnit, fromUnit } = scaledPlaces(
      [
        [10, 5],
        [30, 5],
        [20, 10],
        [10, 5],
      ],
      false,
    );
    expect([...points.values]).toEqual([0, 0, 1, 0, 0.5, 0.25, 0, 0]);
    expect(count).toBe(3);
    expect(codes[0]).toBe(codes[3]);
    expect(toUnit(0.25)).toBe(5);
    expect(fromUnit(5)).toBe(0.25);
  });

  it('measures kilometres on the Earth, also across the date line', () => {
    // A degree of longitude on the equator is 2 pi 6371.0088 / 360 = 111.195 km.
    const { points, fromUnit } = scaledPlaces(
      [
        [0, 179.5],
        [0, -179.5],
        [10, 180],
      ],
      true,
    );
    const apart = Math.hypot(...[0, 1, 2].map((axis) => points.values[axis] - points.values[3 + axis]));
    expect(fromUnit(111.1950797)).toBeCloseTo(apart, 9);
  });

  it('gives numbers for huge, tiny and equal places', () => {
    const huge = scaledPlaces(
      [
        [1.7e308, 0],
        [-1.7e308, 0],
        [0, 1e300],
      ],
      false,
    );
    expect([...huge.points.values].every(Number.isFinite)).toBe(true);
    expect(huge.toUnit(1)).toBe(Number.MAX_VALUE);
    const tiny = scaledPlaces(
      [
        [0, 0],
        [1e-300, 0],
      ],
      false,
    );
    expect([...tiny.points.values]).toEqual([0, 0, 1, 0]);
    const same = scaledPlaces(
      [
        [7, 7],
        [7, 7],
      ],
      false,
    );
    expect(same).toMatchObject({ count: 1 });
    expect(same.toUnit(1)).toBe(0);
  });
});
