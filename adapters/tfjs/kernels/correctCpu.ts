import type { TensorInfo } from '@tensorflow/tfjs';
import { installCpuEinsum } from './einsum.js';
import { installKernel, tfjsOf } from './install.js';
import { resizeGradients } from './resizing.js';
import { poolGradients } from './windows.js';

interface CpuBackend {
  readonly data: { get(dataId: object): { values: Float32Array } };
  makeTensorInfo(shape: number[], dtype: string, values: Float32Array): TensorInfo;
}

/**
 * Gives the cpu backend (4.22) right gradients where it has wrong ones: of resized images (up-sampling), for every image of a
 * batch but the first; of average pooling, where padding cuts a window; of 3-D max pooling, where windows that are no cubes
 * overlap. And a right `tf.einsum`. May be called again.
 *
 * @param library tfjs: `import * as tf from '@tensorflow/tfjs'`
 * @throws {AdapterError} when `library` is something else
 */
export function correctCpu(library: object): void {
  const tf = tfjsOf(library, 'correctCpu');
  installCpuEinsum(tf);
  const pooling = poolGradients(tf).filter(({ name }) => name !== 'MaxPoolGrad'); // which is right
  for (const { name, input, add } of [...resizeGradients(), ...pooling]) {
    installKernel(tf, name, 'cpu', () => ({ inputs, backend, attrs = {} }) => {
      const cpu = backend as unknown as CpuBackend;
      const [{ shape: from, dataId }, dy] = [inputs[input], inputs.dy] as TensorInfo[];
      const dx = new Float32Array(tf.util.sizeFromShape(from));
      const values = (id: object) => cpu.data.get(id).values;
      add(values(dy.dataId), dx, { from, to: dy.shape, attrs, x: () => values(dataId) });
      return cpu.makeTensorInfo(from, 'float32', dx);
    });
  }
}
