/** Draws of every distribution: within it, alike often, reproducible. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RandomSource, randomSource } from '../../../src/core/random.js';
import type { Distribution } from '../../../src/core/tuningTrial.js';
import {
  categoricalDistribution,
  floatDistribution,
  holds,
  intDistribution,
} from '../../../src/tuning/distribution.js';
import { drawUniform, RandomSampler } from '../../../src/tuning/samplers/randomSampler.js';
import { anyDistribution } from '../../helpers/distributions.js';

/** A stream that gives one number for ever. */
const always = (share: number): RandomSource => ({ random: () => share, uint32: () => 0 });
const LARGEST = 1 - 2 ** -53;

function draws(distribution: Distribution, n: number, seed = 1) {
  const random = randomSource(seed);
  return Array.from({ length: n }, () => drawUniform(random, distribution));
}

const sorted = (values: readonly unknown[]) => [...(values as number[])].sort((a, b) => a - b);

/** How often each value came, as shares. */
function shares(values: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1 / values.length;
  return counts;
}

/** Largest distance of the draws from a distribution function (Kolmogorov). */
const distance = (values: readonly unknown[], cdf: (value: number) => number) =>
  Math.max(...sorted(values).map((value, at) => Math.abs(cdf(value) - (at + 0.5) / values.length)));

describe('a draw', () => {
  it('is held by its distribution, whatever the stream gives', () => {
    const share = fc.oneof(fc.double({ min: 0, max: LARGEST, noNaN: true }), fc.constantFrom(0, LARGEST));
    fc.assert(
      fc.property(anyDistribution, share, (distribution, given) => {
        expect(holds(distribution, drawUniform(always(given), distribution))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[string, Distribution, unknown, unknown]>([
    ['whole numbers', intDistribution('n', -3, 4), -3, 4],
    ['whole numbers on the logarithmic scale', intDistribution('n', 1, 100, { log: true }), 1, 100],
    ['steps', floatDistribution('x', -0.3, 0.3, { step: 0.1 }), -0.3, 0.3],
    ['choices', categoricalDistribution('k', ['a', 'b', 'c']), 'a', 'c'],
    ['one value', intDistribution('n', 5, 5), 5, 5],
  ])('of %s gives both ends', (_name, distribution, first, last) => {
    expect(drawUniform(always(0), distribution)).toBe(first);
    expect(drawUniform(always(LARGEST), distribution)).toBe(last);
    expect(new Set(draws(distribution, 2000))).toContain(first);
    expect(new Set(draws(distribution, 2000))).toContain(last);
  });
});

// The bound is exceeded in one of 10,000 seeds: sqrt(-ln(.00005) / 2) / sqrt(n) (Massart 1990, Annals of Probability 18:1269).
const N = 5000;
const BOUND = Math.sqrt(-Math.log(0.00005) / 2 / N);

describe('many draws', () => {
  it.each<[string, Distribution, (value: number) => number]>([
    ['uniform', floatDistribution('x', -2, 6), (x) => (x + 2) / 8],
    ['very wide', floatDistribution('x', -1e308, 1e308), (x) => x / 1e308 / 2 + 0.5],
    ['log-uniform', floatDistribution('x', 1e-5, 10, { log: true }), (x) => Math.log(x / 1e-5) / Math.log(10 / 1e-5)],
  ])('of a %s range have its distribution', (_name, distribution, cdf) => {
    expect(distance(draws(distribution, N), cdf)).toBeLessThan(BOUND);
  });

  it('of whole numbers on the logarithmic scale have half a unit on either side', () => {
    const found = shares(draws(intDistribution('n', 1, 8, { log: true }), N));
    for (let value = 1; value <= 8; value++) {
      const exact = Math.log((value + 0.5) / (value - 0.5)) / Math.log(8.5 / 0.5);
      expect(Math.abs(found[value] - exact)).toBeLessThan(0.03);
    }
  });

  it.each<[string, Distribution, number]>([
    ['whole numbers', intDistribution('n', -2, 2), 5],
    ['steps', floatDistribution('x', 0, 1, { step: 0.25 }), 5],
    ['choices', categoricalDistribution('k', ['a', 'b', 'c', 'd']), 4],
  ])('of %s are alike often', (_name, distribution, count) => {
    const found = Object.values(shares(draws(distribution, N)));
    expect(found).toHaveLength(count);
    for (const share of found) expect(Math.abs(share - 1 / count)).toBeLessThan(0.03);
  });
});

it('does not look back, and takes its stream from the trial', () => {
  const sampler = new RandomSampler();
  const view = { direction: 'minimize', trials: [] } as const;
  const trial = () => ({ number: 0, params: {}, random: randomSource(3) });
  const distribution = floatDistribution('x', 0, 1);
  expect(sampler.looksBack).toBe(false);
  expect(sampler.sample(view, trial(), 'x', distribution)).toBe(sampler.sample(view, trial(), 'x', distribution));
});
