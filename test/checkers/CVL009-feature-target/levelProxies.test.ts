import { describe, expect, it } from 'vitest';
import { classColumn } from '../../../src/checkers/CVL009-feature-target/classColumn.js';
import {
  classUnits,
  levelArea,
  levelProxies,
  unitsAtLevel,
} from '../../../src/checkers/CVL009-feature-target/levelProxies.js';
import { classTarget, independentOf } from '../../../src/checkers/CVL009-feature-target/targets.js';

const n = 400;
/** 160 ill; the first ones have the level. */
const ill = Int32Array.from({ length: 160 }, (_, row) => row);
const target = classTarget('', ill, n);
const proxyOf = (values: number[], nTests = 10, groups?: number[]) => {
  const independent = independentOf(groups ? { groups } : {}, n);
  const column = { name: 'x', kind: 'category' as const, values: Float64Array.from(values) };
  return levelProxies(classColumn(column, independent), classUnits(target, independent), nTests);
};
/** Level 1 in `right` of the ill and `wrong` of the others. */
const level = (right: number, wrong: number) =>
  Array.from({ length: n }, (_, row) => (row < 160 ? Number(row < right) : Number(row - 160 < wrong)));

describe('levelArea', () => {
  const at = (units: number, inClass: number) => ({ units, inClass });
  it('is 1 of levels that separate the class, the area of two levels, and half without association', () => {
    expect(levelArea([at(10, 10), at(20, 0), at(5, 5)])).toBe(1);
    // 8 of 10 with, 2 of 10 without: .8 * .8 + (2 * .8 * .2) / 2.
    expect(levelArea([at(10, 8), at(10, 2)])).toBeCloseTo(0.8, 12);
    expect(levelArea(Array.from({ length: 60 }, (_, row) => at(1, row % 2)))).toBe(0.5);
    expect([levelArea([]), levelArea([at(9, 3)]), levelArea([at(9, 0), at(3, 0)])]).toEqual(Array(3).fill(undefined));
  });
});

describe('levelProxies', () => {
  it('finds a level of 60 % of the ill and nobody else', () => {
    expect(proxyOf(level(96, 0))).toEqual({ levels: [1], units: 96, inClass: 96, covers: 0.6 });
  });

  it('asks for as many rows as the bounds need, by hand', () => {
    // Binary: .8^m <= .01 / 10 from 31 on, <= .01 from 21 on.
    expect(unitsAtLevel(0.4, 10)).toBe(31);
    expect(unitsAtLevel(0.4, 1)).toBe(21);
    expect([proxyOf(level(31, 0))?.units, proxyOf(level(30, 0))]).toEqual([31, undefined]);
    // Of a class of .9 the odds are 4 x 9 = 36: (36 / 37)^m <= .01.
    expect(unitsAtLevel(0.9, 1)).toBe(Math.ceil(Math.log(0.01) / Math.log(36 / 37)));
  });

  it('passes over what is right in 85 %, and what covers a tenth', () => {
    expect(proxyOf(level(96, 17))).toBeUndefined();
    const rare = Array.from({ length: n }, (_, row) => Number(row < 12));
    expect(proxyOf(rare)).toBeUndefined();
  });

  it('is not deceived by many small levels', () => {
    // A third of the levels of one row each are of one class by themselves.
    expect(proxyOf(Array.from({ length: n }, (_, row) => (row * 7919) % 200))).toBeUndefined();
  });

  it('judges each row by the others at its level: of 400 levels of five a third are of a class of 80 % by luck', () => {
    const rows = Int32Array.from({ length: 2000 }, (_, row) => row).filter(
      (row) => (Math.sin((row + 1) ** 2) + 1) / 2 > 0.096,
    );
    const values = Float64Array.from({ length: 2000 }, (_, row) => row % 400);
    const independent = independentOf({}, 2000);
    const column = classColumn({ name: 'x', kind: 'category', values }, independent);
    expect(rows.length / 2000).toBeCloseTo(0.8, 1);
    const units = classUnits(classTarget('', rows, 2000), independent);
    expect(levelProxies(column, units, 10)).toBeUndefined();
  });

  it('takes small levels together', () => {
    const codes = Array.from({ length: n }, (_, row) => (row < 96 ? row % 12 : 12 + (row % 5)));
    expect(proxyOf(codes)).toMatchObject({ units: 96, inClass: 96, covers: 0.6, levels: [...Array(12).keys()] });
  });

  it('leaves the end of a graded predictor alone', () => {
    // 0 to 3 ever more of the ill; the last level is theirs alone.
    const graded = Array.from({ length: n }, (_, row) =>
      row < 160 ? (row < 60 ? 3 : row < 130 ? 2 : 1) : row < 200 ? 2 : row < 270 ? 1 : 0,
    );
    expect(proxyOf(graded)).toBeUndefined();
    const proxy = graded.map((value, row) => (value === 3 ? 3 : row % 3));
    expect(proxyOf(proxy)).toMatchObject({ levels: [3], units: 60 });
  });

  it('leaves a level alone where 30 others have risks of their own: eight bins would even them out', () => {
    // 40 of the ill; then 30 levels of twelve rows, of which every other one has eight ill.
    const values = Array.from({ length: n }, (_, row) => {
      if (row < 40) return 0;
      return row < 160 ? 1 + 2 * Math.floor((row - 40) / 8) : 0;
    });
    const healthy = Array.from({ length: 30 }, (_, level) => Array(level % 2 === 0 ? 4 : 12).fill(level + 1)).flat();
    healthy.forEach((level, at) => {
      values[160 + at] = level;
    });
    expect(proxyOf(values)).toBeUndefined();
    expect(proxyOf(values.map((level, row) => (level === 0 ? 0 : 1 + (row % 30))))).toMatchObject({ levels: [0] });
  });

  it('counts patients, of whom 20 are too few whatever their rows', () => {
    const groups = Array.from({ length: n }, (_, row) => Math.floor(row / 5));
    expect(proxyOf(level(100, 0), 10, groups)).toBeUndefined();
    expect(proxyOf(level(155, 0), 10, groups)).toMatchObject({
      units: 31,
      inClass: 31,
      covers: expect.closeTo(31 / 32, 12),
    });
  });
});
