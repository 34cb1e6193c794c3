import { describe, expect, it } from 'vitest';
import { labelColumns, nearVectors, normalizedVectors } from '../../../src/checkers/CVL003-near-duplicate/vectors.js';
import type { Column } from '../../../src/checkers/features/columns.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { randomSource } from '../../../src/core/random.js';
import { rowsOf } from '../../../src/data/rows.js';
import { normal } from './normal.js';
import { vectorsOf as plainly } from './vectorsOf.js';

const draws = randomSource(8);
const N = 60;
const numbers = Array.from({ length: N }, () => normal(draws));
const vectorsOf = async (X: readonly unknown[]) => nearVectors(await readFeatures(rowsOf(X)), randomSource(1));

/** Squared distance of rows `i` and `j` in the columns from `from` on. */
const apart = ({ data, width }: Awaited<ReturnType<typeof vectorsOf>>, i: number, j: number, from = 0) => {
  let sum = 0;
  for (let k = from; k < width; k++) sum += (data[i * width + k] - data[j * width + k]) ** 2;
  return sum;
};

describe('nearVectors', () => {
  it('puts continuous features first, on the scale of standard scores; constant ones are left out', async () => {
    const vectors = await vectorsOf(numbers.map((z, row) => ['ab'[row % 2], 7, 100 + 5 * z, row % 3]));
    expect(vectors).toMatchObject({ n: N, width: 3, continuous: 1 });
    // Scores of variance 1 give 2; columns of a variance below 1 give less.
    expect(vectors.meanSquaredDistance).toBeGreaterThan(2);
    expect(vectors.meanSquaredDistance).toBeLessThan(6);
  });

  it('categories that agree add nothing, others set rows apart', async () => {
    const vectors = await vectorsOf(numbers.map((z, row) => [z, ['low', 'mid', 'high'][row % 3]]));
    expect(apart(vectors, 0, 3, 1)).toBe(0);
    for (const [i, j] of [
      [0, 1],
      [1, 2],
      [0, 2],
    ])
      expect(apart(vectors, i, j, 1)).toBeGreaterThanOrEqual(1);
  });

  it('rows that miss a value agree in that, and differ from those which have one', async () => {
    const vectors = await vectorsOf(numbers.map((z, row) => [row < 20 ? null : z, numbers[N - 1 - row]]));
    expect([vectors.width, vectors.continuous]).toEqual([3, 2]);
    const at = (row: number) => [...vectors.data.slice(row * 3, row * 3 + 3)];
    expect(at(3)[0]).toBe(at(4)[0]);
    expect([at(3)[2], at(4)[2], at(30)[2]]).toEqual([1, 1, 0]);
    // Of two continuous features a row without the first has one.
    expect([vectors.ownValueShare[3], vectors.ownValueShare[30]]).toEqual([0.5, 1]);
  });

  it('numbers of one label, such as what is known of a town, are no directions to be near in', async () => {
    const towns = Array.from({ length: 20 }, () => [normal(draws), normal(draws), normal(draws)]);
    const rows = numbers.map((z, row) => [...towns[row % 20], z]);
    expect(await vectorsOf(rows)).toMatchObject({ width: 4, continuous: 1 });
    // Where all columns are so, whole rows are there twice.
    expect(await vectorsOf(numbers.map((_, row) => towns[row % 20]))).toMatchObject({ continuous: 3 });
    // One such number alone may be a measurement that was rounded.
    expect(await vectorsOf(rows.map(([first, , , z]) => [first, z]))).toMatchObject({ continuous: 2 });
  });

  it('names and a rare flag are no directions to be near in', async () => {
    const named = await vectorsOf(numbers.map((z, row) => [`row ${row}`, z]));
    expect([named.width, named.continuous]).toEqual([1, 1]);
    const flagged = await vectorsOf(Array.from({ length: 5000 }, (_, row) => [row === 4321 ? 1 : 0]));
    expect([flagged.width, flagged.continuous]).toEqual([1, 0]);
  });

  it('infinite, huge and tiny values, and columns without any, give finite places', async () => {
    const odd = [Infinity, -Infinity, 1e300, -1e300, 1e-300];
    const X = numbers.map((z, row) => [row < 5 ? odd[row] : z, 1e300 * z, 1e-300 * z, null, Infinity]);
    const { data, meanSquaredDistance } = await vectorsOf(X);
    expect(data.every(Number.isFinite)).toBe(true);
    expect(Number.isFinite(meanSquaredDistance)).toBe(true);
  });
});

describe('unitVectors', () => {
  it('puts rows at distance 1 from the centre; a row in the centre stays there', () => {
    const vectors = plainly([
      [3, 4],
      [0, 0],
    ]);
    const { data, meanSquaredDistance } = normalizedVectors(vectors);
    expect(data).toEqual(Float32Array.of(0.6, 0.8, 0, 0));
    expect(meanSquaredDistance).toBe(2);
    expect([...vectors.data]).toEqual([3, 4, 0, 0]);
  });
});

const rows = Int32Array.from({ length: 12 }, (_, row) => row);
const column = (name: string, numberOf: (row: number) => number, kind: Column['kind'] = 'number'): Column => ({
  name,
  kind,
  values: Float64Array.from(rows, numberOf),
});
const named = (...columns: Column[]) => [...labelColumns(columns, rows)].map(({ name }) => name);
const town = column('income', (row) => (row % 4) * 1.7);

describe('labelColumns', () => {
  it('finds numbers that a column which repeats determines', () => {
    const own = column('age', (row) => row);
    expect(
      named(
        town,
        own,
        column('distance', (row) => [9, 2, 5, 7][row % 4]),
      ),
    ).toEqual(['income', 'distance']);
    expect(named(town, own)).toEqual([]);
    expect(
      named(
        town,
        own,
        column('other', (row) => row % 3),
      ),
    ).toEqual([]);
    // Two towns may have one income; text is a label as it is.
    const name = column('name', (row) => row % 4, 'category');
    expect(
      named(
        own,
        column('income', (row) => (row % 4) >> 1),
        name,
      ),
    ).toEqual(['income']);
    expect([...labelColumns([town, own], rows, [Int32Array.from(name.values)])]).toEqual([town]);
  });

  it('leaves numbers that hardly repeat, and tables in which all columns repeat together', () => {
    expect(
      named(
        column('a', (row) => row >> 1),
        column('b', (row) => row % 7),
        column('c', (row) => row % 7),
      ),
    ).toEqual([]);
    expect(
      named(
        town,
        column('distance', (row) => row % 4),
      ),
    ).toEqual([]);
  });
});
