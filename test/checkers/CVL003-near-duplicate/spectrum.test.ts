import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { covarianceSpectrum, symmetricEigenvalues } from '../../../src/checkers/CVL003-near-duplicate/calibration.js';
import reference from '../../reference/nearDuplicates.json' with { type: 'json' };

const lowerOf = (rows: readonly (readonly number[])[]) => rows.map((row) => Float64Array.from(row));

describe('symmetricEigenvalues', () => {
  it('agrees with numpy', () => {
    const { rows, eigenvalues } = reference.matrix;
    symmetricEigenvalues(lowerOf(rows)).forEach((value, at) => {
      expect(value).toBeCloseTo(eigenvalues[at], 9);
    });
  });

  it('keeps the trace and the sum of squares of any matrix', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.infiniteStream(fc.double({ min: -9, max: 9, noNaN: true })),
        (n, numbers) => {
          const lower = Array.from({ length: n }, (_, i) =>
            Float64Array.from({ length: n }, (_, j) => (j <= i ? (numbers.next().value as number) : 0)),
          );
          const trace = lower.reduce((sum, row, i) => sum + row[i], 0);
          const squares = lower.reduce(
            (sum, row, i) => sum + row.reduce((s, v, j) => s + (j < i ? 2 : 1) * v * v, 0),
            0,
          );
          const values = symmetricEigenvalues(lower);
          expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(trace, 8);
          expect(values.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(squares, 7);
        },
      ),
    );
  });

  it('takes matrices that are diagonal, or zero', () => {
    expect([...symmetricEigenvalues(lowerOf([[3], [0, 1], [0, 0, 2]].map((r) => [...r, 0, 0].slice(0, 3))))]).toEqual([
      1, 2, 3,
    ]);
    expect([
      ...symmetricEigenvalues(
        lowerOf([
          [0, 0],
          [0, 0],
        ]),
      ),
    ]).toEqual([0, 0]);
  });
});

describe('covarianceSpectrum', () => {
  it('agrees with numpy where there are fewer rows than columns, without the zeros', () => {
    const { rows, eigenvalues } = reference.wide;
    const values = covarianceSpectrum({ data: rows.flat(), rows: 6, width: 9 });
    expect(values).toHaveLength(5);
    values.forEach((value, at) => {
      expect(value).toBeCloseTo(eigenvalues[at], 9);
    });
  });

  it('reads the first columns alone when told', () => {
    // Column 0 is 0, 2, 4 with variance 4.
    const values = covarianceSpectrum({ data: [0, 9, 2, -7, 4, 1], rows: 3, width: 2 }, 1);
    expect([...values]).toEqual([4]);
  });
});
