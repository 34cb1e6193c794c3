import { lowerBound } from '../../../core/lowerBound.js';
import type { RandomSource } from '../../../core/random.js';
import { atStep, type FloatDistribution, type IntDistribution } from '../distribution.js';
import type { Kernels } from './kernels.js';
import { logMass, truncatedQuantile } from './truncatedNormal.js';

/** Narrowest kernel, as a part of the range; wider while there are few. */
const MOST_PARTS = 100;
const LOG_ROOT_TWO_PI = 0.9189385332046728;

/**
 * Normal kernels over a range, cut off at its ends; that of the prior is as wide as the range. On the logarithmic scale where
 * the range says so. Of steps, each has half a step on either side, and its probability takes the place of the density.
 *
 * Source: Bergstra et al. 2011 (NIPS 24), section 4, for widths from the neighbours and the prior; Bergstra, Yamins & Cox 2013
 * (ICML 28), for the narrowest width; Watanabe 2023, arXiv:2304.11127, section 3.3, for what came of them in Optuna.
 */
export class RangeKernels implements Kernels {
  readonly #distribution: FloatDistribution | IntDistribution;
  /** Distance of two values; 0: none. */
  readonly #step: number;
  /** Ends of the range, on its scale. */
  readonly #low: number;
  readonly #high: number;
  readonly #means: Float64Array;
  readonly #widths: Float64Array;
  /** Logarithm of each kernel's part within the range and, without steps, of its largest density. */
  readonly #logParts: Float64Array;
  /** With steps: kernels that differ, and the place of each kernel among them. */
  readonly #different: Int32Array;
  readonly #places: Int32Array;
  /** With steps: log probabilities that were asked for, by value. */
  readonly #known = new Map<number, Float64Array>();

  /** @param observed values within the range */
  constructor(distribution: FloatDistribution | IntDistribution, observed: Float64Array) {
    const { low, high, step, log } = distribution;
    const n = observed.length;
    this.#distribution = distribution;
    this.#step = step ?? 0;
    this.#low = this.#onScale(low - this.#step / 2);
    this.#high = this.#onScale(high + this.#step / 2);
    const range = this.#high - this.#low;
    this.#means = new Float64Array(n + 1);
    for (let k = 0; k < n; k++) this.#means[k] = log ? Math.log(observed[k]) : observed[k];
    const { widths, order } = widthsOf(this.#means.subarray(0, n), this.#low, this.#high);
    this.#means[n] = (this.#low + this.#high) / 2;
    this.#widths = widths;
    this.#widths[n] = range;
    const { different, places } = this.#step === 0 ? NONE : this.#differing(order);
    this.#different = different;
    this.#places = places;
    this.#logParts = this.#parts();
  }

  draw(kernel: number, random: RandomSource): number {
    const { low, high, log } = this.#distribution;
    const [mean, width] = [this.#means[kernel], this.#widths[kernel]];
    const z = truncatedQuantile(random.random(), (this.#low - mean) / width, (this.#high - mean) / width);
    const drawn = log ? Math.exp(mean + z * width) : mean + z * width;
    const value = this.#step === 0 ? drawn : atStep(low, this.#step, Math.round((drawn - low) / this.#step));
    return Math.min(high, Math.max(low, value));
  }

  addLogDensities(at: number, sums: Float64Array): void {
    if (this.#step === 0) {
      const [x, means, widths, parts] = [this.#onScale(at), this.#means, this.#widths, this.#logParts];
      for (let k = 0; k < means.length; k++) {
        const z = (x - means[k]) / widths[k];
        sums[k] -= 0.5 * z * z + parts[k];
      }
      return;
    }
    const places = this.#places;
    const logs = this.#known.get(at) ?? this.#logProbabilities(at);
    this.#known.set(at, logs);
    for (let k = 0; k < places.length; k++) sums[k] += logs[places[k]];
  }

  #onScale(value: number): number {
    return this.#distribution.log ? Math.log(value) : value;
  }

  #parts(): Float64Array {
    const hasSteps = this.#step !== 0;
    const count = hasSteps ? this.#different.length : this.#means.length;
    const parts = new Float64Array(count);
    for (let at = 0; at < count; at++) {
      const k = hasSteps ? this.#different[at] : at;
      const [mean, width] = [this.#means[k], this.#widths[k]];
      parts[at] = logMass((this.#low - mean) / width, (this.#high - mean) / width);
      if (!hasSteps) parts[at] += Math.log(width) + LOG_ROOT_TWO_PI;
    }
    return parts;
  }

  /** Of one step, under each of the kernels that differ. */
  #logProbabilities(at: number): Float64Array {
    const left = this.#onScale(at - this.#step / 2);
    const right = this.#onScale(at + this.#step / 2);
    const logs = new Float64Array(this.#different.length);
    for (let place = 0; place < logs.length; place++) {
      const k = this.#different[place];
      const [mean, width] = [this.#means[k], this.#widths[k]];
      logs[place] = logMass((left - mean) / width, (right - mean) / width) - this.#logParts[place];
    }
    return logs;
  }

  /** Values of few steps are often equal, and so are their kernels; `order`: kernels by their means. */
  #differing(order: Int32Array): { different: Int32Array; places: Int32Array } {
    const n = order.length;
    const [means, widths] = [this.#means, this.#widths];
    const places = new Int32Array(n + 1);
    const different = new Int32Array(n + 1);
    let count = 0;
    for (let at = 0; at < n; at++) {
      const [k, before] = [order[at], order[at - 1]];
      if (at === 0 || means[k] !== means[before] || widths[k] !== widths[before]) different[count++] = k;
      places[k] = count - 1;
    }
    different[count] = n;
    places[n] = count;
    return { different: different.subarray(0, count + 1), places };
  }
}

const NONE = { different: new Int32Array(0), places: new Int32Array(0) };

/**
 * How wide the kernel on each mean is: as far as to the farther one of its two neighbours; the ends of the range are
 * neighbours of a single mean alone. At most the range, at least its hundredth part, or its (n + 2)th for few.
 * `widths` has room for the prior; `order`: the means from the smallest to the largest.
 */
function widthsOf(means: Float64Array, low: number, high: number): { widths: Float64Array; order: Int32Array } {
  const n = means.length;
  const sorted = means.slice().sort();
  const order = new Int32Array(n);
  const taken = new Int32Array(n);
  const widths = new Float64Array(n + 1);
  const range = high - low;
  const least = range / Math.min(MOST_PARTS, n + 2);
  for (let k = 0; k < n; k++) {
    // Equal means in the order in which they came.
    const first = lowerBound(sorted, means[k]);
    const at = first + taken[first]++;
    order[at] = k;
    const isAlone = n === 1;
    const below = at > 0 ? means[k] - sorted[at - 1] : isAlone ? means[k] - low : 0;
    const above = at < n - 1 ? sorted[at + 1] - means[k] : isAlone ? high - means[k] : 0;
    widths[k] = Math.min(range, Math.max(least, below, above));
  }
  return { widths, order };
}
