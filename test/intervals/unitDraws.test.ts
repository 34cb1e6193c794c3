import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomInterval, randomSource } from '../../src/core/random.js';
import { drawUnits, manyDraws, SharedDraws } from '../../src/intervals/unitDraws.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('drawUnits', () => {
  it('draws n of n units with replacement, as numpy.random.RandomState(7).randint(0, 5, 5)', () => {
    // python3 -c "import numpy as n; r = n.random.RandomState(7); print([n.bincount(r.randint(0, 5, 5), minlength=5).tolist() for _ in range(2)])"
    expect(Array.from(drawUnits(randomSource(7), 5, 2), (draws) => Array.from(draws))).toEqual([
      [0, 1, 0, 2, 2],
      [1, 2, 2, 0, 0],
    ]);
  });

  it('draws what randomInterval draws, from any stream, and leaves the stream of two units or more at the same place', () => {
    const seeds = fc.oneof(fc.nat(), fc.string({ minLength: 1 }));
    fc.assert(
      fc.property(seeds, fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(64, 65, 1000)), (seed, n) => {
        const [left, right] = [randomSource(seed), randomSource(seed)];
        const drawn = Array.from(drawUnits(left, n, 3), (draws) => Array.from(draws));
        const expected = [0, 1, 2].map(() => {
          const draws = new Array<number>(n).fill(0);
          for (let i = 0; i < n; i++) draws[randomInterval(right, n - 1)]++;
          return draws;
        });
        expect(drawn).toEqual(expected);
        if (n > 1) expect(left.uint32()).toBe(right.uint32());
      }),
      { seed: 3 },
    );
  });
});

describe('drawUnits of many units', () => {
  it('draws 50,000 units and more by manyDraws', () => {
    const [draws] = drawUnits(randomSource(4), 50_000, 1);
    expect(draws).toEqual(manyDraws(randomSource(4), 50_000));
    const [fewer] = drawUnits(randomSource(4), 49_999, 1);
    expect(fewer).toBeInstanceOf(Int32Array);
  });
});

describe('SharedDraws', () => {
  it('weighs the cells of blocks by the resamples, once for all who ask', () => {
    const draws = new SharedDraws(7, 2);
    const table = scoreTable({ yTrue: [0, 0, 1, 1, 1], yPred: [0, 0, 1, 1, 0], classes: [0, 1] });
    const block = { table, units: Int32Array.of(0, 1, 2, 3, 4) };
    const small = scoreTable({ yTrue: [0, 1], yPred: [0, 1], classes: [0, 1] });
    // Three cells of five rows save too little.
    expect(draws.cells([block], 5)).toBeUndefined();
    const right = { ...block, table: scoreTable({ yTrue: [0, 0, 1, 1, 1], yPred: [0, 0, 1, 1, 1], classes: [0, 1] }) };
    const found = draws.cells([right], 5);
    // The resamples are [0, 1, 0, 2, 2] and [1, 2, 2, 0, 0].
    expect(Array.from(found?.[0].weights as Float64Array)).toEqual([1, 4, 3, 2]);
    expect(draws.cells([{ ...right, units: Int32Array.of(0, 1, 2, 3, 4) }], 5)?.[0]).toBe(found?.[0]);
    const other = draws.cells([{ ...right, units: Int32Array.of(4, 3, 2, 1, 0) }], 5);
    expect(Array.from(other?.[0].weights as Float64Array)).toEqual([4, 1, 0, 5]);
    expect(draws.cells([right, { table: small, units: Int32Array.of(0, 1) }], 5)).toBeUndefined();
  });

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
