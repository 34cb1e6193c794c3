import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chordOf,
  degreesOf,
  EARTH_RADIUS_KM,
  equalAreaMap,
  kilometresOf,
  unitVectors,
} from '../../../src/splitters/spatial/places.js';
import { matrix } from '../../helpers/matrix.js';
import { haversine, spread } from './places.js';

/** Distances of scikit-learn and the map of PROJ, written by test/reference/spatial.py. */
const reference: {
  haversine: { a: number[]; b: number[]; radians: number }[];
  sinusoidal: { place: number[]; kilometres: number[] }[];
} = JSON.parse(readFileSync(new URL('../../reference/spatial.json', import.meta.url), 'utf8'));

const HALF_WAY_ROUND = Math.PI * EARTH_RADIUS_KM;
const latitude = fc.oneof(spread(-90, 90), fc.double({ min: -90, max: 90, noNaN: true }));
const longitude = fc.oneof(spread(-180, 360), fc.double({ min: -180, max: 360, noNaN: true }));
const place = fc.tuple(latitude, longitude);

const chord = (a: readonly number[], b: readonly number[]) => {
  const { values: v } = unitVectors(degreesOf([a, b], 'places'));
  return Math.hypot(v[0] - v[3], v[1] - v[4], v[2] - v[5]);
};

describe('chords', () => {
  // by hand: along a meridian or the equator an angle of d degrees is d/180 of half the circumference
  it.each([
    ['a quarter of the equator', [0, 0], [0, 90], 1 / 2],
    ['pole to pole', [90, 0], [-90, 0], 1],
    ['the same pole under two longitudes', [90, 10], [90, -120], 0],
    ['the date line under two longitudes', [31, 180], [31, -180], 0],
    ['Greenwich under two longitudes', [-7, 0], [-7, 360], 0],
    ['a decimal under two longitudes', [5, 359.9], [5, -0.1], 0],
    ['across the date line', [0, 179.5], [0, -179.5], 1 / 180],
    ['across the date line, one side beyond 180', [0, 179.5], [0, 180.5], 1 / 180],
    ['over the pole', [89, 0], [89, 180], 2 / 180],
    ['the antipode', [30, 20], [-30, -160], 1],
  ])('%s', (_, a, b, share) => {
    const [byChord, byFormula] = [kilometresOf(chord(a, b)), haversine(a[0], a[1], b[0], b[1])];
    if (share === 0) expect(byChord).toBe(0);
    // a chord loses half of its digits at the antipode
    expect(byChord).toBeCloseTo(share * HALF_WAY_ROUND, share === 1 ? 3 : 8);
    expect(byFormula).toBeCloseTo(share * HALF_WAY_ROUND, 8);
  });

  it('agree with scikit-learn, as the haversine formula does', () => {
    expect(reference.haversine.length).toBeGreaterThan(80);
    for (const { a, b, radians } of reference.haversine) {
      const kilometres = radians * EARTH_RADIUS_KM;
      expect(haversine(a[0], a[1], b[0], b[1])).toBeCloseTo(kilometres, 7);
      expect(kilometresOf(chord(a, b))).toBeCloseTo(kilometres, radians > 0.99 * Math.PI ? 3 : 7);
    }
  });

  it('are those of the haversine formula, everywhere on the Earth', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        // 0.1 mm; at the antipode both formulas lose half of their digits, and a metre is what is left
        const digits = haversine(...a, ...b) > 0.99 * HALF_WAY_ROUND ? 3 : 7;
        expect(kilometresOf(chord(a, b))).toBeCloseTo(haversine(...a, ...b), digits);
      }),
      { numRuns: 2000 },
    );
  });

  it('grow with the distance and are infinite beyond half way round', () => {
    expect(chordOf(0)).toBe(0);
    expect(chordOf(HALF_WAY_ROUND)).toBeCloseTo(2, 12);
    expect(chordOf(HALF_WAY_ROUND + 1)).toBe(Number.POSITIVE_INFINITY);
    fc.assert(
      fc.property(spread(0, 20000), (kilometres) => {
        expect(kilometresOf(chordOf(kilometres))).toBeCloseTo(kilometres, 6);
      }),
    );
  });
});

describe('equalAreaMap', () => {
  const mapOf = (...places: number[][]) => equalAreaMap(degreesOf(places, 'places'));

  it('is the sinusoidal map of PROJ about the middle of the shortest arc', () => {
    const map = mapOf(...reference.sinusoidal.map(({ place }) => place));
    for (const [row, { kilometres }] of reference.sinusoidal.entries()) {
      for (const axis of [0, 1]) expect(map[2 * row + axis]).toBeCloseTo(kilometres[axis], 7);
    }
  });

  it('keeps neighbours across the date line together', () => {
    const [x1, , x2] = mapOf([0, 179.5], [0, -179.5]);
    // by hand: one degree of the equator
    expect(Math.abs(x1 - x2)).toBeCloseTo(HALF_WAY_ROUND / 180, 9);
    expect(mapOf([0, 200], [5, 190])).toEqual(mapOf([0, -160], [5, -170]));
  });

  it('makes one point of a pole, which does not turn the map', () => {
    const map = mapOf([90, 0], [90, 100], [90, -100]);
    for (const at of [0, 2, 4]) expect(Math.abs(map[at])).toBe(0);
    // by hand: places about the date line lie about the middle of their map, with a pole or without
    const [x1, , x2] = mapOf([0, 178], [0, -178], [90, 20]);
    expect(x1).toBeCloseTo(-x2, 9);
    expect(x2 - x1).toBeCloseTo((4 * HALF_WAY_ROUND) / 180, 9);
  });

  it('gives one place one point, however it is written', () => {
    const one = (...places: number[][]) =>
      new Set(
        places.map((_, row) =>
          mapOf(...places)
            .slice(2 * row, 2 * row + 2)
            .join(),
        ),
      );
    expect(one([31, 180], [31, -180]).size).toBe(1);
    expect(one([5, 359.9], [5, -0.1]).size).toBe(1);
  });

  it('keeps distances near its middle', () => {
    fc.assert(
      fc.property(spread(-80, 80), longitude, (lat, lon) => {
        const near: [number, number] = [lat + 0.01, lon + (lon < 0 ? 0.01 : -0.01)];
        const [x1, y1, x2, y2] = mapOf([lat, lon], near);
        expect(Math.hypot(x1 - x2, y1 - y2)).toBeCloseTo(haversine(lat, lon, ...near), 2);
      }),
    );
  });
});

describe('degreesOf', () => {
  it('writes longitudes from 0 to below 360', () => {
    const places = matrix('-90 -180 | 90 360 | 0 0 | 1 -1e-20 | 2 -0.1');
    expect([...degreesOf(places, 'places')]).toEqual([-90, 180, 90, 0, 0, 0, 1, 0, 2, 359.9]);
  });
});
