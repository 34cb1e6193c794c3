import { product } from '../../data/dense.js';

/** A true and a predicted mask of one image. */
export interface MaskPair {
  /** 0 or 1 per voxel, row-major. */
  readonly truth: Uint8Array;
  readonly prediction: Uint8Array;
  /** `[height, width]` or `[depth, height, width]`. */
  readonly shape: readonly number[];
  /** Between neighbours along each axis of `shape`, in its order. */
  readonly spacing: readonly number[];
}

/** Both within the smallest box that holds what either marks: nothing outside of it changes any score. */
export function maskPair({ truth, prediction, shape, spacing }: MaskPair): MaskPair {
  const [height, width] = shape.slice(-2);
  const masks = [truth, prediction];
  // The box, over z, y and x; a picture is a volume of one slice here.
  const low = [Infinity, Infinity, Infinity];
  const high = [-1, -1, -1];
  for (const mask of masks) {
    for (let line = 0, from = 0; from < mask.length; line++, from += width) {
      const ones = mask.subarray(from, from + width);
      const first = ones.indexOf(1);
      if (first < 0) continue;
      for (const [axis, place] of [Math.floor(line / height), line % height, first].entries()) {
        low[axis] = Math.min(low[axis], place);
        high[axis] = Math.max(high[axis], axis === 2 ? ones.lastIndexOf(1) : place);
      }
    }
  }
  const sizes = high.map((last, axis) => Math.max(0, last - low[axis] + 1));
  const [inBox, inBoxToo] = masks.map((mask) => {
    const box = new Uint8Array(product(sizes));
    for (let line = 0; line < sizes[0] * sizes[1]; line++) {
      const [slice, y] = [Math.floor(line / sizes[1]), line % sizes[1]];
      const from = ((slice + low[0]) * height + y + low[1]) * width + low[2];
      box.set(mask.subarray(from, from + sizes[2]), line * sizes[2]);
    }
    return box;
  });
  return { truth: inBox, prediction: inBoxToo, shape: sizes.slice(-shape.length), spacing };
}
