import type { RandomSource } from '../../core/random.js';
import type { Kernels } from './kernels.js';
import { type NormalKernels, normalKernels, onScale, type RangeDistribution } from './normalKernels.js';
import { LOG_ROOT_TWO_PI, logMass, truncatedQuantile } from './truncatedNormal.js';

/** Kernels over a range without steps, on the logarithmic scale where the range says so. */
export class RangeKernels implements Kernels {
  readonly #distribution: RangeDistribution;
  readonly #kernels: NormalKernels;
  /** Logarithm of what each kernel's bell is divided by, so that its area within the range is 1. */
  readonly #logAreas: Float64Array;

  /** @param observed values within the range */
  constructor(distribution: RangeDistribution, observed: Float64Array) {
    this.#distribution = distribution;
    this.#kernels = normalKernels(distribution, observed);
    const { low, high, means, widths } = this.#kernels;
    this.#logAreas = means.map((mean, k) => {
      const [a, b] = [(low - mean) / widths[k], (high - mean) / widths[k]];
      return logMass(a, b) + Math.log(widths[k]) + LOG_ROOT_TWO_PI;
    });
  }

  draw(kernel: number, random: RandomSource): number {
    const { low, high, log } = this.#distribution;
    const drawn = drawNormal(this.#kernels, kernel, random);
    return Math.min(high, Math.max(low, log ? Math.exp(drawn) : drawn));
  }

  addLogDensities(at: number, sums: Float64Array): void {
    const { means, widths } = this.#kernels;
    const areas = this.#logAreas;
    const x = onScale(this.#distribution, at);
    for (let k = 0; k < means.length; k++) {
      const z = (x - means[k]) / widths[k];
      sums[k] -= 0.5 * z * z + areas[k];
    }
  }
}

/** A number from one kernel, on the scale of its range. */
export function drawNormal({ low, high, means, widths }: NormalKernels, kernel: number, random: RandomSource): number {
  const [mean, width] = [means[kernel], widths[kernel]];
  return mean + width * truncatedQuantile(random.random(), (low - mean) / width, (high - mean) / width);
}
