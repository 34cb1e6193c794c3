import { expect, it } from 'vitest';
import { isOneOfSeries } from '../../../src/checkers/CVL011-identifier/identifierColumns.js';
import type { Column } from '../../../src/checkers/features/columns.js';
import { randomSource } from '../../../src/core/random.js';
import { normal } from '../CVL003-near-duplicate/normal.js';

const random = randomSource(41);
const list = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));
const column = (name: string, values: number[]): Column => ({
  name,
  kind: 'number',
  values: Float64Array.from(values),
});

it('knows a height among those at other ages, with holes too, and takes neither an id nor one twin for a series', () => {
  const sizes = list(120, () => normal(random));
  const heights = list(5, (age) =>
    column(
      `height ${age}`,
      sizes.map((size) => Math.round(100 + 7 * age + 5 * size + 1.5 * normal(random))),
    ),
  );
  const ids = column(
    'x',
    list(120, (row) => Math.floor(1000 * Math.abs(Math.sin(row >> 1)))),
  );
  for (const height of heights) expect(isOneOfSeries(height, [...heights, ids])).toBe(true);
  expect(isOneOfSeries(ids, [...heights, ids])).toBe(false);
  expect(isOneOfSeries(heights[0], [heights[0], heights[1], ids])).toBe(false);
  const holed = heights.map((each) =>
    column(
      each.name,
      Array.from(each.values, (value) => (random.random() < 0.3 ? Number.NaN : value)),
    ),
  );
  expect(isOneOfSeries(holed[2], holed)).toBe(true);
  // Of a dozen rows with both values nothing is said.
  const few = heights.map((each, at) =>
    column(
      each.name,
      Array.from(each.values, (value, row) => (row < 12 || row % 5 === at ? value : Number.NaN)),
    ),
  );
  expect(isOneOfSeries(few[2], few)).toBe(false);
});
