import { nameText } from '../../core/foreignText.js';
import { counted, formatNumber, wholeNumber, wholePercent } from '../../core/format.js';
import { rowNumbers } from '../../data/labels.js';
import { hasPlace, type SideData } from '../../data/sideData.js';
import { type Check, type Finding, notDetectable, passed, undecided } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { inputOfRows } from '../countingInput.js';
import type { Column } from '../features/columns.js';
import { nameWords, saysPlace } from '../features/nameWords.js';
import { featureMeans, labelMeans } from '../features/unitMeans.js';
import { openQuestion } from '../openQuestion.js';
import { EXAMPLES, type SplitExample } from '../overlap.js';
import { type Autocorrelation, autocorrelation, nearestNeighbours } from './moran.js';
import { type NearRows, nearRows } from './nearRows.js';
import { type ScaledPlaces, scaledPlaces } from './scaledPlaces.js';
import { type SpatialUnits, spatialUnits } from './spatialUnits.js';
import { cutoffOf, fitSpherical, variogramOf } from './variogram.js';

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
  async assess(given) {
    const { n } = given.folds;
    const places = given.data.coordinates as NonNullable<SideData['coordinates']>;
    const placed = rowNumbers(n).filter((row) => hasPlace(places[row]));
    if (placed.length === n) return assessPlaces(given);
    const without = `${wholeNumber(n - placed.length)} of ${counted(n, 'row')} ${n - placed.length === 1 ? 'has' : 'have'} no place.`;
    const input = inputOfRows(given, placed);
    if (!input) return undecided(`No fold has rows with a place on both sides. ${without}`, PASS_PLACES);
    const finding = await assessPlaces(input);
    const message = `${finding.message} ${without} The others were judged.`;
    // So many rows could turn what was found for the others.
    const unsure = finding.status === 'passed' && n - placed.length > MOST_MISSING * n;
    return unsure ? undecided(message, PASS_PLACES, finding.evidence) : { ...finding, message };
  },
};

const PASS_PLACES = 'Pass the place of each row.';
/** The share of the rows without a place up to which the others tell. */
const MOST_MISSING = 0.05;

/** The check on rows that all have a place. */
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
  const seen = `${counted(units.total, units.unit)}${units.count < units.total ? `, ${units.count} of them looked at` : ''}`;
  if (units.distinct < MIN_UNITS) {
    const message = `Spatial autocorrelation is not detectable in ${seen}: it needs ${MIN_UNITS}.`;
    return undecided(message, 'Pass `spatialThreshold` to name the distance that counts as near.', {
      units: units.total,
    });
  }
  const tested = await strongest(input, units, random);
  if (!tested)
    return notDetectable(
      `Neither y nor any feature differs between the places (${seen}).`,
      'Pass features, or y, that vary.',
    );
  const { found, looked } = tested;
  const facts = {
    unit: units.unit,
    units: units.total,
    lookedAt: units.count,
    variable: found.variable.name,
    coefficient: found.coefficient,
    pValue: found.pValue,
    extent: places.toUnit(1),
  };
  if (!tested.significant) {
    const share = DETECTABLE.range * Math.sqrt(Math.max(1, DETECTABLE.places / units.count));
    const least = formatNumber(places.toUnit(share));
    const would = `A range of ${least}${unit} (${wholePercent(share)} of the extent) with a nugget of up to 20 % would have been found.`;
    return passed(`No spatial autocorrelation in ${looked} (${seen}). ${would}`, facts);
  }
  const cutoff = cutoffOf(units.points);
  const bins = variogramOf(units.points, found.variable.values, cutoff);
  const { nugget, sill, range } = fitSpherical(bins, cutoff);
  const structured = sill / (nugget + sill);
  const fitted = { ...facts, range: places.toUnit(range), rangeOfExtent: range, nuggetShare: 1 - structured };
  if (structured < MIN_SHARE) {
    const message = `${nameText(found.variable.name, 100)} is hardly autocorrelated in space: distance explains ${wholePercent(structured)} of its variance (${seen}).`;
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
  /** What was significant, or else what had the smaller p-value. */
  readonly found: Autocorrelation;
  readonly significant: boolean;
  readonly looked: string;
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
  const ofLabels = labels.length > 0 && autocorrelation(labels, graph, random, { alpha, permutations: PERMUTATIONS });
  if (ofLabels && ofLabels.pValue <= alpha) return { found: ofLabels, significant: true, looked: 'y' };
  const features = featureMeans(units, await input.features());
  const ofFeatures =
    features.length > 0 && autocorrelation(features, graph, random, { alpha, permutations: PERMUTATIONS });
  const both = [ofLabels, ofFeatures].filter((each) => each !== false);
  if (both.length === 0) return undefined;
  const found = both.reduce((a, b) => (b.pValue < a.pValue ? b : a));
  const looked = [ofLabels && 'y', ofFeatures && counted(features.length, 'feature')].filter(Boolean).join(' or ');
  return { found, significant: found.pValue <= alpha, looked };
}

/** Fails when more than half of the test rows are nearer than `distance` (in extents) to a training row. */
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

/** Test rows with a training row nearby, over all folds. */
function nearShare(rows: readonly NearRows[]) {
  const near = rows.reduce((sum, fold) => sum + fold.near, 0);
  const testRows = rows.reduce((sum, fold) => sum + fold.testRows, 0);
  return { near, testRows, share: near / testRows };
}
