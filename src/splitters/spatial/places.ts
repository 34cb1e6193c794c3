import { degreesOf, equalAreaMap, unitVectors } from './distances.js';
import { type Points, pointsOf } from './points.js';

/** Where the rows are: on a flat map, in which blocks are cut, and in a space in which distances are straight lines. */
export interface Places {
  /** `[n, 2]` row-major: the coordinates themselves, or kilometres on an equal-area map of the Earth. */
  readonly map: Float64Array;
  /** The coordinates themselves, or points on the unit sphere. */
  readonly space: Points;
}

/** Places in a plane: `[x, y]` in any one unit. */
export function flatPlaces(coordinates: ArrayLike<ArrayLike<number>>): Places {
  const space = pointsOf(coordinates, 'coordinates');
  return { map: space.values, space };
}

/** Places on the Earth: `[lat, lon]` in degrees. Throws `InvalidDataError` for anything else. */
export function earthPlaces(coordinates: ArrayLike<ArrayLike<number>>): Places {
  const degrees = degreesOf(coordinates, 'coordinates');
  return { map: equalAreaMap(degrees), space: unitVectors(degrees) };
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
