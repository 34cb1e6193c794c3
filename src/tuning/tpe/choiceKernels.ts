import type { RandomSource } from '../../core/random.js';
import type { Kernels } from './kernels.js';

/**
 * Kernels over choices. That of an observation gives 1 to its choice and 1/n to every one, over their sum, where n counts
 * all kernels; that of the prior gives every choice the same.
 *
 * Source: Watanabe 2023, arXiv:2304.11127, section 3.3, with the weight of the prior, 1, of Optuna.
 */
export class ChoiceKernels implements Kernels {
  readonly #nChoices: number;
  readonly #observed: Float64Array;
  /** Probability of a choice that a kernel is not on. */
  readonly #other: number;
  readonly #logOther: number;
  readonly #logOwn: number;

  /** @param observed places of choices, one per observation */
  constructor(nChoices: number, observed: Float64Array) {
    const share = 1 / (observed.length + 1);
    const sum = 1 + nChoices * share;
    this.#nChoices = nChoices;
    this.#observed = observed;
    this.#other = share / sum;
    this.#logOther = Math.log(this.#other);
    this.#logOwn = Math.log((1 + share) / sum);
  }

  draw(kernel: number, random: RandomSource): number {
    const share = random.random();
    const isPrior = kernel === this.#observed.length;
    // What every choice has makes up the first part; the rest is the kernel's own choice.
    const place = Math.floor(isPrior ? share * this.#nChoices : share / this.#other);
    return place < this.#nChoices ? place : this.#observed[kernel];
  }

  addLogDensities(at: number, sums: Float64Array): void {
    const observed = this.#observed;
    for (let k = 0; k < observed.length; k++) sums[k] += observed[k] === at ? this.#logOwn : this.#logOther;
    sums[observed.length] -= Math.log(this.#nChoices);
  }
}
