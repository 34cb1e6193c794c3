/** Where the rows are, in units of the extent, so that coordinates of any size can be squared. */
import type { SideData } from '../../data/sideData.js';
import { crossed } from '../../splitters/spatial/blocks.js';
import { chordOf, kilometresOf } from '../../splitters/spatial/distances.js';
import { earthPlaces } from '../../splitters/spatial/places.js';
import type { Points } from '../../splitters/spatial/points.js';

export interface ScaledPlaces {
  /** One point per row; the longer side of the area is 1, or 0 where all places are equal. */
  readonly points: Points;
  /** Code of the place of each row, and the number of distinct places. */
  readonly codes: Int32Array;
  readonly count: number;
  /** A scaled distance in the unit of the caller (haversine: kilometres), and back. */
  readonly toUnit: (scaled: number) => number;
  readonly fromUnit: (distance: number) => number;
}

/** Scales the places. `onEarth`: `[lat, lon]` in degrees, measured along great circles. */
export function scaledPlaces(coordinates: NonNullable<SideData['coordinates']>, onEarth: boolean): ScaledPlaces {
  const { values: raw, width } = onEarth ? earthPlaces(coordinates).space : pairsOf(coordinates);
  const low = new Float64Array(width).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
  for (let at = 0; at < raw.length; at++) {
    low[at % width] = Math.min(low[at % width], raw[at]);
    high[at % width] = Math.max(high[at % width], raw[at]);
  }
  // Halves, because the difference of two huge numbers may overflow.
  const half = Math.max(...high.map((most, axis) => most / 2 - low[axis] / 2));
  const values = raw.map((value, at) => (half > 0 ? (value / 2 - low[at % width] / 2) / half : 0));
  const axis = (at: number) =>
    Float64Array.from({ length: values.length / width }, (_, row) => values[width * row + at]);
  let codes = crossed(axis(0), axis(1)).codes;
  if (width === 3) codes = crossed(codes, axis(2)).codes;
  const chord = (scaled: number) => Math.min(Number.MAX_VALUE, 2 * half * scaled);
  return {
    points: { values, width },
    codes,
    count: codes.reduce((most, code) => Math.max(most, code), 0) + 1,
    toUnit: (scaled) => (onEarth ? kilometresOf(chord(scaled)) : chord(scaled)),
    fromUnit: (distance) => (half > 0 ? (onEarth ? chordOf(distance) : distance) / 2 / half : Number.POSITIVE_INFINITY),
  };
}

/** Not by `pointsOf`, which refuses numbers whose squares overflow: these are scaled first. */
function pairsOf(coordinates: ArrayLike<ArrayLike<number>>): Points {
  const values = new Float64Array(2 * coordinates.length);
  for (let row = 0; row < coordinates.length; row++) {
    values[2 * row] = coordinates[row][0];
    values[2 * row + 1] = coordinates[row][1];
  }
  return { values, width: 2 };
}
