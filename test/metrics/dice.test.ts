import { describe, expect, it } from 'vitest';
import { dice } from '../../src/metrics/dice.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// By hand: |A| = 3, |B| = 2, both 2: 4/5. |A| = 0, |B| = 1: 0. Both empty: 1.
const masks = {
  yTrue: [
    [
      [1, 1],
      [1, 0],
    ],
    [
      [0, 0],
      [0, 0],
    ],
    [
      [0, 0],
      [0, 0],
    ],
  ],
  yPred: [
    [
      [1, 0],
      [1, 0],
    ],
    [
      [0, 0],
      [0, 1],
    ],
    [
      [0, 0],
      [0, 0],
    ],
  ],
};
// biome-ignore lint/suspicious/noExplicitAny: rows of any depth
const table = (more: object = {}) => scoreTable({ ...masks, ...more } as any);

describe('dice', () => {
  it('is 2 |A and B| / (|A| + |B|), mean over rows: (4/5 + 0 + 1) / 3 (hand calculation)', () => {
    expect(dice.compute(table())).toBeCloseTo(0.6, 14);
  });

  it('counts a row as often as it weighs: (4/5 x 5 + 0 x 0 + 1 x 3) / 8', () => {
    expect(dice.compute(table({ sampleWeight: [5, 0, 3] }))).toBeCloseTo(7 / 8, 14);
  });

  it('is 1 where there is nothing and nothing is found, and 0 where all that is found is not there', () => {
    expect(dice.compute(table({ sampleWeight: [0, 0, 1] }))).toBe(1);
    expect(dice.compute(table({ sampleWeight: [0, 1, 0] }))).toBe(0);
  });
});
