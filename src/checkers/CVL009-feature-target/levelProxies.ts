import { clopperPearson, incompleteBeta } from '../../core/incompleteBeta.js';
import { encode, tally } from '../../data/encode.js';
import { gather } from '../../data/labels.js';
import { hanleyMcNeil } from './association.js';
import { type ClassColumn, classPlaces } from './classColumn.js';
import { LEAST_AT_LEVEL } from './classCopies.js';
import { type Independent, REVIEW_CHANCE, type Target } from './targets.js';

export interface LevelProxy {
  readonly levels: readonly number[];
  /** Units (patients, rows) at these levels, and those of the class among them. A unit of several classes counts by its rows. */
  readonly units: number;
  readonly inClass: number;
  readonly covers: number;
}

/** Share of a class that levels must cover, and of the rows that a value has which all others stand apart from. */
export const COVERS = 0.2;

/**
 * Odds of a class at its levels, where it is half of the units or fewer: .98 observed, the lower bound over all tests
 * above .8. Of a commoner class they are multiplied by its own: many a good examination rules out a rare disease.
 */
const ODDS = { observed: 0.98 / 0.02, bound: 4 };

/** The share at which the odds of a class are so large, or so many times its own where it is the commoner one. */
function mark(odds: number, share: number): number {
  const at = odds * Math.max(1, share / (1 - share));
  return at / (1 + at);
}

const beyondMarks = (inClass: number, units: number, share: number, nTests: number): boolean =>
  inClass >= mark(ODDS.observed, share) * units &&
  incompleteBeta(mark(ODDS.bound, share), inClass, units - inClass + 1) <= REVIEW_CHANCE / nTests;

/**
 * Fewest units at a level, all of the class, for it to be implied; `share` of the class, `nTests` pairs of a feature
 * and a class.
 */
export const unitsAtLevel = (share: number, nTests: number): number =>
  Math.ceil(Math.log(REVIEW_CHANCE / nTests) / Math.log(mark(ODDS.bound, share)) - 1e-9);

/** A class by its units: how many there are, and the share of the class, in which a unit counts by its rows. */
export interface ClassUnits {
  readonly target: Target;
  /** What each row of the class is of its unit: one over the rows of the unit in the class. Left out where each row is a unit. */
  readonly parts?: Float64Array;
  readonly size: number;
  readonly share: number;
}

/**
 * A level counts whose units the others at it foretell, so that many small ones are not chosen by their luck; all of
 * these together must be beyond the marks of {@link ODDS}, or the largest alone, and cover a fifth of the class (by the
 * upper 99 % bound). Where the other levels tell the class, too, these are the end of a true predictor: see {@link
 * graded}.
 * Source: Clopper & Pearson 1934, Biometrika 26:404 (bounds); Airola et al. 2011, Computational Statistics & Data
 * Analysis 55:1828 (each unit is judged by the others).
 */
export function levelProxies(
  column: ClassColumn,
  { target, share, size, parts }: ClassUnits,
  nTests: number,
): LevelProxy | undefined {
  if (size < unitsAtLevel(share, nTests)) return undefined;
  const { counts: levels, covered } = levelCounts(column, target, parts);
  const observed = mark(ODDS.observed, share);
  const isForetold = ({ units, inClass }: LevelCount, without: number) =>
    units >= LEAST_AT_LEVEL && inClass - without >= observed * (units - 1);
  const pure = [...levels.keys()].filter((level) => isForetold(levels[level], 1));
  if (pure.length === 0) return undefined;
  // Units of another class that the rest of their level would take for this one, though theirs would not for them.
  const lost = levels.filter((each) => isForetold(each, 0) && !isForetold(each, 1));
  const besides = lost.reduce((sum, { units, inClass }) => sum + units - inClass, 0);
  const largest = pure.reduce((a, b) => (levels[b].units > levels[a].units ? b : a));
  for (const [chosen, others] of [[pure, besides] as const, [[largest], 0] as const]) {
    const factor = distinctShare(column, chosen);
    const all = chosen.map((level) => levels[level]).reduce(together, NOBODY);
    const [units, inClass] = [factor * all.units, factor * all.inClass];
    if (!beyondMarks(inClass, units + others, share, nTests)) continue;
    const covers = Math.min(1, chosen.reduce((sum, level) => sum + covered[level], 0) / size);
    if (clopperPearson(covers, size, 1 - 2 * REVIEW_CHANCE)[1] < COVERS) continue;
    if (!graded(levelsByRows(), chosen, column.kind === 'number')) return { levels: chosen, units, inClass, covers };
  }
  return undefined;

  /** Rows at each level, as many units as all rows are: what a feature tells of units that are at several levels. */
  function levelsByRows(): LevelCount[] {
    const { starts, independent } = column;
    const perRow = independent.count / independent.codes.length;
    const inClass = new Int32Array(starts.length - 1);
    for (const place of classPlaces(column, target)) inClass[column.level[place]]++;
    return Array.from(inClass, (rows, level) => ({
      units: perRow * (starts[level + 1] - starts[level]),
      inClass: perRow * rows,
    }));
  }
}

/** Units at each level and those of the class among them; of the class also by how much of each unit is at the level. */
export function levelCounts(column: ClassColumn, target: Target, parts?: Float64Array) {
  const { of, level, rows, units } = column.cells();
  const [inClass, covered] = [new Float64Array(units.length), new Float64Array(units.length)];
  for (let at = 0; at < target.rows.length; at++) {
    const cell = of[target.rows[at]];
    if (cell < 0) continue;
    inClass[level[cell]] += 1 / rows[cell];
    covered[level[cell]] += parts ? parts[at] : 1;
  }
  // Fifths of a unit do not sum to one.
  const rounded = (sum: number) => Math.round(1e9 * sum) / 1e9;
  const counts = Array.from(units, (all, level): LevelCount => ({ units: all, inClass: rounded(inClass[level]) }));
  return { counts, covered };
}

/** Units at the levels over the sum of those at each: a unit that is at several is one all the same. */
function distinctShare({ independent, order, starts, cells }: ClassColumn, levels: readonly number[]): number {
  const units = new Set<number>();
  for (const each of levels) {
    for (let at = starts[each]; at < starts[each + 1]; at++) units.add(independent.codes[order[at]]);
  }
  return units.size / levels.reduce((sum, each) => sum + cells().units[each], 0);
}

export function classUnits(target: Target, { unit, codes, count, sizes }: Independent): ClassUnits {
  const { length } = target.rows;
  if (unit === 'row') return { target, size: length, share: length / count };
  const { classes: units, codes: own } = encode(gather(codes, target.rows));
  const rows = tally(own, units.length);
  const sum = units.reduce((total, each, at) => total + rows[at] / sizes[each], 0);
  return { target, parts: Float64Array.from(own, (each) => 1 / rows[each]), size: units.length, share: sum / count };
}

const TELLS = 0.7;

/** Numbers are put together to so many bins; of categories so many levels stay apart: levels with true risks keep theirs. */
const BINS = { ordered: 8, levels: 31 };

/**
 * Whether the other levels tell the class with an area of {@link TELLS}. A predictor of area .88 is what it takes for
 * an end that implies a class twenty times better than chance and covers a fifth of it; without that end it has .8.
 */
function graded(levels: readonly LevelCount[], chosen: readonly number[], ordered: boolean): boolean {
  const isChosen = new Set(chosen);
  const others = levels.filter((_, level) => !isChosen.has(level));
  const { area, ones, zeros } = pairArea(ordered ? neighboursTogether(others) : smallTogether(others, BINS.levels));
  if (area === undefined) return false;
  return area - Math.sqrt(Math.max(0, hanleyMcNeil(area, ones, zeros))) >= TELLS;
}

function neighboursTogether(levels: readonly LevelCount[]): LevelCount[] {
  if (levels.length <= BINS.ordered) return levels.filter(({ units }) => units > 0);
  const most = levels.reduce((sum, { units }) => sum + units, 0) / BINS.ordered;
  const bins: LevelCount[] = [];
  let open = NOBODY;
  for (const level of levels) {
    open = together(open, level);
    if (open.units < most) continue;
    bins.push(open);
    open = NOBODY;
  }
  return open.units > 0 ? [...bins, open] : bins;
}

/** Units (patients, rows) at a level, and those of the class; a unit of several classes counts by its rows. */
interface LevelCount {
  readonly units: number;
  readonly inClass: number;
}

const NOBODY: LevelCount = { units: 0, inClass: 0 };

/** So many levels have a share of their own: the rarer ones count as one, for the sake of time. */
const MOST = 256;

export const levelArea = (levels: readonly LevelCount[]): number | undefined =>
  pairArea(smallTogether(levels, MOST)).area;

/**
 * Levels in order of their shares, each pair of units compared by what the others say: half without association. Airola
 * et al. 2011, Computational Statistics & Data Analysis 55:1828 (leave-pair-out).
 */
function pairArea(bins: readonly LevelCount[]) {
  const { units, inClass: ones } = bins.reduce(together, NOBODY);
  const zeros = units - ones;
  if (bins.length < 2 || ones < 1 || zeros < 1) return { area: undefined, ones, zeros };
  const prior = ones / (ones + zeros);
  let sum = 0;
  for (const a of bins) {
    for (const b of bins) {
      const pairs = a.inClass * (b.units - b.inClass);
      if (a === b) {
        sum += pairs / 2;
        continue;
      }
      // One unit's worth of the common share takes the place of the one that is judged.
      const [one, zero] = [(a.inClass - 1 + prior) / a.units, (b.inClass + prior) / b.units];
      if (one > zero) sum += pairs;
      else if (one === zero) sum += pairs / 2;
    }
  }
  return { area: sum / (ones * zeros), ones, zeros };
}

function smallTogether(levels: readonly LevelCount[], most: number): LevelCount[] {
  const bySize = levels.filter(({ units }) => units > 0).sort((a, b) => b.units - a.units);
  const rest = bySize.slice(most);
  return [...bySize.slice(0, most), ...(rest.length > 0 ? [rest.reduce(together)] : [])];
}

const together = (a: LevelCount, b: LevelCount): LevelCount => ({
  units: a.units + b.units,
  inClass: a.inClass + b.inClass,
});
