/** `tf.einsum`, which the wasm backend (4.22) lacks, by products and sums that it has. */
import type { TensorInfo } from '@tensorflow/tfjs';
import type { Tf } from '../structures.js';
import { type Composer, installWasmKernel } from './compose.js';

interface Term {
  readonly info: TensorInfo;
  readonly axes: string;
}

/** Installs the kernel. As on the other backends: one or two tensors, no axis twice in one of them, no `...`. */
export function installEinsum(tf: Tf): void {
  installWasmKernel(tf, 'Einsum', (composer, { inputs, attrs }) => {
    const equation: string = attrs.equation;
    const tensors = Object.values(inputs);
    // refuses what cannot be done, in the words of the other backends
    const { allDims, idDims } = tf.backend_util.decodeEinsumEquation(equation, tensors.length);
    tf.backend_util.checkEinsumDimSizes(allDims.length, idDims, tensors as never);
    const [left, output] = equation.replace(/\s/g, '').split('->');
    const terms = left.split(',').map((axes, at) => ({ info: tensors[at], axes }));
    const result = terms.length === 2 ? product(composer, terms, output) : summed(composer, terms[0], output);
    return arranged(composer, result, output).info;
  });
}

/** The sum over all axes that are not in `kept`. */
function summed(composer: Composer, { info, axes }: Term, kept: string): Term {
  const gone = [...axes].flatMap((axis, at) => (kept.includes(axis) ? [] : [at]));
  if (gone.length === 0) return { info, axes };
  const sum = composer.run('Sum', { x: info }, { axis: gone, keepDims: false });
  return { info: sum, axes: [...axes].filter((axis) => kept.includes(axis)).join('') };
}

/** The tensor with its axes in the order of `order`. */
function arranged(composer: Composer, { info, axes }: Term, order: string): Term {
  const perm = [...order].map((axis) => axes.indexOf(axis));
  return { info: composer.run('Transpose', { x: info }, { perm }), axes: order };
}

/** One matrix product for every combination of the axes that both have and the output keeps. */
function product(composer: Composer, [first, second]: Term[], output: string): Term {
  const a = summed(composer, first, second.axes + output);
  const b = summed(composer, second, first.axes + output);
  const shared = [...a.axes].filter((axis) => b.axes.includes(axis));
  const batch = shared.filter((axis) => output.includes(axis)).join('');
  const inner = shared.filter((axis) => !output.includes(axis)).join('');
  const rows = [...a.axes].filter((axis) => !b.axes.includes(axis)).join('');
  const columns = [...b.axes].filter((axis) => !a.axes.includes(axis)).join('');

  const sizes = new Map<string, number>();
  for (const { info, axes } of [a, b]) for (const [at, axis] of [...axes].entries()) sizes.set(axis, info.shape[at]);
  const extents = (axes: string) => [...axes].map((axis) => sizes.get(axis) as number);
  const size = (axes: string) => extents(axes).reduce((total, extent) => total * extent, 1);
  const matrices = (term: Term, height: string, width: string) =>
    composer.reshape(arranged(composer, term, batch + height + width).info, [size(batch), size(height), size(width)]);

  const matrix = composer.run(
    'BatchMatMul',
    { a: matrices(a, rows, inner), b: matrices(b, inner, columns) },
    { transposeA: false, transposeB: false },
  );
  const axes = batch + rows + columns;
  return { info: composer.reshape(matrix, extents(axes)), axes };
}
