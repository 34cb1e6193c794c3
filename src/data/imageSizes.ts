/** Other sizes of images: `readImages` and the steps of `cvkit/preprocessing` share these functions. */
import { invalidData } from '../core/errors.js';
import { custom, number, type Option, oneOf } from '../core/options.js';
import { type Dense, type NumericArray, product } from './dense.js';

/** `[height, width]`, or `[depth, height, width]` of volumes; what one number means depends on the step. */
export type ImageSize = number | readonly number[];

const isLength = (value: unknown) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 65536;

export const imageSize = (): Option<ImageSize> =>
  custom(
    'integer | [height, width] | [depth, height, width]',
    'be an integer >= 1, [height, width] or [depth, height, width]',
    (value) =>
      isLength(value) ||
      (Array.isArray(value) && [2, 3].includes(value.length) && value.every((each) => isLength(each))),
  );

export const RESIZE_TO =
  'Size after it: `[height, width]`, `[depth, height, width]` of volumes, or the shorter of height and width, with the other in proportion.';
export const PAD_TO =
  'Least size after it: `[height, width]`, `[depth, height, width]` of volumes, or one number for height and width. Pixels are added around the image; what is larger stays.';
export const CROP_TO =
  'Size of the part in the middle: `[height, width]`, `[depth, height, width]` of volumes, or one number for height and width.';

export const interpolation = () =>
  oneOf('bilinear', 'area')
    .default('bilinear')
    .describe(
      '`bilinear`: as Pillow, with a wider filter where images become smaller, so that no pixel is left out. `area`: means of the pixels that each new one covers.',
    );

export const fill = () =>
  number()
    .default(0)
    .describe(
      'Value of the pixels that are added, on the scale of the rows: -1024 is air where they are Hounsfield units.',
    );

/** What a step does to one axis: pixel `x` after it is the sum of `weights[x]` times the pixels from `first[x]` on, or filled. */
interface AxisPlan {
  readonly first: Int32Array;
  readonly weights: readonly Float64Array[];
}

/** A change of the last axes, or of those before channels. Its `plans` throw {@link InvalidDataError} for images it is not for. */
export interface SizeStep {
  readonly owner: string;
  readonly axes: number;
  /** Value of pixels that are outside of the image before. */
  readonly fill: number;
  plans(lengths: readonly number[]): readonly AxisPlan[];
}

const pair = (size: ImageSize) => (typeof size === 'number' ? [size, size] : size);

const stepOf = (
  owner: string,
  size: ImageSize,
  fill: number,
  planOf: (from: number, to: number) => AxisPlan,
  lengthsAfter: (lengths: readonly number[]) => readonly number[] = () => pair(size),
): SizeStep => ({
  ...{ owner, axes: pair(size).length, fill },
  plans: (lengths) => lengthsAfter(lengths).map((to, axis) => planOf(lengths[axis], to)),
});

export const resizeStep = (size: ImageSize, interpolation: 'bilinear' | 'area'): SizeStep =>
  stepOf(
    'Resize',
    size,
    0,
    (from, to) => resized(from, to, interpolation),
    (lengths) => {
      const shorter = Math.min(...lengths);
      return typeof size === 'number' ? lengths.map((length) => Math.trunc((size * length) / shorter)) : size;
    },
  );

export const padStep = (size: ImageSize, value: number): SizeStep =>
  stepOf('Pad', size, value, (from, to) => windowed(from, Math.max(from, to)));

export const cropStep = (size: ImageSize): SizeStep =>
  stepOf('CenterCrop', size, 0, (from, to) => {
    if (from >= to) return windowed(from, to);
    const must = `be at least ${to} pixels along each axis, as the size says`;
    throw invalidData('too_small', 'Images to be cropped', must, String(from), 'Resize or pad them before.');
  });

/** Bilinear as Pillow 12 (Resample.c): a triangle as wide as the change of scale. Area: the share of each pixel that is covered. */
function resized(from: number, to: number, interpolation: 'bilinear' | 'area'): AxisPlan {
  const scale = from / to;
  const spread = Math.max(scale, 1);
  const first = new Int32Array(to);
  const weights = Array.from({ length: to }, (_, x) => {
    const middle = (x + 0.5) * scale;
    const [low, high] = interpolation === 'area' ? [x * scale, (x + 1) * scale] : [middle - spread, middle + spread];
    first[x] = Math.max(0, Math.floor(low));
    const own = Float64Array.from({ length: Math.min(from, Math.ceil(high)) - first[x] }, (_, i) => {
      const at = first[x] + i;
      if (interpolation === 'area') return Math.max(0, Math.min(at + 1, high) - Math.max(at, low));
      return Math.max(0, 1 - Math.abs(at + 0.5 - middle) / spread);
    });
    const sum = own.reduce((total, weight) => total + weight, 0);
    return own.map((weight) => weight / sum);
  });
  return { first, weights };
}

const [ONE, NONE] = [Float64Array.of(1), new Float64Array(0)];

/**
 * The middle of an axis, or the axis in the middle. Of an uneven rest, an even number is cut before the middle, as torchvision 0.28
 * rounds halves; what is added has its smaller half before it.
 */
function windowed(from: number, to: number): AxisPlan {
  const half = Math.floor((from - to) / 2);
  const isUneven = (from - to) % 2 !== 0;
  const start = half + (isUneven && (from < to || half % 2 === 1) ? 1 : 0);
  const first = Int32Array.from({ length: to }, (_, x) => x + start);
  return { first, weights: Array.from(first, (at) => (at >= 0 && at < from ? ONE : NONE)) };
}

/**
 * Images after a step: `[n, height, width]`, `[n, height, width, channels]`; axes before those of the step hold images. 32-bit
 * floats, or 64-bit ones where the numbers may need them.
 */
export function afterStep({ data, shape }: Dense, step: SizeStep): Dense {
  const { plans, place } = planned(shape.slice(1), step);
  const Numbers = floatsFor(data);
  let [values, lengths]: [NumericArray, readonly number[]] = [data, shape];
  // The last axis first, as Pillow does.
  for (let at = place + plans.length; at > place; at--) {
    const inner = product(lengths.slice(at + 1));
    const { first, weights } = plans[at - place - 1];
    const out = new Numbers(product(lengths.slice(0, at)) * first.length * inner);
    for (let image = 0, next = 0; next < out.length; image += lengths[at] * inner) {
      for (let x = 0; x < first.length; x++) {
        const [own, taps, begin] = [weights[x], weights[x].length, image + first[x] * inner];
        for (let i = begin; i < begin + inner; i++) {
          let sum = taps > 0 ? 0 : step.fill;
          for (let tap = 0, from = i; tap < taps; tap++, from += inner) sum += own[tap] * values[from];
          out[next++] = sum;
        }
      }
    }
    values = out;
    lengths = lengths.with(at, first.length);
  }
  return { data: values, shape: lengths };
}

export const floatsFor = (data: NumericArray) =>
  data instanceof Float32Array || data.BYTES_PER_ELEMENT < 4 ? Float32Array : Float64Array;

/** The shape of a row after a step. */
export function shapeAfter(rowShape: readonly number[], step: SizeStep): readonly number[] {
  const { plans, place } = planned(rowShape, step);
  return rowShape.map((length, at) => plans[at - place]?.first.length ?? length);
}

function planned(rowShape: readonly number[], step: SizeStep) {
  const { axes } = step;
  const place = axes === 2 && rowShape.length === 2 ? 0 : rowShape.length - 1 - axes;
  if (place >= 0) return { place, plans: step.plans(rowShape.slice(place, place + axes)) };
  const must = `be ${axes === 2 ? 'images [height, width] or [height, width, channels]' : 'volumes [depth, height, width, channels], as its three numbers say'}`;
  const way = axes === 2 ? undefined : 'The size of images is [height, width].';
  throw invalidData('not_images', `Rows for ${step.owner}`, must, `rows of shape [${rowShape.join(', ')}]`, way);
}
