/** The regularised incomplete beta function, and the distributions that follow from it. Agrees with scipy to 1e-12. */
import { normalQuantile } from './normalQuantile.js';
import { logistic } from './numbers.js';

/** I_x(a, b) for shapes from 1e-2 to 1e5; `y`: 1 - x, where it is known with more digits than x near 1 leaves. */
export function incompleteBeta(x: number, a: number, b: number, y = 1 - x): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  return Math.exp(logLowerTail(x, y, a, b));
}

export function inverseIncompleteBeta(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  return logistic(logitOfQuantile(p, a, b));
}

/** The value that a Student t variable of `df` > 0 stays below with probability p; a p that rounds to 1 counts as 1 - 2^-54. */
export function studentTQuantile(p: number, df: number): number {
  if (p === 0.5) return 0;
  // T^2 = df (1 - X) / X with X ~ Beta(df / 2, 1 / 2), and (1 - x) / x = exp(-logit x).
  const size = Math.sqrt(df) * Math.exp(-logitOfQuantile(2 * (Math.min(p, 1 - p) || 2 ** -54), df / 2, 0.5) / 2);
  return p < 0.5 ? -size : size;
}

/** By Newton's method for ln I = ln p in u = logit x: I is log-concave in u, so that the second step on rises to the root. */
function logitOfQuantile(p: number, a: number, b: number): number {
  if (p > 0.5) return -logitOfQuantile(1 - p, b, a);
  const target = Math.log(p);
  let u = Math.log(a / b);
  for (let step = 0; step < 200; step++) {
    const x = logistic(u);
    const y = logistic(-u);
    const logTail = logLowerTail(x, y, a, b);
    const change = (target - logTail) / Math.exp(logMass(x, y, a, b) - logTail);
    u += change;
    if (u < -740) break; // the quantile is 0 in doubles
    if (Math.abs(change) <= 1e-15 * Math.max(1, Math.abs(u))) break;
  }
  return u;
}

/** ln I_x(a, b), with y = 1 - x so that no digits are lost at either end. */
function logLowerTail(x: number, y: number, a: number, b: number): number {
  const tail = (x: number, y: number, a: number, b: number) =>
    logMass(x, y, a, b) + Math.log(continuedFraction(x, y, a, b));
  return x <= (a + 1) / (a + b + 2) ? tail(x, y, a, b) : Math.log1p(-Math.exp(tail(y, x, b, a)));
}

/**
 * I_x(a, b) over its mass, by Lentz's method; converges fast for x <= (a + 1) / (a + b + 2).
 *
 * Source: DiDonato & Morris 1992, ACM TOMS 18:360, equation 13.
 */
function continuedFraction(x: number, y: number, a: number, b: number): number {
  const lean = a * y - b * x + 1;
  let value = (a / (a + 1)) * lean;
  let numerator = value;
  let inverse = 0;
  for (let m = 1; m < 100_000; m++) {
    const at = a + 2 * m;
    const top = (((a + m - 1) * (a + b + m - 1) * m * (b - m)) / (at - 1) ** 2) * x * x;
    const bottom = m + (m * (b - m) * x) / (at - 1) + ((a + m) * (lean + m * (1 + y))) / (at + 1);
    inverse = 1 / (bottom + top * inverse);
    numerator = bottom + top / numerator;
    const factor = numerator * inverse;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return 1 / value;
}

/**
 * ln of x^a (1-x)^b / B(a, b) in Loader's saddle-point form, which loses no digits at a = b = 1e5 as three log-gammas would.
 *
 * Source: Loader 2000, "Fast and accurate computation of binomial probabilities".
 */
function logMass(x: number, y: number, a: number, b: number): number {
  const n = a + b;
  const correction = stirlingError(n) - stirlingError(a) - stirlingError(b);
  return 0.5 * Math.log((a * b) / (2 * Math.PI * n)) + correction - deviance(a, n * x) - deviance(b, n * y);
}

/** k ln(k / m) + m - k without cancellation where k is near m. */
export function deviance(k: number, m: number): number {
  if (Math.abs(k - m) >= 0.1 * (k + m)) return k * Math.log(k / m) + m - k;
  const v = (k - m) / (k + m);
  let sum = (k - m) * v;
  let power = 2 * k * v;
  for (let j = 1; j < 1000; j++) {
    power *= v * v;
    const next = sum + power / (2 * j + 1);
    if (next === sum) break;
    sum = next;
  }
  return sum;
}

/**
 * ln n! - ln(sqrt(2 pi n) (n / e)^n) for real n > 0: Stirling's series (DLMF 5.11.1) from 16 on, reached by the
 * recurrence e(n) = e(n + 1) + (n + 1/2) ln(1 + 1/n) - 1.
 */
export function stirlingError(n: number): number {
  let sum = 0;
  let at = n;
  for (; at < 16; at++) sum += (at + 0.5) * Math.log1p(1 / at) - 1;
  const s = 1 / (at * at);
  return sum + (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / at;
}

/**
 * Wilson's score interval of a share from 0 to 1 over `n` independent units; an effective number may be fractional.
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
 * The "exact" interval of a share from 0 to 1 over `n` independent units: no limit is missed with more than half the error.
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
