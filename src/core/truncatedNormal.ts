/**
 * The normal distribution, and what is left of it between two limits. Limits are in standard deviations from the mean. Small tails
 * keep their digits: probabilities come from the scaled complementary error function, exp(x^2) erfc(x).
 *
 * Source: Cody 1969, Mathematics of Computation 23:631 (rational approximations, exact to about 1e-15).
 */
import { normalQuantile, type Polynomials, quotient } from './normalQuantile.js';

const ROOT_HALF = Math.SQRT1_2;
export const LOG_ROOT_TWO_PI = 0.9189385332046728;
/** Below this width the density in the middle stands for the whole cell: better than a difference of two tails. */
const NARROW = 1e-6;

function normalCdf(z: number): number {
  if (z > 0) return 1 - normalCdf(-z);
  const x = -z * ROOT_HALF;
  return x < MIDDLE ? 0.5 - 0.5 * centralErf(x) : 0.5 * Math.exp(-x * x) * scaledErfc(x);
}

const logDensity = (z: number): number => -0.5 * z * z - LOG_ROOT_TWO_PI;

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

const MIDDLE = 0.46875;
const FAR = 4;
const ONE_OVER_ROOT_PI = 0.5641895835477563;

const CENTRAL: Polynomials = [
  [3209.3775891384694, 377.485237685302, 113.86415415105016, 3.1611237438705655, 0.18577770618460315],
  [2844.236833439171, 1282.6165260773723, 244.02463793444417, 23.601290952344122, 1],
];
const TAIL: Polynomials = [
  [
    1230.3393547979972, 2051.0783778260716, 1712.0476126340707, 881.952221241769, 298.6351381974001, 66.11919063714163,
    8.883149794388377, 0.5641884969886701, 2.1531153547440383e-8,
  ],
  [
    1230.3393548037495, 3439.3676741437216, 4362.619090143247, 3290.7992357334597, 1621.3895745666903,
    537.1811018620099, 117.6939508913125, 15.744926110709835, 1,
  ],
];
const FAR_TAIL: Polynomials = [
  [
    0.0006587491615298378, 0.016083785148742275, 0.12578172611122926, 0.36034489994980445, 0.30532663496123236,
    0.016315387137302097,
  ],
  [0.0023352049762686918, 0.06051834131244132, 0.5279051029514285, 1.8729528499234673, 2.568520192289822, 1],
];

/** erf(x) for |x| <= .46875. */
const centralErf = (x: number): number => x * quotient(CENTRAL, x * x);

/** exp(x^2) erfc(x) for x >= .46875. */
function scaledErfc(x: number): number {
  if (x <= FAR) return quotient(TAIL, x);
  const y = 1 / (x * x);
  return (ONE_OVER_ROOT_PI - y * quotient(FAR_TAIL, y)) / x;
}
