import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isComputed } from '../../../src/checkers/CVL011-identifier/computed.js';
import type { Column } from '../../../src/checkers/features/columns.js';
import { type RandomSource, randomSource } from '../../../src/core/random.js';

const column = (name: string, values: ArrayLike<number>): Column => ({
  name,
  kind: 'number',
  values: Float64Array.from(values),
});
/** Columns of whole numbers from 0 to 4. */
const items = (random: RandomSource, n: number, count: number) =>
  Array.from({ length: count }, (_, at) =>
    column(
      `q${at}`,
      Float64Array.from({ length: n }, () => Math.floor(5 * random.random())),
    ),
  );
const combined = (columns: readonly Column[], weightOf: (at: number) => number) =>
  columns[0].values.map((_, row) => columns.reduce((sum, { values }, at) => sum + weightOf(at) * values[row], 0));

describe('isComputed', () => {
  const random = randomSource(1);
  const n = 120;
  const answers = items(random, n, 20);
  const sum = combined(answers, () => 1);

  it.each<[string, Float64Array]>([
    ['a sum', sum],
    ['a mean', sum.map((value) => value / 20)],
    ['a weighted sum and a constant', combined(answers, (at) => (at % 4) - 1.5).map((value) => value + 7)],
    ['a sum of some', combined(answers.slice(3, 9), () => 1)],
    ['a share in whole per cent', sum.map((value) => Math.round((100 * value) / 80))],
  ])('knows %s', (_, values) => {
    const scored = column('score', values);
    expect(isComputed(scored, [...answers, scored])).toBe(true);
  });

  it('knows products and ratios of two columns, rounded, and takes no id for one', () => {
    const own = randomSource(5);
    const drawn = (from: number, to: number) =>
      Float64Array.from({ length: n }, () => from + (to - from) * own.random());
    const [rate, pressure, oxygen] = [drawn(50, 120), drawn(90, 180), drawn(0.21, 1)];
    const base = [column('hr', rate), column('sbp', pressure), column('fio2', oxygen), ...answers.slice(0, 3)];
    const is = (values: Float64Array) => isComputed(column('it', values), [...base, column('it', values)]);
    expect(is(rate.map((value, row) => Math.round(value * pressure[row])))).toBe(true);
    expect(is(pressure.map((value, row) => Math.round(value / oxygen[row])))).toBe(true);
    expect(is(rate.map((value, row) => value / pressure[row] ** 2))).toBe(true);
    expect(is(rate.map((value, row) => value * pressure[row] * (0.8 + 0.4 * own.random())))).toBe(false);
    expect(is(Float64Array.from({ length: n }, (_, row) => 1000 + row))).toBe(false);
    // A day that follows from another day is not excused by it: an id may be there twice.
    const days = Float64Array.from({ length: n }, (_, row) => 43000 + 3 * row + Math.floor(5 * own.random()));
    const later = column(
      'later',
      days.map((day) => day + Math.floor(3 * own.random())),
    );
    expect(isComputed(column('day', days), [...base, later, column('day', days)])).toBe(false);
  });

  it('knows a bin of counts that add up to a constant', () => {
    const bins = answers.slice(0, 6);
    const rest = column(
      'rest',
      combined(bins, () => 1).map((value) => 100 - value),
    );
    expect(isComputed(bins[2], [...bins, rest])).toBe(true);
  });

  it('knows the sum of what is known where cells are missing', () => {
    const gaps = answers.map(({ values, ...rest }) => ({
      ...rest,
      values: values.map((value) => (random.random() < 0.2 ? Number.NaN : value)),
    }));
    const known = column(
      'known',
      combined(
        gaps.map(({ values, ...rest }) => ({ ...rest, values: values.map((value) => value || 0) })),
        () => 1,
      ),
    );
    expect(isComputed(known, [...gaps, known])).toBe(true);
  });

  it('knows them in a table that is wider than long', () => {
    const few = 60;
    const wide = items(random, few, 400);
    const neighbours = column(
      'total',
      combined(wide.slice(100, 130), () => 1),
    );
    const lacking = column(
      'lacking',
      combined(wide.slice(200, 230), () => -1).map((value) => value + 120),
    );
    const scattered = column(
      'scattered',
      combined(
        [3, 90, 171, 260, 399].map((at) => wide[at]),
        (at) => 3 - at / 2,
      ),
    );
    for (const scored of [neighbours, lacking, scattered]) expect(isComputed(scored, [...wide, scored])).toBe(true);
    const own = column(
      'own',
      Float64Array.from({ length: few }, () => Math.floor(40 * random.random())),
    );
    expect(isComputed(own, [...wide, own])).toBe(false);
  });

  it('takes nothing else for computed', () => {
    const id = column(
      'id',
      Float64Array.from({ length: n }, () => Math.floor(40 * random.random())),
    );
    const scaled = column(
      'scaled',
      id.values.map((value) => 3 * value - 7),
    );
    const category: Column = { ...id, kind: 'category', levels: [] };
    expect(isComputed(id, [...answers, id])).toBe(false);
    // An id that is there twice, or three times, is no less an id.
    expect(isComputed(id, [...answers, id, scaled, { ...scaled }])).toBe(false);
    expect(isComputed(category, [...answers, category])).toBe(false);
    expect(isComputed(id, [id])).toBe(false);
    const noisy = column(
      'noisy',
      sum.map((value) => value + Math.round(4 * (random.random() - 0.5))),
    );
    expect(isComputed(noisy, [...answers, noisy])).toBe(false);
    const empty = column('empty', new Float64Array(n).fill(Number.NaN));
    expect(isComputed(empty, [...answers, empty])).toBe(false);
    const short = answers.map(({ values, ...rest }) => ({ ...rest, values: values.slice(0, 1) }));
    expect(isComputed(short[0], short)).toBe(false);
  });

  it('knows bins of a histogram of which some are missing or all are rounded, and an id beside them', () => {
    const source = randomSource(8);
    const n = 120;
    const bins = Array.from({ length: 10 }, () => new Float64Array(n));
    for (let row = 0; row < n; row++) {
      const middle = 2 + 6 * source.random();
      for (let at = 0; at < 1000; at++) {
        const value = middle + 3 * (source.random() + source.random() - 1);
        bins[Math.max(0, Math.min(9, Math.floor(value)))][row]++;
      }
    }
    const named = bins.map((values, at) => column(`bin ${at}`, values));
    const percent = named.map(({ name, values }) =>
      column(
        name,
        values.map((value) => Math.round(value / 10)),
      ),
    );
    for (const given of [named.slice(0, 8), named.filter((_, at) => at % 4 > 0), percent, percent.slice(2)]) {
      for (const bin of given.slice(1, -1)) expect(isComputed(bin, given), bin.name).toBe(true);
      const id = column(
        'id',
        Float64Array.from({ length: n }, () => Math.floor(500 * source.random())),
      );
      expect(isComputed(id, [...given, id])).toBe(false);
    }
  });

  it('does not depend on the order of the rows, nor on the scale', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (seed, scale) => {
        const source = randomSource(seed);
        const given = items(source, 80, 8);
        const total = column(
          'total',
          combined(given, () => 1).map((value) => scale * value),
        );
        const order = Array.from({ length: 80 }, (_, row) => row).sort(() => source.random() - 0.5);
        const taken = [...given, total].map(({ values, ...rest }) => ({
          ...rest,
          values: Float64Array.from(order, (row) => values[row]),
        }));
        expect(isComputed(taken[8], taken)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
