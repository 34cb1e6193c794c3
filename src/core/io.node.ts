/** The platform behind `#io` in Node; io.default.ts is its twin with the same signatures. */
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs/promises';

import { CVKitError, messageOf, phrase, sentence } from './errors.js';
import type { Files, Sha256, Terminal, WorkScope } from './io.js';

/**
 * The text of a file, as UTF-8. `path` is resolved against the working directory.
 *
 * Throws {@link CVKitError} with code `unreadable_file` when it cannot be read, and the signal's reason once aborted.
 */
export async function readText(path: string, signal?: AbortSignal): Promise<string> {
  try {
    return await fs.readFile(path, { encoding: 'utf8', signal });
  } catch (cause) {
    signal?.throwIfAborted();
    const message = sentence('`path`', 'name a file that can be read', phrase(messageOf(cause)));
    throw new CVKitError(message, { code: 'unreadable_file', cause });
  }
}

/** Standard error, so that standard output stays free for results. */
export const terminal: Terminal = {
  get isTTY() {
    return process.stderr.isTTY === true;
  },
  get columns() {
    return process.stderr.columns ?? 80;
  },
  write(text) {
    process.stderr.write(text);
  },
};

/** What runs this code, with its version. */
export const runtime: string = `node ${process.versions.node}`;

/** The file system. */
export const files: Files | undefined = fs;

/** Whether a {@link WorkScope} tells pieces of work apart that go on at once. */
export const tellsWorkApart: boolean = true;

/** A new scope. */
export function workScope<T>(): WorkScope<T> {
  const storage = new AsyncLocalStorage<T>();
  return { run: (value, work) => storage.run(value, work), get: () => storage.getStore() };
}

/** A new hash: five to ten times as fast as in JavaScript. */
export async function sha256(): Promise<Sha256> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
}
