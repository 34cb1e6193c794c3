/**
 * Pooling that the wasm backend (4.22) has wrong. It looks for a maximum above 0 in the gradient of 2-D max pooling and in
 * 3-D max pooling, so windows without a positive number pass nothing on; it counts padding in the gradient of average
 * pooling, though not in average pooling; and it misplaces 3-D windows that leap over the end of the image.
 */
import { averagePool, averagePoolGradient, maxPool, maxPoolGradient } from '../pooling.js';
import type { Tf } from '../structures.js';
import { type Windows, windows2d, windows3d } from '../windows.js';
import { type Call, installWasmKernel } from './compose.js';

/** Installs 3-D pooling and the gradients of 2-D and 3-D pooling. */
export function installPooling(tf: Tf): void {
  for (const [name, pool] of [
    ['MaxPool3D', maxPool],
    ['AvgPool3D', averagePool],
  ] as const) {
    installWasmKernel(tf, name, (composer, { inputs: { x }, attrs }) => {
      const y = composer.zeros(info3d(tf, x.shape, attrs).outShape);
      pool(windows3d(info3d(tf, x.shape, attrs)), composer.values(x), composer.values(y));
      return y;
    });
  }
  for (const [dimensions, windowsOf] of [
    ['', (shape: number[], attrs: Call['attrs']) => windows2d(info2d(tf, shape, attrs))],
    ['3D', (shape: number[], attrs: Call['attrs']) => windows3d(info3d(tf, shape, attrs))],
  ] as [string, (shape: number[], attrs: Call['attrs']) => Windows][]) {
    installWasmKernel(tf, `MaxPool${dimensions}Grad`, (composer, { inputs: { input, dy }, attrs }) => {
      const dx = composer.zeros(input.shape);
      const [x, change] = [composer.values(input), composer.values(dy)];
      maxPoolGradient(windowsOf(input.shape, attrs), x, change, composer.values(dx));
      return dx;
    });
    installWasmKernel(tf, `AvgPool${dimensions}Grad`, (composer, { inputs: { input, dy }, attrs }) => {
      const dx = composer.zeros(input.shape);
      averagePoolGradient(windowsOf(input.shape, attrs), composer.values(dy), composer.values(dx));
      return dx;
    });
  }
}

function info2d(tf: Tf, shape: number[], { filterSize, strides, pad, dimRoundingMode }: Call['attrs']) {
  const image = shape as [number, number, number, number];
  return tf.backend_util.computePool2DInfo(image, filterSize, strides, 1, pad, dimRoundingMode);
}

function info3d(tf: Tf, shape: number[], { filterSize, strides, pad, dimRoundingMode }: Call['attrs']) {
  const volume = shape as [number, number, number, number, number];
  return tf.backend_util.computePool3DInfo(volume, filterSize, strides, 1, pad, dimRoundingMode);
}
