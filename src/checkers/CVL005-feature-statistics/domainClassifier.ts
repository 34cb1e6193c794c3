import { hasReason } from '../../core/hasReason.js';
import { studentTQuantile, wilson } from '../../core/incompleteBeta.js';
import { logistic } from '../../core/numbers.js';
import { permutation, type RandomSource } from '../../core/random.js';
import { unitVariance } from '../../intervals/unitVariance.js';
import { rocPlacements } from '../../metrics/rocPlacements.js';
import { cholesky, solveWith } from '../features/cholesky.js';
import { gram } from '../features/productKernel.js';
import type { TestShares } from '../shift/foldUnits.js';
import { columnAt, type UnitTable } from '../shift/unitTable.js';

/** How well all features together tell test rows from the others, in the fold where they do so best. */
export interface DomainClassifier {
  /** Area under the ROC curve of units that the classifier was not fitted to; null with the reason. */
  readonly auc: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly level: number;
  readonly fold?: string;
  readonly reason?: string;
}

const LEVEL = 0.99;
/** Beyond this the classifier would take longer than all other checks. */
const LIMITS = { width: 200, work: 1e8 };

/**
 * A linear discriminant between the test units of a fold and the others: either half of the units is scored by what was
 * fitted to the other half, and the two areas are averaged. Both come from the one product of the differences in either
 * half, so the interval is as wide as that of one half, by DeLong over the units, and adjusted for the choice among the
 * folds. The covariance is that of all units, shrunk by variables / units towards independence.
 *
 * Source: Lopez-Paz & Oquab 2017, arXiv:1610.06545 (two-sample test by a classifier); DeLong et al. 1988, Biometrics
 * 44:837.
 */
export function domainClassifier(
  table: UnitTable,
  folds: readonly TestShares[],
  random: RandomSource,
): DomainClassifier {
  const { count, variables } = table;
  const none = (reason: string) => ({ auc: null, lower: null, upper: null, level: LEVEL, reason });
  if (folds.length === 0 || variables.length === 0) return none('there is nothing to tell apart');
  if (variables.length > LIMITS.width || count * variables.length ** 2 > LIMITS.work) {
    return none(`${variables.length} features of ${count} units are more than it is made for`);
  }
  const halves = halvesOf(table, random);
  const factor = cholesky(shrunkenCovariance(table), variables.length);
  const [best] = folds.map((fold) => fitted(table, fold, halves, factor)).sort((a, b) => b.separation - a.separation);
  const areas = [0, 1].map((side) => areaOf(table, best, halves.of, side));
  if (areas.some((area) => area === null)) return none('one half of the units has test rows or others alone');
  return { ...averaged(areas as Area[], folds.length), level: LEVEL, fold: best.fold.id };
}

/** Lower triangle. */
function shrunkenCovariance({ count, variables, data }: UnitTable): Float64Array {
  const width = variables.length;
  const a = gram(variables.map((_, place) => columnAt(data, place, width)));
  for (let at = 0; at < a.length; at++) a[at] /= count - 1;
  for (let v = 0; v < width; v++) a[v * width + v] += width / count + 1e-6;
  return a;
}

interface Fitted {
  readonly fold: TestShares;
  /** Test share of every unit. */
  readonly shares: Float64Array;
  /** The discriminant of either half. */
  readonly directions: readonly Float64Array[];
  /** How far apart the discriminant of one half puts the means of the other; the same both ways. */
  readonly separation: number;
}

function fitted(table: UnitTable, fold: TestShares, halves: Halves, factor: Float64Array): Fitted {
  const shares = new Float64Array(table.count);
  fold.units.forEach((unit, at) => {
    shares[unit] = fold.shares[at];
  });
  const differences = meanDifferences(table, fold, halves);
  const directions = differences.map((difference) => solveWith(factor, difference.slice()));
  const separation = directions[0].reduce((sum, weight, v) => sum + weight * differences[1][v], 0);
  return { fold, shares, directions, separation };
}

/** The half of each unit, with the number of units and the sums of the values of either half. */
interface Halves {
  readonly of: Uint8Array;
  readonly counts: readonly number[];
  readonly sums: readonly Float64Array[];
}

function halvesOf({ count, variables, data }: UnitTable, random: RandomSource): Halves {
  const width = variables.length;
  const of = new Uint8Array(count);
  for (const unit of permutation(random, count).subarray(0, count >> 1)) of[unit] = 1;
  const sums = [new Float64Array(width), new Float64Array(width)];
  for (let unit = 0; unit < count; unit++) {
    const here = sums[of[unit]];
    for (let v = 0; v < width; v++) here[v] += data[unit * width + v];
  }
  return { of, counts: [count - (count >> 1), count >> 1], sums };
}

/** Means of the test units less those of the others, in either half. */
function meanDifferences({ variables, data }: UnitTable, { units, shares }: TestShares, { of, counts, sums }: Halves) {
  const width = variables.length;
  const test = [new Float64Array(width), new Float64Array(width)];
  const tested = [0, 0];
  for (let at = 0; at < units.length; at++) {
    const unit = units[at];
    const here = test[of[unit]];
    tested[of[unit]] += shares[at];
    for (let v = 0; v < width; v++) here[v] += shares[at] * data[unit * width + v];
  }
  return test.map((sum, side) => {
    const others = counts[side] - tested[side];
    return sum.map(
      (value, v) => (tested[side] > 0 ? value / tested[side] : 0) - (others > 0 ? (sums[side][v] - value) / others : 0),
    );
  });
}

interface Area {
  readonly auc: number;
  readonly variance: number;
  readonly df: number;
  /** Units of the smaller class. */
  readonly units: number;
}

/** The area in one half by the discriminant of the other; of a split unit either part counts with its share. */
function areaOf(table: UnitTable, { shares, directions }: Fitted, half: Uint8Array, side: number): Area | null {
  const parts = partsOf(shares, half, side);
  const { units, yTrue, weight } = parts;
  const scores = scoresOf(table, directions[1 - side], units);
  const placed = rocPlacements({ length: units.length, positive: 1, yTrue, weight, scores });
  if (hasReason(placed)) return null;
  const { auc, positives, negatives, values } = placed;
  const influence = influenceOf(values, parts, placed);
  const split = weight.some((share) => share < 1);
  return { ...unitVariance(influence, units, split ? undefined : yTrue), auc, units: Math.min(positives, negatives) };
}

/** The units of a half: those that are split twice, as tested and as not. */
interface Parts {
  readonly units: Int32Array;
  readonly yTrue: Int32Array;
  readonly weight: Float64Array;
}

function partsOf(shares: Float64Array, half: Uint8Array, side: number): Parts {
  const most = 2 * shares.length;
  const [units, yTrue, weight] = [new Int32Array(most), new Int32Array(most), new Float64Array(most)];
  let count = 0;
  const add = (unit: number, test: number, share: number) => {
    units[count] = unit;
    yTrue[count] = test;
    weight[count++] = share;
  };
  for (let unit = 0; unit < shares.length; unit++) {
    if (half[unit] !== side) continue;
    if (shares[unit] > 0) add(unit, 1, shares[unit]);
    if (shares[unit] < 1) add(unit, 0, 1 - shares[unit]);
  }
  return { units: units.subarray(0, count), yTrue: yTrue.subarray(0, count), weight: weight.subarray(0, count) };
}

function scoresOf({ variables, data }: UnitTable, direction: Float64Array, units: Int32Array): Float64Array {
  const scores = new Float64Array(units.length);
  for (let at = 0; at < units.length; at++) {
    const from = units[at] * variables.length;
    for (let v = 0; v < direction.length; v++) scores[at] += direction[v] * data[from + v];
  }
  return scores;
}

function influenceOf(
  placements: Float64Array,
  { yTrue, weight }: Parts,
  { auc, positives, negatives }: { readonly auc: number; readonly positives: number; readonly negatives: number },
): Float64Array {
  const influence = new Float64Array(placements.length);
  for (let at = 0; at < influence.length; at++) {
    influence[at] = (weight[at] * (placements[at] - auc)) / (yTrue[at] === 1 ? positives : negatives);
  }
  return influence;
}

/** Mean of two areas with one's own spread, on the logit scale, as wide as the largest of `chosenFrom` areas needs. */
function averaged(areas: readonly Area[], chosenFrom: number): Pick<DomainClassifier, 'auc' | 'lower' | 'upper'> {
  const auc = (areas[0].auc + areas[1].auc) / 2;
  const se = Math.sqrt((areas[0].variance + areas[1].variance) / 2);
  const level = 1 - (1 - LEVEL) / chosenFrom;
  if (auc <= 0 || auc >= 1 || se < 1e-12) {
    const [lower, upper] = wilson(auc, Math.min(...areas.map(({ units }) => units)), level);
    return { auc, lower, upper };
  }
  const half = (studentTQuantile((1 + level) / 2, Math.min(...areas.map(({ df }) => df))) * se) / (auc * (1 - auc));
  const back = (shift: number) => logistic(Math.log(auc / (1 - auc)) + shift);
  return { auc, lower: back(-half), upper: back(half) };
}
