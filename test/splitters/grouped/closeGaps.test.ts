import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomSource, shuffle } from '../../../src/core/random.js';
import { closeGaps } from '../../../src/splitters/grouped/assignStratifiedGroups.js';
import { groupTable, StratifiedPlacement } from '../../../src/splitters/grouped/stratifiedPlacement.js';
import { inputOf } from '../stratifiedGroups.js';

/** Groups dealt to the folds in turn, then the gaps closed. */
function closed(held: readonly number[][], nSplits: number): StratifiedPlacement {
  const placement = new StratifiedPlacement(groupTable(...inputOf(held)), nSplits);
  for (let group = 0; group < held.length; group++) placement.place(group, group % nSplits);
  closeGaps(placement, Int32Array.from(held.keys()));
  return placement;
}

it('gives every fold every class that enough groups have, when each group has one class', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 40 }),
      fc.integer({ min: 2, max: 6 }),
      (labels, nSplits) => {
        fc.pre(new Set(labels).size > 1 && labels.length >= nSplits);
        const held = labels.map((label) => [label]);
        const placement = closed(held, nSplits);
        const gaps = Array.from({ length: nSplits }, (_, fold) => placement.lackedBy(fold)).flat();
        for (const code of gaps) expect(placement.table.holders[code]).toBeLessThan(nSplits);
      },
    ),
    { numRuns: 500 },
  );
});

it('finds chains where no single move or swap helps', () => {
  // by hand: the only folds with all four classes are {0 1, 2 3}, {0 2, 1 3} and {0 3, 1 2}
  const pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]; // biome-ignore format: one line shows the pattern
  expect(closed(pairs, 3).lack).toBe(0);
});

it('solves most exact packings, where no group is to spare', () => {
  // each of 5 folds is cut into groups of one to three of its 5 classes, so that folds without a gap exist
  const source = randomSource(0);
  let solved = 0;
  for (let trial = 0; trial < 100; trial++) {
    const held: number[][] = [];
    for (let fold = 0; fold < 5; fold++) {
      const classes = shuffle(source, [0, 1, 2, 3, 4]);
      while (classes.length > 0) held.push(classes.splice(0, 1 + Math.floor(source.random() * 3)));
    }
    if (closed(shuffle(source, held), 5).lack === 0) solved++;
  }
  expect(solved).toBeGreaterThanOrEqual(90);
});

it('leaves a placement alone that lacks nothing which could be had', () => {
  const placement = closed([[0, 1], [0, 1], [2], [0]], 2);
  expect([...placement.foldOf]).toEqual([0, 1, 0, 1]);
  expect(placement.lack).toBe(1);
});

it('gives up without harm where no folds have all classes', () => {
  // AB, AC, BC: each class is in two groups, and still one of two folds is a single group
  const placement = closed(
    [
      [0, 1],
      [0, 2],
      [1, 2],
    ],
    2,
  );
  expect([placement.lack, placement.leastLack]).toEqual([1, 0]);
});
