/**
 * The kernel that the wasm backend lacks to train convolutions: the gradient of conv2d with respect to its filter.
 *
 * The gradient is itself a convolution: `dFilter[kh, kw, ci, co]` is the sum over batch and output positions of
 * `x[b, oh * stride + kh - top, ow * stride + kw - left, ci] * dy[b, oh, ow, co]`. So `x` with batch and channels
 * swapped is convolved with `dy` as its filter, dilated by the stride, and the kernels that wasm has do the work.
 *
 * Source: Dumoulin & Visin 2016, A guide to convolution arithmetic for deep learning (arXiv:1603.07285), section 4.
 */
import type { KernelConfig, NamedAttrMap, TensorInfo } from '@tensorflow/tfjs';
import type { Tf } from '../structures.js';

const NAME = 'Conv2DBackpropFilter';

/** Registers the kernel unless the wasm backend has it. */
export function registerConv2dBackpropFilter(tf: Tf): void {
  if (!tf.getKernel(NAME, 'wasm')) tf.registerKernel(conv2dBackpropFilter(tf));
}

type Pad = 'same' | 'valid' | number | [[number, number], [number, number], [number, number], [number, number]];

function conv2dBackpropFilter(tf: Tf): KernelConfig {
  return {
    kernelName: NAME,
    backendName: 'wasm',
    kernelFunc({ inputs, backend, attrs }) {
      const { x, dy } = inputs as { x: TensorInfo; dy: TensorInfo };
      const wasm = backend as unknown as WasmBackend;
      const filterShape = attrs?.filterShape as [number, number, number, number];
      const dilations = 1; // tfjs has no gradient of dilated convolutions at all
      const info = tf.backend_util.computeConv2DInfo(
        x.shape as [number, number, number, number],
        filterShape,
        attrs?.strides as [number, number],
        dilations,
        attrs?.pad as Pad,
        attrs?.dimRoundingMode as 'floor' | 'round' | 'ceil' | undefined,
        false,
        tf.backend_util.convertConv2DDataFormat(attrs?.dataFormat as 'NHWC' | 'NCHW'),
      );
      if (info.dataFormat !== 'channelsLast') {
        throw new Error(`wasm backend ${NAME} does not support dataFormat '${info.dataFormat}'.`);
      }
      const run = kernelsOf(tf, wasm);
      const rows = span(info.inHeight, info.padInfo.top, info.filterHeight, info.outHeight, info.strideHeight);
      const columns = span(info.inWidth, info.padInfo.left, info.filterWidth, info.outWidth, info.strideWidth);
      const image = run('Transpose', { x }, { perm: [3, 1, 2, 0] });
      const filter = run('Transpose', { x: dy }, { perm: [1, 2, 0, 3] });
      const full = run(
        'Conv2D',
        { x: image, filter },
        {
          strides: [1, 1],
          dilations: [info.strideHeight, info.strideWidth],
          pad: [[0, 0], rows.pad, columns.pad, [0, 0]],
          dataFormat: 'NHWC',
        },
      );
      // Rows and columns that no stride reached give positions beyond the filter.
      const size = [info.inChannels, info.filterHeight, info.filterWidth, info.outChannels];
      const cut = run('Slice', { x: full }, { begin: [0, 0, 0, 0], size });
      const gradient = run('Transpose', { x: cut }, { perm: [1, 2, 0, 3] });
      // Each of these holds one reference to its data, also where a kernel passed its input through.
      for (const { dataId } of [image, filter, full, cut]) wasm.disposeData(dataId);
      return gradient;
    },
  };
}

/** Padding along one axis so that the dilated convolution gives at least `filterSize` positions. */
function span(inSize: number, before: number, filterSize: number, outSize: number, stride: number) {
  const reached = (outSize - 1) * stride + filterSize;
  return { pad: [before, Math.max(0, reached - inSize - before)] };
}

type WasmBackend = { disposeData(dataId: object): boolean };
type Run = (name: string, inputs: Record<string, TensorInfo>, attrs: NamedAttrMap) => TensorInfo;

/** Runs registered kernels on bare tensor infos: nothing of it is tracked by the engine. */
function kernelsOf(tf: Tf, backend: WasmBackend): Run {
  return (name, inputs, attrs) => {
    const kernel = tf.getKernel(name, 'wasm');
    return kernel.kernelFunc({ inputs, backend, attrs }) as TensorInfo;
  };
}
