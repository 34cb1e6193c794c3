import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointsFromColumns, pointsOf, standardized } from '../../../src/splitters/spatial/points.js';
import { matrix } from '../../helpers/matrix.js';

describe('points', () => {
  it('come from rows and from columns alike', () => {
    const rows = matrix('1 -2 | 3 4 | 5 6');
    const expected = { values: Float64Array.of(1, -2, 3, 4, 5, 6), width: 2 };
    expect(pointsOf(rows, 'features')).toEqual(expected);
    expect(
      pointsOf(
        rows.map((row) => Float32Array.from(row)),
        'features',
      ),
    ).toEqual(expected);
    expect(pointsFromColumns({ a: [1, 3, 5], b: Int8Array.of(-2, 4, 6) }, 3, 'environment')).toEqual(expected);
  });
});

describe('standardized', () => {
  it('gives mean 0 and deviation 1', () => {
    // by hand: 2, 4, 6 have mean 4 and, over n - 1, deviation 2; the second column is constant
    const { values } = standardized(pointsFromColumns({ a: [2, 4, 6], b: [0.1, 0.1, 0.1] }, 3, 'x'));
    for (const [at, expected] of [-1, 0, 0, 0, 1, 0].entries()) expect(values[at]).toBeCloseTo(expected, 14);
  });

  it('measures other points by the mean and deviation of the first', () => {
    // by hand, as above: (10 - 4) / 2
    const like = pointsOf([[2], [4], [6]], 'x');
    expect(standardized(pointsOf([[10]], 'y'), like).values[0]).toBeCloseTo(3, 14);
  });

  it('makes 0 of a constant column, exactly, and is finite for all numbers that points may have', () => {
    expect([...standardized(pointsOf([[0.1], [0.1], [0.1]], 'x')).values]).toEqual([0, 0, 0]);
    expect([...standardized(pointsOf([[7]], 'x')).values]).toEqual([0]);
    const number = fc.double({ min: -1e150, max: 1e150, noNaN: true });
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 20 }), (column) => {
        const { values } = standardized({ values: Float64Array.from(column), width: 1 });
        expect(values.every(Number.isFinite)).toBe(true);
      }),
    );
  });
});
