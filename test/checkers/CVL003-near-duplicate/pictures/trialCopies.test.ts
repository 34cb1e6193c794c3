import { describe, expect, it } from 'vitest';
import { pictureOf } from '../../../../src/checkers/CVL003-near-duplicate/pictures/registeredPairs.js';
import { trialCopies } from '../../../../src/checkers/CVL003-near-duplicate/pictures/trialCopies.js';
import { randomSource } from '../../../../src/core/random.js';
import { flat, scenery, shot } from './scenes.js';

const pictures = Array.from({ length: 40 }, (_, seed) => pictureOf(flat(shot(scenery(seed))), 32, 32).grey);
const rows = Int32Array.from({ length: 40 }, (_, row) => row);

describe('trialCopies', () => {
  it('asks about thirty moved copies and fifteen with a black square', () => {
    const same: number[] = [];
    const trial = trialCopies(
      rows,
      (row) => pictures[row],
      randomSource(2),
      (row, copy) => {
        const { values } = pictures[row];
        same.push(copy.filter((value, at) => value === values[at]).length);
        if (same.length > 30) {
          // What differs is a square of a quarter of the side, at the value of the darkest pixel.
          const dark = copy.filter((value) => value === Math.min(...values)).length;
          expect(dark).toBeGreaterThanOrEqual(64);
        }
        return same.length % 2 === 0;
      },
    );
    expect(trial).toEqual({ found: 15, of: 30, covered: { found: 7, of: 15 } });
    expect(Math.max(...same.slice(0, 30))).toBeLessThan(10);
    for (const each of same.slice(30)) expect(each).toBeGreaterThanOrEqual(1024 - 64);
  });

  it('makes no more copies than there are rows', () => {
    const { of, covered } = trialCopies(
      rows.slice(0, 9),
      (row) => pictures[row],
      randomSource(3),
      () => true,
    );
    expect([of, covered]).toEqual([9, { found: 9, of: 9 }]);
  });
});
