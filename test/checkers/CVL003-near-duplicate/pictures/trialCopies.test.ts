import { describe, expect, it } from 'vitest';
import { Pictures } from '../../../../src/checkers/CVL003-near-duplicate/pictures/registeredPairs.js';
import { trialCopies } from '../../../../src/checkers/CVL003-near-duplicate/pictures/trialCopies.js';
import { readFeatures } from '../../../../src/checkers/features/features.js';
import { randomSource } from '../../../../src/core/random.js';
import { rowsOf } from '../../../../src/data/rows.js';
import { scenery, shot } from './scenes.js';

describe('trialCopies', () => {
  it('asks about the distance of thirty copies, which is small where there is detail', async () => {
    const { images } = await readFeatures(rowsOf(Array.from({ length: 40 }, (_, seed) => shot(scenery(seed)))));
    const gaps: number[] = [];
    const rows = Int32Array.from({ length: 40 }, (_, row) => row);
    const trial = trialCopies(rows, new Pictures(images![0]), randomSource(2), (_, gap) => gaps.push(gap) % 2 === 0);
    expect(trial).toEqual({ found: 15, of: 30 });
    gaps.sort((a, b) => a - b);
    // As much as noise of a tenth of the contrast does to details; no copy is equal.
    expect(gaps[0]).toBeGreaterThan(0.02);
    expect(gaps[25]).toBeLessThan(0.35);
  });
});
