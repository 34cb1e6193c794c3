/**
 * 3-D convolution, of which the wasm backend (4.22) misplaces windows that leap over the end of the image, and its gradients,
 * which it has wrong. Each is a matrix product: see {@link columnsOf}.
 */
import type { TensorInfo } from '@tensorflow/tfjs';
import type { Tf } from '../structures.js';
import { type Windows, windows3d } from '../windows.js';
import { addColumns, columnsOf, filterSize, inParts, rowsOf } from './columns.js';
import { type Call, type Composer, installWasmKernel } from './compose.js';

/** Installs the convolution and both gradients. */
export function installConv3d(tf: Tf): void {
  installWasmKernel(tf, 'Conv3D', (composer, { inputs: { x, filter }, attrs }) => {
    const info = tf.backend_util.computeConv3DInfo(
      x.shape as Shape5,
      filter.shape as Shape5,
      attrs.strides,
      attrs.dilations,
      attrs.pad,
    );
    return convolution(composer, windows3d(info), x, filter, info.outShape);
  });
  installWasmKernel(tf, 'Conv3DBackpropFilterV2', (composer, { inputs: { x, dy }, attrs }) =>
    filterGradient(composer, windowsOf(tf, x.shape, attrs.filterShape, attrs), x, dy, attrs.filterShape),
  );
  installWasmKernel(tf, 'Conv3DBackpropInputV2', (composer, { inputs: { dy, filter }, attrs }) =>
    inputGradient(composer, windowsOf(tf, attrs.inputShape, filter.shape, attrs), dy, filter, attrs.inputShape),
  );
}

type Shape5 = [number, number, number, number, number];

/** Gradients have no dilations in tfjs: see gradients/dilated.ts. */
function windowsOf(tf: Tf, inShape: number[], filterShape: number[], { strides, pad }: Call['attrs']): Windows {
  const info = tf.backend_util.computeConv3DInfo(inShape as Shape5, filterShape as Shape5, strides, 1, pad);
  return windows3d(info);
}

function convolution(
  composer: Composer,
  windows: Windows,
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
  windows: Windows,
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
  windows: Windows,
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
