/** Pictures that are prepared, and registered with each other, when it is asked for. */
import type { ImageFeatures } from '../../features/columns.js';
import { COEFFICIENTS, coefficientAt, frequencyOf, lowFrequencies } from '../../features/images/perceptual.js';
import { lowFrequenciesOf } from '../../features/images/readImages.js';
import { byRow } from '../neighbours.js';
import {
  align,
  composed,
  type Fixed,
  fixed,
  type GreyImage,
  IDENTITY,
  inverse,
  type Transform,
  warp,
} from './alignment.js';

/** Likenesses above this are not told apart. */
const EQUAL = 1 - 1e-8;
/** Prepared pictures that are kept, of 8 kB each, and targets, of 24 kB each. */
const [KEPT, TARGETS] = [8000, 1000];

/** Two pictures, and how alike they are once one is moved onto the other. */
export interface RegisteredPair {
  readonly first: number;
  readonly second: number;
  readonly likeness: number;
  readonly gap: number;
}

/**
 * @param still stays where it is: cheaper if pairs of one picture are asked for together
 * @param positions orientations to try; -1 for the one that the low frequencies say
 */
export function registeredPair(
  still: number,
  moving: number,
  pictures: Pictures,
  positions: readonly number[],
): RegisteredPair {
  const [a, b] = [still, moving].map((row) => pictures.frequencies(row));
  const onto = pictures.target(still);
  const lying = [...new Set(positions.map((each) => (each < 0 ? orientationOf(a, b) : each)))].map((orientation) => {
    const picture = oriented(pictures.at(moving), orientation);
    return { picture, ...registerCoarsely(onto, picture) };
  });
  const best = lying.reduce((most, each) => (each.likeness > most.likeness ? each : most));
  const likeness = register(onto, best.picture, best.transform);
  const [first, second] = still < moving ? [still, moving] : [moving, still];
  return { first, second, likeness, gap: Math.sqrt(1 - Math.min(likeness, EQUAL)) };
}

/** The pictures of an input, prepared when they are asked for, and others that are added. */
export class Pictures {
  readonly #image: ImageFeatures;
  readonly #added: { readonly picture: Picture; readonly low: Float32Array }[] = [];
  readonly #own = byRow((row) => {
    const { data, height, width } = this.#image.thumbnails;
    const size = height * width;
    return pictureOf(Float32Array.from(data.subarray(row * size, (row + 1) * size)), height, width);
  }, KEPT);
  readonly target = byRow((row) => target(this.at(row)), TARGETS);

  constructor(image: ImageFeatures) {
    this.#image = image;
  }

  /** Adds a picture of the size of the thumbnails; its row comes after all others. */
  add(values: Float32Array): number {
    const { height, width } = this.#image.thumbnails;
    const low = new Float32Array(COEFFICIENTS);
    lowFrequencies(height, width)(Float64Array.from(values), 0, low, 0);
    this.#added.push({ picture: pictureOf(values, height, width), low });
    return this.#image.blank.length + this.#added.length - 1;
  }

  frequencies(row: number): Float32Array {
    return this.#added[row - this.#image.blank.length]?.low ?? lowFrequenciesOf(this.#image, row);
  }

  at(row: number): Picture {
    return this.#added[row - this.#image.blank.length]?.picture ?? this.#own(row);
  }
}

// How alike two pictures are once one is moved onto the other.

/** How one picture is moved onto another one, and how alike they are then, from 0 to 1. */
interface Registration {
  readonly transform: Transform;
  readonly likeness: number;
}

interface Target {
  readonly picture: Picture;
  readonly full: Fixed;
  readonly half: Fixed;
}
export const target = (picture: Picture): Target => ({
  picture,
  full: fixed(picture.full),
  half: fixed(picture.half),
});

/** Turns, in radians, and zooms from which alignment starts. */
const STARTS: readonly Transform[] = [
  [0, 1],
  [0.09, 1],
  [-0.09, 1],
  [0, 0.9],
  [0, 1.1],
].map(([turn, zoom]) => ({ a: zoom * Math.cos(turn), b: zoom * Math.sin(turn), dy: 0, dx: 0 }));
/** Steps from each start, from the best, at full size, and at full size and the same scale. */
const STEPS = [1, 6, 3, 2] as const;

/** Where a picture lies best on another one, at half the size. */
export function registerCoarsely({ picture, half }: Target, moving: Picture): Registration {
  const warped = new Float32Array(half.values.length);
  let best: Registration = { transform: IDENTITY, likeness: 0 };
  for (const start of STARTS) {
    const transform = align(half, moving.half, start, STEPS[0], warped);
    if (!transform) continue;
    warp(moving.half, transform, warped);
    const likeness = robustCorrelation(half.values, warped);
    if (likeness > best.likeness) best = { transform, likeness };
  }
  const { a, b, dy, dx } = align(half, moving.half, best.transform, STEPS[1], warped) ?? best.transform;
  const times = picture.full.width / half.width;
  return { transform: { a, b, dy: times * dy, dx: times * dx }, likeness: best.likeness };
}

/** How alike they are where it lies best at full size, from where it lies coarsely, or as it is. */
export function register({ picture, full }: Target, moving: Picture, coarse: Transform): number {
  const unmoved = robustCorrelation(full.values, moving.full.values);
  const transform = align(full, moving.full, coarse, STEPS[2], new Float32Array(full.values.length));
  return transform ? Math.max(unmoved, likenessUnder(picture, moving, transform)) : unmoved;
}

/**
 * The picture that shows more is moved before its details are taken, at the same scale and with the same edges, and once
 * more from there: details of another scale say only roughly where it lies.
 */
function likenessUnder(first: Picture, second: Picture, transform: Transform): number {
  const [still, moving, way] =
    Math.hypot(transform.a, transform.b) > 1 ? [second, first, inverse(transform)] : [first, second, transform];
  const near = detailsUnder(moving.grey, way);
  const rest = align(fixed(still.full), near, IDENTITY, STEPS[3], new Float32Array(near.values.length));
  return robustCorrelation(still.full.values, (rest ? detailsUnder(moving.grey, composed(way, rest)) : near).values);
}

function detailsUnder(grey: GreyImage, transform: Transform): GreyImage {
  const { height, width } = grey;
  const [values, outside] = [new Float32Array(height * width), new Uint8Array(height * width)];
  warp(grey, transform, values, outside);
  const details = detailsOf({ height, width, values });
  const beyond = inner({ height, width, values: Float32Array.from(outside) }).values;
  for (let at = 0; at < beyond.length; at++) if (beyond[at] > 0) details.values[at] = Number.NaN;
  return details;
}

/** Values further from 0 than so many times their mean size count as that. */
const CLIP = 2;
/** Places that differ by more than so many times the mean of the others are left out: a letter, a part that is covered. */
const PLACE_RATIO = 3.4;

/**
 * Size of the correlation of u and v over the places where v is no NaN, without places that differ most; 0
 * where one of them is constant. Negatives count as alike. Of a part that is covered some places happen to be alike and count: a
 * cover of a fifth leaves about .98 of 1.
 *
 * Source: Huber 1981, Robust Statistics, section 8.3 (correlation of values that are clipped).
 */
export function robustCorrelation(u: Float32Array, v: Float32Array): number {
  let sizeU = 0;
  let sizeV = 0;
  let n = 0;
  for (let at = 0; at < v.length; at++) {
    if (Number.isNaN(v[at])) continue;
    n++;
    sizeU += Math.abs(u[at]);
    sizeV += Math.abs(v[at]);
  }
  if (!(sizeU > 0 && sizeV > 0)) return 0;
  const [unitU, unitV] = [n / sizeU, n / sizeV];
  const sign = correlation(u, v, unitU, unitV, 1, Infinity).correlation < 0 ? -1 : 1;
  const { gap } = correlation(u, v, unitU, unitV, sign, Infinity);
  return Math.abs(correlation(u, v, unitU, unitV, sign, PLACE_RATIO * gap).correlation);
}

const clipped = (value: number) => (value > CLIP ? CLIP : value < -CLIP ? -CLIP : value);

/** Correlation of the clipped values where they differ by at most so much, and their mean difference. */
function correlation(u: Float32Array, v: Float32Array, unitU: number, unitV: number, sign: number, most: number) {
  let n = 0;
  let gaps = 0;
  let su = 0;
  let sv = 0;
  let uu = 0;
  let vv = 0;
  let uv = 0;
  for (let at = 0; at < v.length; at++) {
    if (Number.isNaN(v[at])) continue;
    let a = u[at] * unitU;
    let b = v[at] * unitV;
    if (Math.abs(a - sign * b) > most) continue;
    a = clipped(a);
    b = clipped(b);
    n++;
    gaps += Math.abs(a - sign * b);
    su += a;
    sv += b;
    uu += a * a;
    vv += b * b;
    uv += a * b;
  }
  const both = (uu - (su * su) / n) * (vv - (sv * sv) / n);
  return { correlation: both > 0 ? (uv - (su * sv) / n) / Math.sqrt(both) : 0, gap: gaps / n };
}

// What is compared of a picture: its details, at the same strength everywhere, at two sizes.

/** A picture at its size, and its details at two sizes; all have mean 0 and root mean square 1. */
interface Picture {
  readonly grey: GreyImage;
  readonly full: GreyImage;
  /** At half the size; at the same for pictures that are small. */
  readonly half: GreyImage;
}

const LEAST = 12;

export function pictureOf(values: Float32Array, height: number, width: number): Picture {
  const grey = standardised({ height, width, values });
  const small = Math.min(height, width) >= LEAST ? halved(grey) : grey;
  return { grey, full: standardised(detailsOf(grey)), half: standardised(detailsOf(small)) };
}

/** The picture turned and mirrored: see {@link turnedTo}. */
export function oriented(picture: Picture, orientation: number): Picture {
  if (orientation === 0) return picture;
  const turn = ({ height, width, values }: GreyImage): GreyImage => ({
    height,
    width,
    values: turnedTo(values, height, width, orientation),
  });
  const { grey, full, half } = picture;
  return { grey: turn(grey), full: turn(full), half: turn(half) };
}

/** Places within this part of a side from the edge are left out: their details say where the picture ends. */
const MARGIN = 1 / 14;

function inner({ height, width, values }: GreyImage): GreyImage {
  const margin = Math.floor(Math.min(height, width) * MARGIN);
  const [h, w] = [height - 2 * margin, width - 2 * margin];
  const out = new Float32Array(h * w);
  for (let y = 0; y < h; y++) {
    const from = (y + margin) * width + margin;
    out.set(values.subarray(from, from + w), y * w);
  }
  return { height: h, width: w, values: out };
}

/** The window of what is near, as a part of the longer side, and in pixels at least. */
const WINDOW = { part: 0.1, least: 2 };
/** Part of the mean energy that is added everywhere: where there is no detail, rounding is none. */
const FLOOR = 0.05;

/**
 * What differs from what is near, over its local root mean square, without the margin: light from one side, a burnt-in
 * letter or a black square changes it there alone.
 *
 * Source: Jarrett et al. 2009, ICCV, 2146 (local contrast normalisation).
 */
function detailsOf({ height, width, values }: GreyImage): GreyImage {
  const radius = Math.max(WINDOW.least, Math.round(WINDOW.part * Math.max(height, width)));
  const twice = (each: Float32Array) => blurred(blurred(each, height, width, radius), height, width, radius);
  const smooth = twice(values);
  const details = blurred(values, height, width, 1);
  let total = 0;
  for (let at = 0; at < details.length; at++) {
    details[at] -= smooth[at];
    total += details[at] ** 2;
  }
  const squares = new Float32Array(details.length);
  for (let at = 0; at < details.length; at++) squares[at] = details[at] * details[at];
  const energy = twice(squares);
  // What is left of a picture of one value is rounding.
  const floor = (FLOOR * total) / details.length + 1e-12;
  for (let at = 0; at < details.length; at++) details[at] /= Math.sqrt(energy[at] + floor);
  return inner({ height, width, values: details });
}

function standardised({ height, width, values }: GreyImage): GreyImage {
  let [sum, squares] = [0, 0];
  for (let at = 0; at < values.length; at++) sum += values[at];
  const mean = sum / values.length;
  for (let at = 0; at < values.length; at++) squares += (values[at] - mean) ** 2;
  const sd = Math.sqrt(squares / values.length) || 1;
  return { height, width, values: values.map((value) => (value - mean) / sd) };
}

function halved({ height, width, values }: GreyImage): GreyImage {
  const [h, w] = [height >> 1, width >> 1];
  const out = new Float32Array(h * w);
  for (let y = 0, at = 0; y < h; y++) {
    for (let x = 0; x < w; x++, at++) {
      const from = 2 * y * width + 2 * x;
      out[at] = (values[from] + values[from + 1] + values[from + width] + values[from + width + 1]) / 4;
    }
  }
  return { height: h, width: w, values: blurred(out, h, w, 1) };
}

/** The mean over `2 radius + 1` places in each direction, of those there are. */
function blurred(values: Float32Array, height: number, width: number, radius: number): Float32Array {
  return along(along(values, height, width, radius), width, height, radius);
}

function along(values: Float32Array, height: number, width: number, radius: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let sum = 0;
    for (let x = 0; x < Math.min(radius, width); x++) sum += values[row + x];
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += values[row + x + radius];
      if (x > radius) sum -= values[row + x - radius - 1];
      out[x * height + y] = sum / (Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1);
    }
  }
  return out;
}

// The eight ways to turn by 90 degrees and mirror a picture: 1 mirrors left and right, 2 up and down, 4 along the diagonal.

/** In which of them the second picture, by its low frequencies, is most like the first; negatives count as alike. */
export function orientationOf(first: ArrayLike<number>, second: ArrayLike<number>): number {
  let [best, most] = [0, -1];
  for (let orientation = 0; orientation < 8; orientation++) {
    let sum = 0;
    for (let at = 0; at < COEFFICIENTS; at++) {
      const [k, l] = frequencyOf(at);
      const sign = (orientation & 1 && l % 2 ? -1 : 1) * (orientation & 2 && k % 2 ? -1 : 1);
      sum += first[at] * sign * second[orientation & 4 ? coefficientAt(l, k) : at];
    }
    if (Math.abs(sum) > most) [best, most] = [orientation, Math.abs(sum)];
  }
  return best;
}

/** A picture in that orientation: first along the diagonal, then mirrored. A picture that is not square is not turned. */
export function turnedTo(grey: Float32Array, height: number, width: number, orientation: number): Float32Array {
  if (orientation === 0 || (orientation & 4 && height !== width)) return grey;
  const out = new Float32Array(grey.length);
  for (let y = 0, at = 0; y < height; y++) {
    const row = orientation & 2 ? height - 1 - y : y;
    for (let x = 0; x < width; x++, at++) {
      const column = orientation & 1 ? width - 1 - x : x;
      out[at] = grey[orientation & 4 ? column * width + row : row * width + column];
    }
  }
  return out;
}
