import { expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { evenOut } from '../../../src/splitters/grouped/assignStratifiedGroups.js';
import { groupTable, StratifiedPlacement } from '../../../src/splitters/grouped/stratifiedPlacement.js';
import { inputOf } from '../stratifiedGroups.js';

/** Groups of one to five rows of two classes, dealt in turn. */
function dealt(count: number, nSplits: number) {
  const held = Array.from({ length: count }, (_, i) => Array.from({ length: 1 + (i % 5) }, (_, j) => (i * j) % 2));
  const placement = new StratifiedPlacement(groupTable(...inputOf(held)), nSplits);
  for (let group = 0; group < count; group++) placement.place(group, Math.floor((group * nSplits) / count));
  return { placement, order: Int32Array.from(held.keys()) };
}

it('finds even folds by moves and swaps', () => {
  // groups of 1, 2, 3 and 4 rows: by hand, 1 + 4 = 2 + 3
  const placement = new StratifiedPlacement(groupTable(...inputOf([[0], [1, 1], [0, 0, 0], [1, 1, 1, 1]])), 2);
  for (const group of [0, 1, 2, 3]) placement.place(group, group >> 1);
  evenOut(placement, Int32Array.of(0, 1, 2, 3));
  expect(placement.spread.rows).toBe(0);
});

it('never makes a placement worse, and stays within its limit', () => {
  for (let seed = 0; seed < 50; seed++) {
    const { placement, order } = dealt(12 + seed, 2 + (seed % 4));
    const before = placement.spread;
    placement.limit = before;
    evenOut(placement, order, randomSource(seed));
    expect(placement.spread.classes).toBeLessThanOrEqual(before.classes + 1e-12);
    expect(placement.spread.rows).toBeLessThanOrEqual(before.rows + 1e-12);
  }
});

it('is the same every time without a source', () => {
  const [first, second] = [dealt(40, 4), dealt(40, 4)];
  for (const { placement, order } of [first, second]) evenOut(placement, order);
  expect([...second.placement.foldOf]).toEqual([...first.placement.foldOf]);
});
