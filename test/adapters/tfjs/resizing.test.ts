import { describe, expect, it } from 'vitest';
import { bilinearGradient, nearestGradient } from '../../../adapters/tfjs/resizing.js';

/** The gradient of a row of `from` pixels that became one of as many as `dy` has. */
function gradient(work: typeof nearestGradient, from: number, dy: number[], options = {}): number[] {
  const dx = new Float32Array(from);
  const shapes = { from: [1, 1, from, 1], to: [1, 1, dy.length, 1] };
  work({ ...shapes, alignCorners: false, halfPixelCenters: false, ...options }, Float32Array.from(dy), dx);
  return Array.from(dx);
}

describe('nearestGradient', () => {
  it('adds up over the copies of a pixel', () => {
    expect(gradient(nearestGradient, 2, [1, 2, 4, 8])).toEqual([3, 12]);
    expect(gradient(nearestGradient, 2, [1, 2, 4], { alignCorners: true })).toEqual([1, 6]); // places 0, 0.5, 1
    expect(gradient(nearestGradient, 1, [1, 2, 4], { alignCorners: true })).toEqual([7]);
  });

  it('takes the pixels in the middle with half-pixel centers', () => {
    // 4 pixels to 2: places 0.5 * 2 = 1 and 1.5 * 2 = 3
    expect(gradient(nearestGradient, 4, [1, 2], { halfPixelCenters: true })).toEqual([0, 1, 0, 2]);
  });
});

describe('nearestGradient of 32 bits', () => {
  it('rounds as the forward pass does', () => {
    // Pixel 11 of 23 comes from 11 * 13 / 22 = 6.5, between two pixels; in 32 bits it is 6.4999995.
    const moved = (from: number, to: number, options: object) =>
      [{}, { rounded: Math.fround }].map((more) =>
        gradient(
          nearestGradient,
          from,
          Array.from({ length: to }, (_, at) => 2 ** (at % 20)),
          { ...options, ...more },
        ),
      );
    const [exact, single] = moved(14, 23, { alignCorners: true });
    expect(single).not.toEqual(exact);
  });
});

describe('bilinearGradient', () => {
  it('shares by distance', () => {
    // places 0, 0.5, 1 and 1.5, the last between the last pixel and itself
    expect(gradient(bilinearGradient, 2, [1, 2, 4, 8])).toEqual([1 + 1, 1 + 4 + 8]);
    // places -0.25, 0.25, 0.75 and 1.25
    expect(gradient(bilinearGradient, 2, [1, 2, 4, 8], { halfPixelCenters: true })).toEqual([1 + 1.5 + 1, 0.5 + 3 + 8]);
  });
});
