import { CVKitError, messageOf, phrase, sentence } from './errors.js';
import type { Files, Sha256, Terminal, WorkScope } from './io.js';

export async function readText(path: string | URL, signal?: AbortSignal): Promise<string> {
  return new TextDecoder().decode(await readBytes(path, signal));
}

/** The bytes behind a URL; throws CVKitError 'unreadable_file', or the reason of `signal`. */
export async function readBytes(path: string | URL, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await fetch(path, { signal: signal ?? null });
    if (!response.ok) throw new Error(`status ${response.status} from ${path}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    signal?.throwIfAborted();
    const message = sentence('`path`', 'be a URL that can be fetched', phrase(messageOf(cause)));
    throw new CVKitError(message, { code: 'unreadable_file', cause });
  }
}

/** The console: whole lines only, none drawn twice. */
export const terminal: Terminal = {
  isTTY: false,
  columns: 80,
  write(text) {
    const line = text.replace(/\n$/, '');
    if (line !== '') console.error(line);
  },
};

export const runtime: string = globalThis.navigator?.userAgent ?? 'unknown';

export const files: Files | undefined = undefined;

export const hasAsyncContext: boolean = false;

export function workScope<T>(): WorkScope<T> {
  const begun: { readonly value: T }[] = [];
  return {
    run(value, work) {
      const entry = { value };
      begun.push(entry);
      const leave = () => {
        const place = begun.indexOf(entry);
        if (place >= 0) begun.splice(place);
      };
      let result: ReturnType<typeof work>;
      try {
        result = work();
      } catch (error) {
        leave();
        throw error;
      }
      if (result instanceof Promise) return result.finally(leave) as typeof result;
      leave();
      return result;
    },
    get: () => begun.at(-1)?.value,
  };
}

/** A new hash. Web Crypto would need all bytes at once; the package loads when it is first needed. */
export async function sha256(): Promise<Sha256> {
  const { sha256: algorithm } = await import('@noble/hashes/sha2.js');
  const hash = algorithm.create();
  return {
    update: (bytes) => void hash.update(bytes),
    digest: () => Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}

export async function openedFile(_path: string | URL): Promise<{ handle: number; size: number }> {
  throw new Error('no file system');
}
export const lockMark = (): string => '';
export function isGone(_mark: string): boolean {
  return false;
}

export function cacheHome(): string | undefined {
  return undefined;
}
