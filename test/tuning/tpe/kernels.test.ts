import { describe, expect, it } from 'vitest';
import { categoricalDistribution } from '../../../src/tuning/distribution.js';
import { numberOf, paramOf } from '../../../src/tuning/tpe/kernels.js';
import { SPACE } from '../../helpers/tpe.js';

describe('numberOf and paramOf', () => {
  it('take a choice as its place, plain data too, and a number as it is', () => {
    const choices = categoricalDistribution('layers', [null, 'x', [8, 8], { a: 1 }]);
    for (const [place, choice] of choices.choices.entries()) {
      expect(numberOf(choices, structuredClone(choice))).toBe(place);
      expect(paramOf(choices, place)).toEqual(choice);
    }
    expect(numberOf(SPACE.plain, -5)).toBe(-5);
    expect(paramOf(SPACE.plain, 2.5)).toBe(2.5);
  });

  it('give NaN for what the distribution cannot give', () => {
    const { kind, plain, rate, count } = SPACE;
    for (const value of ['z', undefined, 1, null]) expect(numberOf(kind, value)).toBeNaN();
    for (const value of [-5.1, 10.1, '1', undefined, null, Number.NaN]) expect(numberOf(plain, value)).toBeNaN();
    expect(numberOf(rate, 0)).toBeNaN();
    expect(numberOf(count, 51)).toBeNaN();
  });
});
