import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contradictory } from '../../../../src/checkers/CVL003-near-duplicate/windows/overlaps.js';

const link = (first: number, second: number, ...shift: number[]) => ({
  first,
  second,
  shift,
  share: 0.5,
  mostlyOne: false,
});

describe('contradictory', () => {
  it('is true of rows that are back where they began, and of all that are linked with them', () => {
    const saw = [link(0, 1, 30), link(1, 2, 30), link(0, 2, -30), link(2, 3, 10)];
    expect(contradictory([...saw, link(4, 5, 30)])).toEqual([true, true, true, true, false]);
    expect(contradictory([link(0, 1, 3, -2), link(1, 2, 1, 0), link(0, 2, 4, -1)])).toEqual([true, true, true]);
    expect(contradictory([])).toEqual([]);
  });

  it('is never true of windows or tiles that have places', () => {
    const place = fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99 }));
    const pairs = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(place, { minLength: 10, maxLength: 10 }), pairs, (places, wanted) => {
        const links = wanted
          .filter(([a, b]) => a !== b)
          .map(([a, b]) => link(a, b, places[b][0] - places[a][0], places[b][1] - places[a][1]));
        expect(contradictory(links)).toEqual(links.map(() => false));
      }),
    );
  });
});
