import { describe, expect, it } from 'vitest';
import type { RegisteredPair } from '../../../../src/checkers/CVL003-near-duplicate/pictures/registeredPairs.js';
import { Neighbourhoods } from '../../../../src/checkers/CVL003-near-duplicate/pictures/searchPictures.js';
import { randomSource } from '../../../../src/core/random.js';

/** Points in a cube, of which the last two are next to the first two. */
const random = randomSource(4);
const points = Array.from({ length: 40 }, () => [random.random(), random.random(), random.random()]);
points.push(...points.slice(0, 2).map((point) => point.map((value) => value + 1e-4)));
const others = (row: number) => points.map((_, other) => other).filter((other) => other !== row);
const pairOf = (first: number, second: number) => {
  const gap = Math.hypot(...points[first].map((value, axis) => value - points[second][axis]));
  return { first: Math.min(first, second), second: Math.max(first, second), gap } as RegisteredPair;
};
const ENOUGH = Math.log(42 * 100);

describe('Neighbourhoods', () => {
  const all = new Neighbourhoods(others, pairOf);

  it('ranks the candidates, and is sure of the pair that is far nearer than the others', () => {
    const gaps = all.gaps(3);
    expect(gaps).toHaveLength(12);
    expect([...gaps].sort((a, b) => a - b)).toEqual(gaps);
    expect(all.clear(0)[0]).toMatchObject({ first: 0, second: 40 });
    expect(all.isSure(pairOf(0, 40), 1, ENOUGH)).toBe(true);
    const sure = points.slice(2, 40).filter((_, at) => all.isSure(all.ranked(at + 2)[0], 1, ENOUGH));
    expect(sure).toEqual([]);
    // Both have a copy, but not each other.
    expect(all.isSure(pairOf(0, 1), 1, ENOUGH)).toBe(false);
  });

  it('asks another one about what it does not know', () => {
    const without = new Neighbourhoods((row) => others(row).filter((other) => other < 40), pairOf);
    expect(without.isSure(without.ranked(0)[0], 1, ENOUGH)).toBe(false);
    const added = new Neighbourhoods((row) => (row === 0 || row === 40 ? others(row) : undefined), pairOf, without);
    expect(added.ranked(7)).toBe(without.ranked(7));
    expect(added.isSure(added.ranked(0)[0], 1, ENOUGH)).toBe(true);
    expect(new Neighbourhoods(() => undefined, pairOf).ranked(0)).toEqual([]);
  });
});
