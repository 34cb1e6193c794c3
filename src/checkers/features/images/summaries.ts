/** A few numbers that say how an image looks as a whole: what scanners and protocols differ in. */
import type { NumericArray } from '../../../data/rows.js';
import { FRAME, frameOf } from './frame.js';
import type { Layout } from './layout.js';

const PERCENTILES = [5, 50, 95] as const;
/** Percentiles are those of at most this many pixels, taken at even distances. */
const PIXELS = 4096;

const SHARED = [
  'brightness',
  'contrast',
  'minimum',
  'maximum',
  ...PERCENTILES.map((p) => `percentile ${p}`),
  'sharpness',
];

/** Names of the summaries, in the order of {@link summaryOf}. */
export const summaryNames = ({ channels }: Layout): string[] => [
  ...SHARED,
  ...(channels > 1 ? Array.from({ length: channels }, (_, channel) => `mean of channel ${channel}`) : []),
  ...FRAME,
];

export interface Summary {
  /** Mean, SD, minimum, maximum, percentiles and SD of the Laplacian of the grey image; means of the channels, and {@link frameOf}. NaN without any pixel. */
  readonly values: readonly number[];
  /** The mean over depth and channels, in a unit that keeps sums finite; what is missing has the mean of the others. */
  readonly grey: Float64Array;
  /** Difference of the two values of the grey image, in its unit; 0 where there are more. */
  readonly step: number;
  readonly blank: boolean;
}

/** What is to be said of the image whose pixels start at `from`. Pixels that are missing or infinite do not count. */
export function summaryOf(data: NumericArray, from: number, layout: Layout): Summary {
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
  const mean = total / n;
  let squares = 0;
  for (let at = 0; at < grey.length; at++) {
    if (counts[at] === 0) grey[at] = mean;
    squares += (grey[at] - mean) ** 2;
  }
  const values = [mean, Math.sqrt(squares / n), low, high, ...percentiles(grey), sharpness(grey, layout)];
  return {
    values: [
      ...[...values, ...(channels > 1 ? means : [])].map((value) => value * unit),
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

/** Linear interpolation between order statistics, as R's type 7. */
function percentiles(grey: Float64Array): number[] {
  const step = Math.ceil(grey.length / PIXELS);
  const sorted = step === 1 ? grey.slice() : grey.filter((_, at) => at % step === 0);
  sorted.sort();
  return PERCENTILES.map((p) => {
    const at = ((sorted.length - 1) * p) / 100;
    const below = sorted[Math.floor(at)];
    return below + (at % 1) * (sorted[Math.ceil(at)] - below);
  });
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

/** Every pixel has one value, or none. */
function isBlank(data: NumericArray, from: number, { depth, height, width, channels }: Layout): boolean {
  const first = data[from];
  const same = Number.isNaN(first) ? Number.isNaN : (value: number) => value === first;
  for (let at = from + 1; at < from + depth * height * width * channels; at++) if (!same(data[at])) return false;
  return true;
}
