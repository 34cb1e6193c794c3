/**
 * The gradients of 2-D convolution: by the filter, which the wasm backend (4.22) lacks, and by the input, which it has in a
 * slow form. Both are convolutions themselves, so the fast one of the backend does the work.
 *
 * Source: Dumoulin & Visin 2016, A guide to convolution arithmetic for deep learning (arXiv:1603.07285), section 4.
 */
import type { TensorInfo } from '@tensorflow/tfjs';
import type { Tf } from '../structures.js';
import { type Composer, installWasmKernel, type KernelCall } from './install.js';
import { forEachRun, rowsOfOutput, type WindowLayout, windowsIn } from './windows.js';

type Info = ReturnType<Tf['backend_util']['computeConv2DInfo']>;
type Shape4 = [number, number, number, number];

export function installConv2d(tf: Tf): void {
  installExplicitPadding(tf);
  installDepthwiseGradients(tf);
  installWasmKernel(tf, 'Conv2DBackpropFilter', (composer, { inputs: { x, dy }, attrs }) => {
    const info = infoOf(tf, x.shape, attrs.filterShape, attrs);
    if (info.dataFormat !== 'channelsLast') {
      throw new Error(`wasm backend Conv2DBackpropFilter does not support dataFormat '${info.dataFormat}'.`);
    }
    return filterGradient(composer, info, x, dy);
  });
  installWasmKernel(tf, 'Conv2DBackpropInput', (composer, { inputs: { dy, filter }, attrs, original }) => {
    const info = infoOf(tf, attrs.inputShape, filter.shape, attrs);
    return info.dataFormat === 'channelsLast' ? inputGradient(composer, info, dy, filter) : original();
  });
}

/** Gradients have no dilations in tfjs: see completeGradients.ts. */
function infoOf(
  tf: Tf,
  inShape: number[],
  filterShape: number[],
  attrs: KernelCall['attrs'],
  dilations: number | null = 1,
  depthwise = false,
): Info {
  const { strides, pad, dimRoundingMode: rounding } = attrs;
  const format = depthwise ? 'channelsLast' : tf.backend_util.convertConv2DDataFormat(attrs.dataFormat ?? 'NHWC');
  const [x, filter] = [inShape as Shape4, filterShape as Shape4];
  return tf.backend_util.computeConv2DInfo(x, filter, strides, dilations ?? 1, pad, rounding, depthwise, format);
}

/** `x` with batch and channels swapped, convolved with `dy` as its filter, dilated by the stride. */
function filterGradient({ run }: Composer, info: Info, x: TensorInfo, dy: TensorInfo): TensorInfo {
  const rows = padding(info.inHeight, info.padInfo.top, info.filterHeight, info.outHeight, info.strideHeight);
  const columns = padding(info.inWidth, info.padInfo.left, info.filterWidth, info.outWidth, info.strideWidth);
  const image = run('Transpose', { x }, { perm: [3, 1, 2, 0] });
  const filter = run('Transpose', { x: dy }, { perm: [1, 2, 0, 3] });
  const pad = [NONE, rows, columns, NONE];
  const dilations = [info.strideHeight, info.strideWidth];
  const full = run('Conv2D', { x: image, filter }, { strides: [1, 1], dilations, pad, dataFormat: 'NHWC' });
  // Rows and columns that no stride reached give positions beyond the filter.
  const size = [info.inChannels, info.filterHeight, info.filterWidth, info.outChannels];
  const cut = run('Slice', { x: full }, { begin: [0, 0, 0, 0], size });
  return run('Transpose', { x: cut }, { perm: [1, 2, 0, 3] });
}

function padding(inSize: number, before: number, filterSize: number, outSize: number, stride: number) {
  const reached = (outSize - 1) * stride + filterSize;
  return [before, Math.max(0, reached - inSize - before)];
}

/** `dy`, its rows and columns a stride apart on zeros, convolved with the filter turned by 180 degrees. */
function inputGradient(composer: Composer, info: Info, dy: TensorInfo, filter: TensorInfo): TensorInfo {
  const { run } = composer;
  const turned = run('Reverse', { x: filter }, { dims: [0, 1] });
  const transposed = run('Transpose', { x: turned }, { perm: [0, 1, 3, 2] });
  const attrs = { strides: [1, 1], dilations: [1, 1], pad: 'valid', dataFormat: 'NHWC' };
  return run('Conv2D', { x: spread(composer, info, dy), filter: transposed }, attrs);
}

/** `dy` a stride apart on zeros, with as much around it that a convolution without padding gives the input's size. */
function spread(composer: Composer, info: Info, dy: TensorInfo): TensorInfo {
  const height = info.inHeight + info.filterHeight - 1;
  const width = info.inWidth + info.filterWidth - 1;
  const { outChannels: channels } = info;
  const wide = composer.zeros([info.batchSize, height, width, channels]);
  const [from, to] = [composer.values(dy), composer.values(wide)];
  const top = info.filterHeight - 1 - info.padInfo.top;
  const left = info.filterWidth - 1 - info.padInfo.left;
  let at = 0;
  for (let image = 0; image < info.batchSize; image++) {
    for (let i = 0; i < info.outHeight; i++) {
      const row = top + i * info.strideHeight;
      for (let j = 0; j < info.outWidth; j++, at += channels) {
        const column = left + j * info.strideWidth;
        // Windows that saw nothing but padding lie outside.
        if (row < 0 || row >= height || column < 0 || column >= width) continue;
        const place = ((image * height + row) * width + column) * channels;
        for (let channel = 0; channel < channels; channel++) to[place + channel] = from[at + channel];
      }
    }
  }
  return wide;
}

function installDepthwiseGradients(tf: Tf): void {
  installWasmKernel(tf, 'DepthwiseConv2dNativeBackpropFilter', (composer, { inputs: { x, dy }, attrs }) => {
    const windows = windowsOf(tf, x.shape, attrs.filterShape, attrs);
    const gradient = composer.zeros(attrs.filterShape);
    const [image, change] = [composer.values(x), composer.values(dy)];
    const sum = new Float64Array(tf.util.sizeFromShape(attrs.filterShape));
    forEachProduct(windows, (weight, pixel, output) => {
      sum[weight] += image[pixel] * change[output];
    });
    composer.values(gradient).set(sum);
    return gradient;
  });
  installWasmKernel(tf, 'DepthwiseConv2dNativeBackpropInput', (composer, { inputs: { dy, filter }, attrs }) => {
    const windows = windowsOf(tf, attrs.inputShape, filter.shape, attrs);
    const dx = composer.zeros(attrs.inputShape);
    const [gradient, weights, change] = [composer.values(dx), composer.values(filter), composer.values(dy)];
    forEachProduct(windows, (weight, pixel, output) => {
      gradient[pixel] += weights[weight] * change[output];
    });
    return dx;
  });
}

const windowsOf = (tf: Tf, inShape: number[], filterShape: number[], attrs: KernelCall['attrs']): WindowLayout =>
  windowsIn(infoOf(tf, inShape, filterShape, attrs, attrs.dilations, true));

function forEachProduct(windows: WindowLayout, visit: (weight: number, pixel: number, output: number) => void): void {
  const { channels, outChannels } = windows;
  const multiplier = outChannels / channels;
  forEachRun(windows, 0, rowsOfOutput(windows), (position, tap, place, taps) => {
    let [weight, pixel] = [tap * outChannels, place];
    for (let at = 0; at < taps; at++) {
      let output = position * outChannels;
      for (let channel = 0; channel < channels; channel++, pixel++) {
        for (let filter = 0; filter < multiplier; filter++) visit(weight++, pixel, output++);
      }
    }
  });
}

const NONE = [0, 0];
const CONVOLUTIONS = ['Conv2D', 'FusedConv2D', 'DepthwiseConv2dNative', 'FusedDepthwiseConv2D'];

/** The wasm backend misplaces the windows of padding 'same' where strides are larger than the filter. */
function installExplicitPadding(tf: Tf): void {
  for (const name of CONVOLUTIONS) {
    installWasmKernel(tf, name, (_, { inputs: { x, filter }, attrs, original }) => {
      if (attrs.pad !== 'same') return original();
      const isDepthwise = name.includes('Depthwise');
      const { padInfo } = infoOf(tf, x.shape, filter.shape, attrs, attrs.dilations, isDepthwise);
      const { top, bottom, left, right } = padInfo;
      return original({ pad: [NONE, [top, bottom], [left, right], NONE] });
    });
  }
}
