import { lowerBound } from '../../core/lowerBound.js';
import type { RandomSource } from '../../core/random.js';
import type { Distribution } from '../distribution.js';
import { ChoiceKernels } from './choiceKernels.js';
import type { Kernels } from './kernels.js';
import { RangeKernels } from './rangeKernels.js';
import { StepKernels } from './stepKernels.js';

/** So many of the newest observations weigh fully. */
const RECENT = 25;
/** A kernel whose share is below exp(-NEGLIGIBLE) of the largest does not change a sum. */
const NEGLIGIBLE = 45;

/**
 * A density of several parameters at once: a mixture with one part per trial, each the product of the kernels on the values
 * of that trial, and one part for the prior. So it knows which values went together; of one parameter it is the estimate of
 * the original method.
 *
 * Source: Bergstra et al. 2011 (NIPS 24), section 4; Falkner, Klein & Hutter 2018 (ICML, BOHB), section 3.2, for several
 * parameters at once.
 */
export class ParzenEstimator {
  readonly #kernels: readonly Kernels[];
  readonly #logWeights: Float64Array;
  /** Sums of the weights up to each part. */
  readonly #cumulative: Float64Array;
  readonly #sums: Float64Array;

  /** @param columns for each distribution the numbers of the trials, oldest first; see `numberOf` */
  constructor(distributions: readonly Distribution[], columns: readonly Float64Array[]) {
    const weights = weightsOf(columns[0].length);
    this.#kernels = distributions.map((distribution, at) => kernelsOf(distribution, columns[at]));
    this.#logWeights = weights.map(Math.log);
    let sum = 0;
    this.#cumulative = weights.map((weight) => {
      sum += weight;
      return sum;
    });
    this.#sums = new Float64Array(weights.length);
  }

  /** One number for each parameter. */
  draw(random: RandomSource): number[] {
    const { length } = this.#cumulative;
    const part = Math.min(length - 1, lowerBound(this.#cumulative, random.random() * this.#cumulative[length - 1]));
    return this.#kernels.map((kernels) => kernels.draw(part, random));
  }

  /** Logarithm of the density at a point; of steps and choices, of the probability. */
  logDensity(point: readonly number[]): number {
    const sums = this.#sums;
    sums.set(this.#logWeights);
    for (const [at, kernels] of this.#kernels.entries()) kernels.addLogDensities(point[at], sums);
    let largest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < sums.length; k++) if (sums[k] > largest) largest = sums[k];
    if (largest === Number.NEGATIVE_INFINITY) return largest;
    let total = 0;
    for (let k = 0; k < sums.length; k++) {
      const below = sums[k] - largest;
      if (below > -NEGLIGIBLE) total += Math.exp(below);
    }
    return largest + Math.log(total);
  }
}

/**
 * Weights of n observations, oldest first, and of the prior; their sum is 1. Of 25 or fewer each weighs as much as the prior;
 * of more, older ones weigh less, down to 1/n.
 *
 * Source: Bergstra, Yamins & Cox 2013 (ICML 28), section 4.
 */
function weightsOf(n: number): Float64Array {
  const weights = new Float64Array(n + 1).fill(1);
  const old = n - RECENT;
  for (let k = 0; k < old; k++) weights[k] = 1 / n + (old === 1 ? 0 : (k / (old - 1)) * (1 - 1 / n));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** `observations`: numbers as `numberOf` gives them, none of them NaN. */
function kernelsOf(distribution: Distribution, observations: Float64Array): Kernels {
  if (distribution.kind === 'categorical') return new ChoiceKernels(distribution.choices.length, observations);
  return distribution.step === null
    ? new RangeKernels(distribution, observations)
    : new StepKernels(distribution, observations);
}
