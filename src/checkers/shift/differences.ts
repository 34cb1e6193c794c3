/** How far the test units of a fold lie from the others, and how far they must to be found. */
import { normalQuantile } from '../../core/normalQuantile.js';
import type { TestShares } from './foldUnits.js';
import type { UnitTable } from './unitTable.js';

/** "Would have been found" means in 95 of 100 cases. */
const POWER = 0.95;

/** A difference between the test units of a fold and the others, in standard deviations of the units' means. */
export interface Difference {
  readonly variable: number;
  readonly fold: TestShares;
  readonly z: number;
  readonly sd: number;
}

/** All differences, the largest first, from the scores `[folds, variables]`. */
export function differencesOf(table: UnitTable, folds: readonly TestShares[], z: Float64Array): Difference[] {
  const width = table.variables.length;
  const found: Difference[] = [];
  for (let at = 0; at < z.length; at++) {
    const fold = folds[Math.floor(at / width)];
    const sd = fold.spread > 1e-6 ? z[at] * standardError(fold, table) : 0;
    if (z[at] !== 0) found.push({ variable: at % width, fold, z: z[at], sd });
  }
  return found.sort((a, b) => Math.abs(b.z) - Math.abs(a.z));
}

/**
 * Standard deviation, when units change places, of the difference between the mean of the test units and that of the
 * others, where a unit counts on either side with its share of rows there. For whole units it is 1 / spread.
 */
export function standardError({ shares, spread }: TestShares, { count }: Pick<UnitTable, 'count'>): number {
  const tested = shares.reduce((sum, share) => sum + share, 0);
  return (spread * count) / (tested * (count - tested));
}

/** The z that would be found in 95 of 100 cases, by Bonferroni's bound of the permutation's critical value. */
export const detectableZ = (tests: number, alpha: number): number =>
  normalQuantile(1 - alpha / (2 * tests)) + normalQuantile(POWER);

export const pText = (p: number): string => (p < 0.001 ? '< 0.001' : `= ${p < 0.01 ? p.toFixed(3) : p.toFixed(2)}`);
