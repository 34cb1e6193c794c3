import { describe, expect, it } from 'vitest';
import { calibrate } from '../../../src/checkers/CVL003-near-duplicate/calibration.js';
import { randomSource } from '../../../src/core/random.js';
import { normal } from './normal.js';
import { vectorsOf } from './vectorsOf.js';

const random = () => randomSource(4);
const draws = randomSource(6);
const cloud = (n: number, p: number) => Array.from({ length: n }, () => Array.from({ length: p }, () => normal(draws)));

describe('calibrate', () => {
  it('expects what even spacing gives: 200 places in a row, each with ten neighbours within five steps', async () => {
    // Within s = 5 steps there are K = 10 rows, so within d = .005 of a step 10 x .001 = .01; with 100 looks, 1.
    const line = vectorsOf(Array.from({ length: 200 }, (_, row) => [row / 100]));
    const scale = await calibrate(line, { pairsPerRow: 100, random: random() });
    expect(Math.exp(scale.logExpected(100, 101, 5e-5))).toBeCloseTo(1, 1);
    // Half the distance, half the pairs.
    expect(scale.logExpected(100, 101, 2e-5) - scale.logExpected(100, 101, 1e-5)).toBeCloseTo(Math.log(2), 2);
  });

  it('looks for ever closer pairs the more there are', async () => {
    const [few, many] = await Promise.all(
      [100, 1000].map((n) => calibrate(vectorsOf(cloud(n, 4)), { pairsPerRow: n / 2, random: random() })),
    );
    expect(many.limit).toBeLessThan(few.limit);
    expect((await many.reach()).detectable).toBeLessThan((await few.reach()).detectable);
  });

  it('takes the neighbours of other patients alone', async () => {
    // Twenty patients of twelve rows each, 1 apart, rows of a patient .03 apart: more than are taken for versions of one row.
    // Without codes all ten neighbours are of its own; of other patients there are 12 rows per step.
    const rows = Array.from({ length: 240 }, (_, row) => [Math.floor(row / 12) + (row % 12) * 0.03]);
    const codes = Int32Array.from(rows, (_, row) => Math.floor(row / 12));
    const own = await calibrate(vectorsOf(rows), { pairsPerRow: 100, random: random() });
    const others = await calibrate(vectorsOf(rows), { pairsPerRow: 100, codes, random: random() });
    expect(others.logExpected(105, 95, 0.001)).toBeLessThan(own.logExpected(105, 95, 0.001) - 0.3);
  });

  it('a curve in ten dimensions counts as the line that it is', async () => {
    const curve = Array.from({ length: 500 }, () => {
      const t = 6 * draws.random();
      return Array.from({ length: 10 }, (_, k) => Math.sin(t * (1 + k / 3) + k));
    });
    const scale = await calibrate(vectorsOf(curve), { pairsPerRow: 250, random: random() });
    // A line has exponent 1: a thousandth of the distance, a thousandth of the pairs; ten dimensions would give 1e-30.
    const exponent = (scale.logExpected(7, 8, 1e-3) - scale.logExpected(7, 8, 1e-6)) / Math.log(1000);
    expect(exponent).toBeGreaterThan(0.5);
    expect(exponent).toBeLessThan(3);
  });

  it('rows with no value of their own are never accused; without distances there is nothing to find', async () => {
    const none = await calibrate(vectorsOf(cloud(50, 2), 0), { pairsPerRow: 25, random: random() });
    expect(none.limit).toBe(0);
    const equal = vectorsOf(Array.from({ length: 50 }, () => [1, 1]));
    const { limit, reach } = await calibrate(equal, { pairsPerRow: 25, random: random() });
    expect([limit, (await reach()).detectable]).toEqual([0, 0]);
  });

  it('believes the neighbours where the covariance has more dimensions: weight follows from height and build', async () => {
    // Two numbers and a third that bends: its own variance is small, but no dimension.
    const derived = Array.from({ length: 500 }, () => {
      const [a, b] = [normal(draws), normal(draws)];
      return [a, b, 0.3 * (a * a - b)];
    });
    const scale = await calibrate(vectorsOf(derived), { pairsPerRow: 250, random: random() });
    const exponent = (scale.logExpected(7, 8, 1e-3) - scale.logExpected(7, 8, 1e-6)) / Math.log(1000);
    expect(exponent).toBeLessThan(2.1);
  });

  it('takes the scale from one row of each tight cluster of a few rows, and says that there are some', async () => {
    const base = cloud(100, 4);
    const versions = base.flatMap((cells) => [0, 1, 2].map(() => cells.map((value) => value + 0.01 * normal(draws))));
    const [alone, clustered] = await Promise.all(
      [base, versions].map((rows) => calibrate(vectorsOf(rows), { pairsPerRow: rows.length / 2, random: random() })),
    );
    expect(alone.clusters).toBeUndefined();
    expect(clustered.clusters).toMatchObject({ size: 3 });
    // Versions, .02 apart, are near for rows that are about 1 apart.
    expect(clustered.limit).toBeGreaterThan(0.02);
    // In clusters of 25 the neighbours are in the same one, .02 to .03 apart, as chance has them.
    const larger = base
      .slice(0, 20)
      .flatMap((cells) => Array.from({ length: 25 }, () => cells.map((value) => value + 0.01 * normal(draws))));
    const within = await calibrate(vectorsOf(larger), { pairsPerRow: 250, random: random() });
    expect(within.clusters?.size).toBeGreaterThan(15);
    expect(within.limit).toBeLessThan(0.01);
  });
});
