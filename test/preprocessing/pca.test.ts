import { describe, expect, it } from 'vitest';
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
    const wide = X.map(([a, b], row) => [
      row === 0 ? 1e50 : 1e-20 * b,
      a - 0.3,
      1e-310 * b,
      1e60 * (b - a),
      1e-310 * a,
    ]);
    expect((await new PCA().fit(wide)).explainedVariance.every(Number.isFinite)).toBe(true);
    const constant: number[][] = await new PCA({ whiten: true }).fitTransform(X.map(([a]) => [a, 5]));
    expect(constant.flat().every(Number.isFinite)).toBe(true);
  });
});
