/** What is tested for autocorrelation: places, or whole patients. */

import { type RandomSource, sample } from '../../core/random.js';
import { rowNumbers } from '../../data/labels.js';
import { knownGroups, type SideData } from '../../data/sideData.js';
import type { Points } from '../../splitters/spatial/points.js';
import type { ScaledPlaces } from './scaledPlaces.js';

/** More would cost time, and say no more of ranges that matter. */
const MOST_UNITS = 1000;

export interface SpatialUnits {
  readonly unit: 'place' | 'patient';
  /** Of the data; at most {@link MOST_UNITS} of them, drawn at random, are looked at. */
  readonly total: number;
  readonly points: Points;
  /** Unit of each row, or -1 for rows of units that are not looked at. */
  readonly codes: Int32Array;
  readonly count: number;
  /** Different points among them: patients may have the same mean. */
  readonly distinct: number;
}

/**
 * The units: distinct places, or patients where one has several places, each at the mean of its rows. Rows of a patient
 * are alike wherever they are, which is no autocorrelation of places.
 */
export function spatialUnits(places: ScaledPlaces, data: SideData, random: RandomSource): SpatialUnits {
  const ids = data.hierarchy?.patient ?? data.groups;
  const n = places.codes.length;
  const patients = ids && knownGroups(ids, n);
  const moved = patients?.codes.some(hasAnotherPlace(places.codes)) ? patients : undefined;
  const { codes: all, count: total } = moved ?? places;
  const chosen = total > MOST_UNITS ? sample(random, total, MOST_UNITS).sort() : rowNumbers(total);
  const at = new Int32Array(total).fill(-1);
  chosen.forEach((unit, place) => {
    at[unit] = place;
  });
  const codes = all.map((unit) => (unit < 0 ? -1 : at[unit]));
  const { values, width } = places.points;
  const points = new Float64Array(chosen.length * width);
  const sizes = sizesOf(codes, chosen.length);
  codes.forEach((unit, row) => {
    if (unit < 0) return;
    for (let axis = 0; axis < width; axis++) points[unit * width + axis] += values[row * width + axis] / sizes[unit];
  });
  const unit = moved ? 'patient' : 'place';
  const distinct = new Set(
    Array.from({ length: chosen.length }, (_, at) => points.slice(at * width, (at + 1) * width).join()),
  ).size;
  return { unit, total, points: { values: points, width }, codes, count: chosen.length, distinct };
}

function hasAnotherPlace(places: Int32Array): (patient: number, row: number) => boolean {
  const first = new Map<number, number>();
  return (patient, row) => {
    const place = first.get(patient);
    if (place === undefined) first.set(patient, places[row]);
    return patient >= 0 && place !== undefined && place !== places[row];
  };
}

const sizesOf = (codes: Int32Array, count: number): Int32Array => {
  const sizes = new Int32Array(count);
  for (const code of codes) if (code >= 0) sizes[code]++;
  return sizes;
};
