import { describe, expect, it } from 'vitest';
import { Thumbnailer, thumbnailSize } from '../../../../src/checkers/features/images/thumbnail.js';

const made = (height: number, width: number, grey: ArrayLike<number>) => {
  const thumbnailer = new Thumbnailer(height, width);
  const [tall, wide] = thumbnailer.size;
  const out = new Int16Array(tall * wide);
  thumbnailer.write(Float64Array.from(grey), out, 0);
  return [...out];
};

describe('Thumbnailer', () => {
  it('keeps small pictures and the shape of others', () => {
    expect(thumbnailSize(8, 20)).toEqual([8, 20]);
    expect(thumbnailSize(128, 64)).toEqual([32, 16]);
    expect(thumbnailSize(4000, 3)).toEqual([32, 1]);
  });

  it('takes means over areas, with mean 0 and the largest deviation 32,767', () => {
    expect(made(1, 4, [0, 1, 2, 5])).toEqual([-2 / 3, -1 / 3, 0, 1].map((value) => Math.round(value * 32_767)));
    // 64 pixels by two: steps of 4 as of 2 each.
    const steps = made(
      1,
      64,
      Array.from({ length: 64 }, (_, at) => at),
    );
    expect(new Set(steps.slice(1).map((value, at) => Math.round((value - steps[at]) / 100))).size).toBe(1);
  });

  it('is zeros for a picture of one value', () => {
    expect(made(2, 2, [0.1, 0.1, 0.1, 0.1])).toEqual([0, 0, 0, 0]);
  });
});
