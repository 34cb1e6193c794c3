import { describe, expect, it } from 'vitest';
import { searchPictures } from '../../../../src/checkers/CVL003-near-duplicate/pictures/searchPictures.js';
import { readFeatures } from '../../../../src/checkers/features/features.js';
import { randomSource } from '../../../../src/core/random.js';
import { rowsOf } from '../../../../src/data/rows.js';
import { moved, scenery, shot } from './scenes.js';

const search = async (X: number[][][]) =>
  searchPictures(await readFeatures(rowsOf(X)), {
    pairsPerRow: X.length / 2,
    wanted: () => true,
    random: randomSource(1),
  });
const all = Array.from({ length: 60 }, (_, seed) => shot(scenery(seed)));

describe('searchPictures', () => {
  it('finds moved copies and equal ones, and says how alike they are', { tags: 'slow' }, async () => {
    const { pairs } = await search([...all, shot(moved(scenery(3), { turn: 4 })), all[5]]);
    expect(pairs).toMatchObject([
      { first: 5, second: 61, similarity: 1, distance: 0 },
      { first: 3, second: 60 },
    ]);
    expect(pairs[1].similarity).toBeGreaterThan(0.9);
  });

  it('tries how many copies of these pictures would be found, and says where that is few', {
    tags: 'slow',
  }, async () => {
    const { trial, reason } = await search(all);
    expect(reason).toBeUndefined();
    expect(trial?.of).toBe(30);
    expect(trial?.found).toBeGreaterThan(25);
    expect(trial).toMatchObject({ covered: { of: 15 } });
    const disc = (k: number) => shot((y, x) => (Math.hypot(y - 16, x - 12 - (k % 8)) < 4 + (k >> 3) / 4 ? 1 : 0));
    const masks = await search(Array.from({ length: 60 }, (_, k) => disc(k)));
    expect(masks.notDetectable).toBe(true);
    expect(masks.pairs.every(({ similarity }) => similarity === 1)).toBe(true);
    expect(masks.reason).toMatch(
      /^Moved copies are not told from other images here: of 30 copies .*, \d+ would be found\. At the 32 pixels a side at which images are compared they have too little detail/,
    );
  });

  it('says that too few show anything', async () => {
    const blank = Array.from({ length: 60 }, () => shot(() => 2));
    expect((await search([...blank, ...all.slice(0, 5)])).reason).toMatch(/from 20 with content\. Got 5\.$/);
  });

  it.each([8, 9, 13, 33])('takes pictures of %i pixels a side, constant ones and missing pixels', async (side) => {
    const random = randomSource(side);
    const X = Array.from({ length: 30 }, (_, row) =>
      Array.from({ length: side }, () =>
        Array.from({ length: side }, () => [row === 4 ? 1 : random.random() < 0.1 ? Number.NaN : random.random()]),
      ),
    );
    const features = await readFeatures(rowsOf(X));
    const found = await searchPictures(features, { pairsPerRow: 15, wanted: () => true, random: randomSource(1) });
    expect(found.pairs).toEqual([]);
  });
});
