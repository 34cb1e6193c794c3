import { describe, expect, it } from 'vitest';
import { scaledPlaces, spatialUnits } from '../../../src/checkers/CVL006-spatial-proximity/spatialProximity.js';
import { randomSource } from '../../../src/core/random.js';

const random = () => randomSource(1);

describe('spatialUnits', () => {
  it('is the distinct places, however many patients share them', () => {
    const places = scaledPlaces(
      [
        [0, 0],
        [1, 0],
        [0, 0],
      ],
      false,
    );
    const units = spatialUnits(places, { groups: ['a', 'b', 'c'] }, random());
    expect(units).toMatchObject({ unit: 'place', total: 2, count: 2, distinct: 2, codes: Int32Array.of(0, 1, 0) });
    expect([...units.points.values]).toEqual([0, 0, 1, 0]);
  });

  it('is the patients at the mean of their rows where one has several places', () => {
    const places = scaledPlaces(
      [
        [0, 0],
        [4, 0],
        [2, 0],
        [2, 0],
      ],
      false,
    );
    const units = spatialUnits(places, { groups: ['a', 'a', 'b', null as unknown as string] }, random());
    expect(units).toMatchObject({ unit: 'patient', total: 2, distinct: 1, codes: Int32Array.of(0, 0, 1, -1) });
    expect([...units.points.values]).toEqual([0.5, 0, 0.5, 0]);
  });

  it('looks at a thousand of more', () => {
    const places = scaledPlaces(
      Array.from({ length: 1500 }, (_, i) => [i, 0]),
      false,
    );
    const units = spatialUnits(places, {}, random());
    expect(units).toMatchObject({ total: 1500, count: 1000, distinct: 1000 });
    expect(units.codes.filter((code) => code < 0)).toHaveLength(500);
    // Each unit is at its own place.
    units.codes.forEach((unit, row) => {
      if (unit >= 0) expect(units.points.values[2 * unit]).toBeCloseTo(row / 1499, 12);
    });
  });
});
