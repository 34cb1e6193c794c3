import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { surprise } from '../../../src/checkers/CVL002-duplicate/chance.js';

describe('surprise', () => {
  it('bounds the chance of a sum of weights, which is counted here over all patterns', () => {
    const weight = fc.double({ min: 0.05, max: 5, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(weight, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, share) => {
          const total = list.reduce((sum, one) => sum + one, 0);
          let tail = 0;
          for (let pattern = 0; pattern < 2 ** list.length; pattern++) {
            let [score, chance] = [0, 1];
            list.forEach((one, at) => {
              const agrees = (pattern >> at) & 1;
              score += agrees * one;
              chance *= agrees ? Math.exp(-one) : 1 - Math.exp(-one);
            });
            if (score >= share * total - 1e-9) tail += chance;
          }
          expect(Math.exp(-surprise(Float64Array.from(list), share * total))).toBeGreaterThan(tail * (1 - 1e-6));
        },
      ),
    );
  });

  it('is the sum of weights where all cells agree, and nothing below what is expected', () => {
    const weights = Float64Array.of(1, 2, 3);
    expect(surprise(weights, 6)).toBe(6);
    // 1 e^-1 + 2 e^-2 + 3 e^-3 = .788
    expect(surprise(weights, 0.78)).toBe(0);
    expect(surprise(weights, 0.8)).toBeGreaterThan(0);
  });
});
