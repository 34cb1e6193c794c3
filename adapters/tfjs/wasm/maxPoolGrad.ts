/**
 * A right gradient of 2-D max pooling for the wasm backend. The one it comes with (4.22) looks for a maximum above 0,
 * so a window whose maximum is not positive passes no gradient back: pooling after anything but a ReLU trains wrongly,
 * without a sign. This one gives each window's gradient to its first maximum, as the cpu backend does.
 */
import type { KernelConfig, TensorInfo } from '@tensorflow/tfjs';
import type { Tf } from '../structures.js';

const NAME = 'MaxPoolGrad';
const ours = new WeakSet<object>();

/** Puts the right kernel in the place of the wrong one. */
export function replaceMaxPoolGrad(tf: Tf): void {
  const present = tf.getKernel(NAME, 'wasm');
  if (present && ours.has(present)) return;
  const kernel = maxPoolGrad(tf);
  ours.add(kernel);
  if (present) tf.unregisterKernel(NAME, 'wasm');
  tf.registerKernel(kernel);
}

interface WasmBackend {
  makeOutput(shape: number[], dtype: string): TensorInfo;
  /** A view of the tensor on the wasm heap; valid until the next allocation. */
  typedArrayFromHeap(info: TensorInfo): Float32Array;
}

function maxPoolGrad(tf: Tf): KernelConfig {
  return {
    kernelName: NAME,
    backendName: 'wasm',
    kernelFunc({ inputs, backend, attrs }) {
      const wasm = backend as unknown as WasmBackend;
      const { input, dy } = inputs as { input: TensorInfo; dy: TensorInfo };
      const info = tf.backend_util.computePool2DInfo(
        input.shape as [number, number, number, number],
        attrs?.filterSize as [number, number],
        attrs?.strides as [number, number],
        1,
        attrs?.pad as 'same' | 'valid' | number,
        attrs?.dimRoundingMode as 'floor' | 'round' | 'ceil' | undefined,
      );
      const dx = wasm.makeOutput(input.shape, input.dtype);
      scatterToMaxima(
        info,
        wasm.typedArrayFromHeap(input),
        wasm.typedArrayFromHeap(dy),
        wasm.typedArrayFromHeap(dx).fill(0),
      );
      return dx;
    },
  };
}

type PoolInfo = ReturnType<Tf['backend_util']['computePool2DInfo']>;

function scatterToMaxima(info: PoolInfo, x: Float32Array, dy: Float32Array, dx: Float32Array): void {
  const { batchSize, inHeight, inWidth, inChannels: channels, outHeight, outWidth, padInfo } = info;
  let at = 0;
  for (let batch = 0; batch < batchSize; batch++) {
    for (let outRow = 0; outRow < outHeight; outRow++) {
      const top = outRow * info.strideHeight - padInfo.top;
      const [rowFrom, rowEnd] = [Math.max(0, top), Math.min(inHeight, top + info.filterHeight)];
      for (let outColumn = 0; outColumn < outWidth; outColumn++) {
        const left = outColumn * info.strideWidth - padInfo.left;
        const [columnFrom, columnEnd] = [Math.max(0, left), Math.min(inWidth, left + info.filterWidth)];
        for (let channel = 0; channel < channels; channel++) {
          let maximum = Number.NEGATIVE_INFINITY;
          let place = -1;
          for (let row = rowFrom; row < rowEnd; row++) {
            let from = ((batch * inHeight + row) * inWidth + columnFrom) * channels + channel;
            for (let column = columnFrom; column < columnEnd; column++, from += channels) {
              if (x[from] > maximum) [maximum, place] = [x[from], from];
            }
          }
          if (place >= 0) dx[place] += dy[at];
          at++;
        }
      }
    }
  }
}
