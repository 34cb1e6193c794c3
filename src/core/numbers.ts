export const MOST_DRAWS = 1_000_000;

export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

/** Arithmetic mean; NaN without values. */
export const mean = (values: ArrayLike<number>): number => sum(values) / values.length;

/** Sum of the squared distances from the mean, divided by n - 1. */
export function unbiasedVariance(values: ArrayLike<number>): number {
  const centre = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - centre) ** 2;
  return squares / (values.length - 1);
}

/** 1 / (1 + exp(-u)), the probability with the log-odds `u`, without overflow on either side. */
export const logistic = (u: number): number => (u < 0 ? Math.exp(u) / (1 + Math.exp(u)) : 1 / (1 + Math.exp(-u)));

const CLIP = 1e-8;

/** Within [1e-8, 1 - 1e-8], whose log-odds are finite: as `val.prob.ci.2` of the R package CalibrationCurves on request. */
export const clippedProbability = (p: number): number => Math.min(1 - CLIP, Math.max(CLIP, p));

export function clippedLogit(p: number): number {
  const clipped = clippedProbability(p);
  return Math.log(clipped / (1 - clipped));
}

/** `base ** exponent`, for `base` >= 0 or a whole exponent, with the same last bit in every engine: `**` changed in Node 24. */
export function power(base: number, exponent: number): number {
  if (!Number.isInteger(exponent)) return Math.exp(exponent * Math.log(base));
  let product = 1;
  for (let [square, left] = [base, Math.abs(exponent)]; left > 0; square *= square, left = Math.floor(left / 2)) {
    if (left % 2 === 1) product *= square;
  }
  return exponent < 0 ? 1 / product : product;
}
