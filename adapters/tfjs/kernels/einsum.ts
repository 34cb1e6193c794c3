/** `tf.einsum`: its gradient, which tfjs (4.22) lacks, and its kernels on cpu, where it is wrong, and wasm, which has none. */
import type { KernelConfig, Tensor, TensorInfo } from '@tensorflow/tfjs';
import type { Tf } from '../structures.js';
import { type Composer, installGradient, installKernel, installWasmKernel } from './install.js';

/** The gradient is an einsum of the output's gradient with the other tensor. */
export function installEinsumGradient(tf: Tf): void {
  installGradient(tf, 'Einsum', () => ({
    saveAllInputs: true,
    gradFunc(dy, saved, attrs) {
      const [left, output] = (attrs.equation as string).replace(/\s/g, '').split('->');
      const terms = left.split(',');
      const gradient = (at: number) => () => {
        const others = saved.filter((_, place) => place !== at);
        const from = [output, ...terms.filter((_, place) => place !== at)];
        return gradientOf(tf, saved[at].shape, terms[at], from, [dy as Tensor, ...others]);
      };
      return Object.fromEntries(saved.map((_, at) => [at, gradient(at)]));
    },
  }));
}

function gradientOf(tf: Tf, shape: number[], axes: string, from: string[], tensors: Tensor[]): Tensor {
  const isKnown = (axis: string) => from.some((other) => other.includes(axis));
  const known = [...axes].filter(isKnown).join('');
  const lone = loneAxes(from, known);
  const sums = tensors.map((tensor, at) => (lone[at].length > 0 ? tf.sum(tensor, lone[at]) : tensor));
  const terms = from.map((own, at) => without(own, lone[at]));
  const gradient = tf.einsum(`${terms.join(',')}->${known}`, ...sums);
  // An axis that this tensor alone had was summed over, so the gradient is the same all along it.
  const flat = shape.map((size, at) => (isKnown(axes[at]) ? size : 1));
  return tf.tile(
    tf.reshape(gradient, flat),
    shape.map((size, at) => size / flat[at]),
  );
}

/** Per term the places of the axes that it alone has: summed first, since the cpu and webgl backends (4.22) go wrong with them. */
const loneAxes = (terms: readonly string[], result: string): number[][] =>
  terms.map((own, at) =>
    [...own].flatMap((axis, place) =>
      [result, ...terms.toSpliced(at, 1)].some((other) => other.includes(axis)) ? [] : [place],
    ),
  );

const without = (term: string, places: readonly number[]): string =>
  [...term].filter((_, place) => !places.includes(place)).join('');

interface CpuBackend {
  disposeData(dataId: object): boolean;
}

/** The kernel of tfjs gives wrong numbers and shapes where axes that one tensor alone has are summed. */
export function installCpuEinsum(tf: Tf): void {
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

interface Term {
  readonly info: TensorInfo;
  readonly axes: string;
}

/** By products and sums that the backend has. As on the other backends: one or two tensors, no axis twice in one of them, no `...`. */
export function installWasmEinsum(tf: Tf): void {
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

function summed(composer: Composer, { info, axes }: Term, kept: string): Term {
  const places = [...axes].flatMap((axis, at) => (kept.includes(axis) ? [] : [at]));
  if (places.length === 0) return { info, axes };
  const sum = composer.run('Sum', { x: info }, { axis: places, keepDims: false });
  return { info: sum, axes: [...axes].filter((axis) => kept.includes(axis)).join('') };
}

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
