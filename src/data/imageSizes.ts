/** Other sizes of images: `readImages` and the steps of `cvkit/preprocessing` share these functions. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
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
  readonly from: number;
  readonly to: number;
  readonly first: Int32Array;
  readonly weights: readonly Float64Array[];
  /** The middle of pixel `x` lies at `scale * x + shift` of the axis before. */
  readonly scale: number;
  readonly shift: number;
}

/** A change of sizes. */
export interface SizeStep {
  readonly owner: string;
  /** The last axes that `size` is about. */
  readonly axes: number;
  /** Value of pixels that are outside of the image before. */
  readonly fill: number;
  plans(lengths: readonly number[]): readonly AxisPlan[];
}

const pair = (size: ImageSize) => (typeof size === 'number' ? [size, size] : size);

export function resizeStep(size: ImageSize, interpolation: 'bilinear' | 'area'): SizeStep {
  const lengthsFor = (lengths: readonly number[]) => {
    if (typeof size !== 'number') return size;
    const shorter = Math.min(...lengths);
    return lengths.map((length) => (length === shorter ? size : Math.trunc((size * length) / shorter)));
  };
  return {
    owner: 'Resize',
    axes: pair(size).length,
    fill: 0,
    plans: (lengths) => lengthsFor(lengths).map((to, axis) => resized(lengths[axis], to, interpolation)),
  };
}

export const padStep = (size: ImageSize, value: number): SizeStep => ({
  owner: 'Pad',
  axes: pair(size).length,
  fill: value,
  plans: (lengths) => pair(size).map((to, axis) => windowed(lengths[axis], Math.max(to, lengths[axis]))),
});

/** Its `plans` throw {@link InvalidDataError} where an image is smaller. */
export const cropStep = (size: ImageSize): SizeStep => ({
  owner: 'CenterCrop',
  axes: pair(size).length,
  fill: 0,
  plans(lengths) {
    const wanted = pair(size);
    if (wanted.every((to, axis) => to <= lengths[axis])) return wanted.map((to, axis) => windowed(lengths[axis], to));
    const must = `be at least ${wanted.join(' x ')} to be cropped to it`;
    const message = sentence('Images', must, phrase(lengths.join(' x ')), 'Resize or pad them before.');
    throw new InvalidDataError(message, { code: 'too_small' });
  },
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
    const last = Math.min(from, Math.ceil(high));
    const own = Float64Array.from({ length: last - first[x] }, (_, i) => {
      const at = first[x] + i;
      if (interpolation === 'area') return Math.max(0, Math.min(at + 1, high) - Math.max(at, low));
      return Math.max(0, 1 - Math.abs(at + 0.5 - middle) / spread);
    });
    const sum = own.reduce((total, weight) => total + weight, 0);
    return own.map((weight) => weight / sum);
  });
  return { from, to, first, weights, scale, shift: (scale - 1) / 2 };
}

const ONE = Float64Array.of(1);
const NONE = new Float64Array(0);

/** The middle of an axis, or the axis in the middle; of an uneven rest the smaller half comes first. */
function windowed(from: number, to: number): AxisPlan {
  const start = to < from ? Math.floor((from - to) / 2) : -Math.floor((to - from) / 2);
  const first = Int32Array.from({ length: to }, (_, x) => x + start);
  const weights = Array.from(first, (at) => (at >= 0 && at < from ? ONE : NONE));
  return { from, to, first, weights, scale: 1, shift: start };
}

/**
 * Images after a step. The last axes are those of `size`, or those and channels: `[n, height, width]`, `[n, height, width,
 * channels]`; axes before them hold images. 32-bit floats, or 64-bit ones where the numbers may need them.
 *
 * @throws {InvalidDataError} rows with too few axes (`not_images`)
 */
export function afterStep({ data, shape }: Dense, step: SizeStep): Dense {
  const { from, plans, places } = planned(shape.slice(1), step);
  const out = data instanceof Float32Array || data.BYTES_PER_ELEMENT < 4 ? Float32Array : Float64Array;
  let [values, lengths] = [data, [shape[0], ...from]];
  // The last axis first, as Pillow does.
  for (const [axis, plan] of [...plans.entries()].reverse()) {
    const place = 1 + places + axis;
    const inner = product(lengths.slice(place + 1));
    values = alongAxis(values, product(lengths.slice(0, place)), plan, inner, step.fill, out);
    lengths = lengths.with(place, plan.to);
  }
  return { data: values === data ? out.from(data) : values, shape: lengths };
}

/** The shape of a row after a step. */
export function shapeAfter(rowShape: readonly number[], step: SizeStep): readonly number[] {
  const { from, plans, places } = planned(rowShape, step);
  return from.map((length, at) => plans[at - places]?.to ?? length);
}

/** Where the middle of pixel `x` of each axis after a step lies on the axis before: `scale * x + shift`. */
export const positionsBefore = (rowShape: readonly number[], step: SizeStep) => planned(rowShape, step).plans;

function planned(rowShape: readonly number[], step: SizeStep) {
  const rank = rowShape.length;
  const places = rank === step.axes ? 0 : rank - 1 - step.axes;
  if (places < 0) {
    const must =
      step.axes === 2
        ? 'be images [height, width] or [height, width, channels]'
        : 'be volumes [depth, height, width, channels]';
    const message = sentence(`Rows for ${step.owner}`, must, phrase(`rows of shape [${rowShape.join(', ')}]`));
    throw new InvalidDataError(message, { code: 'not_images' });
  }
  return { from: rowShape, places, plans: step.plans(rowShape.slice(places, places + step.axes)) };
}

function alongAxis(
  data: NumericArray,
  outer: number,
  { from, to, first, weights }: AxisPlan,
  inner: number,
  outside: number,
  Numbers: typeof Float32Array | typeof Float64Array,
): Float32Array | Float64Array {
  const out = new Numbers(outer * to * inner);
  for (let image = 0, at = 0; image < outer; image++) {
    for (let x = 0; x < to; x++) {
      const own = weights[x];
      const begin = (image * from + first[x]) * inner;
      for (let i = 0; i < inner; i++, at++) {
        let sum = own.length > 0 ? 0 : outside;
        for (let tap = 0; tap < own.length; tap++) sum += own[tap] * data[begin + tap * inner + i];
        out[at] = sum;
      }
    }
  }
  return out;
}
