import { describe, expect, it } from 'vitest';
import { cutoffOf, fitSpherical, variogramOf } from '../../../src/checkers/CVL006-spatial-proximity/variogram.js';
import reference from '../../reference/spatialVariogram.json' with { type: 'json' };

const close = (found: number, expected: number, tolerance: number) =>
  expect(Math.abs(found - expected)).toBeLessThanOrEqual(tolerance * Math.abs(expected));

describe.each(reference.cases)('the variogram of gstat, $name', ({ x, y, z, ...expected }) => {
  const points = { values: Float64Array.from(x.flatMap((each, i) => [each, y[i]])), width: 2 };
  const cutoff = cutoffOf(points);
  const bins = variogramOf(points, Float64Array.from(z), cutoff);

  it('has its bins', () => {
    close(cutoff, expected.cutoff, 1e-12);
    expect(bins.map(({ pairs }) => pairs)).toEqual(expected.np);
    bins.forEach(({ distance, gamma }, at) => {
      close(distance, expected.dist[at], 1e-9);
      close(gamma, expected.gamma[at], 1e-9);
    });
  });

  it('fits no worse, and its parameters', () => {
    const fit = fitSpherical(bins, cutoff);
    // Ours is the overall least error, theirs that of an iteration which stops when steps are small.
    expect(fit.error).toBeLessThanOrEqual(expected.error * (1 + 1e-9));
    close(fit.error, expected.error, 1e-6);
    close(fit.range, expected.range, 1e-3);
    close(fit.nugget + fit.sill, expected.nugget + expected.sill, 1e-3);
  });
});

describe('fitSpherical', () => {
  const bins = (gamma: (distance: number) => number) =>
    Array.from({ length: 15 }, (_, at) => ({ pairs: 10 + at, distance: at + 1, gamma: gamma(at + 1) }));
  const spherical = (h: number) => 0.25 + 0.75 * (h < 8 ? (1.5 * h) / 8 - (h / 8) ** 3 / 2 : 1);

  it('gives back the model that made the values', () => {
    const fit = fitSpherical(bins(spherical), 15);
    close(fit.range, 8, 1e-6);
    close(fit.nugget, 0.25, 1e-6);
    close(fit.sill, 0.75, 1e-6);
    expect(fit.error).toBeLessThan(1e-12);
  });

  it('keeps nugget and sill at 0 or above', () => {
    const fitted = (gamma: (distance: number) => number) => fitSpherical(bins(gamma), 15);
    expect(fitted((h) => 2 - h / 20)).toMatchObject({ sill: 0 });
    expect(fitted((h) => Math.max(0, h - 4))).toMatchObject({ nugget: 0, range: expect.closeTo(15, 6) });
    expect(fitted(() => 0)).toMatchObject({ nugget: 0, sill: 0 });
  });
});
