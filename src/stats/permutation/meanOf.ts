import { mean, unbiasedVariance } from '../../core/numbers.js';

/** Mean and standard error over permutations. */
export function meanOf(values: readonly number[]): { mean: number; se: number } {
  return { mean: mean(values), se: Math.sqrt(unbiasedVariance(values) / values.length) };
}
