import { describe, expect, it } from 'vitest';
import { candidatesOf } from '../../../../src/checkers/CVL003-near-duplicate/pictures/candidates.js';
import { Pictures } from '../../../../src/checkers/CVL003-near-duplicate/pictures/registeredPairs.js';
import { readFeatures } from '../../../../src/checkers/features/features.js';
import { rowsOf } from '../../../../src/data/rows.js';
import { scenery, shot } from './scenes.js';

describe('candidatesOf', () => {
  it('names likely copies both ways and their orientation, but no equal, blank or own ones', async () => {
    const all = Array.from({ length: 40 }, (_, seed) => scenery(seed));
    const mirrored = shot((y, x) => all[2](y, 31 - x));
    const X = [...all.map(shot), shot((y, x) => all[0](y + 1, x)), shot(all[1]), mirrored, shot(() => 1)];
    const { images } = await readFeatures(rowsOf(X));
    const pictures = new Pictures(images![0]);
    const options = { codes: Int32Array.from(X, (_, row) => (row === 7 ? 6 : row)) };
    const found = candidatesOf(images![0], pictures, options);
    expect(found.rows).toHaveLength(43);
    expect(found.of(0)).toContain(40);
    expect(found.of(40)).toContain(0);
    expect(found.of(1)).not.toContain(41);
    expect(found.of(6)).not.toContain(7);
    expect(found.of(42)).toContain(2);
    expect(found.positions(2, 42)).toContain(1);
    expect(found.of(43)).toEqual([]);
  });

  it('says of an added picture what it would say of a row', async () => {
    const all = Array.from({ length: 60 }, (_, seed) => shot(scenery(seed)));
    const copy = shot((y, x) => scenery(3)(y + 1, 31 - x));
    const rowsFound = async (X: number[][][], added?: Float32Array) => {
      const { images } = await readFeatures(rowsOf(X));
      const pictures = new Pictures(images![0]);
      const found = candidatesOf(images![0], pictures, {});
      return { found, added: added && found.with(pictures.add(added)) };
    };
    const { found } = await rowsFound([...all, copy]);
    const { added } = await rowsFound(all, Float32Array.from(copy.flat()));
    const listing = all.flatMap((_, row) => (found.of(row).includes(60) ? [row] : []));
    expect(listing).toContain(3);
    // A row more moves what all have in common a little.
    const differing = [...new Set([...listing, ...added!.listing])].filter(
      (row) => listing.includes(row) !== added!.listing.has(row),
    );
    expect(differing.length).toBeLessThan(3);
    expect(added!.its).toContain(3);
    expect(added!.positions(3)).toContain(1);
    expect(found.positions(3, 60)).toContain(1);
  });
});
