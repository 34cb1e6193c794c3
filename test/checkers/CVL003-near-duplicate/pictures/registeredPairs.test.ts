import { describe, expect, it } from 'vitest';
import { Pictures, registeredPair } from '../../../../src/checkers/CVL003-near-duplicate/pictures/registeredPairs.js';
import { readFeatures } from '../../../../src/checkers/features/features.js';
import { rowsOf } from '../../../../src/data/rows.js';
import { moved, scenery, shot } from './scenes.js';

describe('registeredPair', () => {
  it('moves a copy onto its original, however it was turned, and forgets nothing it needs', async () => {
    const all = Array.from({ length: 12 }, (_, seed) => scenery(seed));
    const turned = moved((y, x) => all[1](x, y), { dy: 1 });
    const { images } = await readFeatures(rowsOf([...all, moved(all[0], { dx: 1 }), turned].map(shot)));
    const pictures = new Pictures(images![0]);
    const pair = registeredPair(0, 12, pictures, [0]);
    expect(pair.likeness).toBeGreaterThan(0.95);
    expect(pair.gap).toBeCloseTo(Math.sqrt(1 - pair.likeness), 9);
    // Without an orientation it is found by the low frequencies.
    const other = registeredPair(1, 13, pictures, [-1]);
    expect(other.likeness).toBeGreaterThan(0.85);
    expect(registeredPair(2, 3, pictures, [-1]).likeness).toBeLessThan(0.8);
  });

  it('takes pictures that are added, after all rows', async () => {
    const all = Array.from({ length: 12 }, (_, seed) => scenery(seed));
    const { images } = await readFeatures(rowsOf(all.map(shot)));
    const pictures = new Pictures(images![0]);
    const added = pictures.add(Float32Array.from(shot((y, x) => all[4](x, y + 1)).flat()));
    expect(added).toBe(12);
    const pair = registeredPair(added, 4, pictures, [-1]);
    expect([pair.first, pair.second]).toEqual([4, 12]);
    expect(pair.likeness).toBeGreaterThan(0.85);
    expect(registeredPair(added, 5, pictures, [-1]).likeness).toBeLessThan(0.8);
  });
});
