import { describe, expect, it } from 'vitest';
import { LocalDimensions } from '../../../src/checkers/CVL003-near-duplicate/localDimensions.js';
import type { Neighbourhood } from '../../../src/checkers/CVL003-near-duplicate/neighbours.js';

/** The law of ten dimensions: within half the distance there are 2^-10 of the rows. */
const nearer = (distance: number, scale: number) => 10 * Math.log(distance / scale);
/** Distances of ten neighbours in so many dimensions, whose nine steps are the places of an exponential law, mixed. */
const even = (dimensions: number) => {
  const logs = [0];
  for (let rank = 9; rank > 0; rank--) {
    const step = -Math.log(1 - (((4 * rank) % 9) + 0.5) / 9);
    logs.unshift(logs[0] - step / rank / dimensions);
  }
  return logs.map(Math.exp);
};
const all = Int32Array.from({ length: 40 }, (_, row) => row);

/** Rows in a ring: the neighbours of each are the next ten of `members`, at the distances that `distancesOf` gives. */
function around(distancesOf: (row: number) => readonly number[], members = (_: number): readonly number[] => [...all]) {
  return (row: number): Neighbourhood => {
    const list = members(row);
    const from = list.indexOf(row);
    const nearest = Array.from({ length: 10 }, (_, at) => list[(from + at + 1) % list.length]);
    return { row, distances: distancesOf(row), nearest, rows: 10 };
  };
}

describe('LocalDimensions', () => {
  it('is 1 where the neighbours fill what the law has, or more', () => {
    for (const dimensions of [10, 15, 40]) {
      expect(
        new LocalDimensions(
          nearer,
          around(() => even(dimensions)),
          all,
        ).share(0, 1),
      ).toBe(1);
    }
  });

  it('follows the steps where they are wider, down to one dimension', () => {
    const share = (dimensions: number) =>
      new LocalDimensions(
        nearer,
        around(() => even(dimensions)),
        all,
      ).share(0, 1);
    expect(share(2)).toBeGreaterThan(0.15);
    expect(share(2)).toBeLessThan(0.3);
    expect(share(0.2)).toBeCloseTo(1 / 10, 9);
  });

  it('leaves a copy out, and a burst of copies that all its rows see', () => {
    const copy = around((row) => (row < 2 ? [1e-6, ...even(10).slice(1)] : even(10)));
    expect(new LocalDimensions(nearer, copy, all).share(0, 1)).toBe(1);
    // Six rows around each other, five of which are not spread as in ten dimensions, far from the rest.
    const inside = [0.001, 0.0015, 0.002, 0.003, 0.004];
    const burst = around(
      (row) => (row < 6 ? [...inside, ...even(10).slice(5)] : even(10)),
      (row) =>
        row < 6
          ? [0, 1, 2, 3, 4, 5]
              .flatMap((each) => (each < row ? [] : each))
              .concat(
                [0, 1, 2, 3, 4, 5].filter((each) => each < row),
                [20, 21, 22, 23, 24],
              )
          : [...all].slice(6),
    );
    expect(new LocalDimensions(nearer, burst, all).share(0, 1)).toBe(1);
    // Seen by some of its rows alone it is none: the steps inside count.
    const patch = around(
      (row) => (row < 3 ? [...inside, ...even(10).slice(5)] : row < 6 ? even(1) : even(10)),
      (row) =>
        row < 6
          ? [0, 1, 2, 3, 4, 5]
              .flatMap((each) => (each < row ? [] : each))
              .concat(
                [0, 1, 2, 3, 4, 5].filter((each) => each < row),
                [20, 21, 22, 23, 24],
              )
          : [...all].slice(6),
    );
    expect(new LocalDimensions(nearer, patch, all).share(0, 1)).toBeLessThan(0.5);
  });

  it('asks both rows, and the rows elsewhere', () => {
    const only = (rows: number) => around((row) => (row < rows ? even(2) : even(10)));
    // Row 0 alone has neighbours in a fifth of the dimensions: it counts as one of the eleven around it.
    expect(new LocalDimensions(nearer, only(1), all).share(0, 20)).toBeGreaterThan(0.6);
    expect(new LocalDimensions(nearer, only(1), all).share(20, 21)).toBe(1);
    // A tenth of the rows are of that kind: any pair may be.
    expect(new LocalDimensions(nearer, only(4), all).share(20, 21)).toBeLessThan(0.3);
  });
});
