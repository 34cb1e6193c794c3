import { type PermutationPValue, permutationPValue } from '../../core/pValues.js';
import { type RandomSource, shuffle } from '../../core/random.js';
import { rowNumbers } from '../../data/labels.js';
import type { TestShares } from './foldUnits.js';
import type { UnitTable } from './unitTable.js';

/** Values that are added up over all permutations. */
const WORK = 2e9;
/** As few as leave alpha = .008 a whole number of permutations, and .01 nearly so. */
const STEP = 125;

interface MaxStatisticOptions {
  /** The test stops as soon as p > alpha is certain. */
  readonly alpha: number;
  /** What the |z| of each variable is multiplied by before the largest is taken; left out, all are 1. */
  readonly weights?: Float64Array;
}

/** What {@link maxStatisticTest} found; the p-value is the family-wise one of the largest weighted |z|. */
export interface MaxStatistic extends PermutationPValue {
  /** Standardised difference of the test units of each fold from the others, `[folds, variables]`, row-major. */
  readonly z: Float64Array;
  /** Family-wise p of any weighted |z|; exact unless the test stopped early. */
  pOf(size: number): number;
}

/**
 * Do the test units of any fold differ from the others in any variable? The largest |z| over folds and variables is
 * compared with that of permutations of whole units, so that correlated variables and folds that share units are
 * accounted for. Weights share the error rate out among kinds of variables. z is the sum of test share times value by its standard deviation under permutation.
 *
 * Source: Westfall & Young 1993, Resampling-Based Multiple Testing, section 2.3 (largest statistic); Phipson & Smyth
 * 2010, SAGMB 9(1) (p is never 0); Genovese, Roeder & Wasserman 2006, Biometrika 93:509 (weights).
 *
 * @param table means of the units, standardised
 * @param folds the folds to test, each with units enough
 */
export async function maxStatisticTest(
  table: UnitTable,
  folds: readonly TestShares[],
  random: RandomSource,
  { alpha, weights = new Float64Array(table.variables.length).fill(1) }: MaxStatisticOptions,
): Promise<MaxStatistic> {
  const order = rowNumbers(table.count);
  const z = shiftScores(table, folds);
  const observed =
    z.reduce((most, score, at) => Math.max(most, Math.abs(score) * weights[at % weights.length]), 0) * (1 - 1e-12);
  const maxima: number[] = [];
  const sums = new Float64Array(table.variables.length);
  const reaches = () => {
    const largest = largestScore(table, folds, shuffle(random, order), sums, weights, observed);
    maxima.push(largest);
    return largest >= observed;
  };
  const found = await permutationPValue(reaches, { alpha, permutations: affordable(table) });
  const pOf = (size: number) => {
    const above = maxima.filter((largest) => largest >= size * (1 - 1e-12)).length;
    return (above + 1) / (maxima.length + 1);
  };
  return { z, ...found, pOf };
}

/** 999, or as many as a large table leaves time for. */
const affordable = ({ data }: UnitTable): number =>
  STEP * Math.max(2, Math.min(8, Math.floor(WORK / data.length / STEP))) - 1;

/** The standardised differences as they are, `[folds, variables]`; 0 for a fold that tests all units alike. */
export function shiftScores(table: UnitTable, folds: readonly TestShares[]): Float64Array {
  const width = table.variables.length;
  const z = new Float64Array(folds.length * width);
  const order = rowNumbers(table.count);
  folds.forEach((fold, at) => {
    const scores = z.subarray(at * width, (at + 1) * width);
    addUnits(table, fold, order, scores);
    for (let v = 0; v < width; v++) scores[v] = fold.spread > 1e-6 ? scores[v] / fold.spread : 0;
  });
  return z;
}

/**
 * Sums of share times value over the units of a fold, the units taken in `order`; four at a time, so that a sum is read
 * and written once for four values.
 */
function addUnits({ data }: UnitTable, { units, shares }: TestShares, order: Int32Array, sums: Float64Array): void {
  const width = sums.length;
  const fours = units.length - (units.length % 4);
  let i = 0;
  for (; i < fours; i += 4) {
    const [p, q] = [order[units[i]] * width, order[units[i + 1]] * width];
    const [r, s] = [order[units[i + 2]] * width, order[units[i + 3]] * width];
    const [first, second, third, fourth] = [shares[i], shares[i + 1], shares[i + 2], shares[i + 3]];
    for (let v = 0; v < width; v++) {
      sums[v] += first * data[p + v] + second * data[q + v] + third * data[r + v] + fourth * data[s + v];
    }
  }
  for (; i < units.length; i++) {
    const from = order[units[i]] * width;
    for (let v = 0; v < width; v++) sums[v] += shares[i] * data[from + v];
  }
}

/** The largest |z|, or the first that is `enough`. */
function largestScore(
  table: UnitTable,
  folds: readonly TestShares[],
  order: Int32Array,
  sums: Float64Array,
  weights: Float64Array,
  enough: number,
): number {
  let largest = 0;
  for (const fold of folds) {
    sums.fill(0);
    addUnits(table, fold, order, sums);
    for (let v = 0; v < sums.length; v++) {
      const size = (Math.abs(sums[v]) * weights[v]) / fold.spread;
      if (size > largest) largest = size;
    }
    if (largest >= enough) break;
  }
  return largest;
}
