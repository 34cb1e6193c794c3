import { describe, expect, it } from 'vitest';
import { countsIn } from '../../../src/checkers/CVL002-duplicate/counts.js';
import { areFewTypes } from '../../../src/checkers/CVL002-duplicate/fewTypes.js';
import { randomSource } from '../../../src/core/random.js';
import { rowNumbers } from '../../../src/data/labels.js';

const random = randomSource(3);
const whole = (count: number) => Math.floor(count * random.random());
const counted = (levels: number) =>
  countsIn(
    { columns: [{}], values: Float64Array.from({ length: 200 }, (_, row) => row % levels), free: false } as never,
    rowNumbers(200),
  );
/** Numbers of contents: so many of one row, of two, of three, ... */
const contents = (...often: number[]) => {
  const rows = often.flatMap((count, at) => Array.from({ length: count }, () => at + 1));
  return Int32Array.from(rows.flatMap((times, content) => new Array<number>(times).fill(content)));
};

describe('areFewTypes', () => {
  it('tells rows that are drawn from types of different frequencies', () => {
    let told = 0;
    for (let turn = 0; turn < 50; turn++) {
      // Two haplotypes of sixteen each.
      const haplotype = () => Math.floor(16 * random.random() ** 2);
      const codes = new Map<string, number>();
      const rows = Int32Array.from({ length: 200 }, () => {
        const both = [haplotype(), haplotype()].sort((a, b) => a - b).join();
        const code = codes.get(both) ?? codes.size;
        codes.set(both, code);
        return code;
      });
      if (areFewTypes(rows, [counted(3)])) told++;
    }
    expect(told).toBeGreaterThan(35);
  });

  it('is false for copies: of single rows, of all, and drawn again and again', () => {
    expect(areFewTypes(contents(70, 30), [counted(3)])).toBe(false);
    expect(areFewTypes(contents(0, 100), [counted(3)])).toBe(false);
    expect(areFewTypes(contents(60, 40, 2), [counted(3)])).toBe(false);
    const drawn = [...contents(100), ...Array.from({ length: 100 }, () => 100 + whole(10))];
    expect(areFewTypes(Int32Array.from(drawn), [counted(3)])).toBe(false);
  });

  it('is false where few rows are equal, and where a column has many values', () => {
    expect(areFewTypes(contents(180, 5, 3), [counted(3)])).toBe(false);
    expect(areFewTypes(contents(100, 30, 15, 5), [counted(3)])).toBe(true);
    expect(areFewTypes(contents(100, 30, 15, 5), [counted(3), counted(40)])).toBe(false);
  });
});
