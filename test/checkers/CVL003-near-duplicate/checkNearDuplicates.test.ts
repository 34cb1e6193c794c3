import { describe, expect, it } from 'vitest';
import {
  checkNearDuplicates,
  type NearDuplicatesOptions,
} from '../../../src/checkers/CVL003-near-duplicate/checkNearDuplicates.js';
import { randomSource } from '../../../src/core/random.js';
import { normal } from './normal.js';

const draws = randomSource(12);
const cloud = (n: number, p: number) => Array.from({ length: n }, () => Array.from({ length: p }, () => normal(draws)));
const train = cloud(200, 24);
const test = cloud(50, 24);
test[7] = train[3].map((value) => value + 0.03 * normal(draws));
test[9] = [...train[5]];
test[11] = train[6].map((value) => value + 0.18 * normal(draws));

const between = (a: number[][], b: number[][], options: NearDuplicatesOptions = {}) =>
  checkNearDuplicates(a, b, { randomState: 42, ...options });

describe('checkNearDuplicates', () => {
  it('gives copies and almost copies, with the places of both rows', async () => {
    const { pairs, evidence, status } = await between(train, test);
    expect(pairs.map(({ trainIndex, testIndex }) => [trainIndex, testIndex])).toEqual([
      [5, 9],
      [3, 7],
    ]);
    expect(pairs[0].similarity).toBe(1);
    // Noise of .03 SD: 1 - .03^2 / 2 = .99955.
    expect(pairs[1].similarity).toBeCloseTo(0.9995, 3);
    expect([status, evidence]).toEqual([
      'failed',
      { tested: 50, limit: expect.closeTo(0.99, 9), detectable: expect.any(Number) },
    ]);
  });

  it('takes a threshold and a metric: noise of .18 SD is a similarity of about .98', async () => {
    for (const metric of ['euclidean', 'cosine'] as const) {
      const { pairs } = await between(train, test, { similarityThreshold: 0.93, metric });
      expect(pairs.map(({ testIndex }) => testIndex)).toEqual([9, 7, 11]);
    }
  });

  it('gives none where chance brings rows as near: similarity alone accuses pairs of few features', async () => {
    const { pairs, evidence } = await between(cloud(300, 2), cloud(100, 2));
    expect(pairs).toEqual([]);
    expect(evidence.limit).toBeGreaterThan(0.9999);
  });

  it("takes the cosine of a model's vectors as they are: a multiple has a cosine of 1", async () => {
    // All positive, as after a rectifier: from the centre, a multiple points elsewhere.
    const positive = (n: number) => cloud(n, 12).map((row) => row.map((value) => Math.exp(value)));
    const [vectors, others] = [positive(200), positive(50)];
    others[7] = vectors[3].map((value) => 3 * value);
    const options = { metric: 'cosine' } as const;
    const { pairs } = await between(train, test, { ...options, embeddingsTrain: vectors, embeddingsTest: others });
    expect(pairs).toEqual([{ trainIndex: 3, testIndex: 7, similarity: expect.closeTo(1, 6) }]);
    expect((await between(vectors, others, options)).pairs).toEqual([]);
  });

  it('rows of zeros give no NaN', async () => {
    const zeros = train.map((row, at) => (at % 5 === 0 ? row.map(() => 0) : row));
    for (const metric of ['euclidean', 'cosine'] as const) {
      const { pairs } = await between(zeros, [...test, test[0].map(() => 0)], { metric });
      expect(pairs.every(({ similarity }) => similarity >= 0.99 && similarity <= 1)).toBe(true);
    }
  });

  it('says why it cannot tell', async () => {
    const flags = (n: number) => Array.from({ length: n }, (_, row) => [row % 2]);
    expect(await between(flags(50), flags(20))).toMatchObject({
      pairs: [],
      status: 'not_evaluated',
      evidence: { tested: 0 },
      message: expect.stringContaining('No feature is continuous'),
    });
  });
});
