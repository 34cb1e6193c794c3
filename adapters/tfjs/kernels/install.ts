/** Puts kernels and gradients of our own in the place of wrong ones, or where there is none. */
import type { GradConfig, KernelConfig, NamedAttrMap, TensorInfo } from '@tensorflow/tfjs';
import { AdapterError, sentence } from '../../../src/core/errors.js';
import type { Tf } from '../structures.js';

type KernelFunc = KernelConfig['kernelFunc'];

const installed = new WeakSet<object>();

export function tfjsOf(library: object, owner: string): Tf {
  if (typeof (library as Tf | undefined)?.findBackendFactory === 'function') return library as Tf;
  const must = "be tfjs: import * as tf from '@tensorflow/tfjs'";
  throw new AdapterError(sentence(`The library of ${owner}`, must, library), { code: 'invalid_library' });
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
  // What stays of the one present is its set-up, which the original needs when the backend starts later.
  const kernel = { ...present, kernelName, backendName, kernelFunc: make(present?.kernelFunc) };
  installed.add(kernel);
  if (present) tf.unregisterKernel(kernelName, backendName); // registering over it would be a warning
  tf.registerKernel(kernel);
}

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

// Kernels made of others, on bare tensor infos: nothing of it is tracked by the engine, so it is released here.

export interface WasmBackend {
  makeOutput(shape: number[], dtype: string): TensorInfo;
  disposeData(dataId: object): boolean;
  /** Its `get` moves the data here when they are on another backend. */
  readonly dataIdMap: { get(dataId: object): unknown };
  /** A view of the tensor on the wasm heap; gone with the next allocation, which may move the heap. */
  typedArrayFromHeap(info: TensorInfo): Float32Array | Int32Array;
}

export interface Composer {
  run(name: string, inputs: Record<string, TensorInfo>, attrs?: NamedAttrMap): TensorInfo;
  reshape(x: TensorInfo, shape: number[]): TensorInfo;
  zeros(shape: number[], dtype?: string): TensorInfo;
  /** The numbers of a tensor where they are, as its dtype keeps them: ask again after every other call. */
  values(info: TensorInfo): Float32Array;
  /** Runs `work` with a composer of its own, and releases what that made. */
  within(work: (composer: Composer) => void): void;
}

export interface KernelCall {
  readonly inputs: Readonly<Record<string, TensorInfo>>;
  // biome-ignore lint/suspicious/noExplicitAny: each kernel has attributes of its own, which tfjs does not type
  readonly attrs: Readonly<Record<string, any>>;
  readonly original: (changes?: NamedAttrMap) => TensorInfo;
}

export function installWasmKernel(
  tf: Tf,
  name: string,
  work: (composer: Composer, call: KernelCall) => TensorInfo,
): void {
  installKernel(tf, name, 'wasm', (original) => ({ inputs, backend, attrs }) => {
    const call = {
      inputs: inputs as Record<string, TensorInfo>,
      attrs: attrs ?? {},
      original(changes?: NamedAttrMap) {
        if (!original) throw new Error(`The wasm backend has no kernel ${name} of its own.`);
        return original({ inputs, backend, attrs: { ...attrs, ...changes } as NamedAttrMap }) as TensorInfo;
      },
    };
    const wasm = backend as unknown as WasmBackend;
    // Data that come from another backend may make the heap grow, and views of it useless: so they come first.
    for (const input of Object.values(call.inputs)) if (input) wasm.dataIdMap.get(input.dataId); // some may be left out
    return compose(tf, wasm, (composer) => work(composer, call));
  });
}

/** A gradient on plain numbers: adds that of the output, `dy`, to zeros of the shape of the input, whose name is `input`. */
export interface PlainGradient {
  readonly name: string;
  readonly input: string;
  add(
    dy: Float32Array,
    dx: Float32Array,
    call: { from: number[]; to: number[]; attrs: KernelCall['attrs']; x: () => Float32Array },
  ): void;
}

export function installWasmGradient(tf: Tf, { name, input, add }: PlainGradient): void {
  installWasmKernel(tf, name, (composer, { inputs: { [input]: x, dy }, attrs }) => {
    const dx = composer.zeros(x.shape);
    const call = { from: x.shape, to: dy.shape, attrs, x: () => composer.values(x) };
    add(composer.values(dy), composer.values(dx), call);
    return dx;
  });
}

function compose<T>(tf: Tf, backend: WasmBackend, work: (composer: Composer) => T): T {
  const created: TensorInfo[] = [];
  const record = (info: TensorInfo) => {
    created.push(info);
    return info;
  };
  const composer: Composer = {
    run: (name, inputs, attrs = {}) =>
      record(tf.getKernel(name, 'wasm').kernelFunc({ inputs, backend, attrs }) as TensorInfo),
    reshape: (x, shape) => composer.run('Reshape', { x }, { shape }),
    zeros(shape, dtype = 'float32') {
      const info = record(backend.makeOutput(shape, dtype));
      composer.values(info).fill(0);
      return info;
    },
    values: (info) => backend.typedArrayFromHeap(info) as Float32Array,
    within: (inner) => compose(tf, backend, inner),
  };
  let result: T | undefined;
  try {
    result = work(composer);
    return result;
  } finally {
    // Each info holds one reference to its data, also where a kernel passed its input through.
    for (const info of created) if (info !== result) backend.disposeData(info.dataId);
  }
}
