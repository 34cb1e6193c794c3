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
export function parzenEstimator(distributions: readonly Distribution[], columns: readonly Float64Array[]) {
  const weights = weightsOf(columns[0].length);
  const kernels = distributions.map((distribution, at) => kernelsOf(distribution, columns[at]));
  const logWeights = weights.map(Math.log);
  let sum = 0;
  const cumulative = weights.map((weight) => (sum += weight));
  const sums = new Float64Array(weights.length);
  return {
    draw(random: RandomSource): number[] {
      const part = Math.min(weights.length - 1, lowerBound(cumulative, random.random() * sum));
      return kernels.map((each) => each.draw(part, random));
    },
    /** Of steps and choices the logarithm of the probability. */
    logDensity(point: readonly number[]): number {
      sums.set(logWeights);
      for (const [at, each] of kernels.entries()) each.addLogDensities(point[at], sums);
      let largest = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < sums.length; k++) if (sums[k] > largest) largest = sums[k];
      if (largest === Number.NEGATIVE_INFINITY) return largest;
      let total = 0;
      for (let k = 0; k < sums.length; k++) {
        const below = sums[k] - largest;
        if (below > -NEGLIGIBLE) total += Math.exp(below);
      }
      return largest + Math.log(total);
    },
  };
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
  if (distribution.kind === 'categorical') return choiceKernels(distribution.choices.length, observations);
  const { step } = distribution;
  return step === null ? rangeKernels(distribution, observations) : stepKernels(distribution, step, observations);
}

/**
 * Kernels over choices. That of an observation gives 1 to its choice and 1/n to every one, over their sum, where n counts
 * all kernels; that of the prior gives every choice the same.
 *
 * Source: Watanabe 2023, arXiv:2304.11127, section 3.3, with the weight of the prior, 1, of Optuna.
 */
function choiceKernels(nChoices: number, observed: Float64Array): Kernels {
  const share = 1 / (observed.length + 1);
  const sum = 1 + nChoices * share;
  const other = share / sum;
  const [logOther, logOwn] = [Math.log(other), Math.log((1 + share) / sum)];
  return {
    draw(kernel, random) {
      const drawn = random.random();
      // What every choice has makes up the first part; the rest is the kernel's own choice.
      const place = Math.floor(kernel === observed.length ? drawn * nChoices : drawn / other);
      return place < nChoices ? place : observed[kernel];
    },
    addLogDensities(at, sums) {
      for (let k = 0; k < observed.length; k++) sums[k] += observed[k] === at ? logOwn : logOther;
      sums[observed.length] -= Math.log(nChoices);
    },
  };
}

/** The probability of a value is that of half a step on either side. */
function stepKernels(distribution: RangeDistribution, step: number, observed: Float64Array): Kernels {
  const kernels = normalKernels(distribution, observed);
  const { means, widths } = kernels;
  const { different, places } = differing(kernels);
  const logMasses = (from: number, to: number) =>
    Float64Array.from(different, (k) => logMass((from - means[k]) / widths[k], (to - means[k]) / widths[k]));
  const parts = logMasses(kernels.low, kernels.high);
  const known = new Map<number, Float64Array>();
  const logProbabilities = (at: number) => {
    const masses = logMasses(onScale(distribution, at - step / 2), onScale(distribution, at + step / 2));
    return masses.map((mass, place) => mass - parts[place]);
  };
  return {
    draw(kernel, random) {
      const { low, high } = distribution;
      const drawn = drawNormal(distribution, kernels, kernel, random);
      return Math.min(high, Math.max(low, atStep(low, step, Math.round((drawn - low) / step))));
    },
    addLogDensities(at, sums) {
      const logs = known.get(at) ?? logProbabilities(at);
      known.set(at, logs);
      for (let k = 0; k < places.length; k++) sums[k] += logs[places[k]];
    },
  };
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

function rangeKernels(distribution: RangeDistribution, observed: Float64Array): Kernels {
  const kernels = normalKernels(distribution, observed);
  const { low, high, means, widths } = kernels;
  // What each kernel's bell is divided by, so that its area within the range is 1.
  const logAreas = means.map((mean, k) => {
    const mass = logMass((low - mean) / widths[k], (high - mean) / widths[k]);
    return mass + Math.log(widths[k]) + LOG_ROOT_TWO_PI;
  });
  return {
    draw(kernel, random) {
      const drawn = drawNormal(distribution, kernels, kernel, random);
      return Math.min(distribution.high, Math.max(distribution.low, drawn));
    },
    addLogDensities(at, sums) {
      const x = onScale(distribution, at);
      for (let k = 0; k < means.length; k++) {
        const z = (x - means[k]) / widths[k];
        sums[k] -= 0.5 * z * z + logAreas[k];
      }
    },
  };
}

function drawNormal(
  { log }: RangeDistribution,
  { low, high, means, widths }: NormalKernels,
  kernel: number,
  random: RandomSource,
): number {
  const [mean, width] = [means[kernel], widths[kernel]];
  const drawn = mean + width * truncatedQuantile(random.random(), (low - mean) / width, (high - mean) / width);
  return log ? Math.exp(drawn) : drawn;
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
