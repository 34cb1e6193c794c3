import { AdapterError, absent, MissingPackageError, messageOf, phrase, sentence } from '../../src/core/errors.js';

export interface OrtTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint | string>;
}

export interface OrtMetadata {
  readonly name: string;
  readonly isTensor: boolean;
  readonly type?: string;
  readonly shape?: readonly (number | string)[];
}

export interface OrtSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly OrtMetadata[];
  readonly outputMetadata: readonly OrtMetadata[];
  run(feeds: Record<string, OrtTensor>, fetches?: readonly string[]): Promise<Record<string, OrtTensor>>;
  release(): Promise<void>;
}

export interface Ort {
  readonly InferenceSession: {
    create(model: string | Uint8Array, options?: Readonly<Record<string, unknown>>): Promise<OrtSession>;
  };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => OrtTensor;
  readonly env: { readonly versions?: Readonly<Record<string, string | undefined>> };
}

type PackageName = 'onnxruntime-node' | 'onnxruntime-web';

export type OnnxImports = Readonly<Record<PackageName, () => Promise<unknown>>>;

/** Imports by a name that bundlers for browsers cannot read, and so follow: the package is for Node. */
const importHidden = (name: string) => import(/* @vite-ignore */ /* webpackIgnore: true */ name);

export const runtimeImports: OnnxImports = {
  'onnxruntime-node': () => importHidden('onnxruntime-node'),
  'onnxruntime-web': async () => {
    try {
      return await import('onnxruntime-web');
    } catch (error) {
      return absent(error);
    }
  },
};

export interface Runtime {
  readonly ort: Ort;
  /** Facts for the manifest: `{ backend: 'onnxruntime-node 1.30.0' }`, and why, where another one was tried. */
  readonly info: Readonly<Record<string, string>>;
}

/** Which library: that for Node, that for browsers (WebAssembly), or the first that loads. */
export type RuntimeName = 'auto' | 'node' | 'web';

/** `auto` takes onnxruntime-node in Node, and onnxruntime-web elsewhere or where the first has no binary for the platform. */
export async function openRuntime(name: RuntimeName, imports: OnnxImports = runtimeImports): Promise<Runtime> {
  const isNode = typeof globalThis.process?.versions?.node === 'string';
  if (name === 'web' || (name === 'auto' && !isNode)) return load(imports, 'onnxruntime-web');
  try {
    return await load(imports, 'onnxruntime-node');
  } catch (missing) {
    if (name === 'node' || !(missing instanceof MissingPackageError)) throw missing;
    const found = await load(imports, 'onnxruntime-web').catch((error) => {
      throw error instanceof MissingPackageError ? missing : error;
    });
    const backendReason = `onnxruntime-node could not be loaded: ${messageOf(missing.cause)}`;
    return { ...found, info: { ...found.info, backendReason } };
  }
}

const INSTALL: Readonly<Record<PackageName, string>> = {
  // Its install script downloads CUDA, which fails behind a firewall and is not needed.
  'onnxruntime-node': 'ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node',
  'onnxruntime-web': 'npm install onnxruntime-web',
};

async function load(imports: OnnxImports, name: PackageName): Promise<Runtime> {
  const module = await imports[name]().catch((error) => {
    throw new MissingPackageError(name, 'Computing an ONNX model', INSTALL[name], error);
  });
  return runtimeOf(module, name);
}

export function runtimeOf(namespace: unknown, name = 'the runtime that was given'): Runtime {
  const known = (namespace ?? {}) as Partial<Ort> & { readonly default?: Partial<Ort> };
  const ort = known.InferenceSession ? known : known.default;
  if (!ort?.InferenceSession || !ort.Tensor) {
    const must = "be onnxruntime-node or onnxruntime-web, as import * as ort from '...' gives it";
    throw new AdapterError(sentence('The `ort` option', must, phrase('something else')), { code: 'invalid_runtime' });
  }
  const { node, web, common } = ort.env?.versions ?? {};
  const version = node ?? web ?? common ?? 'of unknown version';
  const called = node ? 'onnxruntime-node' : web ? 'onnxruntime-web' : name;
  return { ort: ort as Ort, info: { backend: `${called} ${version}` } };
}
