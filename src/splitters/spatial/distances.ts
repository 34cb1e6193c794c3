/** Distances on the Earth: [lat, lon] in degrees in, kilometres out. */
import { InvalidDataError, sentence } from '../../core/errors.js';

/** Mean radius R1 of the Earth in kilometres (Moritz 2000, "Geodetic Reference System 1980"). */
export const EARTH_RADIUS_KM = 6371.0088;

const RADIANS = Math.PI / 180;

/**
 * Great-circle distance in kilometres between two places in degrees, on a sphere of the mean Earth radius; right across
 * the date line and at the poles.
 *
 * Source: Sinnott 1984, Sky and Telescope 68:159.
 *
 * @example
 * haversine(48.8566, 2.3522, 51.5074, -0.1278); // Paris to London: 343.6
 */
export function haversine(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const half = (degrees: number) => Math.sin((degrees * RADIANS) / 2) ** 2;
  const share = half(lat2 - lat1) + Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * half(lon2 - lon1);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(share)));
}

/** Throws `InvalidDataError` for a latitude outside [-90, 90] or a longitude outside [-180, 360]. */
export function checkLatLon(coordinates: ArrayLike<ArrayLike<number>>, name = 'coordinates'): void {
  for (let row = 0; row < coordinates.length; row++) {
    const [lat, lon] = [coordinates[row][0], coordinates[row][1]];
    if (lat >= -90 && lat <= 90 && lon >= -180 && lon <= 360) continue;
    throw new InvalidDataError(
      sentence(
        `${name} row ${row}`,
        'be [lat, lon] in degrees, -90 <= lat <= 90 and -180 <= lon <= 360',
        Array.from(coordinates[row]),
      ),
    );
  }
}

/**
 * Places in degrees, `[n, 2]` row-major, as points on the unit sphere, `[n, 3]`. Straight lines between them (chords)
 * grow with the great-circle distance, so that a k-d tree finds neighbours across the date line and the poles.
 */
export function unitVectors(places: Float64Array): Float64Array {
  const vectors = new Float64Array((places.length / 2) * 3);
  for (let row = 0; row < places.length / 2; row++) {
    const [lat, lon] = [places[2 * row] * RADIANS, places[2 * row + 1] * RADIANS];
    vectors[3 * row] = Math.cos(lat) * Math.cos(lon);
    vectors[3 * row + 1] = Math.cos(lat) * Math.sin(lon);
    vectors[3 * row + 2] = Math.sin(lat);
  }
  return vectors;
}

/** Length of the chord of the unit sphere under a great-circle distance; Infinity where no two places are so far apart. */
export function chordOf(kilometres: number): number {
  const angle = kilometres / EARTH_RADIUS_KM;
  return angle > Math.PI ? Number.POSITIVE_INFINITY : 2 * Math.sin(angle / 2);
}

/** Great-circle distance in kilometres over a chord of the unit sphere. */
export function kilometresOf(chord: number): number {
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, chord / 2));
}

/**
 * Places in degrees on a flat map in kilometres, `[n, 2]` row-major: the sinusoidal equal-area projection about the
 * middle of the shortest arc of longitude that holds all places. Equal areas on the map are equal areas on the Earth;
 * the map is torn where there are fewest places, not at the date line; at a pole all longitudes are one point.
 *
 * Source: Snyder 1987, "Map projections: a working manual", USGS Professional Paper 1395, chapter 30.
 */
export function equalAreaMap(places: Float64Array): Float64Array {
  const middle = middleLongitude(places);
  const map = new Float64Array(places.length);
  for (let row = 0; row < places.length / 2; row++) {
    const [lat, lon] = [places[2 * row], places[2 * row + 1]];
    map[2 * row] = EARTH_RADIUS_KM * Math.cos(lat * RADIANS) * wrap(lon - middle + 180, 180) * RADIANS;
    map[2 * row + 1] = EARTH_RADIUS_KM * lat * RADIANS;
  }
  return map;
}

/** Opposite of the middle of the widest gap between longitudes. */
function middleLongitude(places: Float64Array): number {
  const longitudes = new Float64Array(places.length / 2).map((_, row) => wrap(places[2 * row + 1], 0)).sort();
  let [widest, opposite] = [-1, 0];
  for (const [at, lon] of longitudes.entries()) {
    const next = at + 1 < longitudes.length ? longitudes[at + 1] : longitudes[0] + 360;
    if (next - lon > widest) [widest, opposite] = [next - lon, (lon + next) / 2];
  }
  return wrap(opposite + 180, 0);
}

/** `degrees` into [0, 360), then `back` degrees back. */
const wrap = (degrees: number, back: number) => (((degrees % 360) + 360) % 360) - back;
