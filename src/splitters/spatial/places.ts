import { InvalidDataError, kindOf, phrase, sentence } from '../../core/errors.js';
import { arrayLike, randomState } from '../../core/options.js';
import { freshSeed, isRandomSource, type RandomState } from '../../core/random.js';
import { type SplitInput, splitInput } from '../splitInput.js';
import type { SplitterClaims } from '../splitter.js';
import { type Points, pointsOf } from './points.js';

/** Where the rows are: on a flat map, in which blocks are cut, and in a space in which distances are straight lines. */
export interface Places {
  /** `[n, 2]` row-major: the coordinates themselves, or kilometres on an equal-area map of the Earth. */
  readonly map: Float64Array;
  /** The coordinates themselves, or points on the unit sphere. */
  readonly space: Points;
}

export function flatPlaces(coordinates: ArrayLike<ArrayLike<number>>): Places {
  const space = pointsOf(coordinates, 'coordinates');
  return { map: space.values, space };
}

export function earthPlaces(coordinates: ArrayLike<ArrayLike<number>>): Places {
  const degrees = degreesOf(coordinates, 'coordinates');
  return { map: equalAreaMap(degrees), space: unitVectors(degrees) };
}

export function boundingBox(map: Float64Array): { low: [number, number]; sides: [number, number] } {
  const low: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high: [number, number] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < map.length; i++) {
    low[i % 2] = Math.min(low[i % 2], map[i]);
    high[i % 2] = Math.max(high[i % 2], map[i]);
  }
  return { low, sides: [high[0] - low[0], high[1] - low[1]] };
}

/** Mean radius R1 of the Earth in kilometres (Moritz 2000, "Geodetic Reference System 1980"). */
export const EARTH_RADIUS_KM = 6371.0088;

const RADIANS = Math.PI / 180;

/** Exactly 0 at the poles, which are one point under every longitude. */
const cosine = (lat: number) => (Math.abs(lat) === 90 ? 0 : Math.cos(lat * RADIANS));

/** `[n, 2]` row-major, longitudes in [0, 360). */
export function degreesOf(coordinates: ArrayLike<ArrayLike<number>>, name: string): Float64Array {
  const { values, width } = pointsOf(coordinates, name);
  for (let row = 0; row < coordinates.length; row++) {
    const [lat, lon] = [values[width * row], values[width * row + 1]];
    if (!(width === 2 && lat >= -90 && lat <= 90 && lon >= -180 && lon <= 360)) {
      const must = 'be [lat, lon] in degrees, -90 <= lat <= 90 and -180 <= lon <= 360';
      throw new InvalidDataError(sentence(`${name} row ${row}`, must, kindOf(Array.from(coordinates[row]))));
    }
    // Not down to -180: the way up rounds -0.1 to the number that is 359.9, the way down would leave both as they are.
    values[2 * row + 1] = (lon < 0 ? lon + 360 : lon) % 360;
  }
  return values;
}

/** On the unit sphere chords grow with the great-circle distance, also across the date line and the poles. */
export function unitVectors(degrees: Float64Array): Points {
  const values = new Float64Array((degrees.length / 2) * 3);
  for (let row = 0; row < degrees.length / 2; row++) {
    const [lat, lon] = [degrees[2 * row], degrees[2 * row + 1] * RADIANS];
    values[3 * row] = cosine(lat) * Math.cos(lon);
    values[3 * row + 1] = cosine(lat) * Math.sin(lon);
    values[3 * row + 2] = Math.sin(lat * RADIANS);
  }
  return { values, width: 3 };
}

export function chordOf(kilometres: number): number {
  const angle = kilometres / EARTH_RADIUS_KM;
  return angle > Math.PI ? Number.POSITIVE_INFINITY : 2 * Math.sin(angle / 2);
}

export const kilometresOf = (chord: number): number => 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, chord / 2));

/**
 * A flat map in kilometres, `[n, 2]` row-major: the sinusoidal equal-area projection about the middle of the shortest
 * arc of longitude that holds all places, so that the map is torn where there are fewest.
 *
 * Source: Snyder 1987, "Map projections: a working manual", USGS Professional Paper 1395, chapter 30.
 */
export function equalAreaMap(places: Float64Array): Float64Array {
  const middle = middleLongitude(places);
  const map = new Float64Array(places.length);
  for (let row = 0; row < places.length / 2; row++) {
    const [lat, lon] = [places[2 * row], places[2 * row + 1]];
    map[2 * row] = EARTH_RADIUS_KM * cosine(lat) * (wrap(lon - middle + 180) - 180) * RADIANS;
    map[2 * row + 1] = EARTH_RADIUS_KM * lat * RADIANS;
  }
  return map;
}

/** Opposite of the middle of the widest gap between longitudes; poles have none. */
function middleLongitude(places: Float64Array): number {
  const longitudes = places.filter((_, at) => at % 2 === 1 && cosine(places[at - 1]) > 0).sort();
  let [widest, opposite] = [-1, 0];
  for (const [at, lon] of longitudes.entries()) {
    const next = at + 1 < longitudes.length ? longitudes[at + 1] : longitudes[0] + 360;
    if (next - lon > widest) [widest, opposite] = [next - lon, (lon + next) / 2];
  }
  return wrap(opposite + 180);
}

const wrap = (degrees: number) => ((degrees % 360) + 360) % 360;

export const placeOptions = (drawn: string) => ({
  randomState: randomState().default(null).describe(`Seed of the draw: ${drawn}.`),
  coordinates: arrayLike<ArrayLike<number>>('[number, number][]')
    .nullable()
    .default(null)
    .describe('Place of each row, if not given to split.'),
});

/** Drawn once per instance: the number of folds may depend on it, and two calls must give the same folds. */
export const seedOf = (state: RandomState): number | string =>
  isRandomSource(state) ? state.uint32() : (state ?? freshSeed());

/** Coordinates come with the data or from the constructor; from both they could contradict each other. */
export const withPlaces =
  (owner: string) =>
  (input: SplitInput, { coordinates }: { readonly coordinates: ArrayLike<ArrayLike<number>> | null }): SplitInput => {
    if (coordinates === null) return input;
    if (input.data.coordinates === undefined) {
      return splitInput(owner, input.X, input.y, { ...input.data, coordinates });
    }
    const must = 'be given `coordinates` once';
    throw new InvalidDataError(sentence(owner, must, phrase('them in the constructor and in split')));
  };

export const earthClaims = (
  { distanceMetric }: { readonly distanceMetric: string },
  claims: SplitterClaims,
): SplitterClaims => ({ ...claims, geographic: distanceMetric === 'haversine' });
