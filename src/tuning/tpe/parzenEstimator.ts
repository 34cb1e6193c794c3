import { lowerBound } from '../../core/lowerBound.js';
import type { RandomSource } from '../../core/random.js';
import { LOG_ROOT_TWO_PI, logMass, truncatedQuantile } from '../../core/truncatedNormal.js';
import type { Distribution, FloatDistribution, IntDistribution, ParamValue } from '../../core/tuningTrial.js';
import { atStep, choiceIndex } from '../distribution.js';

interface Kernels {
  draw(kernel: number, random: RandomSource): number;
  /** Adds the logarithm of each kernel's density at `at`, of steps and choices the probability. */
  addLogDensities(at: number, sums: Float64Array): void;
}

/** The value as a number, a choice as its place; NaN where the distribution cannot give it: another range was meant. */
export function codeOf(distribution: Distribution, value: ParamValue | undefined): number {
  if (distribution.kind !== 'categorical') {
    return typeof value === 'number' && value >= distribution.low && value <= distribution.high ? value : Number.NaN;
  }
  const place = value === undefined ? -1 : choiceIndex(distribution, value);
  return place < 0 ? Number.NaN : place;
}

export const paramOf = (distribution: Distribution, number: number): ParamValue =>
  distribution.kind === 'categorical' ? distribution.choices[number] : number;

/** So many of the newest observations weigh fully. */
const RECENT = 25;
/** A kernel whose share is below exp(-NEGLIGIBLE) of the largest does not change a sum. */
const NEGLIGIBLE = 45;

/**
 * A mixture with one part per trial, each the product of the kernels on its values, and one part for the prior.
 *
 * Source: Bergstra et al. 2011 (NIPS 24), section 4; Falkner, Klein & Hutter 2018 (ICML, BOHB), section 3.2, for several
 * parameters at once.
 */
export class ParzenEstimator {
  readonly #kernels: readonly Kernels[];
  readonly #logWeights: Float64Array;
  readonly #cumulative: Float64Array;
  readonly #sums: Float64Array;

  /** @param columns for each distribution the numbers of the trials as `codeOf` gives them, oldest first */
  constructor(distributions: readonly Distribution[], columns: readonly Float64Array[]) {
    const weights = weightsOf(columns[0].length);
    this.#kernels = distributions.map((distribution, at) => kernelsOf(distribution, columns[at]));
    this.#logWeights = weights.map(Math.log);
    let sum = 0;
    this.#cumulative = weights.map((weight) => (sum += weight));
    this.#sums = new Float64Array(weights.length);
  }

  draw(random: RandomSource): number[] {
    const { length } = this.#cumulative;
    const part = Math.min(length - 1, lowerBound(this.#cumulative, random.random() * this.#cumulative[length - 1]));
    return this.#kernels.map((kernels) => kernels.draw(part, random));
  }

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

function kernelsOf(distribution: Distribution, observations: Float64Array): Kernels {
  if (distribution.kind === 'categorical') return new ChoiceKernels(distribution.choices.length, observations);
  return distribution.step === null
    ? new RangeKernels(distribution, observations)
    : new StepKernels(distribution, observations);
}

/**
 * Kernels over choices. That of an observation gives 1 to its choice and 1/n to every one, over their sum, where n counts
 * all kernels; that of the prior gives every choice the same.
 *
 * Source: Watanabe 2023, arXiv:2304.11127, section 3.3, with the weight of the prior, 1, of Optuna.
 */
class ChoiceKernels implements Kernels {
  readonly #nChoices: number;
  readonly #observed: Float64Array;
  readonly #other: number;
  readonly #logOther: number;
  readonly #logOwn: number;

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

/** The probability of a value is that of half a step on either side. */
class StepKernels implements Kernels {
  readonly #distribution: RangeDistribution;
  readonly #step: number;
  readonly #kernels: NormalKernels;
  readonly #different: Int32Array;
  readonly #places: Int32Array;
  readonly #logParts: Float64Array;
  readonly #known = new Map<number, Float64Array>();

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

/** Equal ones are neighbours. */
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

class RangeKernels implements Kernels {
  readonly #distribution: RangeDistribution;
  readonly #kernels: NormalKernels;
  readonly #logAreas: Float64Array;

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

function drawNormal({ low, high, means, widths }: NormalKernels, kernel: number, random: RandomSource): number {
  const [mean, width] = [means[kernel], widths[kernel]];
  return mean + width * truncatedQuantile(random.random(), (low - mean) / width, (high - mean) / width);
}

type RangeDistribution = FloatDistribution | IntDistribution;

/** Normal kernels that are cut off at the ends of a range. All numbers are on the scale of the range. */
interface NormalKernels {
  readonly low: number;
  readonly high: number;
  /** One per observation, and that of the prior, the last. */
  readonly means: Float64Array;
  readonly widths: Float64Array;
  readonly order: Int32Array;
}

/** Narrowest kernel, as a part of the range; wider while there are few. */
const MOST_PARTS = 100;

const onScale = ({ log }: RangeDistribution, value: number): number => (log ? Math.log(value) : value);

/**
 * A kernel on each observation, and one for the prior: in the middle, as wide as the range.
 *
 * Source: Bergstra et al. 2011 (NIPS 24), section 4, for widths from the neighbours and the prior; Bergstra, Yamins & Cox 2013
 * (ICML 28), for the narrowest width; Watanabe 2023, arXiv:2304.11127, section 3.3, for what came of them in Optuna.
 *
 * @param observed values within the range
 */
function normalKernels(distribution: RangeDistribution, observed: Float64Array): NormalKernels {
  const n = observed.length;
  const half = (distribution.step ?? 0) / 2;
  const low = onScale(distribution, distribution.low - half);
  const high = onScale(distribution, distribution.high + half);
  const means = new Float64Array(n + 1);
  for (let k = 0; k < n; k++) means[k] = onScale(distribution, observed[k]);
  means[n] = (low + high) / 2;
  const order = Int32Array.from({ length: n }, (_, k) => k).sort((a, b) => means[a] - means[b]);
  return { low, high, means, widths: widthsOf(means, order, low, high), order };
}

/**
 * How wide the kernel on each mean is: as far as to the farther one of its two neighbours; the ends of the range are
 * neighbours of a single mean alone. At most the range, at least its hundredth part, or its (n + 2)th for few.
 */
function widthsOf(means: Float64Array, order: Int32Array, low: number, high: number): Float64Array {
  const n = order.length;
  const range = high - low;
  const least = range / Math.min(MOST_PARTS, n + 2);
  const widths = new Float64Array(n + 1).fill(range);
  for (let at = 0; at < n; at++) {
    const mean = means[order[at]];
    const below = at > 0 ? mean - means[order[at - 1]] : n === 1 ? mean - low : 0;
    const above = at < n - 1 ? means[order[at + 1]] - mean : n === 1 ? high - mean : 0;
    widths[order[at]] = Math.min(range, Math.max(least, below, above));
  }
  return widths;
}
