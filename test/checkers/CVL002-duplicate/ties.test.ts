import { describe, expect, it } from 'vitest';
import { countsIn } from '../../../src/checkers/CVL002-duplicate/cells.js';
import { duplicateRows } from '../../../src/checkers/CVL002-duplicate/duplicateRows.js';
import { tiesOf } from '../../../src/checkers/CVL002-duplicate/ties.js';
import { type RandomSource, randomSource } from '../../../src/core/random.js';
import { KFold, mergeDuplicates } from '../../../src/index.js';
import { normal } from '../CVL003-near-duplicate/normal.js';
import { judged } from '../judged.js';

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
const below = (random: RandomSource, most: number) => Math.floor(most * random.random());
const person = (random: RandomSource) => ({
  age: 18 + below(random, 70),
  sex: below(random, 2),
  bmi: rounded(26 + 4 * normal(random), 1),
  fev: rounded(2.8 + 0.6 * normal(random), 2),
});
const day = (random: RandomSource) => ({
  temperature: rounded(12 + 8 * normal(random), 1),
  pressure: rounded(1013 + 8 * normal(random), 1),
  humidity: Math.round(70 + 12 * normal(random)),
  ozone: rounded(40 * random.random(), 1),
});
/** People, of whom several came on each day. */
function visits(seed: number, n: number, days: number) {
  const random = randomSource(seed);
  const known = Array.from({ length: days }, () => day(random));
  return Array.from({ length: n }, () => ({ ...known[below(random, days)], ...person(random) }));
}
const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 1 });

describe('tiesOf', () => {
  const column = (values: number[]) =>
    countsIn(
      { columns: [], values: Float64Array.from(values), free: false },
      Int32Array.from(values, (_, row) => row),
    );
  const random = randomSource(5);
  const town = Array.from({ length: 120 }, (_, row) => row % 20);
  const own = Array.from({ length: 3 }, () => column(town.map(() => random.random())));
  const columns = [column(town), column(town.map((place) => 100 + place)), ...own];

  it('gives the column in which rows agree, and how often they then agree in this one', () => {
    const [, tie, ...others] = tiesOf(columns, () => true, 2);
    // 20 pairs that all agree, of which one in twenty would by chance, and one more that the share starts from.
    expect(tie).toEqual({ parent: 0, share: expect.closeTo((20 - 1) / (20 - 1 + 1), 12) });
    expect(others).toEqual([undefined, undefined, undefined]);
  });

  it('says nothing of fewer than ten values, of rows of one unit, and of pairs that may be copies', () => {
    const few = town.map((place) => place % 9);
    expect(tiesOf([column(few), column(few), ...own], () => true, 2).filter(Boolean)).toEqual([]);
    expect(tiesOf(columns, (first, second) => town[first] !== town[second], 2).filter(Boolean)).toEqual([]);
    expect(tiesOf(columns, () => true, 3).filter(Boolean)).toEqual([]);
  });

  it('people of one day are no copies, though they share all that is known of it', async () => {
    for (const [n, days] of [
      [200, 130],
      [300, 100],
      [600, 100],
    ]) {
      for (let seed = 0; seed < 4; seed++) {
        const { status, message } = await judged(duplicateRows, { X: visits(seed, n, days), splitter });
        expect(status, message).toBe('passed');
      }
    }
  });

  it('copies among them are found, and put together', async () => {
    const X = visits(7, 300, 100);
    for (let at = 0; at < 6; at++) X[299 - at] = { ...X[at], bmi: at < 3 ? X[at].bmi : 99 };
    const { status, evidence } = await judged(duplicateRows, { X, splitter });
    expect(status).toBe('failed');
    expect(evidence.power).toMatchObject([1, expect.any(Number), expect.any(Number)]);
    const { groups } = await mergeDuplicates(X);
    for (let at = 0; at < 3; at++) expect(groups[299 - at]).toBe(groups[at]);
  });

  it('some columns of a town hide no more copies than one of them', async () => {
    const random = randomSource(3);
    const towns = Array.from({ length: 25 }, () => [1, 2, 3, 4, 5].map(() => rounded(1e4 * random.random(), 0)));
    const table = (columns: number) =>
      Array.from({ length: 300 }, () => ({ ...towns[below(random, 25)].slice(0, columns), ...person(random) }));
    for (const columns of [1, 5]) {
      const X = table(columns);
      for (let at = 0; at < 6; at++) X[299 - at] = { ...X[at] };
      expect((await judged(duplicateRows, { X, splitter })).status).toBe('failed');
    }
  });
});
