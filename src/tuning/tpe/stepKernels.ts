import type { RandomSource } from '../../core/random.js';
import { atStep } from '../distribution.js';
import type { Kernels } from './kernels.js';
import { type NormalKernels, normalKernels, onScale, type RangeDistribution } from './normalKernels.js';
import { drawNormal } from './rangeKernels.js';
import { logMass } from './truncatedNormal.js';

/**
 * Kernels over a range with steps, whole numbers among them: the probability of a value is that of half a step on either side.
 */
export class StepKernels implements Kernels {
  readonly #distribution: RangeDistribution;
  readonly #step: number;
  readonly #kernels: NormalKernels;
  /** Kernels that differ: values of few steps are often equal, and so are their kernels. */
  readonly #different: Int32Array;
  /** The place of each kernel among those that differ. */
  readonly #places: Int32Array;
  /** Logarithm of the part within the range of each kernel that differs. */
  readonly #logParts: Float64Array;
  /** Log probabilities of values that were asked for, under each kernel that differs. */
  readonly #known = new Map<number, Float64Array>();

  /** @param observed values within the range */
  constructor(distribution: RangeDistribution, observed: Float64Array) {
    this.#distribution = distribution;
    this.#step = distribution.step as number;
    this.#kernels = normalKernels(distribution, observed);
    const { different, places } = differing(this.#kernels);
    this.#different = different;
    this.#places = places;
    this.#logParts = this.#logMasses(this.#kernels.low, this.#kernels.high);
  }

  draw(kernel: number, random: RandomSource): number {
    const { low, high, log } = this.#distribution;
    const drawn = drawNormal(this.#kernels, kernel, random);
    const steps = Math.round(((log ? Math.exp(drawn) : drawn) - low) / this.#step);
    return Math.min(high, Math.max(low, atStep(low, this.#step, steps)));
  }

  addLogDensities(at: number, sums: Float64Array): void {
    const logs = this.#known.get(at) ?? this.#logProbabilities(at);
    this.#known.set(at, logs);
    const places = this.#places;
    for (let k = 0; k < places.length; k++) sums[k] += logs[places[k]];
  }

  #logProbabilities(at: number): Float64Array {
    const half = this.#step / 2;
    const parts = this.#logParts;
    return this.#logMasses(onScale(this.#distribution, at - half), onScale(this.#distribution, at + half)).map(
      (mass, place) => mass - parts[place],
    );
  }

  /** Logarithm of the mass between two numbers, under each kernel that differs. */
  #logMasses(from: number, to: number): Float64Array {
    const { means, widths } = this.#kernels;
    const masses = new Float64Array(this.#different.length);
    for (let place = 0; place < masses.length; place++) {
      const k = this.#different[place];
      masses[place] = logMass((from - means[k]) / widths[k], (to - means[k]) / widths[k]);
    }
    return masses;
  }
}

/** Kernels that differ, and the place of each kernel among them. Equal ones are neighbours. */
function differing({ means, widths, order }: NormalKernels): { different: Int32Array; places: Int32Array } {
  const n = order.length;
  const places = new Int32Array(n + 1);
  const different: number[] = [];
  for (let at = 0; at < n; at++) {
    const [k, before] = [order[at], order[at - 1]];
    if (at === 0 || means[k] !== means[before] || widths[k] !== widths[before]) different.push(k);
    places[k] = different.length - 1;
  }
  places[n] = different.push(n) - 1;
  return { different: Int32Array.from(different), places };
}
