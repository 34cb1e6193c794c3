/**
 * Convolutions as matrix products. What the windows of some output positions see is laid out as a matrix of one row
 * per position and one column per number of the filter; a convolution and both of its gradients are products with it.
 * It is made for a part of the positions at a time, because it is as many times larger than the image as the filter
 * has taps.
 *
 * Source: Chellapilla, Puri & Simard 2006, High performance convolutional neural networks for document processing.
 */
import type { TensorInfo } from '@tensorflow/tfjs';
import { forEachRun, outputRows, type Windows } from '../windows.js';
import type { Composer } from './compose.js';

/** Numbers in one matrix: 2 MB, which stay in the cache. */
const SIZE = 2 ** 19;

/** Numbers of one filter: the width of the matrix. */
export const filterSize = ({ filter, channels }: Windows) => filter[0] * filter[1] * filter[2] * channels;

/** Calls `work` for one part of the output rows after the other; what it makes is released after each. */
export function inParts(
  composer: Composer,
  windows: Windows,
  work: (composer: Composer, from: number, end: number) => void,
): void {
  const rows = outputRows(windows);
  const step = Math.max(1, Math.floor(SIZE / (windows.output[2] * filterSize(windows))));
  for (let from = 0; from < rows; from += step) {
    composer.within((inner) => {
      work(inner, from, Math.min(rows, from + step));
      return undefined;
    });
  }
}

/** Number of positions in the output rows `from` to `end`. */
const positions = ({ output }: Windows, from: number, end: number) => (end - from) * output[2];

/** The matrix for the output rows `from` to `end` of the image `x`. */
export function columnsOf(composer: Composer, windows: Windows, x: TensorInfo, from: number, end: number): TensorInfo {
  const width = filterSize(windows);
  const columns = composer.zeros([positions(windows, from, end), width]);
  const [image, matrix] = [composer.values(x), composer.values(columns)];
  const first = from * windows.output[2];
  const { channels } = windows;
  forEachRun(windows, from, end, (position, tap, place, taps) => {
    const start = (position - first) * width + tap * channels;
    for (let at = 0; at < taps * channels; at++) matrix[start + at] = image[place + at];
  });
  return columns;
}

/** Adds the matrix for the output rows `from` to `end` to the pixels that its numbers were seen at. */
export function addColumns(
  windows: Windows,
  matrix: Float32Array,
  image: Float32Array,
  from: number,
  end: number,
): void {
  const width = filterSize(windows);
  const first = from * windows.output[2];
  const { channels } = windows;
  forEachRun(windows, from, end, (position, tap, place, taps) => {
    const start = (position - first) * width + tap * channels;
    for (let at = 0; at < taps * channels; at++) image[place + at] += matrix[start + at];
  });
}

/** `y` as a matrix of one row per position, for the output rows `from` to `end`. */
export function rowsOf(composer: Composer, windows: Windows, y: TensorInfo, from: number, end: number): TensorInfo {
  const { outChannels, output } = windows;
  const rows = composer.zeros([positions(windows, from, end), outChannels]);
  const [start, stop] = [from, end].map((row) => row * output[2] * outChannels);
  composer.values(rows).set(composer.values(y).subarray(start, stop));
  return rows;
}
