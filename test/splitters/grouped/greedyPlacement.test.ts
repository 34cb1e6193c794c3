import { expect, it } from 'vitest';
import { permutation, randomSource } from '../../../src/core/random.js';
import { placeGreedily, unevenFirst } from '../../../src/splitters/grouped/assignStratifiedGroups.js';
import { groupTable, StratifiedPlacement } from '../../../src/splitters/grouped/stratifiedPlacement.js';
import { caseOf, inputOf, reference } from '../stratifiedGroups.js';

it('places every group where scikit-learn 1.9.1 does, in 2,000 cases (test/reference/stratifiedGroups.json)', () => {
  expect(reference.cases.length).toBe(2000);
  for (const line of reference.cases) {
    const { nSplits, held, seed, folds } = caseOf(line);
    const table = groupTable(...inputOf(held));
    const placement = new StratifiedPlacement(table, nSplits);
    const drawn = seed === undefined ? Int32Array.from(held.keys()) : permutation(randomSource(seed), held.length);
    placeGreedily(placement, unevenFirst(table, drawn));
    expect(Array.from(placement.foldOf).join(''), line).toBe(folds);
  }
}, 60_000);

it('leaves groups that have a fold where they are', () => {
  const table = groupTable(...inputOf([[0], [1], [0], [1]]));
  const placement = new StratifiedPlacement(table, 2);
  for (const group of [0, 1]) placement.place(group, 1);
  placeGreedily(placement, Int32Array.of(0, 1, 2, 3));
  expect([...placement.foldOf]).toEqual([1, 1, 0, 0]);
});
