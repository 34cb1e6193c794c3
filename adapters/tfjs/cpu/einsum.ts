/** `tf.einsum` on cpu (4.22), whose numbers and shape are wrong where axes that one tensor alone has are summed. */
import type { KernelConfig, TensorInfo } from '@tensorflow/tfjs';
import { loneAxes, without } from '../gradients/einsum.js';
import { installKernel } from '../kernels.js';
import type { Tf } from '../structures.js';

interface CpuBackend {
  disposeData(dataId: object): boolean;
}

/** Installs a kernel that sums over such axes first, and leaves the rest to that of tfjs. */
export function installEinsum(tf: Tf): void {
  installKernel(tf, 'Einsum', 'cpu', (original) => ({ inputs, backend, attrs }) => {
    const einsum = original as KernelConfig['kernelFunc'];
    const [left, output = ''] = String(attrs?.equation).replace(/\s/g, '').split('->');
    const terms = left.split(',');
    const lone = loneAxes(terms, output);
    const tensors = Object.values(inputs) as TensorInfo[];
    const isPair = terms.length === 2 && tensors.length === 2;
    if (!isPair || lone.flat().length === 0) return einsum({ inputs, backend, attrs });
    const { kernelFunc: sum } = tf.getKernel('Sum', 'cpu');
    const sums = tensors.map((x, at) =>
      lone[at].length > 0
        ? (sum({ inputs: { x }, backend, attrs: { axis: lone[at], keepDims: false } }) as TensorInfo)
        : x,
    );
    const equation = `${terms.map((term, at) => without(term, lone[at])).join(',')}->${output}`;
    const result = einsum({ inputs: sums as never, backend, attrs: { equation } });
    const cpu = backend as CpuBackend;
    for (const [at, { dataId }] of sums.entries()) if (lone[at].length > 0) cpu.disposeData(dataId);
    return result;
  });
}
