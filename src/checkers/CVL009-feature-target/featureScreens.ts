/** Looks at every feature against every class (or the numbers) of y: what gives y away, and what is strongest. */

import { sum } from '../../core/numbers.js';
import { falseDiscovery } from '../../core/pValues.js';
import { randomInterval, randomSource } from '../../core/random.js';
import { countValues } from '../../core/tally.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { gather, type Labels } from '../../data/labels.js';
import type { SideData } from '../../data/sideData.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { saysHowTaken } from '../features/images/frame.js';
import { joinedDummies } from '../features/joinedDummies.js';
import {
  areaExceeds,
  type Correlation,
  correlationExceeds,
  IMAGE_AREA,
  pearsonWith,
  type TargetAssociation,
  targetAssociation,
} from './association.js';
import { type ClassColumn, classColumn } from './classColumn.js';
import { beyondNoise, type Copy, classCopy } from './classCopies.js';
import { levelArea, levelCounts } from './levelProxies.js';
import { impliedLevels, type ProxyFeature, type ProxyScreens, screenProxies } from './proxyScreens.js';
import {
  FOLLOW_UP,
  type Independent,
  independentOf,
  LEAST_UNITS,
  REVIEW_CHANCE,
  screenTargets,
  type Target,
} from './targets.js';

/** A copy is proof where it is known in at least half of the rows: what is missing in most rows gives few of them away. */
const KNOWN = 0.5;

export interface ScreenedFeature {
  readonly column: Column;
  readonly kind: Copy['kind'] | 'missingness' | 'auc' | 'correlation' | 'level' | 'time';
  readonly score: number;
  readonly target: string;
  readonly copy?: Copy;
  /** Share of the rows in which it has a value. */
  readonly known: number;
  readonly proxy?: ProxyFeature;
  /** Rows in which it is the follow-up itself. */
  readonly same?: number;
  /** Number of columns that were made of one category with this one, where the finding is of all of them; else 0. */
  readonly siblings: number;
  /** A copy in at least {@link KNOWN} of the rows: a fault without a further look. */
  readonly proof: boolean;
}

/** A feature with what it goes with best. */
export interface Strength {
  readonly feature: string;
  readonly class?: string;
  readonly auc?: number;
  readonly r?: number;
  /** Number of columns that were made of one category with this one: the strength is that of all. */
  readonly siblings?: number;
  /** Adjusted for all tests by Benjamini and Hochberg: describes, decides nothing. */
  readonly pAdjusted: number | null;
}

export interface FeatureScreens {
  readonly features: number;
  readonly nTests: number;
  readonly unit: Independent['unit'];
  readonly units: number;
  readonly share: number | undefined;
  /** A feature of two values is distinguishable from luck. */
  readonly detectable: boolean;
  readonly proxies: ProxyScreens;
  readonly found: readonly ScreenedFeature[];
  readonly strongest: readonly Strength[];
  /** The largest correlation with y or a class, where a threshold of the caller's own decides. */
  readonly largest?: { readonly feature: string; readonly r: number };
}

/** @param ownThreshold the threshold is the caller's own: a correlation above it is a fault without a further look */
export async function screenFeatures(
  columns: readonly Column[],
  y: Labels,
  data: SideData,
  {
    threshold,
    ownThreshold,
    followUp,
  }: { readonly threshold: number; readonly ownThreshold: boolean; readonly followUp?: Float64Array | undefined },
): Promise<FeatureScreens> {
  const independent = independentOf(data, y.length);
  const targets = screenTargets(y, followUp);
  const joined = joinedDummies(columns);
  const inGroup = new Set(joined.flatMap(({ siblings }) => siblings));
  // A text says more than that the number is missing.
  const all = columns.flatMap((column) => (column.texts ? [column.texts, column] : [column]));
  const candidates = [
    ...all.flatMap((column) => [{ column, kind: undefined, siblings: 0 }, ...missingnessOf(column)]),
    ...joined.map(({ column, siblings }) => ({ column, kind: undefined, siblings: siblings.length })),
  ].filter(({ column }) => columnRanks(column).distinct > 1);
  const nTests = candidates.length * targets.length;
  const found = new Map<string, ScreenedFeature>();
  const associations: Strong[] = [];
  let largest: { readonly feature: string; readonly r: number } | undefined;
  for (const { column, kind, siblings } of candidates) {
    await yieldToPage();
    const isCategory = column.kind === 'category';
    const prepared = classColumn(column, independent);
    const correlation = ownThreshold && kind === undefined ? correlationWith(column, prepared) : undefined;
    for (const target of targets) {
      const association = isCategory ? levelAssociation(prepared, target) : targetAssociation(prepared, target);
      if (kind === undefined && !inGroup.has(column)) {
        associations.push({ ...association, name: column.name, target: target.name, siblings });
      }
      const copy = target.classes ? classCopy(prepared, target, nTests) : curveCopy(prepared, target);
      const linear = correlation?.(target) ?? 0;
      if (linear > (largest?.r ?? 0)) largest = { feature: column.name, r: linear };
      const match = copy
        ? { kind: kind ?? directionOf(copy, association, column), score: 1 - copy.errors / copy.rows, copy }
        : linear > threshold
          ? { kind: 'correlation' as const, score: linear }
          : almost({ column, kind, target }, association, independent, threshold, nTests);
      if (!match) continue;
      const known = columnRanks(column).order.length / y.length;
      const proof = linear > threshold || (copy !== undefined && !copy.flawed && known >= KNOWN);
      const finding = { column, target: target.name, known, proof, siblings, ...match };
      const best = found.get(column.name);
      if (!best || strengthOf(finding) > strengthOf(best)) found.set(column.name, finding);
    }
  }
  const proxies = await screenProxies(all, joined, y, targets, independent);
  for (const proxy of proxies.found) {
    // A column that was found already leaves the finding to a sibling.
    const column = [proxy.column, ...impliedLevels(proxy)].find(({ name }) => !found.has(name));
    if (column) found.set(column.name, proxyFound({ ...proxy, column }, y.length));
  }
  const sameIn = followUp && sameTimes(followUp);
  for (const column of sameIn ? columns : []) {
    const same = found.get(column.name)?.proof ? 0 : (sameIn?.(column) ?? 0);
    if (same === 0) continue;
    const facts = { target: FOLLOW_UP, known: columnRanks(column).order.length / y.length, siblings: 0, proof: true };
    found.set(column.name, { column, kind: 'time', score: same / y.length, same, ...facts });
  }
  const shares = targets.flatMap((target) => (target.classes ? [target.share] : []));
  const share = shares.length > 0 ? shares.reduce((least, each) => Math.min(least, each)) : undefined;
  return {
    features: columns.length,
    nTests,
    unit: independent.unit,
    units: independent.count,
    share,
    detectable:
      share === undefined
        ? independent.count >= LEAST_UNITS
        : shares.some((each) => beyondNoise(independent.count, each, 0, nTests)),
    proxies,
    found: [...found.values()].sort((a, b) => strengthOf(b) - strengthOf(a)),
    strongest: strongestOf(associations),
    ...(largest ? { largest } : {}),
  };
}

const proxyFound = (proxy: ProxyFeature, rows: number): ScreenedFeature => ({
  column: proxy.column,
  kind: proxy.by === 'known' || proxy.by === 'missing' ? 'missingness' : 'level',
  score: proxy.inClass / proxy.units,
  target: '',
  known: columnRanks(proxy.column).order.length / rows,
  proof: false,
  proxy,
  siblings: proxy.siblings?.length ?? 0,
});

const correlationWith = (column: Column, prepared: ClassColumn): Correlation =>
  column.kind === 'category' ? (target) => correlationRatio(prepared, target.values) : pearsonWith(column);

interface Strong extends TargetAssociation {
  readonly name: string;
  readonly target: string;
  readonly siblings: number;
}

interface Candidate {
  readonly column: Column;
  readonly kind: 'missingness' | undefined;
  readonly siblings: number;
}

function missingnessOf(column: Column): Candidate[] {
  const { name, values } = column;
  if (columnRanks(column).order.length === values.length) return [];
  const missing = values.map((value) => Number(Number.isNaN(value)));
  return [{ column: { name, kind: 'number', values: missing }, kind: 'missingness', siblings: 0 }];
}

/** Fewer rows that are the follow-up may be chance. */
const LEAST_ROWS = 20;
const LEAST_SHARE = 0.05;
const TIMES_CHANCE = 5;

/**
 * In how many rows a feature is the follow-up itself, as a time is that was measured up to the same visit; 0 where so many
 * would be no surprise, as among a few round numbers.
 */
function sameTimes(followUp: Float64Array): (column: Column) => number {
  const n = followUp.length;
  const found = countValues(followUp);
  const rowsAt = new Map(found.values.map((time, at) => [time, found.counts[at]]));
  return ({ kind, values }) => {
    if (kind !== 'number') return 0;
    let same = 0;
    for (let row = 0; row < n; row++) if (values[row] === followUp[row]) same++;
    if (same < LEAST_ROWS || same < LEAST_SHARE * n) return 0;
    const own = countValues(values);
    const byChance = own.values.reduce((sum, value, at) => sum + (own.counts[at] * (rowsAt.get(value) ?? 0)) / n, 0);
    return same > TIMES_CHANCE * byChance ? same : 0;
  };
}

/** From this area or rank correlation on a noisy copy is called monotone. */
const RISES = 0.99;

const directionOf = ({ kind }: Copy, { auc, r }: TargetAssociation, column: Column): Copy['kind'] =>
  column.kind === 'number' && (auc ?? r ?? 0) > RISES ? 'monotone' : kind;

function almost(
  { column, kind, target }: Pick<Candidate, 'column' | 'kind'> & { readonly target: Target },
  { auc, r }: TargetAssociation,
  independent: Independent,
  threshold: number,
  nTests: number,
): Pick<ScreenedFeature, 'kind' | 'score'> | undefined {
  const alpha = REVIEW_CHANCE / nTests;
  const isCategory = column.kind === 'category';
  // Classes that follow from levels almost without an error were found as copies.
  if (isCategory && target.classes) return undefined;
  const { order, distinct } = columnRanks(column);
  const units = (order.length * independent.count) / independent.codes.length;
  if (target.classes && !beyondNoise(units, target.share, 0, nTests)) return undefined;
  if (auc !== null) {
    const inClass = (units * target.rows.length) / independent.codes.length;
    const isStrange = saysHowTaken(column) && areaExceeds(auc, IMAGE_AREA, inClass, units - inClass, alpha);
    return isStrange ? { kind: kind ?? 'auc', score: auc } : undefined;
  }
  const free = isCategory ? units - distinct : units;
  if (r !== null && r > threshold && correlationExceeds(r, threshold, free, alpha)) {
    return { kind: kind ?? 'correlation', score: r };
  }
  return undefined;
}

const strengthOf = ({ copy, proof, score }: ScreenedFeature) => Number(copy !== undefined) + Number(proof) + score;

function strongestOf(strengths: readonly Strong[]): Strength[] {
  const adjusted = falseDiscovery(strengths.map(({ p }) => p));
  const best = new Map<string, Strength & { readonly size: number }>();
  strengths.forEach(({ name, target, auc, r, siblings }, at) => {
    const size = auc ?? r;
    if (size === null || (best.get(name)?.size ?? 0) >= size) return;
    best.set(name, {
      feature: name,
      ...(target ? { class: target } : {}),
      ...(auc === null ? { r: size } : { auc }),
      ...(siblings ? { siblings } : {}),
      pAdjusted: adjusted[at],
      size,
    });
  });
  return [...best.values()].sort((a, b) => b.size - a.size).map(({ size, ...strength }) => strength);
}

/** Chatterjee's coefficient from which y is taken for a function of the feature; normal data reach it at r = .9992. */
const XI = 0.96;
/** From here on it is to be looked at: of 4 % of the rows y is any other. */
const XI_FLAWED = 0.91;

function curveCopy({ order, starts, independent }: ClassColumn, { ranks }: Target): Copy | undefined {
  const rows = order.length;
  if ((rows * independent.count) / independent.codes.length < LEAST_UNITS) return undefined;
  const coefficient = xi(tiesAtRandom(order, starts), ranks, independent.codes);
  if (coefficient < XI_FLAWED) return undefined;
  return { kind: 'non_monotone', errors: 0, rows, close: true, ...(coefficient < XI ? { flawed: true } : {}) };
}

/** Rows of equal values in another order than that of the table, which may follow y. */
function tiesAtRandom(order: Int32Array, starts: ArrayLike<number>): Int32Array {
  if (starts.length - 1 === order.length) return order;
  const [mixed, random] = [order.slice(), randomSource(1)];
  for (let level = 0; level + 1 < starts.length; level++) {
    for (let last = starts[level + 1] - 1; last > starts[level]; last--) {
      const other = starts[level] + randomInterval(random, last - starts[level]);
      [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
    }
  }
  return mixed;
}

/**
 * 1 less the mean step of y between neighbours over that of independent rows: 1 for a function, 0 for independence.
 * Neighbours of one unit are left out; the largest value of different numbers, (n - 2) / (n + 1), is made 1.
 * Source: Chatterjee 2021, Journal of the American Statistical Association 116:2009.
 */
function xi(order: Int32Array, ranks: Float64Array, codes: Int32Array): number {
  let [total, steps] = [0, 0];
  for (let at = 1; at < order.length; at++) {
    if (codes[order[at]] === codes[order[at - 1]]) continue;
    total += Math.abs(ranks[order[at]] - ranks[order[at - 1]]);
    steps++;
  }
  if (steps < LEAST_UNITS - 1) return 0;
  const sorted = gather(ranks, order).sort();
  const n = sorted.length;
  const expected = (2 * sorted.reduce((spread, rank, at) => spread + (2 * at + 1 - n) * rank, 0)) / (n * (n - 1));
  return ((1 - total / steps / expected) * (steps + 2)) / (steps - 1);
}

/**
 * The area under the ROC curve, each patient (row) judged by the others at its level, or the correlation ratio; without
 * a test.
 */
function levelAssociation(column: ClassColumn, target: Target): TargetAssociation {
  if (!target.classes) return { auc: null, r: correlationRatio(column, target.ranks), p: null };
  const area = levelArea(levelCounts(column, target).counts);
  return { auc: area === undefined ? null : Math.max(0.5, area), r: null, p: null };
}

/**
 * The share of the spread of y that lies between the levels, less what as many give by chance, as a root. The rows of a
 * patient at a level count as one, by their mean. Kelley 1935, Proceedings of the National Academy of Sciences 21:554
 * (epsilon squared).
 */
export function correlationRatio(column: ClassColumn, y: Float64Array): number {
  const { of, level, rows } = column.cells();
  const values = new Float64Array(level.length);
  of.forEach((cell, row) => {
    if (cell >= 0) values[cell] += y[row] / rows[cell];
  });
  const levels = column.starts.length - 1;
  const [sums, counts] = [new Float64Array(levels), new Int32Array(levels)];
  level.forEach((at, cell) => {
    sums[at] += values[cell];
    counts[at]++;
  });
  const mean = sum(values) / values.length;
  const within = sum(values.map((value, cell) => (value - sums[level[cell]] / counts[level[cell]]) ** 2));
  const all = sum(values.map((value) => (value - mean) ** 2));
  if (levels < 2 || values.length <= levels || !(all > 0)) return 0;
  return Math.sqrt(Math.max(0, 1 - within / (values.length - levels) / (all / (values.length - 1))));
}
