import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { drawUnits, SharedDraws } from '../../src/intervals/unitDraws.js';

describe('drawUnits', () => {
  it('draws n of n units with replacement, as numpy.random.RandomState(7).randint(0, 5, 5)', () => {
    // python3 -c "import numpy as n; r = n.random.RandomState(7); print([n.bincount(r.randint(0, 5, 5), minlength=5).tolist() for _ in range(2)])"
    expect(Array.from(drawUnits(randomSource(7), 5, 2), (draws) => Array.from(draws))).toEqual([
      [0, 1, 0, 2, 2],
      [1, 2, 2, 0, 0],
    ]);
  });
});

describe('SharedDraws', () => {
  it('gives every metric the same resamples, also when there are too many to keep', () => {
    const draws = new SharedDraws(7, 2);
    const once = Array.from(draws.of(5), (each) => Array.from(each));
    expect(once).toEqual([
      [0, 1, 0, 2, 2],
      [1, 2, 2, 0, 0],
    ]);
    expect(Array.from(draws.of(5), (each) => Array.from(each))).toEqual(once);
    const many = new SharedDraws(1, 9);
    const first = () => Array.from(many.of(4_000_000)[Symbol.iterator]().next().value.subarray(0, 20));
    expect(first()).toEqual(first());
  });
});
