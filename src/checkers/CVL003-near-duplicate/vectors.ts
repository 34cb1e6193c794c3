import { lowerBound } from '../../core/lowerBound.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import { mean } from '../../core/numbers.js';
import { type RandomSource, sample } from '../../core/random.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { gather, rowNumbers } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column, Features } from '../features/columns.js';
import { DistinctNumbers } from '../features/distinctNumbers.js';
import { upright } from '../features/images/perceptual.js';
import type { SearchPoints } from './pairsWithin.js';

export interface NearVectors {
  readonly n: number;
  /** `[n, width]`, row-major; the first `continuous` columns are continuous features. */
  readonly data: Float32Array;
  readonly width: number;
  readonly continuous: number;
  /** Share of the continuous features in which each row has a value of its own: neither missing nor an atom. */
  readonly ownValueShare: Float32Array;
  /** Mean squared distance of two rows, for similarities: twice the variance of all columns. */
  readonly meanSquaredDistance: number;
  /** Rows that are nearer may be so by rounding: root of the mean square of what rounding takes from a distance. */
  readonly resolution: number;
}

/** A column of the points: the place of each value. */
interface Part {
  readonly discrete: boolean;
  /** Width of the steps of a continuous feature that was rounded. */
  readonly step?: number;
  readonly values: Float64Array;
  place(value: number): number;
}

/** Rows of which the scales are learnt, at most, and rows that are placed together: they stay in the cache. */
const [SAMPLE, BLOCK] = [1000, 512];

/** The points of a table, or of the one input of images that there is. */
export async function nearVectors(
  features: Features,
  random: RandomSource,
  levels: readonly { readonly codes: Int32Array }[] = [],
): Promise<NearVectors> {
  const { n, columns, images } = features;
  if (images) return pointsOf(images[0].perceptual, n);
  const rows = n > SAMPLE ? sample(random, n, SAMPLE) : rowNumbers(n);
  const taken = new Float32Array(n);
  const codes = levels.map((level) => level.codes);
  const labels = labelColumns(columns, rows, codes);
  const parts: Part[] = [];
  for (const column of columns) {
    await yieldToPage();
    parts.push(...partsOf(column, rows, taken, labels.has(column)));
  }
  parts.sort((a, b) => Number(a.discrete) - Number(b.discrete));
  const width = parts.length;
  const continuous = parts.filter((part) => !part.discrete).length;
  const data = new Float32Array(n * width);
  for (let from = 0; from < n; from += BLOCK) {
    await yieldToPage();
    const end = Math.min(n, from + BLOCK);
    parts.forEach(({ values, place }, at) => {
      for (let row = from; row < end; row++) data[row * width + at] = place(values[row]);
    });
  }
  return {
    n,
    data,
    width,
    continuous,
    ownValueShare: taken.map((count) => (continuous > 0 ? 1 - count / continuous : 0)),
    meanSquaredDistance: spreadOf(data, n, width, continuous),
    resolution: Math.hypot(...parts.map(({ step = 0 }) => step / Math.sqrt(6))),
  };
}

const pointsOf = ({ data, width }: SearchPoints, n: number): NearVectors => ({
  n,
  data,
  width,
  continuous: width,
  ownValueShare: new Float32Array(n).fill(1),
  meanSquaredDistance: spreadOf(data, n, width),
  resolution: 0,
});

/** Vectors of a model as they are; missing numbers count as 0. */
export function rawPoints({ n, columns }: Features): NearVectors {
  const width = columns.length;
  const data = new Float32Array(n * width);
  columns.forEach(({ values }, column) => {
    for (let row = 0; row < n; row++) data[row * width + column] = values[row] || 0;
  });
  return pointsOf({ data, width }, n);
}

/** Images as points once more, each in a position of its own: mirrored, turned and inverted copies are alike. */
export function uprightVectors({ n, images = [] }: Features): NearVectors {
  const { data, width } = images[0].perceptual;
  const out = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += width) out.set(upright(data.subarray(at, at + width)), at);
  return pointsOf({ data: out, width }, n);
}

/** The directions of the points from 0, as points at distance 1; a point in 0 stays there. */
export function normalizedVectors({ data, width, meanSquaredDistance, resolution, ...rest }: NearVectors): NearVectors {
  const unit = data.slice();
  for (let from = 0; from < data.length; from += width) {
    let square = 0;
    for (let at = from; at < from + width; at++) square += data[at] * data[at];
    for (let at = from; at < from + width; at++) unit[at] /= Math.sqrt(square) || 1;
  }
  return {
    ...rest,
    data: unit,
    width,
    meanSquaredDistance: 2,
    resolution: resolution * Math.sqrt(2 / meanSquaredDistance),
  };
}

/** The columns that stand for a feature. `taken` counts the cells of a row without a value of their own. */
function partsOf(column: Column, rows: Int32Array, taken: Float32Array, isLabel: boolean): Part[] {
  const { values, kind, levels = [] } = column;
  if (kind === 'category') {
    // Names that hardly repeat tell rows apart, not what they are like.
    const telling = levels.length > 1 && levels.length <= values.length / 2;
    return telling ? [coded(values, (code) => (Number.isNaN(code) ? -1 : code))] : missingPart(values);
  }
  const known = sortedAmong(values, rows);
  const scale = columnScale(known);
  if (!scale) {
    const rare = (value: number) => !Number.isNaN(value) && value !== known[0];
    return [...(values.some(rare) ? [coded(values, (value) => (rare(value) ? 2 : 0))] : []), ...missingPart(values)];
  }
  const { atoms, step } = scale;
  const place = (value: number) => (Number.isNaN(value) ? 0 : scale.place(finite(value)));
  if (scale.discrete || isLabel) return [coded(values, place), ...missingPart(values)];
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row]) || (atoms.size > 0 && atoms.has(finite(values[row])))) taken[row]++;
  }
  return [{ discrete: false, step, values, place }, ...missingPart(values)];
}

function sortedAmong(values: Float64Array, rows: Int32Array): Float64Array {
  // Of all rows the order is kept, for other checks as well.
  if (rows.length === values.length) return gather(values, columnRanks({ values }).order).map(finite);
  return gather(values, rows)
    .filter((value) => !Number.isNaN(value))
    .map(finite)
    .sort();
}

const finite = (value: number) => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));

const coded = (values: Float64Array, place: (value: number) => number): Part => ({ discrete: true, values, place });

const missingPart = (values: Float64Array): Part[] =>
  values.includes(Number.NaN) && !values.every(Number.isNaN)
    ? [coded(values, (value) => Number(Number.isNaN(value)))]
    : [];

/** Twice the variance of all columns; a column beyond the continuous ones counts at most as one of those. */
function spreadOf(data: Float32Array, n: number, width: number, continuous = width): number {
  const [sums, squares] = [new Float64Array(width), new Float64Array(width)];
  for (let from = 0; from < data.length; from += width) {
    for (let column = 0; column < width; column++) {
      const value = data[from + column];
      sums[column] += value;
      squares[column] += value * value;
    }
  }
  return sums.reduce((total, sum, column) => {
    const variance = Math.max(0, squares[column] / n - (sum / n) ** 2);
    return total + 2 * (column < continuous ? variance : Math.min(variance, 1));
  }, 0);
}

/**
 * Numbers that repeat and that another column that repeats, or a level above the patient, determines: what is known of a
 * town is one label, not many directions. Where all columns are so, rows are copies.
 */
export function labelColumns(
  columns: readonly Column[],
  rows: Int32Array,
  levels: readonly Int32Array[] = [],
): Set<Column> {
  const places = new Map(columns.map((column) => [column, repeatedPlaces(column.values, rows)]));
  const determining = [...places.values(), ...levels.map((codes) => repeatedPlaces(Float64Array.from(codes), rows))];
  const pairs = determining.map((known) => known && { known, same: sameValues(known) });
  const labels = columns.filter((column) => {
    const own = column.kind === 'number' ? places.get(column) : undefined;
    return own && pairs.some((each) => each && each.known !== own && each.same.every(([a, b]) => own[a] === own[b]));
  });
  return new Set(labels.length < columns.length ? labels : []);
}

/** The place of the value of each row among the different ones; undefined where more than half are different. */
function repeatedPlaces(values: Float64Array, rows: Int32Array): Int32Array | undefined {
  const distinct = new DistinctNumbers(rows.length / 2);
  const places = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    places[at] = distinct.add(values[rows[at]]);
    if (distinct.size > rows.length / 2) return undefined;
  }
  return places;
}

/** Rows and the ones before them with the same value. */
function sameValues(places: Int32Array): (readonly [number, number])[] {
  const last = new Map<number, number>();
  return Array.from(places, (place, at) => {
    const before = last.get(place) ?? at;
    last.set(place, at);
    return [before, at] as const;
  });
}

// The scale on which a feature is compared: normal scores by a smooth curve, so that no skewness or outlier leads.

interface ColumnScale {
  /** Few values that repeat: equal values say little of two rows, and the feature counts as no direction to be near in. */
  readonly discrete: boolean;
  /** Width of the steps of a continuous feature, in standard scores. */
  readonly step?: number;
  /** Single values of a continuous feature that many rows share, such as a zero for "none". */
  readonly atoms: ReadonlySet<number>;
  place(value: number): number;
}

const LEVELS = 10;
/** Values closer than this, relative to their size, are one value that was rounded twice. */
const SAME = 1e-12;
/** A value is an atom when it is this many times as frequent as others, and at least in so many rows of the sample. */
const ATOM = { times: 5, rows: 3 };
/** Knots of the curve of a feature; fewer in a small sample. */
const KNOTS = 32;

/** The scale of a feature from a sample of its values in ascending order, finite; undefined when there is one value. */
export function columnScale(sorted: Float64Array): ColumnScale | undefined {
  const levels = levelsOf(sorted);
  if (levels.length < 2) return undefined;
  if (levels.length <= LEVELS) {
    const knots = levels.map(({ value, below, count }) => ({
      value,
      score: normalQuantile((below + count / 2) / sorted.length),
    }));
    return { discrete: true, atoms: new Set(), place: placer(knots) };
  }
  return { discrete: false, ...repeatsOf(levels, sorted.length), place: placer(knotsOf(sorted)) };
}

/**
 * Values that are far more frequent than others, and the width of the steps to which the rest are rounded: two normal
 * scores share a step of width h with probability h / (2 sqrt(pi)), the density of their difference at 0.
 */
function repeatsOf(levels: readonly Level[], m: number): Pick<ColumnScale, 'atoms' | 'step'> {
  const usual = Float64Array.from(levels, ({ count }) => count).sort()[levels.length >> 1];
  const often = Math.max(ATOM.rows, ATOM.times * usual);
  const [atoms, others] = [levels.filter(({ count }) => count >= often), levels.filter(({ count }) => count < often)];
  const tied = others.reduce((pairs, { count }) => pairs + (count * (count - 1)) / (m * (m - 1)), 0);
  return { atoms: new Set(atoms.map(({ value }) => value)), step: 2 * Math.sqrt(Math.PI) * tied };
}

/** Knots at quantiles, so that places have nearly a normal distribution. */
function knotsOf(sorted: Float64Array): Knot[] {
  const m = sorted.length;
  const count = Math.max(8, Math.min(KNOTS, Math.floor(Math.sqrt(m))));
  const places = Array.from({ length: count }, (_, at) => ((at + 0.5) / count) * m - 0.5);
  return merged(places.map((place) => ({ value: quantile(sorted, place), score: normalQuantile((place + 0.5) / m) })));
}

interface Level {
  readonly value: number;
  readonly below: number;
  readonly count: number;
}

function levelsOf(sorted: Float64Array): Level[] {
  const levels: Level[] = [];
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (to < sorted.length && sorted[to] / 2 - sorted[from] / 2 <= SAME * Math.abs(sorted[to] / 2)) to++;
    levels.push({ value: sorted[from], below: from, count: to - from });
    from = to;
  }
  return levels;
}

function quantile(sorted: Float64Array, place: number): number {
  const at = Math.min(Math.floor(place), sorted.length - 2);
  const part = place - at;
  return (1 - part) * sorted[at] + part * sorted[at + 1];
}

interface Knot {
  readonly value: number;
  readonly score: number;
}

/** Knots at one value become one at the mean of their scores. */
function merged(knots: readonly Knot[]): Knot[] {
  const scores = new Map<number, number[]>();
  for (const { value, score } of knots) scores.set(value, [...(scores.get(value) ?? []), score]);
  return [...scores].map(([value, all]) => ({ value, score: mean(all) }));
}

const FARTHEST = 10;

/** Linear between the knots, logarithmic beyond them: a value of 1e300 is far away, but no infinity. */
function placer(knots: readonly Knot[]): (value: number) => number {
  const values = Float64Array.from(knots, ({ value }) => value);
  const scores = Float64Array.from(knots, ({ score }) => score);
  const last = knots.length - 1;
  const span = values[last] / 2 - values[0] / 2;
  const outer = (scores[last] - scores[0]) / 2;
  const beyond = (gap: number) => Math.min(outer * Math.log1p(gap / span), FARTHEST);
  return (value) => {
    if (value <= values[0]) return scores[0] - beyond(values[0] / 2 - value / 2);
    if (value >= values[last]) return scores[last] + beyond(value / 2 - values[last] / 2);
    const high = lowerBound(values, value);
    const low = high - 1;
    const part = (value / 2 - values[low] / 2) / (values[high] / 2 - values[low] / 2);
    return scores[low] + part * (scores[high] - scores[low]);
  };
}
