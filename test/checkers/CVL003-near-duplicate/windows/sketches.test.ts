import { describe, expect, it } from 'vitest';
import { KEPT, shiftedPairs, sketchOf } from '../../../../src/checkers/CVL003-near-duplicate/windows/overlaps.js';
import { randomSource } from '../../../../src/core/random.js';

const random = randomSource(4);
const signal = Float64Array.from({ length: 400 }, () => random.random());
const sketch = (from: number, length = 100) => sketchOf(signal, from, length);

describe('sketchOf', () => {
  it('keeps the same runs wherever a row begins', () => {
    const [a, b] = [sketch(0, 200), sketch(20, 200)];
    expect(a.hashes).toHaveLength(KEPT);
    const shared = [...a.hashes].filter((hash) => b.hashes.includes(hash));
    expect(shared.length).toBeGreaterThan(KEPT / 2);
    for (const hash of shared) {
      expect(a.places[a.hashes.indexOf(hash)] - b.places[b.hashes.indexOf(hash)]).toBe(20);
    }
  });

  it('keeps nothing of silence, of a period, or of a row that is too short', () => {
    expect(sketchOf(new Float64Array(100), 0, 100).hashes).toHaveLength(0);
    expect(
      sketchOf(
        Float64Array.from({ length: 100 }, (_, at) => at % 10),
        0,
        100,
      ).hashes,
    ).toHaveLength(0);
    expect(sketch(0, 5).hashes).toHaveLength(0);
  });
});

describe('shiftedPairs', () => {
  it('names rows whose runs agree on a shift, if they are wanted', () => {
    const rows = [sketch(0), sketch(50), sketch(200), sketch(0)];
    const found = shiftedPairs(rows, () => true).map(({ first, second, shift }) => [first, second, shift]);
    // Rows 0 and 3 are equal: no shift.
    expect(found.sort()).toEqual([
      [0, 1, 50],
      [1, 3, -50],
    ]);
    expect(shiftedPairs(rows, (first) => first > 0)).toHaveLength(1);
  });
});
