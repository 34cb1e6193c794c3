import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelArea, pairArea, smallTogether, together } from '../../../src/checkers/CVL009-feature-target/levelArea.js';

const level = (units: number, inClass: number) => ({ units, inClass });

describe('levelArea', () => {
  it('is 1 of levels that tell the class, the area of two levels, and half without association', () => {
    expect(levelArea([level(10, 10), level(20, 0), level(5, 5)])).toBe(1);
    // 8 of 10 with, 2 of 10 without: .8 * .8 + (2 * .8 * .2) / 2.
    expect(levelArea([level(10, 8), level(10, 2)])).toBeCloseTo(0.8, 12);
    expect(levelArea(Array.from({ length: 60 }, (_, at) => level(1, at % 2)))).toBe(0.5);
  });

  it('has none of one level or one class', () => {
    expect([levelArea([]), levelArea([level(9, 3)]), levelArea([level(9, 0), level(3, 0)])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('does not read luck among many small levels as an association', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 200, maxLength: 200 }), (of) => {
        const levels = Array.from({ length: 100 }, (_, at) => level(2, Number(of[2 * at]) + Number(of[2 * at + 1])));
        const area = levelArea(levels);
        if (area !== undefined) expect(area).toBeLessThan(0.75);
      }),
    );
  });
});

describe('pairArea', () => {
  it('does not depend on the order of the levels', () => {
    const one = fc
      .integer({ min: 1, max: 30 })
      .chain((units) => fc.integer({ min: 0, max: units }).map((k) => level(units, k)));
    fc.assert(
      fc.property(fc.array(one, { minLength: 2, maxLength: 12 }), (levels) => {
        const [there, back] = [pairArea(levels), pairArea(levels.toReversed())];
        expect(back.ones).toBe(there.ones);
        if (there.area !== undefined) expect(back.area).toBeCloseTo(there.area, 12);
      }),
    );
  });
});

it('puts the smallest levels together', () => {
  expect(smallTogether([level(3, 1), level(9, 2), level(1, 1), level(0, 0)], 1)).toEqual([level(9, 2), level(4, 2)]);
  expect(together(level(1, 1), level(2, 0))).toEqual(level(3, 1));
});
