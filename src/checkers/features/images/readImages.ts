/** Images as checks read them: their pixels as a hash, a few summaries, and what a reader would recognise them by. */
import { mean } from '../../../core/numbers.js';
import { sortedQuantile } from '../../../core/quantiles.js';
import type { NumericArray, Rows } from '../../../data/rows.js';
import type { Column, Features, ImageFeatures } from '../columns.js';
import { valuesHash } from '../contentHash.js';
import { rowBatches } from '../rowBatches.js';
import { FRAME, frameOf } from './frame.js';
import { type Layout, layoutOf } from './layout.js';
import { COEFFICIENTS, lowFrequencies } from './perceptual.js';

/**
 * True for rows that are images: `[height, width]` of at least 16 x 16; of at least 8 x 8 `[height, width, channels]`
 * with at most four channels, and the volumes `[depth, height, width]` and `[depth, height, width, channels]`. Windows
 * of a time series, such as `[48, 12]`, are none.
 */
export const isImage = (shape: readonly number[]): boolean => layoutOf(shape) !== undefined;

/** Reads images or volumes of that shape once, block by block; a volume counts as its mean over depth. */
export async function imageFeatures(X: Rows, shape: readonly number[]): Promise<Features> {
  const layout = layoutOf(shape) as Layout;
  const n = X.length;
  const size = layout.depth * layout.height * layout.width * layout.channels;
  const content = { high: new Int32Array(n), low: new Int32Array(n) };
  const blank = new Uint8Array(n);
  const perceptual = {
    data: new Float32Array(n * COEFFICIENTS),
    width: COEFFICIENTS,
    pixelStep: new Float32Array(n),
  };
  const columns = summaryNames(layout).map(
    (name): Column => ({ name, kind: 'number', ofImage: true, values: new Float64Array(n) }),
  );
  const writeFrequencies = lowFrequencies(layout.height, layout.width);
  const { height, width, write: writeThumbnail } = thumbnailer(layout.height, layout.width);
  const thumbnails = { data: new Int16Array(n * height * width), height, width };
  const read = (data: NumericArray, from: number, row: number) => {
    [content.high[row], content.low[row]] = valuesHash(data, from, size);
    const summary = summaryOf(data, from, layout);
    blank[row] = summary.blank ? 1 : 0;
    summary.values.forEach((value, at) => {
      columns[at].values[row] = value;
    });
    perceptual.pixelStep[row] = writeFrequencies(summary.grey, summary.step, perceptual.data, row * COEFFICIENTS);
    writeThumbnail(summary.grey, thumbnails.data, row * height * width);
  };
  for (const { from, rows } of rowBatches(X)) {
    const { data } = await rows.toDense();
    for (let row = 0; row < rows.length; row++) read(data, row * size, from + row);
  }
  return { n, columns, images: [{ content, blank, perceptual, thumbnails }] };
}

export const lowFrequenciesOf = ({ perceptual: { data, width } }: Pick<ImageFeatures, 'perceptual'>, row: number) =>
  data.subarray(row * width, (row + 1) * width);

// A few numbers that say how an image looks as a whole: what scanners and protocols differ in.

const PERCENTILES = [5, 50, 95] as const;
/** Percentiles are those of at most this many pixels, taken at even distances. */
const PIXELS = 4096;

/** Names of the summaries, in the order of {@link summaryOf}. */
const summaryNames = ({ channels }: Layout): string[] => [
  ...['brightness', 'contrast', 'minimum', 'maximum'],
  ...PERCENTILES.map((p) => `percentile ${p}`),
  ...['sharpness', 'entropy'],
  ...(channels > 1 ? Array.from({ length: channels }, (_, channel) => `mean of channel ${channel}`) : []),
  ...FRAME,
];

interface Summary {
  /** Mean, SD, minimum, maximum, percentiles, SD of the Laplacian and entropy of the grey image; means of the channels, and {@link frameOf}. NaN without any pixel. */
  readonly values: readonly number[];
  /** The mean over depth and channels, in a unit that keeps sums finite; what is missing has the mean of the others. */
  readonly grey: Float64Array;
  /** Difference of the two values of the grey image, in its unit; 0 where there are more. */
  readonly step: number;
  readonly blank: boolean;
}

/** What is to be said of the image whose pixels start at `from`. Pixels that are missing or infinite do not count. */
function summaryOf(data: NumericArray, from: number, layout: Layout): Summary {
  const { channels } = layout;
  const { grey, counts, means, unit } = greyOf(data, from, layout);
  let [n, total, low, high] = [0, 0, Infinity, -Infinity];
  for (let at = 0; at < grey.length; at++) {
    if (counts[at] === 0) continue;
    grey[at] /= counts[at];
    n++;
    total += grey[at];
    low = Math.min(low, grey[at]);
    high = Math.max(high, grey[at]);
  }
  if (n === 0) return { values: summaryNames(layout).map(() => Number.NaN), grey, step: 0, blank: true };
  const average = total / n;
  let squares = 0;
  for (let at = 0; at < grey.length; at++) {
    if (counts[at] === 0) grey[at] = average;
    squares += (grey[at] - average) ** 2;
  }
  const values = [average, Math.sqrt(squares / n), low, high, ...percentiles(grey), sharpness(grey, layout)];
  const entropy = entropyOf(grey, low, high);
  return {
    values: [
      ...values.map((value) => value * unit),
      entropy,
      ...(channels > 1 ? Array.from(means, (value) => value * unit) : []),
      ...frameOf(grey, low, high, layout),
    ],
    grey,
    step: grey.every((value) => value === low || value === high) ? high - low : 0,
    blank: isBlank(data, from, layout),
  };
}

/** Sums over depth and channels for each place, over a unit that keeps them finite, and how many were summed. */
function greyOf(data: NumericArray, from: number, { depth, height, width, channels }: Layout) {
  const area = height * width;
  const [grey, counts] = [new Float64Array(area), new Int32Array(area)];
  const [sums, sizes] = [new Float64Array(channels), new Int32Array(channels)];
  const unit = unitOf(data, from, depth * area * channels);
  for (let place = 0, at = from; place < depth * area; place++) {
    for (let channel = 0; channel < channels; channel++, at++) {
      const value = data[at];
      if (!Number.isFinite(value)) continue;
      grey[place % area] += value / unit;
      counts[place % area]++;
      sums[channel] += value / unit;
      sizes[channel]++;
    }
  }
  return { grey, counts, means: sums.map((sum, channel) => sum / sizes[channel]), unit };
}

/** 1 for values of everyday size; else the largest, so that no square overflows or vanishes. */
function unitOf(data: NumericArray, from: number, length: number): number {
  let largest = 0;
  for (let at = from; at < from + length; at++) {
    const size = Math.abs(data[at]);
    if (size > largest && size < Infinity) largest = size;
  }
  return largest === 0 || (largest > 1e-100 && largest < 1e100) ? 1 : largest;
}

function percentiles(grey: Float64Array): number[] {
  const step = Math.ceil(grey.length / PIXELS);
  const sorted = step === 1 ? grey.slice() : grey.filter((_, at) => at % step === 0);
  sorted.sort();
  return PERCENTILES.map((p) => sortedQuantile(sorted, p / 100));
}

/** Steps of grey from the least value of the image to its largest, of which the entropy is taken. */
const GREYS = 256;

/** Bits that tell the grey of a pixel (Shannon 1948): few in an image with large even areas. As `percentiles`, of some pixels. */
function entropyOf(grey: Float64Array, low: number, high: number): number {
  if (!(high > low)) return 0;
  const counts = new Int32Array(GREYS);
  const every = Math.ceil(grey.length / PIXELS);
  let n = 0;
  for (let at = 0; at < grey.length; at += every, n++) {
    counts[Math.min(GREYS - 1, Math.floor((GREYS * (grey[at] - low)) / (high - low)))]++;
  }
  return counts.reduce((sum, count) => (count > 0 ? sum - (count / n) * Math.log2(count / n) : sum), 0);
}

/** Root mean square of the Laplacian of the inner pixels (Pech-Pacheco et al. 2000, ICPR 3:314: its variance). */
function sharpness(grey: Float64Array, { height, width }: Layout): number {
  let squares = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, at = y * width + 1; x < width - 1; x++, at++) {
      squares += (grey[at - 1] + grey[at + 1] + grey[at - width] + grey[at + width] - 4 * grey[at]) ** 2;
    }
  }
  return Math.sqrt(squares / ((height - 2) * (width - 2)));
}

function isBlank(data: NumericArray, from: number, { depth, height, width, channels }: Layout): boolean {
  const first = data[from];
  const same = Number.isNaN(first) ? Number.isNaN : (value: number) => value === first;
  for (let at = from + 1; at < from + depth * height * width * channels; at++) if (!same(data[at])) return false;
  return true;
}

// Small grey versions of pictures, to see whether one is another one that was moved.

/** Pixels of the longer side, at most; smaller pictures stay as they are. */
const SIDE = 32;
/** Grey values are kept as whole numbers up to this, of either sign. */
const LARGEST = 32_767;

/**
 * For each place of a line the places of the longer line around it, and weights that fall to 0 at its
 * neighbours: of what is finer than the short line can show, little comes back as something coarser.
 */
function tents(long: number, short: number) {
  const reach = long / short;
  return Array.from({ length: short }, (_, cell) => {
    const middle = (cell + 0.5) * reach - 0.5;
    const first = Math.max(0, Math.ceil(middle - reach));
    const last = Math.min(long - 1, Math.floor(middle + reach));
    const parts = Array.from({ length: last - first + 1 }, (_, at) =>
      reach > 1 ? Math.max(1e-9, 1 - Math.abs(first + at - middle) / reach) : Number(first + at === cell),
    );
    const sum = parts.reduce((total, part) => total + part, 0);
    return { first, parts: parts.map((part) => part / sum) };
  });
}

/** Makes thumbnails of grey pictures of one size by weighted means: `height` and `width` are theirs. */
export function thumbnailer(tall: number, wide: number) {
  const part = Math.min(1, SIDE / Math.max(tall, wide));
  const [height, width] = [tall, wide].map((side) => Math.max(1, Math.round(side * part)));
  const [down, across] = [tents(tall, height), tents(wide, width)];
  /** Writes the thumbnail, its mean 0 and its largest deviation 32,767; zeros for a picture of one value. */
  const write = (grey: Float64Array, out: Int16Array, from: number) => {
    const small = new Float64Array(height * width);
    const line = new Float64Array(wide);
    let to = 0;
    for (const { first, parts } of down) {
      line.fill(0);
      for (let k = 0, at = first * wide; k < parts.length; k++, at += wide) {
        for (let x = 0; x < wide; x++) line[x] += parts[k] * grey[at + x];
      }
      for (const { first: left, parts: shares } of across) {
        for (let k = 0; k < shares.length; k++) small[to] += shares[k] * line[left + k];
        to++;
      }
    }
    const centre = mean(small);
    const largest = small.reduce((most, value) => Math.max(most, Math.abs(value - centre)), 0);
    // What is left of a picture of one value is rounding.
    const scale = largest > 1e-9 * Math.abs(centre) ? LARGEST / largest : 0;
    for (let at = 0; at < small.length; at++) out[from + at] = Math.round((small[at] - centre) * scale);
  };
  return { height, width, write };
}
