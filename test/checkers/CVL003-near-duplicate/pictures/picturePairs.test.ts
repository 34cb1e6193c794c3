import { describe, expect, it } from 'vitest';
import { picturePairs } from '../../../../src/checkers/CVL003-near-duplicate/pictures/searchPictures.js';
import { readFeatures } from '../../../../src/checkers/features/features.js';
import { randomSource } from '../../../../src/core/random.js';
import { rowsOf } from '../../../../src/data/rows.js';
import { moved, scenery, shot } from './scenes.js';

const all = Array.from({ length: 80 }, (_, seed) => scenery(seed));
const search = async (
  X: number[][][],
  options: { codes?: Int32Array; wanted?: (i: number, j: number) => boolean } = {},
) => {
  const { images, n } = await readFeatures(rowsOf(X));
  return (await picturePairs(images![0], n, { wanted: () => true, random: randomSource(1), ...options })).pairs;
};

describe('picturePairs', () => {
  const copies = [
    moved(all[0], { turn: 5 }),
    moved(all[1], { dy: 2, dx: 1 }),
    moved(all[2], { zoom: 1.15 }),
    (y: number, x: number) => all[3](y, 31 - x),
    (y: number, x: number) => 5 - 2 * all[4](x, y),
    moved(all[5], { turn: -4, zoom: 1.08, dx: 1 }),
  ];
  const X = [...all, ...copies].map(shot);

  it('finds copies that were turned, shifted, cropped, mirrored, inverted, or all of it, and nothing else', {
    tags: 'slow',
  }, async () => {
    const found = await search(X);
    expect(found.map(({ first, second }) => [first, second]).sort((a, b) => a[0] - b[0])).toEqual(
      copies.map((_, at) => [at, 80 + at]),
    );
  });

  it('looks at the pairs that are wanted, of different patients', { tags: 'slow' }, async () => {
    expect(await search(X, { wanted: (first) => first === 1 })).toMatchObject([{ first: 1, second: 81 }]);
    const codes = Int32Array.from(X, (_, row) => row % 80);
    expect(await search(X, { codes })).toEqual([]);
  });

  it('finds nothing among pictures without copies, blank ones and masks', { tags: 'slow' }, async () => {
    const blank = Array.from({ length: 5 }, () => shot(() => 3));
    const masks = Array.from({ length: 10 }, (_, k) =>
      shot((y, x) => (Math.hypot(y - 16, x - 16) < 5 + k / 4 ? 1 : 0)),
    );
    expect(await search([...all.map(shot), ...blank, ...masks])).toEqual([]);
    expect(await search(all.slice(0, 4).map(shot))).toEqual([]);
    expect(await search([...blank, ...masks])).toEqual([]);
  });
});
