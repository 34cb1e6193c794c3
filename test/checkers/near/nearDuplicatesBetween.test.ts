import { describe, expect, it } from 'vitest';
import { nearDuplicatesBetween } from '../../../src/checkers/near/nearDuplicatesBetween.js';
import { randomSource } from '../../../src/core/random.js';
import { rowsOf } from '../../../src/core/rows.js';
import { normal } from './normal.js';

const draws = randomSource(12);
const cloud = (n: number, p: number) => Array.from({ length: n }, () => Array.from({ length: p }, () => normal(draws)));
const train = cloud(200, 12);
const test = cloud(50, 12);
test[7] = train[3].map((value) => value + 0.03 * normal(draws));
test[9] = [...train[5]];
test[11] = train[6].map((value) => value + 0.18 * normal(draws));

describe('nearDuplicatesBetween', () => {
  it('gives copies and almost copies, with the places of both rows', async () => {
    const result = await nearDuplicatesBetween(rowsOf(train), rowsOf(test));
    expect(result.pairs.map(({ trainIndex, testIndex }) => [trainIndex, testIndex])).toEqual([
      [5, 9],
      [3, 7],
    ]);
    expect(result.pairs[0].similarity).toBe(1);
    // Noise of .03 SD: 1 - .03^2 / 2 = .99955.
    expect(result.pairs[1].similarity).toBeCloseTo(0.9995, 3);
    expect(result).toMatchObject({ tested: 50, limit: expect.closeTo(0.99, 9) });
    expect(result.reason).toBeUndefined();
  });

  it('takes a threshold and a metric: noise of .18 SD is a similarity of about .98', async () => {
    for (const metric of ['euclidean', 'cosine'] as const) {
      const { pairs } = await nearDuplicatesBetween(rowsOf(train), rowsOf(test), { similarityThreshold: 0.93, metric });
      expect(pairs.map(({ testIndex }) => testIndex)).toEqual([9, 7, 11]);
    }
  });

  it('gives none where chance brings rows as near: similarity alone accuses pairs of few features', async () => {
    const result = await nearDuplicatesBetween(rowsOf(cloud(300, 2)), rowsOf(cloud(100, 2)));
    expect(result.pairs).toEqual([]);
    expect(result.limit).toBeGreaterThan(0.9999);
  });

  it('rows of zeros give no NaN', async () => {
    const zeros = train.map((row, at) => (at % 5 === 0 ? row.map(() => 0) : row));
    for (const metric of ['euclidean', 'cosine'] as const) {
      const { pairs } = await nearDuplicatesBetween(rowsOf(zeros), rowsOf([...test, test[0].map(() => 0)]), { metric });
      expect(pairs.every(({ similarity }) => similarity >= 0.99 && similarity <= 1)).toBe(true);
    }
  });

  it('says why it cannot tell', async () => {
    const flags = (n: number) => rowsOf(Array.from({ length: n }, (_, row) => [row % 2]));
    expect(await nearDuplicatesBetween(flags(50), flags(20))).toMatchObject({
      pairs: [],
      tested: 0,
      reason: expect.stringContaining('No feature is continuous'),
    });
  });
});
