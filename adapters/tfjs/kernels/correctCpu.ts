/** Corrects the cpu backend of tfjs. */
import type { NamedAttrMap, TensorInfo } from '@tensorflow/tfjs';
import type { Tf } from '../structures.js';
import { installCpuEinsum } from './einsum.js';
import { installKernel, tfjsOf } from './install.js';
import { bilinearGradient, nearestGradient } from './resizing.js';
import { averagePoolGradient, maxPoolGradient, windows2d, windows3d } from './windows.js';

interface CpuBackend {
  readonly data: { get(dataId: object): { values: Float32Array } };
  makeTensorInfo(shape: number[], dtype: string, values: Float32Array): TensorInfo;
}

// biome-ignore lint/suspicious/noExplicitAny: each kernel has attributes of its own, which tfjs does not type
type Attrs = Readonly<Record<string, any>>;

/**
 * Gives the cpu backend (4.22) right gradients where it has wrong ones: of resized images (up-sampling), for every image of a
 * batch but the first; of average pooling, where padding cuts a window; of 3-D max pooling, where windows that are no cubes
 * overlap. And a right `tf.einsum`. May be called again.
 *
 * @param library tfjs: `import * as tf from '@tensorflow/tfjs'`
 * @throws {@link AdapterError} when `library` is something else
 */
export function correctCpu(library: object): void {
  const tf = tfjsOf(library, 'correctCpu');
  const { computePool2DInfo, computePool3DInfo } = tf.backend_util;
  installCpuEinsum(tf);
  install(tf, 'ResizeNearestNeighborGrad', 'images', (dy, dx, attrs, from, to) =>
    nearestGradient(resizing(from, to, attrs), dy, dx),
  );
  install(tf, 'ResizeBilinearGrad', 'images', (dy, dx, attrs, from, to) =>
    bilinearGradient(resizing(from, to, attrs), dy, dx),
  );
  install(tf, 'AvgPoolGrad', 'input', (dy, dx, { filterSize, strides, pad }, from) =>
    averagePoolGradient(windows2d(computePool2DInfo(from as never, filterSize, strides, 1, pad)), dy, dx),
  );
  install(tf, 'AvgPool3DGrad', 'input', (dy, dx, { filterSize, strides, pad, dimRoundingMode }, from) => {
    const info = computePool3DInfo(from as never, filterSize, strides, 1, pad, dimRoundingMode);
    averagePoolGradient(windows3d(info), dy, dx);
  });
  install(tf, 'MaxPool3DGrad', 'input', (dy, dx, { filterSize, strides, pad, dimRoundingMode }, from, _, x) => {
    const info = computePool3DInfo(from as never, filterSize, strides, 1, pad, dimRoundingMode);
    maxPoolGradient(windows3d(info), x(), dy, dx);
  });
}

/** Installs the gradient of a kernel whose input has the name `input`; `work` adds it to zeros of the input's shape. */
function install(
  tf: Tf,
  name: string,
  input: string,
  work: (dy: Float32Array, dx: Float32Array, attrs: Attrs, from: number[], to: number[], x: () => Float32Array) => void,
): void {
  installKernel(tf, name, 'cpu', () => ({ inputs, backend, attrs }) => {
    const cpu = backend as unknown as CpuBackend;
    const [{ shape, dataId }, dy] = [inputs[input], inputs.dy] as TensorInfo[];
    const dx = new Float32Array(tf.util.sizeFromShape(shape));
    const values = (id: object) => cpu.data.get(id).values;
    work(values(dy.dataId), dx, attrs as NamedAttrMap, shape, dy.shape, () => values(dataId));
    return cpu.makeTensorInfo(shape, 'float32', dx);
  });
}

const resizing = (from: number[], to: number[], { alignCorners, halfPixelCenters }: Attrs) => ({
  from,
  to,
  alignCorners: Boolean(alignCorners),
  halfPixelCenters: Boolean(halfPixelCenters),
});
