import { describe, expect, it } from 'vitest';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { featureMeans, labelMeans } from '../../../src/checkers/features/unitMeans.js';
import { labelsOf } from '../../../src/data/labels.js';
import { rowsOf } from '../../../src/data/rows.js';

/** Units 0 (rows 0, 1), 1 (row 2), 2 (row 3); row 4 does not count. */
const units = { codes: Int32Array.of(0, 0, 1, 2, -1), count: 3 };
const rounded = (values: Float64Array) => Array.from(values, (value) => Number(value.toFixed(9)));

describe('labelMeans', () => {
  it('gives the second of two classes, standardised over units', () => {
    const [{ name, values }, ...more] = labelMeans(units, labelsOf(['a', 'b', 'b', 'a', 'b']));
    expect(name).toBe("y = 'b'");
    expect(more).toEqual([]);
    // Means .5, 1, 0 lie .5 apart around .5; their standard deviation is the root of 1/6.
    expect(rounded(values)).toEqual(
      [0, 0.5 * Math.sqrt(6), -0.5 * Math.sqrt(6)].map((value) => Number(value.toFixed(9))),
    );
  });

  it('gives an indicator per class and per label, ranks of numbers, and nothing for masks', () => {
    const names = (y: unknown[], task?: 'regression') =>
      labelMeans(units, labelsOf(y, { task })).map(({ name }) => name);
    expect(names(['a', 'b', 'c', 'a', 'b'])).toEqual(["y = 'a'", "y = 'b'", "y = 'c'"]);
    expect(
      names([
        [1, 0],
        [1, 1],
        [0, 0],
        [0, 1],
        [1, 1],
      ]),
    ).toEqual(['y = 0', 'y = 1']);
    expect(names([0.5, 1e300, -3, 2, 8], 'regression')).toEqual(['y']);
    expect(
      names(
        Array(5).fill([
          [1, 0],
          [0, 1],
        ]),
      ),
    ).toEqual([]);
  });
});

describe('featureMeans', () => {
  it('leaves constant columns out, and gives units without a value the mean', async () => {
    const X = [
      [1, 7, Number.NaN],
      [1, 7, Number.NaN],
      [2, 7, 1],
      [3, 7, 2],
      [9, 7, 5],
    ];
    const found = featureMeans(units, await readFeatures(rowsOf(X)));
    expect(found.map(({ name }) => name)).toEqual(['feature 0', 'feature 2']);
    expect(found[1].values[0]).toBe(0);
    for (const { values } of found) {
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9);
      expect(values.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(3, 9);
    }
  });

  it('looks at 64 of more features, evenly chosen', async () => {
    const X = Array.from({ length: 5 }, (_, row) => Array.from({ length: 200 }, (_, at) => row * (at + 1)));
    const names = featureMeans(units, await readFeatures(rowsOf(X))).map(({ name }) => name);
    expect(names).toHaveLength(64);
    expect([names[0], names[63]]).toEqual(['feature 0', 'feature 196']);
  });
});
