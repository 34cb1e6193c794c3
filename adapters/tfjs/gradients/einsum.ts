/** The gradient of `tf.einsum`, which tfjs (4.22) lacks: an einsum of the output's gradient with the other tensor. */
import type { Tensor } from '@tensorflow/tfjs';
import { installGradient } from '../kernels.js';
import type { Tf } from '../structures.js';

/** Installs it. */
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

/** The gradient of a tensor of `shape` with `axes`, by tensors whose axes are `from`. */
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

/**
 * Per term the places of the axes that it alone has and the result has not. The cpu and webgl backends (4.22) go wrong
 * where two tensors have such axes or one has them first; so they are summed over before.
 */
export const loneAxes = (terms: readonly string[], result: string): number[][] =>
  terms.map((own, at) =>
    [...own].flatMap((axis, place) =>
      [result, ...terms.toSpliced(at, 1)].some((other) => other.includes(axis)) ? [] : [place],
    ),
  );

/** A term without the axes at `places`. */
export const without = (term: string, places: readonly number[]): string =>
  [...term].filter((_, place) => !places.includes(place)).join('');
