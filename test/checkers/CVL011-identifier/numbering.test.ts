import { describe, expect, it } from 'vitest';
import { numberings } from '../../../src/checkers/CVL011-identifier/identifierColumns.js';
import type { Column } from '../../../src/checkers/features/columns.js';
import { randomSource, shuffle } from '../../../src/core/random.js';
import { labelsOf } from '../../../src/data/labels.js';

const random = randomSource(3);
const column = (values: ArrayLike<number>, name = 'x'): Column => ({
  name,
  kind: 'number',
  values: Float64Array.from(values),
});
const n = 200;
const shuffled = () => {
  const order = Int32Array.from({ length: n }, (_, at) => at);
  shuffle(random, order);
  return order;
};
const noise = () =>
  column(
    Float64Array.from({ length: n }, () => random.random()),
    'noise',
  );
const normal = () => Array.from({ length: 12 }, () => random.random()).reduce((a, b) => a + b, -6);
/** Places from 1 on by size. */
function ranksOf(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return values.map((value) => 1 + sorted.indexOf(value));
}

describe('equal steps', () => {
  const isNumbered = (values: ArrayLike<number>, more: Partial<Column> = {}) =>
    numberings([noise(), { ...column(values), ...more }], undefined)[1] !== undefined;

  it.each<[string, ArrayLike<number>]>([
    ['whole numbers', shuffled()],
    ['thousandths', Array.from(shuffled(), (at) => (10_000 + at) / 1000)],
    ['z scores in 32 bits', Float32Array.from(shuffled(), (at) => (at - 99.5) / 57.7)],
    ['steps of 7, some missing', [...Array.from(shuffled(), (at) => 4711 - 7 * at), Number.NaN, Number.NaN]],
    ['gaps of people who were left out', Array.from(shuffled(), (at) => at + Math.floor(at / 10))],
  ])('are known in %s', (_, values) => {
    expect(isNumbered(values)).toBe(true);
  });

  it.each<[string, ArrayLike<number>]>([
    ['a value twice', [...shuffled().slice(1), 7]],
    ['many gaps', Array.from(shuffled(), (at) => at + Math.floor(at / 2))],
    ['a gap among thousandths', Array.from(shuffled(), (at) => (at === n - 1 ? n : at) / 1000)],
    ['one value', new Float64Array(n).fill(3)],
    ['nothing', new Float64Array(n).fill(Number.NaN)],
    ['an infinite value', [...shuffled().slice(1), Infinity]],
    ['numbers in steps that a float cannot tell', Array.from(shuffled(), (at) => Math.fround(1e8 + at))],
  ])('are not there with %s', (_, values) => {
    expect(isNumbered(values)).toBe(false);
  });

  it('are no question of dates and categories', () => {
    expect(isNumbered(shuffled(), { dates: true })).toBe(false);
    expect(isNumbered(shuffled(), { kind: 'category', levels: [] })).toBe(false);
  });
});

describe('numberings', () => {
  it('says what it saw, and that ranks look the same', () => {
    const columns = [
      noise(),
      column(shuffled()),
      column(
        Array.from(shuffled(), (at) => at / 1000),
        'y',
      ),
    ];
    expect(numberings(columns, undefined)).toEqual([
      undefined,
      '200 whole numbers without a gap, each once, as numbers of rows are; ranks look the same',
      '200 values in equal steps, each once, as scaled numbers of rows are; ranks look the same',
    ]);
  });

  it('takes a table of ranks for ranks, unless a name says id', () => {
    const ranks = [1, 2, 3].map((at) => column(shuffled(), `lab ${at}`));
    const others = Array.from({ length: 5 }, noise);
    expect(numberings([...ranks, ...others], undefined).filter(Boolean)).toEqual([]);
    expect(numberings([ranks[0], ranks[1]], undefined)).toEqual([undefined, undefined]);
    expect(numberings([...ranks, column(shuffled(), 'patient_id')], undefined)[3]).toMatch(
      /whole numbers without a gap/,
    );
  });

  it('takes a column that goes with another for a rank', () => {
    const lab = Array.from({ length: n }, normal);
    const rank = column(ranksOf(lab), 'rank');
    const noisy = lab.map((value) => value + normal());
    const other = column(noisy, 'crp');
    expect(numberings([other, rank], undefined)).toEqual([undefined, undefined]);
  });

  it('is not misled by rows that were collected class by class', () => {
    const y = Array.from({ length: n }, (_, row) => Number(row >= n / 2));
    const measures = y.map((label) => 2 * label + normal());
    const lab = column(measures, 'lab');
    const order = Int32Array.from([...shuffled()].map((at) => at));
    const collected = column(
      y.map((label, row) => label * 100 + (ranksOf([...order.slice(100 * label, 100 * label + 100)])[row % 100] - 1)),
      'x',
    );
    expect(numberings([lab, collected], labelsOf(y))[1]).toMatch(/whole numbers without a gap/);
    const measured = y.map((label, row) => label + row / 1e6);
    expect(numberings([lab, collected], labelsOf(measured, { task: 'regression' }))).toHaveLength(2);
    // Without the labels it looks like the rank of something.
    expect(numberings([lab, collected], undefined)[1]).toBeUndefined();
  });

  it('leaves a grid alone that is the only feature', () => {
    expect(numberings([column(Array.from(shuffled(), (at) => at / 10))], undefined)).toEqual([undefined]);
    expect(numberings([column(shuffled())], undefined)[0]).toMatch(/whole numbers without a gap/);
  });
});
