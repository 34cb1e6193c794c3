import { describe, expect, it } from 'vitest';
import { lawOfIntrinsicDimension } from '../../../src/checkers/CVL003-near-duplicate/calibration.js';
import { neighbourhoods } from '../../../src/checkers/CVL003-near-duplicate/neighbours.js';
import { randomSource } from '../../../src/core/random.js';
import reference from '../../reference/nearDuplicates.json' with { type: 'json' };
import { normal } from './normal.js';

const draws = randomSource(3);

/** How many times as many rows are within twice the distance, as a power of 2, far below the scale. */
function dimensionsOf(rows: readonly (readonly number[])[]): number {
  const vectors = { data: Float32Array.from(rows.flat()), width: rows[0].length };
  const all = Int32Array.from(rows, (_, row) => row);
  const seen = Array.from(all.subarray(0, 200), neighbourhoods(all, vectors, undefined));
  const law = lawOfIntrinsicDimension(seen, 10 / rows.length, rows[0].length);
  return (law.logAt(1e-4) - law.logAt(1e-5)) / Math.log(10);
}

describe('lawOfIntrinsicDimension', () => {
  it('is near the chi-squared distribution, here in one dimension (scipy)', () => {
    const [first, ...others] = reference.equal.filter(({ p, part }) => p === 1 && part < 0.98);
    const law = lawOfIntrinsicDimension([], Math.exp(first.log), 1);
    for (const { part, log } of others) {
      expect(Math.abs(Math.expm1(law.logAt(Math.sqrt(part / first.part)) - (log - first.log)))).toBeLessThan(0.15);
    }
  });

  it.each([1, 2, 5])('%i normal features are as many dimensions, estimated with care', (p) => {
    const rows = Array.from({ length: 600 }, () => Array.from({ length: p }, () => normal(draws)));
    const found = dimensionsOf(rows);
    // The estimate has a standard error of about 5 %, of which 93 % are taken, and never less than one dimension.
    expect(found).toBeGreaterThan(Math.max(0.99, 0.8 * p));
    expect(found).toBeLessThan(1.02 * p);
  });

  it('a curve is one dimension, a sphere two, whatever space they lie in', () => {
    const curve = Array.from({ length: 600 }, () => {
      const t = 6 * draws.random();
      return [Math.cos(t), Math.sin(t), Math.sin(2 * t), t / 3];
    });
    const sphere = Array.from({ length: 600 }, () => {
      const cells = [normal(draws), normal(draws), normal(draws)];
      return cells.map((cell) => cell / Math.hypot(...cells));
    });
    expect(dimensionsOf(curve)).toBeLessThan(1.1);
    expect(dimensionsOf(sphere)).toBeLessThan(2.1);
  });

  it('is 0 at the scale itself, and its distances are the inverse of its logs', () => {
    const rows = Array.from({ length: 100 }, () => [normal(draws), normal(draws)]);
    const vectors = { data: Float32Array.from(rows.flat()), width: 2 };
    const all = Int32Array.from(rows, (_, row) => row);
    const law = lawOfIntrinsicDimension(Array.from(all, neighbourhoods(all, vectors, undefined)), 0.1, 2);
    expect(law.logAt(1)).toBeCloseTo(0, 6);
    for (const log of [-1, -5, -20]) expect(law.logAt(law.distanceAt(log))).toBeCloseTo(log, 6);
  });
});
