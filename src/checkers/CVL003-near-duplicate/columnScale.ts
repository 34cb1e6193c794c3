/** The scale on which a feature is compared: normal scores by a smooth curve, so that no skewness or outlier leads. */

import { normalQuantile } from '../../core/normalQuantile.js';
import { mean } from '../../core/numbers.js';

/** How the values of one feature are placed. */
export interface ColumnScale {
  /** Few values that repeat: equal values say little of two rows, and the feature counts as no direction to be near in. */
  readonly discrete: boolean;
  /** Width of the steps of rounded values; 0 for values that hardly repeat. */
  readonly resolution: number;
  /** Single values of a continuous feature that many rows share, such as a zero for "none". */
  readonly atoms: ReadonlySet<number>;
  /** Place of a value: about a standard normal score. */
  place(value: number): number;
}

/** Up to this many different values are levels. */
const LEVELS = 10;
/** Values closer than this, relative to their size, are one value that was rounded twice. */
const SAME = 1e-12;
/** A value is an atom when it is this many times as frequent as others, and at least in so many rows of the sample. */
const ATOM = { times: 5, rows: 3 };
/** Values are rounded where fewer than this part of them are different. */
const ALL_DIFFERENT = 0.98;
/** Knots of the curve of a feature that is not normal; fewer in a small sample. */
const KNOTS = 32;
/** Gaps whose ends are knots. */
const GAPS = 8;
/** Sides of a feature are alike, and too different, by these factors; logarithms end a little beyond the last value. */
const [ALIKE, FAR, ROOM] = [1.05, 1e6, 1.1];
/** Standard errors that quantiles of a normal feature may be away from a line. */
const STRAIGHT = 3;

/** The scale of a feature from a sample of its values in ascending order, finite; undefined when there is one value. */
export function columnScale(sorted: Float64Array): ColumnScale | undefined {
  const levels = levelsOf(sorted);
  if (levels.length < 2) return undefined;
  if (levels.length <= LEVELS) {
    const knots = levels.map(({ value, below, count }) => ({
      value,
      score: normalQuantile((below + count / 2) / sorted.length),
    }));
    return { discrete: true, resolution: 0, atoms: new Set(), place: placer(knots) };
  }
  return { discrete: false, ...repeatsOf(levels, sorted.length), place: placeOf(sorted) };
}

/** On a line where the feature is normal; a skewed one by a curve of logarithms that are as wide on both sides. */
function placeOf(sorted: Float64Array): ColumnScale['place'] {
  const line = lineOf(sorted);
  if (line) return placer(line);
  const even = evenly(sorted);
  const seen = sorted.map(even).sort();
  const place = placer(lineOf(seen) ?? curveOf(seen));
  return (value) => place(even(value));
}

/**
 * The logarithm of the distance from a place beyond the steeper end, such that three quantiles are equally far apart: else
 * the values of that tail, in all features of a row that go together, would be pressed into one.
 *
 * Source: Aitchison & Brown 1957, The Lognormal Distribution, section 6.2 (a threshold from three quantiles).
 */
function evenly(sorted: Float64Array): (value: number) => number {
  const [low, middle, high] = [0.05, 0.5, 0.95].map((p) => quantile(sorted, p * sorted.length - 0.5) / 2);
  const [below, above] = [middle - low, high - middle];
  const side = above > below ? 1 : -1;
  const [steep, flat] = above > below ? [below, above] : [above, below];
  const end = side > 0 ? low : high;
  const least = side * (end - sorted[side > 0 ? 0 : sorted.length - 1] / 2);
  const from = Math.max(steep / (flat / steep - 1), ROOM * least);
  if (!(flat > ALIKE * steep && flat < FAR * steep && from > 0)) return (value) => value;
  // The largest numbers over a small one are beyond all numbers.
  const clamped = (ratio: number) => Math.min(Number.MAX_VALUE, Math.max(ratio, 1 / FAR));
  return (value) => side * Math.log(clamped(1 + (side * (value / 2 - end)) / from));
}

/** What repeated values say: the width of the steps, and values that are far more frequent than others. */
function repeatsOf(levels: readonly Level[], m: number): Pick<ColumnScale, 'resolution' | 'atoms'> {
  if (levels.length === m) return { resolution: 0, atoms: new Set() };
  const usual = Float64Array.from(levels, ({ count }) => count).sort()[levels.length >> 1];
  const often = Math.max(ATOM.rows, ATOM.times * usual);
  const gaps = Float64Array.from(levels.slice(1), ({ value }, at) => value - levels[at].value).sort();
  return {
    resolution: levels.length < ALL_DIFFERENT * m ? gaps[Math.floor(gaps.length / 10)] : 0,
    atoms: new Set(levels.filter(({ count }) => count >= often).map(({ value }) => value)),
  };
}

/** Quantiles of a normal feature, and the standard error of each in one row. */
const NORMAL = Array.from({ length: 15 }, (_, at) => {
  const p = (at + 1) / 16;
  const score = normalQuantile(p);
  return { p, score, error: Math.sqrt(2 * Math.PI * p * (1 - p)) * Math.exp((score * score) / 2) };
});

/** Knots at the ends of a line through the quartiles, if the quantiles of the sample are those of a normal feature. */
function lineOf(sorted: Float64Array): Knot[] | undefined {
  const valueAt = (p: number) => quantile(sorted, p * sorted.length - 0.5);
  const middle = valueAt(0.5);
  const unit = (valueAt(0.75) / 2 - valueAt(0.25) / 2) / normalQuantile(0.75);
  const root = Math.sqrt(sorted.length);
  for (const { p, score, error } of NORMAL) {
    const off = (valueAt(p) / 2 - middle / 2) / (unit / 2) - score;
    if (!(Math.abs(off) <= (STRAIGHT * error) / root)) return undefined;
  }
  return [-3, 3].map((score) => ({ value: middle + score * unit, score }));
}

/**
 * Knots at quantiles, so that places have nearly a normal distribution, and at both sides of the widest gaps, so that
 * the edge of a cluster is not pressed together by the gap beside it.
 */
function curveOf(sorted: Float64Array): Knot[] {
  const m = sorted.length;
  const count = Math.max(8, Math.min(KNOTS, Math.floor(Math.sqrt(m))));
  const places = Array.from({ length: count }, (_, at) => ((at + 0.5) / count) * m - 0.5);
  const ends = widestGaps(sorted).flatMap((at) => [at, at + 1]);
  return merged(
    [...places, ...ends]
      .sort((a, b) => a - b)
      .map((place) => ({ value: quantile(sorted, place), score: normalQuantile((place + 0.5) / m) })),
  );
}

/** Places before the widest gaps, the widest first. */
function widestGaps(sorted: Float64Array): number[] {
  const [places, gaps]: [number[], number[]] = [[], []];
  for (let at = 0; at + 1 < sorted.length; at++) {
    const gap = sorted[at + 1] / 2 - sorted[at] / 2;
    if (places.length === GAPS && !(gap > gaps[GAPS - 1])) continue;
    let to = Math.min(places.length, GAPS - 1);
    for (; to > 0 && gaps[to - 1] < gap; to--) [places[to], gaps[to]] = [places[to - 1], gaps[to - 1]];
    [places[to], gaps[to]] = [at, gap];
  }
  return places;
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

/** The value at a place among the sorted ones, from 0. */
function quantile(sorted: Float64Array, place: number): number {
  const at = Math.min(Math.floor(place), sorted.length - 2);
  const part = place - at;
  return (1 - part) * sorted[at] + part * sorted[at + 1];
}

interface Knot {
  readonly value: number;
  readonly score: number;
}

/** Knots at one value, which follow each other, become one at the mean of their scores. */
function merged(knots: readonly Knot[]): Knot[] {
  const out: Knot[] = [];
  for (let from = 0, to = 0; from < knots.length; from = to) {
    while (to < knots.length && knots[to].value === knots[from].value) to++;
    out.push(to - from === 1 ? knots[from] : { ...knots[from], score: mean(knots.slice(from, to).map(scoreOf)) });
  }
  return out;
}
const scoreOf = ({ score }: Knot) => score;

/** Places of outliers end here. */
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
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (values[middle] > value) high = middle;
      else low = middle;
    }
    const part = (value / 2 - values[low] / 2) / (values[high] / 2 - values[low] / 2);
    return scores[low] + part * (scores[high] - scores[low]);
  };
}
