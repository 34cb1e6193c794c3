import { describe, expect, it } from 'vitest';
import { normalScores } from '../../../src/checkers/shift/normalScores.js';
import reference from '../../reference/shift.json' with { type: 'json' };

describe('normalScores', () => {
  it('equals scipy on heavy tails with ties', () => {
    const scores = normalScores()(Float64Array.from(reference.normalScores.values));
    reference.normalScores.scores.forEach((score, row) => {
      expect(scores[row]).toBeCloseTo(score, 9);
    });
  });

  it('knows ranks alone: huge and infinite values count as the largest, missing ones stay missing', () => {
    const plain = normalScores()(Float64Array.of(1, 2, 3, 4));
    expect(normalScores()(Float64Array.of(-Infinity, 1e-300, 1e300, Infinity))).toEqual(plain);
    // The second of three: rank 2, (2 - .375) / 3.25 = .5.
    expect(normalScores()(Float64Array.of(Number.NaN, 5, 7, 6))[3]).toBe(0);
    expect(normalScores()(Float64Array.of(Number.NaN, 5, 7, 6))[0]).toBeNaN();
  });
});
