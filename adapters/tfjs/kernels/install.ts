/** Puts kernels and gradients of our own in the place of wrong ones, or where there is none. */
import type { GradConfig, KernelConfig } from '@tensorflow/tfjs';
import { AdapterError, sentence } from '../../../src/core/errors.js';
import type { Tf } from '../structures.js';

type KernelFunc = KernelConfig['kernelFunc'];

const installed = new WeakSet<object>();

/** The library that a caller gave to `owner`. Throws {@link AdapterError} for anything else. */
export function tfjsOf(library: object, owner: string): Tf {
  if (typeof (library as Tf | undefined)?.findBackendFactory === 'function') return library as Tf;
  throw new AdapterError(
    sentence(`The library of ${owner}`, "be tfjs: import * as tf from '@tensorflow/tfjs'", library),
    { code: 'invalid_library' },
  );
}

/** Registers the kernel that `make` gives, once. `make` gets tfjs's own kernel for the cases in which that is right. */
export function installKernel(
  tf: Tf,
  kernelName: string,
  backendName: string,
  make: (original: KernelFunc | undefined) => KernelFunc,
): void {
  const present = tf.getKernel(kernelName, backendName) as KernelConfig | undefined;
  if (present && installed.has(present)) return;
  // What is left of the one present is its set-up, which the original needs when the backend starts later.
  const kernel = { ...present, kernelName, backendName, kernelFunc: make(present?.kernelFunc) };
  installed.add(kernel);
  if (present) tf.unregisterKernel(kernelName, backendName); // registering over it would be a warning
  tf.registerKernel(kernel);
}

/** Registers the gradient that `make` gives, once. `make` gets tfjs's own, if there is one. */
export function installGradient(
  tf: Tf,
  kernelName: string,
  make: (original: GradConfig | undefined) => Omit<GradConfig, 'kernelName'>,
): void {
  const present = tf.getGradient(kernelName) as GradConfig | undefined;
  if (present && installed.has(present)) return;
  const gradient = { ...make(present), kernelName };
  installed.add(gradient);
  if (present) tf.unregisterGradient(kernelName);
  tf.registerGradient(gradient);
}
