import { describe, expect, it } from 'vitest';
import { classColumn } from '../../../src/checkers/CVL009-feature-target/classColumn.js';
import { classCopy } from '../../../src/checkers/CVL009-feature-target/classCopies.js';
import { independentOf, screenTargets } from '../../../src/checkers/CVL009-feature-target/targets.js';
import { labelsOf } from '../../../src/data/labels.js';

const copyOf = (x: ArrayLike<number>, y: number[], groups?: number[], nTests = 20) => {
  const column = { name: 'x', kind: 'number', values: Float64Array.from(x) } as const;
  const prepared = classColumn(column, independentOf(groups ? { groups } : {}, y.length));
  return classCopy(prepared, screenTargets(labelsOf(y))[0], nTests);
};
const halves = (n: number) => Array.from({ length: n }, (_, row) => row % 2);
/** Different values, those of class 1 above those of class 0. */
const beside = (y: number[]) => y.map((label, row) => (label ? 1000 : 0) + ((row * 617) % 1000));

describe('classCopy', () => {
  it('finds a feature of two values, also with 1 % of the rows wrong', () => {
    const y = halves(100);
    expect(copyOf(y, y)).toEqual({ kind: 'monotone', errors: 0, rows: 100 });
    const wrong = y.map((label, row) => (row === 17 ? 1 - label : label));
    expect(copyOf(wrong, y)).toEqual({ kind: 'monotone', errors: 1, rows: 100 });
    const twice = wrong.map((label, row) => (row === 30 ? 1 - label : label));
    expect(copyOf(twice, y)).toBeUndefined();
  });

  it('asks about a feature of two values that is wrong in one row, among however few rows', () => {
    // One of 76 to 137 rows is 1 %; a threshold may err as seldom by chance, a column of 0 and 1 has none.
    for (const [rows, rare] of [
      [76, 18],
      [137, 9],
    ]) {
      const y = Array.from({ length: rows }, (_, row) => Number(row >= rare));
      const wrong = y.map((label, row) => (row === rows - 1 ? 1 - label : label));
      expect(copyOf(wrong, y)).toEqual({ kind: 'monotone', errors: 1, rows, flawed: true });
      const twice = wrong.map((label, row) => (row === rows - 2 ? 1 - label : label));
      expect(copyOf(twice, y)).toBeUndefined();
    }
  });

  it('finds two heaps that are far apart among few rows, and not two that meet', () => {
    const y = halves(60);
    const apart = y.map((label, row) => 10 * label + Math.sin(row));
    expect(copyOf(apart, y)).toMatchObject({ kind: 'monotone', errors: 0 });
    expect(copyOf(beside(y), y)).toBeUndefined(); // 60 rows: kappa may be below .85
  });

  it('finds a threshold where no real predictor would do so well', () => {
    const y = halves(200);
    expect(copyOf(beside(y), y)).toEqual({ kind: 'monotone', errors: 0, rows: 200 });
    const falling = beside(y).map((value) => -value);
    expect(copyOf(falling, y)).toMatchObject({ kind: 'monotone' });
  });

  it('counts a threshold by patients', () => {
    const y = Array.from({ length: 400 }, (_, row) => Math.floor(row / 20) % 2);
    const groups = y.map((_, row) => Math.floor(row / 20));
    expect(copyOf(beside(y), y)).toBeDefined();
    expect(copyOf(beside(y), y, groups)).toBeUndefined();
  });

  it('finds a class between two thresholds', () => {
    const x = Array.from({ length: 400 }, (_, row) => ((row * 7) % 400) - 199.5);
    const y = x.map((value) => Number(Math.abs(value) < 100));
    expect(copyOf(x, y)).toEqual({ kind: 'non_monotone', errors: 0, rows: 400 });
  });

  it('finds levels of one class each, whatever their order', () => {
    const level = Array.from({ length: 600 }, (_, row) => row % 12);
    const y = level.map((each) => Number([0, 2, 4, 6, 8, 10].includes(each)));
    expect(copyOf(level, y)).toEqual({ kind: 'level', errors: 0, rows: 600 });
  });

  it('says that a threshold among whole numbers is one', () => {
    const years = Array.from({ length: 500 }, (_, row) => (row * 7) % 80);
    const y = years.map((each, row) => Number(each < 30 || row === 77));
    expect(copyOf(years, y)).toMatchObject({ kind: 'monotone' });
  });

  it('does not take ids of patients for levels', () => {
    // 200 patients in an order that no five intervals fit, each with one class and five rows.
    const groups = Array.from({ length: 1000 }, (_, row) => Math.floor(row / 5));
    const y = groups.map((id) => Number(Math.sin(id ** 2) > 0));
    expect(copyOf(groups, y, groups)).toBeUndefined();
  });

  it('does not let a patient speak for the level that is his alone', () => {
    // 40 of 400 patients have a level of their own, 360 share one: without the others these 40 have nothing to go by.
    const groups = Array.from({ length: 2000 }, (_, row) => Math.floor(row / 5));
    const level = groups.map((id) => Math.min(id, 40));
    const y = groups.map((id) => (id < 40 ? id % 2 : 0));
    expect(copyOf(level, y, groups)).toBeUndefined();
    expect(copyOf(level, y)).toBeDefined();
  });

  it('says nothing among ten rows, nor of a class of one row', () => {
    expect(copyOf(halves(10), halves(10))).toBeUndefined();
    const lone = halves(50).map((_, row) => Number(row === 49));
    expect(copyOf([...lone.keys()], lone)).toBeUndefined();
  });
});
