import { describe, expect, it } from 'vitest';
import { cellColumns } from '../../../src/checkers/CVL002-duplicate/cells.js';
import { linkage } from '../../../src/checkers/CVL002-duplicate/linkage.js';
import { oneAnswerIn } from '../../../src/checkers/CVL002-duplicate/rarity.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { randomSource } from '../../../src/core/random.js';
import { rowsOf } from '../../../src/data/rows.js';

const random = randomSource(31);
const whole = (count: number) => Math.floor(count * random.random());
const list = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
const featuresOf = (X: readonly unknown[]) => readFeatures(rowsOf(X as object[]));

describe('oneAnswerIn', () => {
  const answers = async (X: readonly unknown[]) => {
    const columns = cellColumns(await featuresOf(X));
    const counts = columns.map(({ values }) => new Set(values).size);
    const placesOf = oneAnswerIn(columns, counts);
    return X.map((_, row) => placesOf(row).map((place) => columns[place].columns[0].name));
  };

  it('names the questions to which a row gives one answer, as numbers or as text, and nine of ten are enough', async () => {
    const X = list(30, () => list(10, () => whole(5)));
    X[0] = list(10, () => 2);
    X[1] = list(10, (at) => (at === 4 ? 1 : 2));
    X[2] = list(10, (at) => (at < 2 ? 1 : 2));
    const found = await answers(X);
    expect(found.map(({ length }) => length).slice(0, 4)).toEqual([10, 9, 0, 0]);
    const texts = X.map((row) =>
      Object.fromEntries(row.map((cell, at) => [`q${at}`, at % 2 ? `No ${cell}` : `no ${cell} `])),
    );
    expect((await answers(texts)).map(({ length }) => length).slice(0, 4)).toEqual([10, 9, 0, 0]);
  });

  it('reads text as answers are written, takes codes of text for no numbers, and missing answers for none', async () => {
    const X = list(30, () => list(10, () => whole(5)));
    X[0] = list(10, () => 3);
    const written = X.map((row, at) =>
      row.map((cell, place) => (at === 7 && place % 2 ? 'NA' : place % 2 ? `${cell}` : cell)),
    );
    expect((await answers(written))[0]).toHaveLength(10);
    const words = ['a', 'b', 'none', 'some', 'x'];
    const mixed = X.map((row) => row.map((cell, place) => (place < 5 ? cell : words[cell])));
    mixed[0] = list(10, (place) => (place < 5 ? 2 : 'none'));
    expect((await answers(mixed))[0]).toEqual([]);
    const holes = X.map((row, at) => (at === 3 ? list(10, (place) => (place === 0 ? 1 : null)) : row));
    expect((await answers(holes))[3]).toEqual([]);
  });

  it('takes neither flags, nor measurements, nor four questions for a questionnaire', async () => {
    const flags = list(30, () => list(10, () => whole(2)));
    flags[0] = list(10, () => 0);
    expect((await answers(flags))[0]).toEqual([]);
    const four = list(30, (row) => list(4, () => (row === 0 ? 2 : whole(5))));
    expect((await answers(four))[0]).toEqual([]);
    const beside = list(30, (row) => [row === 0 ? 2 : row, whole(2), ...list(5, () => (row === 0 ? 2 : whole(5)))]);
    expect((await answers(beside))[0]).toHaveLength(5);
  });
});

describe('linkage', () => {
  it('takes rows of one answer for no copies, and finds those of several', async () => {
    const X = list(300, () => list(20, () => whole(5)));
    for (const row of [10, 20, 30, 40]) X[row] = list(20, () => 2);
    X[299] = [...X[5]];
    const { pairs, coincident, oneAnswer } = await linkage(await featuresOf(X), undefined);
    expect(pairs).toEqual([{ first: 5, second: 299, differing: 0 }]);
    expect([10, 20, 30, 40, 5].map((row) => coincident[row])).toEqual([1, 1, 1, 1, 0]);
    expect(oneAnswer).toEqual(coincident);
  });
});
