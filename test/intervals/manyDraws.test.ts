import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RandomSource, randomSource } from '../../src/core/random.js';
import { manyDraws } from '../../src/intervals/unitDraws.js';

/** How often each count occurs. */
const shares = (draws: Uint8Array) => {
  const found = new Float64Array(16);
  for (const times of draws) found[times] += 1 / draws.length;
  return found;
};

describe('manyDraws', () => {
  it('draws n units in all, for any n and stream', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 3000 }), (seed, n) => {
        const draws = manyDraws(randomSource(seed), n);
        expect(draws).toHaveLength(n);
        expect(draws.reduce((sum, times) => sum + times, 0)).toBe(n);
      }),
      { seed: 1 },
    );
  });

  it('gives counts of the binomial distribution of n draws, 1/n each', () => {
    const n = 400_000;
    const found = shares(manyDraws(randomSource(2), n));
    // P(X = k), X binomial (n, 1/n); five standard errors.
    let p = (1 - 1 / n) ** n;
    for (let k = 0; k < 8; k++) {
      expect(Math.abs(found[k] - p), String(k)).toBeLessThan(5 * Math.sqrt(p / n));
      p *= (n - k) / (k + 1) / (n - 1);
    }
  });

  it('gives the variances and covariances of multinomial counts, also for few units', () => {
    // n = 3: P(all three draws are one unit) = 3/27, P(each unit once) = 6/27.
    const random = randomSource(3);
    const runs = 40_000;
    let [same, once] = [0, 0];
    for (let run = 0; run < runs; run++) {
      const draws = manyDraws(random, 3);
      same += Number(draws.includes(3)) / runs;
      once += Number(draws.every((times) => times === 1)) / runs;
    }
    expect(Math.abs(same - 3 / 27)).toBeLessThan(5 * Math.sqrt(3 / 27 / runs));
    expect(Math.abs(once - 6 / 27)).toBeLessThan(5 * Math.sqrt(6 / 27 / runs));
  });

  it('asks for further bits where sixteen do not decide: the sixteen that straddle exp(-1)', () => {
    const bits = Math.floor(Math.exp(-1) * 2 ** 16);
    const rest = Math.exp(-1) * 2 ** 32 - bits * 2 ** 16;
    const of = (more: number) => {
      const words = [bits, Math.floor(more) * 2 ** 16];
      const random: RandomSource = { uint32: () => words.shift() ?? 0, random: () => 0 };
      return { draws: manyDraws(random, 1), left: words.length };
    };
    // Either count leads to the one draw of one unit; both take the second word.
    expect(of(rest - 5)).toEqual({ draws: Uint8Array.of(1), left: 0 });
    expect(of(rest + 5)).toEqual({ draws: Uint8Array.of(1), left: 0 });
  });
});
