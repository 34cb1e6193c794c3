/**
 * The normal distribution, and what is left of it between two limits. Limits are in standard deviations from the mean. Small tails
 * keep their digits: probabilities come from the scaled complementary error function, exp(x^2) erfc(x).
 *
 * Source: Cody 1969, Mathematics of Computation 23:631 (rational approximations, exact to about 1e-15).
 */
import { normalQuantile } from './normalQuantile.js';

const ROOT_HALF = Math.SQRT1_2;
export const LOG_ROOT_TWO_PI = 0.9189385332046728;
/** Below this width the density in the middle stands for the whole cell: better than a difference of two tails. */
const NARROW = 1e-6;

/** Probability that a standard normal variable is at most z. */
function normalCdf(z: number): number {
  if (z > 0) return 1 - normalCdf(-z);
  const x = -z * ROOT_HALF;
  return x < MIDDLE ? 0.5 - 0.5 * centralErf(x) : 0.5 * Math.exp(-x * x) * scaledErfc(x);
}

const logDensity = (z: number): number => -0.5 * z * z - LOG_ROOT_TWO_PI;

/** Logarithm of `normalCdf`, for z of at most 0. */
function logCdfLeft(z: number): number {
  const x = -z * ROOT_HALF;
  return x < MIDDLE ? Math.log(0.5 - 0.5 * centralErf(x)) : Math.log(0.5 * scaledErfc(x)) - x * x;
}

/** Logarithm of the probability that a standard normal variable is between `a` and `b`; -Infinity where they are equal. */
export function logMass(a: number, b: number): number {
  if (b - a < NARROW) return logDensity((a + b) / 2) + Math.log(b - a);
  // The right tail is the left one in a mirror.
  if (a > 0) return logMass(-b, -a);
  if (b > 0) return Math.log1p(-normalCdf(a) - normalCdf(-b));
  const log = logCdfLeft(b);
  return log + Math.log1p(-Math.exp(logCdfLeft(a) - log));
}

/** The value that a standard normal variable, kept between `a` and `b`, a <= 0 <= b, stays below with probability p, 0 <= p < 1. */
export function truncatedQuantile(p: number, a: number, b: number): number {
  if (p === 0) return a;
  const [below, above] = [normalCdf(a), normalCdf(-b)];
  const inside = 1 - below - above;
  const left = below + p * inside;
  // From the nearer end, so that values far out keep their digits.
  const z = left <= 0.5 ? normalQuantile(left) : -normalQuantile(above + (1 - p) * inside);
  return Math.min(b, Math.max(a, z));
}

// ---- Cody's approximations ---------------------------------------------------------------------------------------

const MIDDLE = 0.46875;
const FAR = 4;
const ONE_OVER_ROOT_PI = 0.5641895835477563;

/** erf(x) for |x| <= .46875. */
function centralErf(x: number): number {
  const y = x * x;
  const top =
    (((0.18577770618460315 * y + 3.1611237438705655) * y + 113.86415415105016) * y + 377.485237685302) * y +
    3209.3775891384694;
  const bottom = (((y + 23.601290952344122) * y + 244.02463793444417) * y + 1282.6165260773723) * y + 2844.236833439171;
  return (x * top) / bottom;
}

/** exp(x^2) erfc(x) for x >= .46875. */
function scaledErfc(x: number): number {
  if (x <= FAR) {
    const top =
      (((((((2.1531153547440383e-8 * x + 0.5641884969886701) * x + 8.883149794388377) * x + 66.11919063714163) * x +
        298.6351381974001) *
        x +
        881.952221241769) *
        x +
        1712.0476126340707) *
        x +
        2051.0783778260716) *
        x +
      1230.3393547979972;
    const bottom =
      (((((((x + 15.744926110709835) * x + 117.6939508913125) * x + 537.1811018620099) * x + 1621.3895745666903) * x +
        3290.7992357334597) *
        x +
        4362.619090143247) *
        x +
        3439.3676741437216) *
        x +
      1230.3393548037495;
    return top / bottom;
  }
  const y = 1 / (x * x);
  const top =
    ((((0.016315387137302097 * y + 0.30532663496123236) * y + 0.36034489994980445) * y + 0.12578172611122926) * y +
      0.016083785148742275) *
      y +
    0.0006587491615298378;
  const bottom =
    ((((y + 2.568520192289822) * y + 1.8729528499234673) * y + 0.5279051029514285) * y + 0.06051834131244132) * y +
    0.0023352049762686918;
  return (ONE_OVER_ROOT_PI - (y * top) / bottom) / x;
}
