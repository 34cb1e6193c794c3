/** Pooling and its gradients on plain numbers, for the backends of tfjs (4.22) that have it wrong. */
import type { Tf } from '../structures.js';
import { type Call, installWasmKernel } from './wasm/compose.js';
import { forEachWindow, type Windows, windows2d, windows3d } from './windows.js';

/** Writes the maximum of every window, whatever its sign. A window without a pixel leaves `y` as it is. */
export function maxPool(windows: Windows, x: Float32Array, y: Float32Array): void {
  const { channels } = windows;
  forEachWindow(windows, (position, places, count) => {
    for (let channel = 0; channel < channels; channel++) {
      let maximum = Number.NEGATIVE_INFINITY;
      for (let at = 0; at < count; at++) {
        const value = x[places[at] + channel];
        if (value > maximum || Number.isNaN(value)) maximum = value;
      }
      y[position * channels + channel] = maximum;
    }
  });
}

/** Adds each window's gradient to its first maximum. */
export function maxPoolGradient(windows: Windows, x: Float32Array, dy: Float32Array, dx: Float32Array): void {
  const { channels } = windows;
  forEachWindow(windows, (position, places, count) => {
    for (let channel = 0; channel < channels; channel++) {
      let place = places[0] + channel;
      for (let at = 1; at < count; at++) {
        if (x[places[at] + channel] > x[place]) place = places[at] + channel;
      }
      dx[place] += dy[position * channels + channel];
    }
  });
}

/** Writes the mean of the pixels of every window; padding does not count. */
export function averagePool(windows: Windows, x: Float32Array, y: Float32Array): void {
  const { channels } = windows;
  forEachWindow(windows, (position, places, count) => {
    for (let channel = 0; channel < channels; channel++) {
      let sum = 0;
      for (let at = 0; at < count; at++) sum += x[places[at] + channel];
      y[position * channels + channel] = sum / count;
    }
  });
}

/** Shares each window's gradient among its pixels; padding does not count. */
export function averagePoolGradient(windows: Windows, dy: Float32Array, dx: Float32Array): void {
  const { channels } = windows;
  forEachWindow(windows, (position, places, count) => {
    for (let channel = 0; channel < channels; channel++) {
      const share = dy[position * channels + channel] / count;
      for (let at = 0; at < count; at++) dx[places[at] + channel] += share;
    }
  });
}

/**
 * Installs 3-D pooling and the gradients of 2-D and 3-D pooling on wasm. The backend looks for a maximum above 0 in the
 * gradient of 2-D max pooling and in 3-D max pooling, so windows without a positive number pass nothing on; it counts
 * padding in the gradient of average pooling, though not in average pooling; and it misplaces 3-D windows that leap over
 * the end of the image.
 */
export function installWasmPooling(tf: Tf): void {
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
