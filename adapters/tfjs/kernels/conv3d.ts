/**
 * 3-D convolution, of which the wasm backend (4.22) misplaces windows that leap over the end of the image, and its gradients,
 * which it has wrong. Each is a matrix product: see {@link columnsOf}.
 */
import type { TensorInfo } from '@tensorflow/tfjs';
import type { Tf } from '../structures.js';
import { type Composer, installWasmKernel, type KernelCall } from './install.js';
import { forEachRun, rowsOfOutput, type WindowLayout, windowsIn } from './windows.js';

export function installConv3d(tf: Tf): void {
  installWasmKernel(tf, 'Conv3D', (composer, { inputs: { x, filter }, attrs }) => {
    const info = infoOf(tf, x.shape, filter.shape, attrs, attrs.dilations);
    return convolution(composer, windowsIn(info), x, filter, info.outShape);
  });
  installWasmKernel(tf, 'Conv3DBackpropFilterV2', (composer, { inputs: { x, dy }, attrs }) =>
    filterGradient(composer, windowsIn(infoOf(tf, x.shape, attrs.filterShape, attrs)), x, dy, attrs.filterShape),
  );
  installWasmKernel(tf, 'Conv3DBackpropInputV2', (composer, { inputs: { dy, filter }, attrs }) =>
    inputGradient(composer, windowsIn(infoOf(tf, attrs.inputShape, filter.shape, attrs)), dy, filter, attrs.inputShape),
  );
}

type Shape5 = [number, number, number, number, number];

/** Gradients have no dilations in tfjs: see completeGradients.ts. */
function infoOf(tf: Tf, inShape: number[], filterShape: number[], attrs: KernelCall['attrs'], dilations = 1) {
  const [x, filter] = [inShape as Shape5, filterShape as Shape5];
  return tf.backend_util.computeConv3DInfo(x, filter, attrs.strides, dilations, attrs.pad);
}

function convolution(
  composer: Composer,
  windows: WindowLayout,
  x: TensorInfo,
  filter: TensorInfo,
  outShape: number[],
): TensorInfo {
  const y = composer.zeros(outShape);
  const { outChannels, output } = windows;
  const flat = composer.reshape(filter, [filterSize(windows), outChannels]);
  inParts(composer, windows, (part, from, end) => {
    const columns = columnsOf(part, windows, x, from, end);
    const product = part.run('BatchMatMul', { a: columns, b: flat }, PLAIN);
    part.values(y).set(part.values(product), from * output[2] * outChannels);
  });
  return y;
}

function filterGradient(
  composer: Composer,
  windows: WindowLayout,
  x: TensorInfo,
  dy: TensorInfo,
  filterShape: number[],
): TensorInfo {
  const [width, { outChannels }] = [filterSize(windows), windows];
  const sum = new Float64Array(outChannels * width);
  inParts(composer, windows, (part, from, end) => {
    const transposed = part.run('Transpose', { x: rowsOf(part, windows, dy, from, end) }, { perm: [1, 0] });
    const columns = columnsOf(part, windows, x, from, end);
    const product = part.run('BatchMatMul', { a: transposed, b: columns }, PLAIN);
    const values = part.values(product);
    for (let at = 0; at < sum.length; at++) sum[at] += values[at];
  });
  const gradient = composer.zeros(filterShape);
  const values = composer.values(gradient);
  for (let out = 0, at = 0; out < outChannels; out++) {
    for (let place = out; place < values.length; place += outChannels) values[place] = sum[at++];
  }
  return gradient;
}

function inputGradient(
  composer: Composer,
  windows: WindowLayout,
  dy: TensorInfo,
  filter: TensorInfo,
  inShape: number[],
): TensorInfo {
  const dx = composer.zeros(inShape);
  const flat = composer.reshape(filter, [filterSize(windows), windows.outChannels]);
  const transposed = composer.run('Transpose', { x: flat }, { perm: [1, 0] });
  inParts(composer, windows, (part, from, end) => {
    const columns = part.run('BatchMatMul', { a: rowsOf(part, windows, dy, from, end), b: transposed }, PLAIN);
    addColumns(windows, part.values(columns), part.values(dx), from, end);
  });
  return dx;
}

/** Only without transposing does the matrix product of the backend run at its full speed. */
const PLAIN = { transposeA: false, transposeB: false };

/**
 * What the windows of some output positions see, one row per position and one column per number of the filter: convolution and
 * both gradients are products with it. Made for a part of the positions at a time, as it is larger than the image by the taps.
 *
 * Source: Chellapilla, Puri & Simard 2006, High performance convolutional neural networks for document processing.
 */

/** Numbers in one matrix: 2 MB, which stay in the cache. */
const SIZE = 2 ** 19;

const filterSize = ({ filter, channels }: WindowLayout) => filter[0] * filter[1] * filter[2] * channels;

/** Calls `work` for one part of the output rows after the other; what it makes is released after each. */
function inParts(
  composer: Composer,
  windows: WindowLayout,
  work: (composer: Composer, from: number, end: number) => void,
): void {
  const rows = rowsOfOutput(windows);
  const step = Math.max(1, Math.floor(SIZE / (windows.output[2] * filterSize(windows))));
  for (let from = 0; from < rows; from += step) {
    composer.within((inner) => work(inner, from, Math.min(rows, from + step)));
  }
}

function columnsOf(composer: Composer, windows: WindowLayout, x: TensorInfo, from: number, end: number): TensorInfo {
  const width = filterSize(windows);
  const { channels, output } = windows;
  const columns = composer.zeros([(end - from) * output[2], width]);
  const [image, matrix] = [composer.values(x), composer.values(columns)];
  const first = from * output[2];
  forEachRun(windows, from, end, (position, tap, place, taps) => {
    const start = (position - first) * width + tap * channels;
    for (let at = 0; at < taps * channels; at++) matrix[start + at] = image[place + at];
  });
  return columns;
}

function addColumns(windows: WindowLayout, matrix: Float32Array, image: Float32Array, from: number, end: number): void {
  const width = filterSize(windows);
  const first = from * windows.output[2];
  const { channels } = windows;
  forEachRun(windows, from, end, (position, tap, place, taps) => {
    const start = (position - first) * width + tap * channels;
    for (let at = 0; at < taps * channels; at++) image[place + at] += matrix[start + at];
  });
}

function rowsOf(composer: Composer, windows: WindowLayout, y: TensorInfo, from: number, end: number): TensorInfo {
  const { outChannels, output } = windows;
  const rows = composer.zeros([(end - from) * output[2], outChannels]);
  const [start, stop] = [from, end].map((row) => row * output[2] * outChannels);
  composer.values(rows).set(composer.values(y).subarray(start, stop));
  return rows;
}
