import { type InvalidDataError, invalidData, phrase } from '../../core/errors.js';
import { product } from '../../data/dense.js';

/** A true and a predicted mask of one image, as users have them. */
export interface MaskPairInput {
  /** 0 or 1 per voxel, row-major; with `label`, the class of each voxel (a label map). */
  readonly truth: ArrayLike<number | boolean>;
  readonly prediction: ArrayLike<number | boolean>;
  /** `[height, width]` or `[depth, height, width]`. */
  readonly shape: readonly number[];
  /** Millimetres between neighbours along each axis of `shape`, in its order. Default: 1 each. */
  readonly spacing?: readonly number[] | undefined;
  /** The class that is compared, in label maps. */
  readonly label?: number | undefined;
}

/** Both masks within the smallest box that holds what either marks: nothing outside of it changes any score. */
export interface MaskPair {
  readonly truth: Uint8Array;
  readonly prediction: Uint8Array;
  readonly shape: readonly number[];
  readonly spacing: readonly number[];
}

/**
 * Reads two masks, or one class of two label maps.
 *
 * @throws {InvalidDataError} for masks of other sizes than `shape`, values that are not 0 or 1 where no `label` is named (255, say), and a
 *   spacing that is not one positive number per axis
 */
export function maskPair({ truth, prediction, shape, spacing = shape.map(() => 1), label }: MaskPairInput): MaskPair {
  const refuse = (what: string, must: string, got: string) => invalidData('masks', what, must, phrase(got));
  if (![2, 3].includes(shape.length) || !shape.every((size) => Number.isInteger(size) && size > 0)) {
    throw refuse('The shape of a mask', 'be [height, width] or [depth, height, width]', `[${shape.join(', ')}]`);
  }
  if (spacing.length !== shape.length || !spacing.every((width) => width > 0 && width < Infinity)) {
    const must = `be ${shape.length} numbers above 0, one per axis of the mask`;
    throw refuse('The spacing of a mask', must, `[${spacing.join(', ')}]`);
  }
  if (label !== undefined && !Number.isInteger(label)) {
    throw refuse('The label of a mask', 'be a whole number', String(label));
  }
  const [height, width] = shape.slice(-2);
  const masks = Object.entries({ truth, prediction }).map(([name, values]) => {
    if (values.length === product(shape)) return marked(values, label, name, refuse);
    throw refuse(`The mask ${name}`, `have ${product(shape)} values, as its shape says`, String(values.length));
  });
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

function marked(
  values: ArrayLike<number | boolean>,
  label: number | undefined,
  name: string,
  refuse: (what: string, must: string, got: string) => InvalidDataError,
): Uint8Array {
  const mask = new Uint8Array(values.length);
  if (label !== undefined) {
    for (let at = 0; at < mask.length; at++) mask[at] = Number(values[at] === label);
    return mask;
  }
  for (let at = 0; at < mask.length; at++) {
    const value = Number(values[at]);
    if (value !== 0 && value !== 1) {
      throw refuse(`The mask ${name}`, 'be of 0 and 1 unless a `label` is named', String(value));
    }
    mask[at] = value;
  }
  return mask;
}

/** The classes of label maps in ascending order: all numbers but 0, which is the background. */
export function labelsIn(...maps: readonly ArrayLike<number>[]): number[] {
  const labels = new Set<number>();
  for (const map of maps) for (let at = 0; at < map.length; at++) if (map[at] !== 0) labels.add(map[at]);
  return [...labels].sort((a, b) => a - b);
}
