/** Windows of convolutions and pooling: 2-D ones are 3-D ones of depth 1. Places count elements of channels-last images. */
import type { Tf } from '../structures.js';
import { installWasmGradient, installWasmKernel, type KernelCall, type PlainGradient } from './install.js';

type Extent = readonly [number, number, number];

export interface WindowLayout {
  readonly batch: number;
  readonly channels: number;
  readonly outChannels: number;
  readonly input: Extent;
  readonly output: Extent;
  readonly filter: Extent;
  readonly strides: Extent;
  readonly dilations: Extent;
  readonly before: Extent;
}

type Info2D = ReturnType<Tf['backend_util']['computeConv2DInfo']>;
type Info3D = ReturnType<Tf['backend_util']['computeConv3DInfo']>;

/** Where strides larger than the filter leap over the end of the image, tfjs (4.22) says that 3-D padding is negative; it is none. */
export function windowsIn(info: Info2D | Info3D): WindowLayout {
  const { front, inDepth, outDepth, filterDepth, strideDepth, dilationDepth } =
    'inDepth' in info ? { ...info, ...info.padInfo } : FLAT;
  return {
    batch: info.batchSize,
    channels: info.inChannels,
    outChannels: info.outChannels,
    input: [inDepth, info.inHeight, info.inWidth],
    output: [outDepth, info.outHeight, info.outWidth],
    filter: [filterDepth, info.filterHeight, info.filterWidth],
    strides: [strideDepth, info.strideHeight, info.strideWidth],
    dilations: [dilationDepth, info.dilationHeight, info.dilationWidth],
    before: [Math.max(0, front), Math.max(0, info.padInfo.top), Math.max(0, info.padInfo.left)],
  };
}

const FLAT = { front: 0, inDepth: 1, outDepth: 1, filterDepth: 1, strideDepth: 1, dilationDepth: 1 };

export const rowsOfOutput = ({ batch, output }: WindowLayout) => batch * output[0] * output[1];

/**
 * Visits what the windows of the output rows from `from` to `end` see. A visit is a run of `taps` neighbours: taps
 * `tap`, `tap + 1`, ... of the filter lie on pixels whose first channels are at `place`, `place + channels`, ...
 * `position` numbers the output positions. What lies in the padding is not visited.
 */
export function forEachRun(
  { channels, input, output, filter, strides, dilations, before }: WindowLayout,
  from: number,
  end: number,
  visit: (position: number, tap: number, place: number, taps: number) => void,
): void {
  const [depth, height, width] = input;
  const neighbours = dilations[2] === 1; // else each tap is a run of its own
  for (let row = from; row < end; row++) {
    const image = Math.floor(row / (output[0] * output[1]));
    const front = (Math.floor(row / output[1]) % output[0]) * strides[0] - before[0];
    const top = (row % output[1]) * strides[1] - before[1];
    for (let column = 0; column < output[2]; column++) {
      const position = row * output[2] + column;
      const left = column * strides[2] - before[2];
      const first = left < 0 ? Math.ceil(-left / dilations[2]) : 0;
      const last = Math.min(filter[2], Math.ceil((width - left) / dilations[2]));
      if (last <= first) continue;
      for (let i = 0; i < filter[0]; i++) {
        const z = front + i * dilations[0];
        if (z < 0 || z >= depth) continue;
        for (let j = 0; j < filter[1]; j++) {
          const y = top + j * dilations[1];
          if (y < 0 || y >= height) continue;
          const tap = (i * filter[1] + j) * filter[2];
          const start = ((image * depth + z) * height + y) * width + left;
          if (neighbours) visit(position, tap + first, (start + first) * channels, last - first);
          else for (let k = first; k < last; k++) visit(position, tap + k, (start + k * dilations[2]) * channels, 1);
        }
      }
    }
  }
}

function forEachWindow(
  windows: WindowLayout,
  visit: (position: number, places: Int32Array, count: number) => void,
): void {
  const { filter, channels } = windows;
  const places = new Int32Array(filter[0] * filter[1] * filter[2]);
  const rows = rowsOfOutput(windows);
  let current = -1;
  let count = 0;
  forEachRun(windows, 0, rows, (position, _, place, taps) => {
    if (position !== current && count > 0) visit(current, places, count);
    if (position !== current) [current, count] = [position, 0];
    for (let tap = 0; tap < taps; tap++) places[count++] = place + tap * channels;
  });
  if (count > 0) visit(current, places, count);
}

/** Writes the maximum of every window, whatever its sign. A window without a pixel leaves `y` as it is. */
function maxPool(windows: WindowLayout, x: Float32Array, y: Float32Array): void {
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

function maxPoolGradient(windows: WindowLayout, x: Float32Array, dy: Float32Array, dx: Float32Array): void {
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

function averagePool(windows: WindowLayout, x: Float32Array, y: Float32Array): void {
  const { channels } = windows;
  forEachWindow(windows, (position, places, count) => {
    for (let channel = 0; channel < channels; channel++) {
      let sum = 0;
      for (let at = 0; at < count; at++) sum += x[places[at] + channel];
      y[position * channels + channel] = sum / count;
    }
  });
}

function averagePoolGradient(windows: WindowLayout, dy: Float32Array, dx: Float32Array): void {
  const { channels } = windows;
  forEachWindow(windows, (position, places, count) => {
    for (let channel = 0; channel < channels; channel++) {
      const share = dy[position * channels + channel] / count;
      for (let at = 0; at < count; at++) dx[places[at] + channel] += share;
    }
  });
}

/** On wasm maxima below 0 pass nothing on, average pooling counts padding in its gradient, and leaping 3-D windows are misplaced. */
export function installWasmPooling(tf: Tf): void {
  for (const [name, pool] of Object.entries({ MaxPool3D: maxPool, AvgPool3D: averagePool })) {
    installWasmKernel(tf, name, (composer, { inputs: { x }, attrs }) => {
      const info = poolInfo(tf, x.shape, attrs);
      const y = composer.zeros(info.outShape);
      pool(windowsIn(info), composer.values(x), composer.values(y));
      return y;
    });
  }
  for (const gradient of poolGradients(tf)) installWasmGradient(tf, gradient);
}

export function poolGradients(tf: Tf): PlainGradient[] {
  const windowsOf = (shape: number[], attrs: KernelCall['attrs']) => windowsIn(poolInfo(tf, shape, attrs));
  return ['', '3D'].flatMap((size): PlainGradient[] => [
    {
      name: `MaxPool${size}Grad`,
      input: 'input',
      add: (dy, dx, { from, attrs, x }) => maxPoolGradient(windowsOf(from, attrs), x(), dy, dx),
    },
    {
      name: `AvgPool${size}Grad`,
      input: 'input',
      add: (dy, dx, { from, attrs }) => averagePoolGradient(windowsOf(from, attrs), dy, dx),
    },
  ]);
}

function poolInfo({ backend_util: util }: Tf, shape: number[], attrs: KernelCall['attrs']): Info2D | Info3D {
  const { filterSize, strides, pad, dimRoundingMode } = attrs;
  const infoOf = shape.length === 5 ? util.computePool3DInfo : util.computePool2DInfo;
  return infoOf(shape as never, filterSize, strides, 1, pad, dimRoundingMode);
}
