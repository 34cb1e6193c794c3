import { nameText } from '../../core/foreignText.js';
import { counted, formatNumber, wholeNumber, wholePercent } from '../../core/format.js';
import { permutationPValue } from '../../core/pValues.js';
import { permutation, type RandomSource, sample } from '../../core/random.js';
import { tally } from '../../data/encode.js';
import { rowNumbers } from '../../data/labels.js';
import { hasPlace, knownGroups, patientIdsOf, type SideData } from '../../data/sideData.js';
import { rowsOutside } from '../../splitters/assignment.js';
import type { FoldPlan, FoldSides } from '../../splitters/foldsOf.js';
import { crossed } from '../../splitters/spatial/blocks.js';
import { KdTree } from '../../splitters/spatial/kdTree.js';
import { chordOf, earthPlaces, kilometresOf } from '../../splitters/spatial/places.js';
import type { Points } from '../../splitters/spatial/points.js';
import { type Check, type Finding, notDetectable, passed, undecided } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import type { Column } from '../features/columns.js';
import { nameWords, saysPlace } from '../features/nameWords.js';
import { featureMeans, labelMeans, type UnitVariable } from '../features/unitMeans.js';
import { openQuestion } from '../openQuestion.js';
import { EXAMPLES, type SplitExample } from '../overlap.js';
import { inputOfRows } from '../withoutZeroWeight.js';
import { cutoffOf, endsOf, fitSpherical, variogramOf } from './variogram.js';

/** Family-wise over y and all features, which spend half of it each: within the .01 of one call, with room to spare. */
const ALPHA = 0.005;
/** At half of the level none of them may reach what was observed. */
const PERMUTATIONS = 399;
const MIN_UNITS = 50;
/** What is found at 200 places or more, as a share of the extent; fewer places find longer ranges alone. */
const DETECTABLE = { range: 0.2, places: 200 };
/** Less of the variance than this is not worth a finding, however certain. */
const MIN_SHARE = 0.1;
/**
 * A range fitted at 200 places is up to about 1.6 times the true one. Rows within the fitted range by 1.6 are thus within
 * the true one: a buffer of the true range is accused in about 1 % of such fits, shuffled folds in 99 %.
 */
const NEAR = 1 / 1.6;

/** What CVL006 measured; distances are in the unit of the coordinates, or in km. */
export type SpatialDetails = {
  readonly unit?: string;
  readonly units?: number;
  /** Units that were looked at, where there are many. */
  readonly lookedAt?: number;
  /** What is autocorrelated most: y or a feature, with Moran's I and its permutation p-value. */
  readonly variable?: string;
  readonly coefficient?: number;
  readonly pValue?: number;
  readonly extent?: number;
  /** Of the fitted variogram. */
  readonly range?: number;
  readonly rangeOfExtent?: number;
  readonly nuggetShare?: number;
  readonly shareWithinRange?: number;
  /** The distance that counted as near, and the test rows that have a training row so near. */
  readonly distance?: number;
  readonly testRows?: number;
  readonly near?: number;
  readonly shareNear?: number;
  readonly folds?: readonly { readonly fold: string; readonly testRows: number; readonly near: number }[];
  readonly examples?: readonly SplitExample[];
};

/**
 * CVL006: more than half of the test rows have a training row so near that outcomes or features are still correlated.
 * The range is that of a spherical variogram, fitted only when a permutation test finds autocorrelation at all.
 *
 * Source: Roberts et al. 2017, Ecography 40:913; Ploton et al. 2020, Nature Communications 11:4540.
 */
export const spatialProximity: Check<SpatialDetails> = {
  code: 'CVL006',
  type: 'spatial_proximity',
  kind: 'leakage',
  cost: 'slow',
  page: 'docs/checks/CVL006.md',
  description: 'Most test rows have a training row within the range of spatial autocorrelation.',
  needs: ['X', 'coordinates'],
  whenMissing: (input) => openQuestion('spatial_proximity', input, { noun: 'a place', columnsIn: placesAmong }),
  async assess(input) {
    const { n } = input.folds;
    const places = input.data.coordinates as NonNullable<SideData['coordinates']>;
    const placed = rowNumbers(n).filter((row) => hasPlace(places[row]));
    if (placed.length === n) return assessPlaces(input);
    const without = `${wholeNumber(n - placed.length)} of ${counted(n, 'row')} ${n - placed.length === 1 ? 'has' : 'have'} no place.`;
    const placedInput = inputOfRows(input, placed);
    if (!placedInput) return undecided(`No fold has rows with a place on both sides. ${without}`, PASS_PLACES);
    const finding = await assessPlaces(placedInput);
    const message = `${finding.message} ${without} The others were judged.`;
    // So many rows could turn what was found for the others.
    const unsure = finding.status === 'passed' && n - placed.length > MOST_MISSING * n;
    return unsure ? undecided(message, PASS_PLACES, finding.evidence) : { ...finding, message };
  },
};

const PASS_PLACES = 'Pass the place of each row.';
/** The share of the rows without a place up to which the others tell. */
const MOST_MISSING = 0.05;

async function assessPlaces(input: CheckInput): Promise<Finding<SpatialDetails>> {
  const { data, folds, spatialThreshold } = input;
  const { geographic = false } = folds.claims;
  const places = scaledPlaces(data.coordinates as NonNullable<SideData['coordinates']>, geographic);
  const unit = geographic ? ' km' : '';
  if (spatialThreshold !== undefined) {
    const distance = places.fromUnit(spatialThreshold);
    return assessDistance(input, places, distance, `\`spatialThreshold\`, ${spatialThreshold}${unit}`, {});
  }
  const random = input.random(spatialProximity.code);
  const units = spatialUnits(places, data, random);
  const size = `${counted(units.total, units.unit)}${units.count < units.total ? `, ${units.count} of them looked at` : ''}`;
  if (units.distinct < MIN_UNITS) {
    const message = `Spatial autocorrelation is not detectable in ${size}: it needs ${MIN_UNITS}.`;
    const fix = 'Pass `spatialThreshold` to name the distance that counts as near.';
    return undecided(message, fix, { units: units.total });
  }
  const tested = await strongest(input, units, random);
  if (!tested) {
    const message = `Neither y nor any feature differs between the places (${size}).`;
    return notDetectable(message, 'Pass features, or y, that vary.');
  }
  const { found, variables } = tested;
  const { coefficient, pValue, variable } = found;
  const looked = { unit: units.unit, units: units.total, lookedAt: units.count };
  const facts = { ...looked, variable: variable.name, coefficient, pValue, extent: places.toUnit(1) };
  if (!tested.significant) {
    const share = DETECTABLE.range * Math.sqrt(Math.max(1, DETECTABLE.places / units.count));
    const least = formatNumber(places.toUnit(share));
    const would = `A range of ${least}${unit} (${wholePercent(share)} of the extent) with a nugget of up to 20 % would have been found.`;
    return passed(`No spatial autocorrelation in ${variables} (${size}). ${would}`, facts);
  }
  const cutoff = cutoffOf(units.points);
  const bins = variogramOf(units.points, found.variable.values, cutoff);
  const { nugget, sill, range } = fitSpherical(bins, cutoff);
  const structured = sill / (nugget + sill);
  const fitted = { ...facts, range: places.toUnit(range), rangeOfExtent: range, nuggetShare: 1 - structured };
  if (structured < MIN_SHARE) {
    const message = `${nameText(found.variable.name, 100)} is hardly autocorrelated in space: distance explains ${wholePercent(structured)} of its variance (${size}).`;
    return passed(message, fitted);
  }
  const at = range >= cutoff * 0.999 ? 'at least ' : '';
  const nearest = nearShare(nearRows(folds, places.points, range));
  const what = `5/8 of the range of autocorrelation of ${nameText(found.variable.name, 100)} (${at}${formatNumber(fitted.range)}${unit}, ${wholePercent(range)} of the extent; nugget ${wholePercent(1 - structured)}), ${wholePercent(nearest.share)} within the whole range`;
  return assessDistance(input, places, NEAR * range, what, { ...fitted, shareWithinRange: nearest.share });
}

/** `lat` may be lateral: it is a place beside a `lon` alone. */
function placesAmong(columns: readonly Column[]): readonly Column[] {
  const short = (of: RegExp) => columns.filter(({ name }) => of.test(nameWords(name).join(' ')));
  const [lat, lon] = [short(/^lat$/), short(/^(lon|lng|long)$/)];
  const pair = lat.length > 0 && lon.length > 0 ? [...lat, ...lon] : [];
  return columns.filter((column) => pair.includes(column) || saysPlace(column.name));
}

interface Tested {
  readonly found: Autocorrelation;
  readonly significant: boolean;
  readonly variables: string;
}

/** y first, which costs little; the features when y does not decide it. Undefined when there is nothing to look at. */
async function strongest(
  input: CheckInput,
  units: SpatialUnits,
  random: ReturnType<CheckInput['random']>,
): Promise<Tested | undefined> {
  const graph = nearestNeighbours(units.points);
  const alpha = ALPHA / 2;
  const labels = input.y ? labelMeans(units, input.y) : [];
  const test = { alpha, permutations: PERMUTATIONS };
  const ofLabels = labels.length > 0 && (await autocorrelation(labels, graph, random, test));
  if (ofLabels && ofLabels.pValue <= alpha) return { found: ofLabels, significant: true, variables: 'y' };
  const features = featureMeans(units, await input.features());
  const ofFeatures = features.length > 0 && (await autocorrelation(features, graph, random, test));
  const [found] = [ofLabels, ofFeatures].filter((each) => each !== false).sort((a, b) => a.pValue - b.pValue);
  if (!found) return undefined;
  const variables = [ofLabels && 'y', ofFeatures && counted(features.length, 'feature')].filter(Boolean).join(' or ');
  return { found, significant: found.pValue <= alpha, variables };
}

function assessDistance(
  input: CheckInput,
  places: ScaledPlaces,
  distance: number,
  what: string,
  facts: SpatialDetails,
): Finding<SpatialDetails> {
  const rows = nearRows(input.folds, places.points, distance);
  const { near, testRows, share } = nearShare(rows);
  const evidence = {
    ...facts,
    distance: Math.min(Number.MAX_VALUE, places.toUnit(distance)),
    testRows,
    near,
    shareNear: share,
    folds: rows.slice(0, 10).map(({ fold, testRows, near }) => ({ fold, testRows, near })),
  };
  const message = `${wholePercent(share)} of ${counted(testRows, 'test row')} have a training row within ${what}.`;
  if (share <= 0.5) return passed(message, evidence);
  const examples = rows.flatMap(({ fold, example }) =>
    example ? [{ fold, train: input.rowOf(example.train), test: input.rowOf(example.test) }] : [],
  );
  return {
    status: 'failed',
    severity: 'high',
    fold: rows.find((fold) => fold.near > 0)?.fold,
    message,
    evidence: { ...evidence, examples: examples.slice(0, EXAMPLES) },
    concerns: { count: near, of: testRows, unit: 'test row' },
    fix: 'Keep training rows at a distance: BufferedSpatialCV with a `bufferSize` of the range, or SpatialBlockCV with blocks several times as wide.',
  };
}

function nearShare(rows: readonly NearRows[]) {
  const near = rows.reduce((sum, fold) => sum + fold.near, 0);
  const testRows = rows.reduce((sum, fold) => sum + fold.testRows, 0);
  return { near, testRows, share: near / testRows };
}

// Whether neighbours are alike at all: the largest of Moran's coefficients of several variables, by permutation.

/** The nearest of them counts this much, the next one less, the last one 1. */
const NEIGHBOURS = 8;

/** The {@link NEIGHBOURS} nearest other points of each, `[n, k]` row-major; of equally near ones those of lower number. */
export function nearestNeighbours({ values, width }: Points): { readonly neighbours: Int32Array; readonly k: number } {
  const n = values.length / width;
  const k = Math.min(NEIGHBOURS, n - 1);
  const neighbours = new Int32Array(n * k);
  const nearest = new Float64Array(k);
  for (let i = 0; i < n; i++) {
    nearest.fill(Number.POSITIVE_INFINITY);
    const from = i * k;
    for (let j = 0; j < n; j++) {
      let distance = 0;
      for (let axis = 0; axis < width; axis++) distance += (values[i * width + axis] - values[j * width + axis]) ** 2;
      if (j === i || distance >= nearest[k - 1]) continue;
      let at = k - 1;
      for (; at > 0 && nearest[at - 1] > distance; at--) {
        nearest[at] = nearest[at - 1];
        neighbours[from + at] = neighbours[from + at - 1];
      }
      nearest[at] = distance;
      neighbours[from + at] = j;
    }
  }
  return { neighbours, k };
}

interface Autocorrelation {
  readonly variable: UnitVariable;
  readonly coefficient: number;
  readonly pValue: number;
}

/**
 * Moran 1950, Biometrika 37:17: the largest coefficient of variables of mean 0 and variance 1, at least one; p as
 * {@link permutationPValue}.
 */
export async function autocorrelation(
  variables: readonly UnitVariable[],
  { neighbours, k }: ReturnType<typeof nearestNeighbours>,
  random: RandomSource,
  settings: { readonly alpha: number; readonly permutations: number },
): Promise<Autocorrelation> {
  const n = neighbours.length / k;
  const width = variables.length;
  const table = new Float64Array(n * width);
  for (const [at, { values }] of variables.entries()) {
    for (let unit = 0; unit < n; unit++) table[unit * width + at] = values[unit];
  }
  const sums = new Float64Array(width);
  const around = new Float64Array(width);
  const coefficients = (order?: Int32Array) => {
    sums.fill(0);
    for (let i = 0; i < n; i++) {
      around.fill(0);
      for (let near = 0; near < k; near++) {
        const neighbour = neighbours[i * k + near];
        const other = (order ? order[neighbour] : neighbour) * width;
        for (let j = 0; j < width; j++) around[j] += (k - near) * table[other + j];
      }
      const self = (order ? order[i] : i) * width;
      for (let j = 0; j < width; j++) sums[j] += table[self + j] * around[j];
    }
    return sums;
  };
  const observed = coefficients();
  const best = observed.indexOf(observed.reduce((a, b) => Math.max(a, b)));
  const [largest, coefficient] = [observed[best], (2 * observed[best]) / (n * k * (k + 1))];
  // Rounding differs with the order of the sum.
  const reaches = () => coefficients(permutation(random, n)).some((sum) => sum >= largest - 1e-9 * n * k);
  const { pValue } = await permutationPValue(reaches, settings);
  return { variable: variables[best], coefficient, pValue };
}

/** So few test rows are looked up in one tree of all rows, or among all training rows: a tree of those would cost more. */
const FEW = 16;

interface NearRows {
  readonly fold: string;
  readonly testRows: number;
  readonly near: number;
  readonly example?: { readonly train: number; readonly test: number };
}

export function nearRows(folds: FoldPlan, { values, width }: Points, distance: number): NearRows[] {
  const isNear = (a: number, b: number) => {
    let square = 0;
    for (let axis = 0; axis < width; axis++) square += (values[a * width + axis] - values[b * width + axis]) ** 2;
    return Math.sqrt(square) < distance;
  };
  const treeOf = (rows?: Int32Array) => new KdTree(values, width, 'euclidean', rows);
  let ofAll: KdTree | undefined;
  const isNearAny = ({ test, train }: FoldSides): ((row: number) => boolean) => {
    if (test.length >= FEW) {
      const tree = treeOf(train ?? rowsOutside(test, folds.n));
      return (row) => tree.hasNearer(values, row, distance);
    }
    if (train) return (row) => train.some((other) => isNear(row, other));
    ofAll ??= treeOf();
    const tree = ofAll;
    return (row) => tree.hasNearer(values, row, distance, (other) => test.includes(other));
  };
  let examples = 0;
  return Array.from(folds.sides(), (sides) => {
    const { id, test, train } = sides;
    const near = test.filter(isNearAny(sides));
    const found = { fold: id, testRows: test.length, near: near.length };
    if (near.length === 0 || examples++ >= EXAMPLES) return found;
    const [row] = near;
    const other = (train ?? rowsOutside(test, folds.n)).find((each) => isNear(row, each)) as number;
    return { ...found, example: { train: other, test: row } };
  });
}

/** More would cost time, and say no more of ranges that matter. */
const MOST_UNITS = 1000;

interface SpatialUnits {
  readonly unit: 'place' | 'patient';
  readonly total: number;
  readonly points: Points;
  /** Unit of each row, or -1 for rows of units that are not looked at. */
  readonly codes: Int32Array;
  readonly count: number;
  readonly distinct: number;
}

/**
 * Distinct places, or patients where one has several, at the mean of its rows: rows of a patient are alike wherever
 * they are.
 */
function spatialUnits(places: ScaledPlaces, data: SideData, random: RandomSource): SpatialUnits {
  const ids = patientIdsOf(data);
  const n = places.codes.length;
  const patients = ids && knownGroups(ids, n);
  const moved = patients?.codes.some(hasAnotherPlace(places.codes)) ? patients : undefined;
  const { codes: all, count: total } = moved ?? places;
  const chosen = total > MOST_UNITS ? sample(random, total, MOST_UNITS).sort() : rowNumbers(total);
  const at = new Map(Array.from(chosen, (unit, place) => [unit, place]));
  const codes = all.map((unit) => at.get(unit) ?? -1);
  const { values, width } = places.points;
  const points = new Float64Array(chosen.length * width);
  const known = codes.filter((unit) => unit >= 0);
  const sizes = tally(known, chosen.length);
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

// Where the rows are, in units of the extent, so that coordinates of any size can be squared.

interface ScaledPlaces {
  readonly points: Points;
  readonly codes: Int32Array;
  readonly count: number;
  /** A scaled distance in the unit of the caller (haversine: kilometres), and back. */
  readonly toUnit: (scaled: number) => number;
  readonly fromUnit: (distance: number) => number;
}

/** Scales the places. `onEarth`: `[lat, lon]` in degrees, measured along great circles. */
function scaledPlaces(coordinates: NonNullable<SideData['coordinates']>, onEarth: boolean): ScaledPlaces {
  const { values: raw, width } = onEarth ? earthPlaces(coordinates).space : pairsOf(coordinates);
  const ends = endsOf({ values: raw, width });
  // Halves, because the difference of two huge numbers may overflow.
  const half = Math.max(...ends.map(([low, high]) => high / 2 - low / 2));
  const values = raw.map((value, at) => (half > 0 ? (value / 2 - ends[at % width][0] / 2) / half : 0));
  const axis = (at: number) => values.filter((_, place) => place % width === at);
  let codes = crossed(axis(0), axis(1)).codes;
  if (width === 3) codes = crossed(codes, axis(2)).codes;
  const chord = (scaled: number) => Math.min(Number.MAX_VALUE, 2 * (half * scaled));
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
  return { values: new Float64Array(2 * coordinates.length).map((_, at) => coordinates[at >> 1][at % 2]), width: 2 };
}
