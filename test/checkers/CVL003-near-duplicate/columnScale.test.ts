import { describe, expect, it } from 'vitest';
import { columnScale } from '../../../src/checkers/CVL003-near-duplicate/vectors.js';
import { normalQuantile } from '../../../src/core/normalQuantile.js';
import { randomSource } from '../../../src/core/random.js';
import { normal } from './normal.js';

const random = randomSource(5);
const scaleOf = (values: number[]) => columnScale(Float64Array.from(values).sort());
const scores = Array.from({ length: 399 }, (_, at) => normalQuantile((at + 1) / 400));

describe('columnScale', () => {
  it('places a normal feature about at its standard scores', () => {
    const scale = scaleOf(scores.map((z) => 50 + 10 * z));
    expect(scale).toMatchObject({ discrete: false, step: 0 });
    for (const z of [-2, -0.3, 0, 1.7]) expect(scale!.place(50 + 10 * z)).toBeCloseTo(z, 1);
  });

  it('places skewed features by their quantiles', () => {
    const scale = scaleOf(scores.map((z) => Math.exp(2 * z)));
    for (const z of [-1.5, 0, 1.5]) expect(scale!.place(Math.exp(2 * z))).toBeCloseTo(z, 0);
  });

  it('ascends and stays finite from -1.8e308 to 1.8e308', () => {
    for (const scale of [
      scaleOf(scores),
      scaleOf([...scores, 1e300, -1e300]),
      scaleOf([...scores.map((z) => 0.01 * Math.exp(Math.max(z, -0.7))), 1.79e308]),
      scaleOf(scores.map((z) => 1e-300 * z ** 3)),
    ]) {
      const places = [-1.79e308, -1e300, -9, -1e-300, 0, 1e-300, 9, 1e300, 1.79e308].map(scale!.place);
      expect(places.every(Number.isFinite)).toBe(true);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }
  });

  it('takes up to ten values as levels, also when they were rounded twice', () => {
    expect(scaleOf([0, 1, 1, 0, 1])?.discrete).toBe(true);
    expect(scaleOf(scores.map((_, at) => (at % 2 ? 0.3 : 0.1 + 0.2)).concat(1))?.discrete).toBe(true);
    expect(scaleOf(scores)?.discrete).toBe(false);
  });

  it('knows the step of rounded values', () => {
    const rounded = Array.from({ length: 4000 }, () => Math.round(20 * normal(random)));
    expect(scaleOf(rounded)?.step).toBeCloseTo(1 / 20, 2);
  });

  it('knows a value that many rows share', () => {
    const zeros = scores.map((z, at) => (at % 3 === 0 ? 0 : Math.exp(z)));
    expect(scaleOf(zeros)?.atoms).toEqual(new Set([0]));
  });

  it('has none for one value, or none', () => {
    expect(scaleOf([7, 7, 7])).toBeUndefined();
    expect(scaleOf([])).toBeUndefined();
  });
});
