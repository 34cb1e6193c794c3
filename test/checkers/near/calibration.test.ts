import { describe, expect, it } from 'vitest';
import { calibrate, SMOOTH } from '../../../src/checkers/near/calibration.js';
import type { NearVectors } from '../../../src/checkers/near/vectors.js';
import { randomSource } from '../../../src/core/random.js';
import reference from '../../reference/nearDuplicates.json' with { type: 'json' };
import { normal } from './normal.js';

const vectorsOf = (rows: readonly (readonly number[])[], free = 1): NearVectors => ({
  n: rows.length,
  data: Float32Array.from(rows.flat()),
  width: rows[0].length,
  continuous: rows[0].length,
  free: new Float32Array(rows.length).fill(free),
  spread: 2 * rows[0].length,
});
const random = () => randomSource(4);
const draws = randomSource(6);
const cloud = (n: number, p: number) => Array.from({ length: n }, () => Array.from({ length: p }, () => normal(draws)));

describe('calibrate', () => {
  it('expects what even spacing gives: 200 places in a row, each with ten neighbours within five steps', () => {
    // Within s = 5 steps there are K = 10 rows, so within d = .005 of a step 10 x .001 = .01; with 100 looks, 1.
    const line = vectorsOf(Array.from({ length: 200 }, (_, row) => [row / 100]));
    const { logExpected } = calibrate(line, { looks: 100, random: random() });
    expect(Math.exp(logExpected(100, 101, 5e-5))).toBeCloseTo(1, 1);
    // Half the distance, half the pairs.
    expect(logExpected(100, 101, 2e-5) - logExpected(100, 101, 1e-5)).toBeCloseTo(Math.log(2), 2);
  });

  it('looks for ever closer pairs the more there are', () => {
    const [few, many] = [100, 1000].map((n) => calibrate(vectorsOf(cloud(n, 4)), { looks: n / 2, random: random() }));
    expect(many.limit).toBeLessThan(few.limit);
    expect(many.detectable).toBeLessThan(few.detectable);
  });

  it('takes the neighbours of other patients alone', () => {
    // Twenty patients of ten rows each, 1 apart, rows of a patient .001 apart: the tenth patient is ten steps away.
    const rows = Array.from({ length: 200 }, (_, row) => [Math.floor(row / 10) + (row % 10) / 1000]);
    const codes = Int32Array.from(rows, (_, row) => Math.floor(row / 10));
    const own = calibrate(vectorsOf(rows), { looks: 100, random: random() });
    const others = calibrate(vectorsOf(rows), { looks: 100, codes, random: random() });
    expect(others.logExpected(100, 90, 0.01)).toBeLessThan(own.logExpected(100, 90, 0.01) - 3);
  });

  it('a curve in ten dimensions counts as the line that it is', () => {
    const curve = Array.from({ length: 500 }, () => {
      const t = 6 * draws.random();
      return Array.from({ length: 10 }, (_, k) => Math.sin(t * (1 + k / 3) + k));
    });
    const { logExpected } = calibrate(vectorsOf(curve), { looks: 250, random: random() });
    // A line has exponent 1: a thousandth of the distance, a thousandth of the pairs; ten dimensions would give 1e-30.
    const exponent = (logExpected(7, 8, 1e-3) - logExpected(7, 8, 1e-6)) / Math.log(1000);
    expect(exponent).toBeGreaterThan(0.5);
    expect(exponent).toBeLessThan(3);
  });

  it('rows with no value of their own are never accused; without distances there is nothing to find', () => {
    expect(calibrate(vectorsOf(cloud(50, 2), 0), { looks: 25, random: random() }).limit).toBe(0);
    const equal = vectorsOf(Array.from({ length: 50 }, () => [1, 1]));
    expect(calibrate(equal, { looks: 25, random: random() })).toMatchObject({ limit: 0, detectable: 0 });
  });

  it('knows what smooth data give (scipy)', () => {
    SMOOTH.forEach(({ mean, first }, at) => {
      expect(mean).toBeCloseTo(reference.smooth[at].mean, 5);
      expect(first).toBeCloseTo(reference.smooth[at].first, 3);
    });
  });
});
