import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DistinctNumbers } from '../../../src/checkers/features/distinctNumbers.js';

describe('DistinctNumbers', () => {
  it('are what a Map says: their places, in order of appearance, however many', () => {
    const few = fc.constantFrom(0, -0, 1, 0.1, -0.1, Number.NaN, Infinity, 5e-324, 2 ** 53);
    fc.assert(
      fc.property(fc.array(fc.oneof(few, fc.double()), { maxLength: 300 }), fc.double(), (values, other) => {
        const [ours, map] = [new DistinctNumbers(), new Map<number, number>()];
        for (const value of values) {
          const place = map.get(value) ?? map.size;
          map.set(value, place);
          expect(ours.add(value)).toBe(place);
        }
        expect(ours.size).toBe(map.size);
        expect([...ours.numbers].map((each) => each + 0)).toEqual([...map.keys()]);
        for (const value of [...values, other]) expect(ours.placeOf(value)).toBe(map.get(value) ?? -1);
      }),
    );
  });

  it('grow beyond what was expected', () => {
    const ours = new DistinctNumbers(3);
    const values = Array.from({ length: 10_000 }, (_, at) => (at % 5000) / 7);
    expect(values.map((value) => ours.add(value))).toEqual(values.map((_, at) => at % 5000));
    expect(ours.size).toBe(5000);
    expect(ours.placeOf(Number.NaN)).toBe(-1);
  });
});
