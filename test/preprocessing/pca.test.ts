import { describe, expect, it } from 'vitest';
import { PCA } from '../../src/preprocessing/pca.js';
import { likeScikitLearn } from '../helpers/transformerCases.js';

describe('PCA', () => {
  likeScikitLearn('PCA', (options) => new PCA(options));

  it('tells components and shares of the variance', async () => {
    const pca = await new PCA().fit([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
    expect(pca.components[0][0]).toBeCloseTo(Math.SQRT1_2, 12);
    expect(pca.explainedVarianceRatio[0]).toBeCloseTo(1, 12);
    expect(pca.explainedVariance[0]).toBeCloseTo(2, 12);
  });

  it('refuses infinite cells, of which there is no mean', async () => {
    const X = [
      [1, 2],
      [Infinity, 3],
      [2, -Infinity],
    ];
    await expect(new PCA({ nComponents: 1 }).fitTransform(X)).rejects.toMatchObject({ code: 'infinite_cells' });
    const fitted = await new PCA().fit([
      [1, 2],
      [3, 4],
      [5, 7],
    ]);
    await expect(fitted.transform([[1, Infinity]])).rejects.toMatchObject({ code: 'infinite_cells' });
  });
});
