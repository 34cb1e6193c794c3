import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupTable, type Spread, StratifiedPlacement } from '../../../src/splitters/grouped/stratifiedPlacement.js';
import { inputOf, measurer } from '../stratifiedGroups.js';

const held = fc
  .array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 }), { minLength: 4, maxLength: 12 })
  .filter((groups) => new Set(groups.flat()).size > 1);
/** Which group goes where, and the group for which it is exchanged, if any. */
const steps = fc.array(fc.tuple(fc.nat(11), fc.nat(2), fc.integer({ min: -1, max: 11 })), { maxLength: 30 });

it('keeps its lack and spread true to the rows, and only takes what is better', () => {
  let taken = 0;
  fc.assert(
    fc.property(held, steps, fc.boolean(), (groups, tried, limited) => {
      const [nSplits, count] = [3, groups.length];
      const measure = measurer(groups, nSplits);
      const placement = new StratifiedPlacement(groupTable(...inputOf(groups)), nSplits);
      for (let group = 0; group < count; group++) placement.place(group, (group * 7) % nSplits);
      const limit = limited ? placement.spread : placement.limit;
      placement.limit = limit;
      const excess = ({ classes, rows }: Spread) => Math.max(0, classes - limit.classes, rows - limit.rows);
      for (const [at, fold, other] of tried) {
        const group = at % count;
        // The group that comes back must lie in the fold to which the other one goes.
        const back = other >= 0 && placement.foldOf[other % count] === fold ? other % count : -1;
        if (placement.foldOf[group] === fold) continue;
        const { lack, spread } = placement;
        const foldOf = placement.foldOf.slice();
        const better = placement.improveBy(group, fold, back);
        const found = measure(placement.foldOf);
        expect(placement.spread.classes).toBeCloseTo(found.classes, 10);
        expect(placement.spread.rows).toBeCloseTo(found.rows, 10);
        expect(placement.hasWeakFold).toBe(found.weak > 0);
        if (found.weak === 0) expect(placement.lack).toBe(found.lacked);
        expect(placement.lack).toBeGreaterThanOrEqual(placement.leastLack);
        if (!better) {
          expect(placement.foldOf).toEqual(foldOf);
          continue;
        }
        taken++;
        const before = measure(foldOf);
        expect(found.empty < before.empty || found.weak <= before.weak).toBe(true);
        expect(placement.isBetterThan(lack, spread)).toBe(true);
        expect(placement.lack).toBeLessThanOrEqual(lack);
        if (placement.lack < lack || excess(spread) > 0) continue;
        expect(found.classes + found.rows).toBeLessThan(before.classes + before.rows);
        expect(excess(placement.spread)).toBeLessThan(1e-11);
      }
    }),
    { numRuns: 400 },
  );
  expect(taken).toBeGreaterThan(200);
});

it('never empties a fold, whatever that would even out', () => {
  const placement = new StratifiedPlacement(groupTable(...inputOf([[0, 1], [0, 1], [0]])), 3);
  for (const group of [0, 1, 2]) placement.place(group, group);
  expect(placement.lackedBy(2)).toEqual([1]);
  expect(placement.total(0, 2)).toBe(2);
  expect(placement.improveBy(2, 0)).toBe(false);
  expect(placement.improveBy(0, 2)).toBe(false);
});
