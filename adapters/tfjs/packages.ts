import { absent, MissingPackageError } from '../../src/core/errors.js';

type PackageName =
  | '@tensorflow/tfjs'
  | '@tensorflow/tfjs-backend-wasm'
  | '@tensorflow/tfjs-backend-webgpu'
  | '@tensorflow/tfjs-node';

/** Loads one package. Replaceable, for bundlers that must see every import and for tests. */
export type Imports = Readonly<Record<PackageName, () => Promise<unknown>>>;

/** Imports by a name that no bundler can read, and so follow: the package may be missing, or not for browsers. */
const importHidden = (name: string) => import(/* @vite-ignore */ /* webpackIgnore: true */ name);

export const defaultImports: Imports = {
  '@tensorflow/tfjs': async () => {
    try {
      return await import('@tensorflow/tfjs');
    } catch (error) {
      return absent(error);
    }
  },
  '@tensorflow/tfjs-backend-wasm': async () => {
    try {
      return await import('@tensorflow/tfjs-backend-wasm');
    } catch (error) {
      return absent(error);
    }
  },
  '@tensorflow/tfjs-backend-webgpu': () => importHidden('@tensorflow/tfjs-backend-webgpu'),
  '@tensorflow/tfjs-node': () => {
    restoreNodeUtil();
    withoutOneDNN();
    return importHidden('@tensorflow/tfjs-node');
  },
};

export async function importPackage(imports: Imports, name: PackageName, purpose: string): Promise<unknown> {
  try {
    return await imports[name]();
  } catch (error) {
    throw new MissingPackageError(name, purpose, `npm install ${name}`, error);
  }
}

export async function tryPackage(imports: Imports, name: PackageName): Promise<boolean> {
  try {
    await importPackage(imports, name, 'tfjs');
    return true;
  } catch (error) {
    if (error instanceof MissingPackageError) return false;
    throw error;
  }
}

/**
 * Its kernels of oneDNN, which TensorFlow takes by itself where a processor has AVX512 VNNI, give wrong gradients towards the
 * input of convolutions in tfjs-node, and end the process for some shapes. Without them the numbers are those of all processors.
 */
function withoutOneDNN(): void {
  if (globalThis.process?.env) globalThis.process.env.TF_ENABLE_ONEDNN_OPTS ??= '0';
}

/** tfjs-node 4.22 calls two functions that Node 23 removed from `util`; without them its first operation throws. */
export function restoreNodeUtil(): void {
  const util = globalThis.process?.getBuiltinModule?.('node:util') as unknown as Record<string, unknown> | undefined;
  if (!util) return;
  util.isNullOrUndefined ??= (value: unknown) => value === null || value === undefined;
  util.isArray ??= Array.isArray;
}
