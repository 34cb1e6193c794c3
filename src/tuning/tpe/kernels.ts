/** The estimate of one parameter's density: a kernel on each observation, and one that stands for the prior. */
import type { RandomSource } from '../../core/random.js';
import { choiceIndex, type Distribution, type ParamValue } from '../distribution.js';

/** Kernels in the order of their observations, the prior's last. Choices stand as their places. */
export interface Kernels {
  /** A number drawn from one kernel. */
  draw(kernel: number, random: RandomSource): number;
  /** Adds the logarithm of each kernel's density at `at`, of steps and choices the probability. */
  addLogDensities(at: number, sums: Float64Array): void;
}

/**
 * The value of a parameter as a number, a choice as its place; NaN where the distribution cannot give it, so that it says
 * nothing about it: another range was meant.
 */
export function numberOf(distribution: Distribution, value: ParamValue | undefined): number {
  if (distribution.kind !== 'categorical') {
    return typeof value === 'number' && value >= distribution.low && value <= distribution.high ? value : Number.NaN;
  }
  const place = value === undefined ? -1 : choiceIndex(distribution, value);
  return place < 0 ? Number.NaN : place;
}

/** The other way round. */
export const paramOf = (distribution: Distribution, number: number): ParamValue =>
  distribution.kind === 'categorical' ? distribution.choices[number] : number;
