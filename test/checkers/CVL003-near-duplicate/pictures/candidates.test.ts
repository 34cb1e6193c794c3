import { describe, expect, it } from 'vitest';
import { candidatesOf } from '../../../../src/checkers/CVL003-near-duplicate/pictures/candidates.js';
import { Pictures } from '../../../../src/checkers/CVL003-near-duplicate/pictures/registeredPairs.js';
import { readFeatures } from '../../../../src/checkers/features/features.js';
import { rowNumbers } from '../../../../src/data/labels.js';
import { rowsOf } from '../../../../src/data/rows.js';
import { scenery, shot } from './scenes.js';

describe('candidatesOf', () => {
  it('names likely copies both ways and their orientation, but none that may be no pair', async () => {
    const all = Array.from({ length: 40 }, (_, seed) => scenery(seed));
    const mirrored = shot((y, x) => all[2](y, 31 - x));
    const X = [...all.map(shot), shot((y, x) => all[0](y + 1, x)), shot(all[1]), mirrored, shot(() => 1)];
    const { images } = await readFeatures(rowsOf(X));
    const pictures = new Pictures(images![0]);
    const { high } = images![0].content;
    const rows = rowNumbers(43);
    const copy = pictures.add(Float32Array.from(shot((y, x) => all[3](y + 1, 31 - x)).flat()));
    const found = await candidatesOf(pictures, rows, new Map([[copy, 3]]), (a, b) => {
      return a !== b && high[a] !== high[b] && a + b !== 6 + 7;
    });
    expect(found.of(0)).toContain(40);
    expect(found.of(40)).toContain(0);
    expect(found.of(1)).not.toContain(41);
    expect(found.of(6)).not.toContain(7);
    expect(found.of(42)).toContain(2);
    expect(found.positions(2, 42)).toContain(1);
    expect(found.of(43)).toEqual(new Set());
    // A copy that was added is one more picture.
    expect(found.of(copy)).toContain(3);
    expect(found.of(3)).toContain(copy);
    expect(found.positions(3, copy)).toContain(1);
  });
});
