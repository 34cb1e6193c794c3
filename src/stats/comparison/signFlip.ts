import { foldsThatCount } from '../../intervals/foldsThatCount.js';
import { countUnits, tooFewUnits } from '../../intervals/interval.js';
import type { ComparisonInput, SignFlipTest } from './answers.js';
import { Swaps } from './swaps.js';

/**
 * Randomisation test on these predictions: if the two models were alike, it would not matter which of them gave which
 * prediction, so the predictions of a whole patient (in all folds and repeats) are swapped by the toss of a coin and the
 * difference of the estimates is computed anew. Two-sided, p = (b + 1) / (B + 1) for b of B swaps with a difference at
 * least as large.
 *
 * Losses, counts and shares are sums over rows, and the test is exact when the swap leaves their distribution as it is.
 * A metric of ranks compares rows with each other, and after a swap scores of one model with those of the other. Its
 * difference is divided by its standard error between patients, computed anew for every swap: exact when the models'
 * scores are exchangeable, and right for many patients when they are not (another scale, more extreme probabilities),
 * where the difference alone would not be. A metric of ranks without an influence function has its difference alone.
 *
 * Source: Fisher 1935, The Design of Experiments, section 21; for areas under the curve, Venkatraman & Begg 1996,
 * Biometrika 83:835; studentised, Janssen 1997, Statistics & Probability Letters 36:9, and Konietschke & Pauly 2014,
 * Statistics and Computing 24:283; the p-value, Phipson & Smyth 2010, SAGMB 9:39.
 */
export function signFlip(input: ComparisonInput): SignFlipTest {
  const { metric, unit, nPermutations, random, a } = input;
  const nUnits = countUnits(foldsThatCount(metric, a));
  const swaps = new Swaps(input);
  const { statistic } = swaps;
  const facts = {
    method: 'sign_flip',
    estimand: 'predictions',
    statistic,
    unit,
    nUnits,
    nFolds: a.length,
    nPermutations,
  } as const;
  const found = swaps.difference();
  const observed = swaps.judged();
  const none = (reason: string) => ({ ...facts, difference: found.value, nAtLeast: null, pValue: null, reason });
  if (found.value === null) return none(found.reason);
  const obstacle = tooFewUnits(nUnits, unit);
  if (obstacle !== undefined || observed === null) return none(obstacle ?? 'no statistic');
  // What is equal but for rounding counts as equal.
  const least = Math.abs(observed) * (1 - 1e-9) - 1e-12;
  let nAtLeast = 0;
  for (let permutation = 0; permutation < nPermutations; permutation++) {
    for (let code = 0; code < swaps.flips.length; code++) swaps.flips[code] = random.uint32() >>> 31;
    swaps.apply();
    const value = swaps.judged();
    // A swap without a value cannot speak against chance.
    if (value === null || Math.abs(value) >= least) nAtLeast++;
  }
  return { ...facts, difference: found.value, nAtLeast, pValue: (nAtLeast + 1) / (nPermutations + 1) };
}
