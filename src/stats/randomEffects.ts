import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { studentTQuantile } from '../core/incompleteBeta.js';
import { type InputOf, isList, number, optionTable } from '../core/options.js';

export const randomEffectsOptions = optionTable('randomEffects', {
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of both intervals.'),
});

export type RandomEffectsOptions = InputOf<typeof randomEffectsOptions>;

/** What `randomEffects` gives, in the unit of the estimates. */
export interface RandomEffects {
  /** Mean over all sites there might be, each weighted by 1 / (its variance + tau2). */
  readonly estimate: number;
  /** Hartung-Knapp. */
  readonly standardError: number;
  /** Interval of the mean: Student's t with `df` degrees of freedom. */
  readonly lower: number;
  readonly upper: number;
  /** Where the true value of a new site is expected to lie; null below three sites. */
  readonly prediction: { readonly lower: number; readonly upper: number } | null;
  /** Variance of the true values between sites, by restricted maximum likelihood. */
  readonly tau2: number;
  /** Share of the variance that is between sites, from 0 to 1. */
  readonly i2: number;
  /** Cochran's Q, to be compared with chi-squared with `df` degrees of freedom. */
  readonly q: number;
  readonly df: number;
  readonly k: number;
  /** Weight of each estimate in the mean; they sum to 1. */
  readonly weights: readonly number[];
  readonly level: number;
}

/**
 * Random-effects meta-analysis: between-site variance by restricted maximum likelihood, Hartung-Knapp interval of the
 * mean, prediction interval with k - 1 degrees of freedom. As `rma(yi, vi, method = "REML", test = "knha")` and
 * `predict` of R's metafor; without variance between sites the interval is no narrower than that of a fixed effect with
 * Student's t, as `test = "adhoc"` has it.
 *
 * Source: Viechtbauer 2005, JEBS 30:261 (REML); Hartung & Knapp 2001, Statistics in Medicine 20:3875; Higgins, Thompson
 * & Spiegelhalter 2009, JRSS A 172:137 (prediction); Knapp & Hartung 2003, Statistics in Medicine 22:2693 (the bound); Higgins & Thompson 2002, Statistics in Medicine 21:1539 (I2).
 *
 * @param estimates one per site, on a scale where they are about normal (for an AUC its logit)
 * @param variances squared standard errors, > 0
 * @throws {InvalidDataError} fewer than two estimates, lengths that differ, a variance that is no number > 0.
 * @example
 * const pooled = randomEffects([0.78, 0.82, 0.74], [0.0009, 0.0016, 0.0012]);
 * console.log(pooled.estimate, pooled.lower, pooled.upper);
 */
export function randomEffects(
  estimates: ArrayLike<number>,
  variances: ArrayLike<number>,
  input: RandomEffectsOptions = {},
): RandomEffects {
  const { level } = randomEffectsOptions.resolve(input);
  for (const [name, values] of Object.entries({ estimates, variances })) {
    if (!isList(values)) throw new InvalidDataError(sentence(`The ${name} of randomEffects`, 'be an array', values));
  }
  const [y, v] = [Array.from(estimates), Array.from(variances)];
  checkInput(y, v);
  const k = y.length;
  const df = k - 1;
  const fixed = weighted(y, v, 0);
  const tau2 = restrictedMaximum(y, v);
  const { weights, total, mean, q } = weighted(y, v, tau2);
  // Sites more alike than by chance would give a smaller error than a fixed effect has.
  const standardError = Math.sqrt((tau2 === 0 ? Math.max(1, q / df) : q / df) / total);
  const t = studentTQuantile((1 + level) / 2, df);
  const spread = t * Math.sqrt(tau2 + standardError ** 2);
  // The variance within a typical site.
  const typical = (df * fixed.total) / (fixed.total ** 2 - fixed.weights.reduce((sum, w) => sum + w * w, 0));
  return {
    estimate: mean,
    standardError,
    lower: mean - t * standardError,
    upper: mean + t * standardError,
    prediction: k < 3 ? null : { lower: mean - spread, upper: mean + spread },
    tau2,
    i2: tau2 / (tau2 + typical),
    q: fixed.q,
    df,
    k,
    weights: weights.map((w) => w / total),
    level,
  };
}

function checkInput(y: readonly number[], v: readonly number[]): void {
  if (y.length !== v.length) {
    const must = `have as many values as there are estimates, ${y.length}`;
    throw new InvalidDataError(sentence('`variances`', must, phrase(String(v.length))), { code: 'length_mismatch' });
  }
  if (y.length < 2) {
    throw new InvalidDataError(sentence('randomEffects', 'be given two estimates or more', phrase(String(y.length))));
  }
  const estimate = y.findIndex((each) => !Number.isFinite(each));
  if (estimate >= 0) throw new InvalidDataError(sentence(`Estimate ${estimate}`, 'be a finite number', y[estimate]));
  const variance = v.findIndex((each) => !(Number.isFinite(each) && each > 0));
  if (variance >= 0) throw new InvalidDataError(sentence(`Variance ${variance}`, 'be a number > 0', v[variance]));
}

function weighted(y: readonly number[], v: readonly number[], tau2: number) {
  const weights = v.map((each) => 1 / (each + tau2));
  const total = weights.reduce((sum, w) => sum + w, 0);
  const mean = y.reduce((sum, each, at) => sum + weights[at] * each, 0) / total;
  const q = y.reduce((sum, each, at) => sum + weights[at] * (each - mean) ** 2, 0);
  return { weights, total, mean, q };
}

/**
 * The root of the derivative of the restricted likelihood in tau2, by bisection; 0 when it is negative from the start.
 */
function restrictedMaximum(y: readonly number[], v: readonly number[]): number {
  const slope = (tau2: number): number => {
    const { weights, total, mean } = weighted(y, v, tau2);
    const squares = weights.reduce((sum, w) => sum + w * w, 0);
    return y.reduce((sum, each, at) => sum + (weights[at] * (each - mean)) ** 2, 0) - total + squares / total;
  };
  if (slope(0) <= 0) return 0;
  let low = 0;
  let high = Math.max(...v) + (Math.max(...y) - Math.min(...y)) ** 2;
  while (slope(high) > 0) high *= 2;
  for (let step = 0; step < 200 && high - low > 1e-15 * high; step++) {
    const middle = (low + high) / 2;
    if (slope(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
