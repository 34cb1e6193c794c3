import { normalQuantile } from './normalQuantile.js';

/**
 * Wilson's score interval of a share. It has width also where the share is 0 or 1.
 *
 * Source: Wilson 1927, Journal of the American Statistical Association 22:209.
 *
 * @param share the estimate, from 0 to 1
 * @param n number of independent units behind it; an effective number may be fractional
 * @param level for example .95
 */
export function wilson(share: number, n: number, level: number): readonly [lower: number, upper: number] {
  const z = normalQuantile((1 + level) / 2);
  const shrink = 1 + (z * z) / n;
  const centre = (share + (z * z) / (2 * n)) / shrink;
  const half = (z / shrink) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return [share === 0 ? 0 : Math.max(0, centre - half), share === 1 ? 1 : Math.min(1, centre + half)];
}
