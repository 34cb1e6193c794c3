import { describe, expect, it } from 'vitest';
import { thumbnailer } from '../../../../src/checkers/features/images/readImages.js';

const made = (height: number, width: number, grey: ArrayLike<number>) => {
  const small = thumbnailer(height, width);
  const out = new Int16Array(small.height * small.width);
  small.write(Float64Array.from(grey), out, 0);
  return [...out];
};

describe('thumbnailer', () => {
  it('keeps small pictures and the shape of others', () => {
    expect(thumbnailer(8, 20)).toMatchObject({ height: 8, width: 20 });
    expect(thumbnailer(128, 64)).toMatchObject({ height: 32, width: 16 });
    expect(thumbnailer(4000, 3)).toMatchObject({ height: 32, width: 1 });
  });

  it('takes weighted means, with mean 0 and the largest deviation 32,767', () => {
    expect(made(1, 4, [0, 1, 2, 5])).toEqual([-2 / 3, -1 / 3, 0, 1].map((value) => Math.round(value * 32_767)));
    // 64 pixels by two: steps of 4 as of 2 each.
    const steps = made(
      1,
      64,
      Array.from({ length: 64 }, (_, at) => at),
    );
    // Those at the ends have one neighbour.
    const inner = steps.slice(1, -1);
    expect(new Set(inner.slice(1).map((value, at) => Math.round((value - inner[at]) / 100))).size).toBe(1);
    // Stripes of one pixel are grey, wherever the thumbnail's pixels lie.
    const stripes = (length: number) => Array.from({ length }, (_, at) => 100 * (at === 3 ? 1 : 0) + (at % 2));
    const seen = made(1, 48, stripes(48)).slice(8, -1);
    expect(Math.max(...seen) - Math.min(...seen)).toBeLessThan(0.02 * 32_767);
  });

  it('is zeros for a picture of one value', () => {
    expect(made(2, 2, [0.1, 0.1, 0.1, 0.1])).toEqual([0, 0, 0, 0]);
  });
});
