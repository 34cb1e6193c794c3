import { inverseIncompleteBeta } from '../core/incompleteBeta.js';
import { normalQuantile } from '../core/normalQuantile.js';

/**
 * Wilson's score interval of a share from 0 to 1 over `n` independent units; an effective number may be fractional. It
 * has width also where the share is 0 or 1.
 *
 * Source: Wilson 1927, Journal of the American Statistical Association 22:209.
 */
export function wilson(share: number, n: number, level: number): readonly [lower: number, upper: number] {
  const z = normalQuantile((1 + level) / 2);
  const shrink = 1 + (z * z) / n;
  const centre = (share + (z * z) / (2 * n)) / shrink;
  const half = (z / shrink) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return [share === 0 ? 0 : Math.max(0, centre - half), share === 1 ? 1 : Math.min(1, centre + half)];
}

/**
 * The "exact" interval of a share from 0 to 1 over `n` independent units: no limit is missed with more than half the
 * error probability, at the price of more width than Wilson's.
 *
 * Source: Clopper & Pearson 1934, Biometrika 26:404. With an effective number of units, Korn & Graubard 1998, Survey
 * Methodology 24:193.
 */
export function clopperPearson(share: number, n: number, level: number): readonly [lower: number, upper: number] {
  const tail = (1 - level) / 2;
  const found = share * n;
  return [
    share === 0 ? 0 : inverseIncompleteBeta(tail, found, n - found + 1),
    share === 1 ? 1 : inverseIncompleteBeta(1 - tail, found + 1, n - found),
  ];
}
