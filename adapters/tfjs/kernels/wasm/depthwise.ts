/**
 * The gradients of depthwise convolution, which the wasm backend (4.22) lacks: those of separable convolution, too. Each
 * channel has `multiplier` filters of its own; filters are `[height, width, channels, multiplier]`.
 */
import type { Tf } from '../../structures.js';
import { forEachRun, outputRows, type Windows, windows2d } from '../windows.js';
import { type Call, installWasmKernel } from './compose.js';

/** Installs both gradients. */
export function installDepthwiseGradients(tf: Tf): void {
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

type Shape4 = [number, number, number, number];

function windowsOf(tf: Tf, inShape: number[], filterShape: number[], attrs: Call['attrs']): Windows {
  const { strides, dilations, pad, dimRoundingMode } = attrs;
  const [x, filter] = [inShape as Shape4, filterShape as Shape4];
  const isDepthwise = true;
  return windows2d(
    tf.backend_util.computeConv2DInfo(x, filter, strides, dilations ?? 1, pad, dimRoundingMode, isDepthwise),
  );
}

/** Visits each product of the convolution by the places of its weight, its pixel and the output it adds to. */
function forEachProduct(windows: Windows, visit: (weight: number, pixel: number, output: number) => void): void {
  const { channels, outChannels } = windows;
  const multiplier = outChannels / channels;
  forEachRun(windows, 0, outputRows(windows), (position, tap, place, taps) => {
    let [weight, pixel] = [tap * outChannels, place];
    for (let at = 0; at < taps; at++) {
      let output = position * outChannels;
      for (let channel = 0; channel < channels; channel++, pixel++) {
        for (let filter = 0; filter < multiplier; filter++) visit(weight++, pixel, output++);
      }
    }
  });
}
