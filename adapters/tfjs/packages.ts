/** Optional packages, loaded on first use. */
import { withCleanup } from '../../src/core/cleanup.js';
import { MissingPackageError } from '../../src/core/errors.js';

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
  '@tensorflow/tfjs': () => import('@tensorflow/tfjs'),
  '@tensorflow/tfjs-backend-wasm': () => import('@tensorflow/tfjs-backend-wasm'),
  '@tensorflow/tfjs-backend-webgpu': () => importHidden('@tensorflow/tfjs-backend-webgpu'),
  '@tensorflow/tfjs-node': () => {
    restoreNodeUtil();
    return importHidden('@tensorflow/tfjs-node');
  },
};

/** Imports a package, or throws {@link MissingPackageError} with the command that installs it. */
export async function importPackage(imports: Imports, name: PackageName, purpose: string): Promise<unknown> {
  try {
    return await imports[name]();
  } catch (error) {
    throw new MissingPackageError(name, purpose, `npm install ${name}`, error);
  }
}

/** As {@link importPackage}, but false where the package cannot be loaded. */
export async function tryPackage(imports: Imports, name: PackageName): Promise<boolean> {
  try {
    await importPackage(imports, name, 'tfjs');
    return true;
  } catch (error) {
    if (error instanceof MissingPackageError) return false;
    throw error;
  }
}

/** tfjs-node 4.22 calls two functions that Node 23 removed from `util`; without them its first operation throws. */
export function restoreNodeUtil(): void {
  const util = globalThis.process?.getBuiltinModule?.('node:util') as unknown as Record<string, unknown> | undefined;
  if (!util) return;
  util.isNullOrUndefined ??= (value: unknown) => value === null || value === undefined;
  util.isArray ??= Array.isArray;
}

const UNCAUGHT = ['uncaughtException', 'unhandledRejection'];

/** The listeners of emscripten, which compiled the wasm backend, do nothing but throw again what they are given. */
const throwsAgain = (listener: unknown) => /\bthrow (ex|reason)\b/.test(String(listener));

/**
 * Starts an engine without what the wasm backend has Node do from then on: errors that nobody catches are thrown again
 * by it, so that Node shows a line of minified code first, and exits with another code. Listeners of the host stay.
 */
export async function withoutRethrowing<T>(start: () => Promise<T>): Promise<T> {
  const { process } = globalThis;
  if (typeof process?.rawListeners !== 'function') return start();
  const before = UNCAUGHT.map((event) => new Set(process.rawListeners(event)));
  return withCleanup(start, () => {
    for (const [at, event] of UNCAUGHT.entries()) {
      for (const listener of process.rawListeners(event)) {
        if (!before[at].has(listener) && throwsAgain(listener)) process.removeListener(event, listener as () => void);
      }
    }
  });
}
