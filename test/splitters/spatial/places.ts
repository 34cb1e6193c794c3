/** Places, distances and folds as the tests of the spatial splitters write them out. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { EARTH_RADIUS_KM } from '../../../src/splitters/spatial/places.js';
import type { Fold } from '../../../src/splitters/splitter.js';

export type Place = [number, number];

/** Numbers spread evenly: most doubles that fast-check draws are tiny. */
export const spread = (min: number, max: number) =>
  fc.integer({ min: 0, max: 2 ** 30 }).map((share) => min + (max - min) * (share / 2 ** 30));

const place = (x: fc.Arbitrary<number>, y = x) => fc.tuple(x, y);
const cloud = (each: fc.Arbitrary<Place>) => fc.array(each, { minLength: 10, maxLength: 60 });

/** Places that are spread, on a coarse lattice, on a line, in clumps, huge and negative. */
export const planes: fc.Arbitrary<Place[]> = fc.oneof(
  cloud(place(spread(-10, 10))),
  cloud(place(fc.double({ min: -10, max: 10, noNaN: true }))),
  cloud(place(fc.integer({ min: -3, max: 3 }))),
  cloud(fc.integer({ min: -50, max: 50 }).map((t): Place => [3 * t, -t])),
  cloud(fc.tuple(fc.integer({ min: 0, max: 4 }), spread(0, 0.1)).map(([c, d]) => [c + d, d])),
  cloud(place(spread(-1e140, 1e140))),
);

/** [lat, lon] anywhere, about the date line, about a pole. */
export const globes: fc.Arbitrary<Place[]> = fc.oneof(
  cloud(place(spread(-90, 90), spread(-180, 360))),
  cloud(place(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 360, noNaN: true }))),
  cloud(place(spread(-5, 5), spread(170, 190))).map((places) =>
    places.map(([lat, lon], row): Place => [lat, lon > 180 && row % 2 === 0 ? lon - 360 : lon]),
  ),
  cloud(place(spread(85, 90), spread(-180, 360))),
);

const RADIANS = Math.PI / 180;

/** Great-circle distance in kilometres between places in degrees (Sinnott 1984, Sky and Telescope 68:159). */
export function haversine(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const half = (degrees: number) => Math.sin((degrees * RADIANS) / 2) ** 2;
  const share = half(lat2 - lat1) + Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * half(lon2 - lon1);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(share)));
}

/** Every row is tested once, no side is empty, train + test + left out is everything. */
export function expectWholePartition(folds: readonly Fold[], n: number): void {
  expect(folds.flatMap(({ test }) => [...test]).sort((a, b) => a - b)).toEqual(
    Array.from({ length: n }, (_, row) => row),
  );
  for (const { train, test, excluded } of folds) {
    expect(Math.min(train.length, test.length)).toBeGreaterThan(0);
    if (excluded?.buffered) expect(excluded.buffered.length).toBeGreaterThan(0);
    const all = [...train, ...test, ...(excluded?.buffered ?? [])];
    expect(all.length).toBe(n);
    expect(new Set(all).size).toBe(n);
  }
}

/** For each row of one side, its distance to the nearest of the other: by looking at all pairs. */
export const nearestOf = (from: Iterable<number>, to: Iterable<number>, distance: (a: number, b: number) => number) =>
  Array.from(from, (a) => Math.min(...Array.from(to, (b) => distance(a, b))));
