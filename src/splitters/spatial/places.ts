/** Where the rows are: on a flat map, in which blocks are cut, and in a space in which distances are straight lines. */
import { InvalidDataError, sentence } from '../../core/errors.js';
import { checkLatLon, equalAreaMap, unitVectors } from './distances.js';
import type { Points } from './points.js';

/** Squares of larger differences are no numbers. */
const LARGEST = 1e150;

/** The places of all rows. */
export interface Places {
  /** `[n, 2]` row-major: the coordinates themselves, or kilometres on an equal-area map of the Earth. */
  readonly map: Float64Array;
  /** The coordinates themselves, or points on the unit sphere. */
  readonly space: Points;
}

/** Places in a plane: `[x, y]` in any one unit. */
export function flatPlaces(coordinates: ArrayLike<ArrayLike<number>>): Places {
  const map = flattened(coordinates);
  return { map, space: { values: map, width: 2 } };
}

/** Places on the Earth: `[lat, lon]` in degrees. Throws `InvalidDataError` for what is no such place. */
export function earthPlaces(coordinates: ArrayLike<ArrayLike<number>>): Places {
  checkLatLon(coordinates);
  const degrees = flattened(coordinates);
  return { map: equalAreaMap(degrees), space: { values: unitVectors(degrees), width: 3 } };
}

function flattened(coordinates: ArrayLike<ArrayLike<number>>): Float64Array {
  const places = new Float64Array(2 * coordinates.length);
  for (let row = 0; row < coordinates.length; row++) {
    for (const axis of [0, 1]) places[2 * row + axis] = coordinates[row][axis];
  }
  const bad = places.findIndex((value) => Math.abs(value) > LARGEST);
  if (bad >= 0) {
    const row = bad >> 1;
    throw new InvalidDataError(
      sentence(`coordinates row ${row}`, `lie between -${LARGEST} and ${LARGEST}`, Array.from(coordinates[row])),
    );
  }
  return places;
}

/** Corner and sides of the smallest upright box around all places of a map. */
export function boundingBox(map: Float64Array): { low: [number, number]; sides: [number, number] } {
  const low: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high: [number, number] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < map.length; i++) {
    low[i % 2] = Math.min(low[i % 2], map[i]);
    high[i % 2] = Math.max(high[i % 2], map[i]);
  }
  return { low, sides: [high[0] - low[0], high[1] - low[1]] };
}
