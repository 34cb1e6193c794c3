import { describe, expect, it } from 'vitest';
import { Traits } from '../../../src/checkers/CVL002-duplicate/traits.js';
import { randomSource } from '../../../src/core/random.js';
import { normal } from '../CVL003-near-duplicate/normal.js';

const random = randomSource(31);
const list = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
/** Eight items of four answers with a trait in common, worst first; codes as the items are, or renamed. */
const severities = list(200, () => normal(random)).sort((a, b) => b - a);
const answers = severities.map((trait) =>
  list(8, () => Math.min(3, Math.max(0, Math.round(1.5 + trait + 0.5 * normal(random))))),
);
const columns = (rename: (code: number) => number) =>
  list(8, (at) => Int32Array.from(answers, (row) => rename(row[at])));
const traits = new Traits(columns(Number), new Array(8).fill(4));
const all3 = new Int32Array(8).fill(3);

describe('Traits', () => {
  it('finds that rows at the level of an extreme row agree with it far more often than all rows', () => {
    const [level] = traits.levels(all3, [0]);
    expect(level.share).toBeCloseTo(6 / 199, 10);
    // Counted: of the six that answer most nearly so, and of all others.
    const sums = answers.map((row) => row.reduce((sum, item) => sum + item, 0));
    const nearest = sums.map((sum, row) => ({ sum, row })).filter(({ row }) => row > 0);
    nearest.sort((a, b) => b.sum - a.sum);
    list(8, (at) => {
      const rate = (rows: readonly number[]) => rows.filter((row) => answers[row][at] === 3).length / rows.length;
      const [near, usual] = [nearest.slice(0, 6), nearest].map((some) => rate(some.map(({ row }) => row)));
      expect(level.lift[at]).toBeGreaterThan(0.6);
      expect(Math.abs(level.lift[at] - Math.log(near / usual))).toBeLessThan(0.35);
    });
  });

  it('reads no order into codes', () => {
    const renamed = new Traits(
      columns((code) => [2, 0, 3, 1][code]),
      new Array(8).fill(4),
    );
    const [a, b] = [traits.levels(all3, [0]), renamed.levels(new Int32Array(8).fill(1), [0])];
    expect(b.length).toBe(a.length);
    a.forEach(({ lift }, at) => {
      for (let item = 0; item < 8; item++) expect(b[at].lift[item]).toBeCloseTo(lift[item], 6);
    });
  });

  it('leaves rows out that are asked to stay out', () => {
    // Two rows alone have a code of their own: without them nobody at the level has it.
    const copied = columns(Number).map((column) => column.map((code, row) => (row === 5 || row === 90 ? 4 : code)));
    const own = new Int32Array(8).fill(4);
    const level = (out: number[]) => new Traits(copied, new Array(8).fill(5)).levels(own, out)[0].lift[0];
    expect(level([5, 90])).toBeLessThan(0);
    expect(level([5])).toBeGreaterThan(1);
  });

  it('says nothing of rows that have nothing in common', () => {
    const free = list(30, () => Int32Array.from({ length: 300 }, () => Math.floor(4 * random.random())));
    const levels = new Traits(free, new Array(30).fill(4)).levels(
      Int32Array.from(free, ([code]) => code),
      [0],
    );
    const largest = levels.filter(({ share }) => share > 0.25);
    expect(largest.length).toBeGreaterThan(0);
    for (const { lift } of largest) expect(Math.abs(lift.reduce((sum, one) => sum + one, 0))).toBeLessThan(4);
  });

  it.each([
    ['one row', [Int32Array.of(0)], [1], 0],
    ['one value', [new Int32Array(40), new Int32Array(40)], [1, 1], 0],
  ])('survives %s', (_, codes, widths, count) => {
    expect(new Traits(codes, widths).levels(new Int32Array(codes.length), [0])).toHaveLength(count);
  });
});
