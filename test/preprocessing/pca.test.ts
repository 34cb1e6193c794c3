import { describe, expect, it } from 'vitest';
import { PCA } from '../../src/preprocessing/pca.js';
import { thrown } from '../helpers/thrown.js';
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

  it('refuses missing cells and more components than there are', async () => {
    expect(
      await thrown(() =>
        new PCA().fit([
          [1, null],
          [2, 3],
        ]),
      ),
    ).toMatch(/\(missing_cells\): .*'x1'.*1/);
    expect(
      await thrown(() =>
        new PCA({ nComponents: 3 }).fit([
          [1, 2],
          [2, 3],
        ]),
      ),
    ).toMatch(/\(invalid_option\): .*`nComponents`.*3/);
  });
});
