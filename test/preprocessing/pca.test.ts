import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { PCA } from '../../src/preprocessing/pca.js';

describe('PCA', () => {
  it('whitens what a column that is a sum of others leaves to nothing but finite numbers', async () => {
    const X = Array.from({ length: 40 }, (_, row) => [row % 3, (row * 7) % 5, (row % 3) + ((row * 7) % 5)]);
    for (const rows of [X, X.slice(0, 20)]) {
      const whitened: number[][] = await new PCA({ whiten: true }).fitTransform(rows);
      expect(whitened.flat().every(Number.isFinite)).toBe(true);
    }
    const spread = X.map(([a], row) => [1e-305 * (1 + a), row === 0 ? 1e50 : 1e-20 * a]);
    const [variance] = (await new PCA().fit(spread)).explainedVariance;
    expect(variance / 1e100).toBeCloseTo(1 / 40, 12);
    const constant: number[][] = await new PCA({ whiten: true }).fitTransform(X.map(([a]) => [a, 5]));
    expect(constant.flat().every(Number.isFinite)).toBe(true);
  });

  it('ends where columns are of very different sizes', async () => {
    const random = randomSource(1145);
    for (let draw = 0; draw < 70; draw++) random.random();
    const kinds = ['spike', 'norm', 'int', 'tiny', 'big', 'spike', 'tiny', 'tiny'] as const;
    const cell = (row: number) => ({
      norm: random.random() - 0.5,
      int: Math.floor(random.random() * 4),
      big: 1e60 * (random.random() - 0.5),
      tiny: random.random() * 1e-310,
      spike: row === 0 ? 1e50 : 1e-20 * random.random(),
    });
    const X = Array.from({ length: 60 }, (_, row) => kinds.map((kind) => cell(row)[kind]));
    const { explainedVariance } = await new PCA().fit(X);
    expect(explainedVariance[0]).toBeGreaterThan(1e118);
  });
});
