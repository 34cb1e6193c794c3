import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, constants, fstatSync, open, readFile, readFileSync, readlinkSync } from 'node:fs';
import fs from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { CVKitError, messageOf, phrase, sentence } from './errors.js';
import type { Files, Sha256, Terminal, WorkScope } from './io.js';

export async function readText(path: string | URL, signal?: AbortSignal): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readBytes(path, signal));
}

/** The bytes of a file, named by a path or a `file:` URL; throws {@link CVKitError} 'unreadable_file', or the reason of `signal`. */
export async function readBytes(path: string | URL, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const refuse = (got: string, way?: string, cause?: unknown) => {
    const must = 'name a file that can be read';
    return new CVKitError(sentence('`path`', must, phrase(got), way), { code: 'unreadable_file', cause });
  };
  const scheme = /^(https?|file):(?=\/)/i.exec(String(path))?.[1].toLowerCase();
  if (scheme?.startsWith('http')) {
    throw refuse(`an address on the web (${scheme}:)`, 'Download it, and give the place of the file.');
  }
  try {
    const { handle } = await openedFile(scheme === 'file' ? new URL(path) : path);
    try {
      signal?.throwIfAborted();
      return (await promisify(readFile)(handle, { signal } as object)) as Uint8Array<ArrayBuffer>;
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw refuse(messageOf(cause), undefined, cause);
  }
}

/** Opens a file for reading; the caller closes it. What is no file is an error: nobody waits for the other end of a pipe. */
export async function openedFile(path: string | URL): Promise<{ handle: number; size: number }> {
  const handle = await promisify(open)(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  // To ask what is open, and to close it, waits for nothing: a thread for it would take longer.
  const facts = fstatSync(handle);
  if (facts.isFile()) return { handle, size: facts.size };
  closeSync(handle);
  throw new Error(facts.isDirectory() ? 'a folder' : 'a pipe or a device, which has no size');
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

export const runtime: string = `node ${process.versions.node}`;

export const files: Files | undefined = fs;

/** Whether a {@link WorkScope} tells pieces of work that go on at once from each other. */
export const hasAsyncContext: boolean = true;

export function workScope<T>(): WorkScope<T> {
  const storage = new AsyncLocalStorage<T>();
  return { run: (value, work) => storage.run(value, work), get: () => storage.getStore() };
}

export async function sha256(): Promise<Sha256> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
}

/** Who made a lock: the machine since its start, with its own numbers of processes (containers), the process, and its start. */
export const lockMark = (): string => `${machine()}\n${process.pid}\n${beganAt(process.pid)}`;

export function isGone(mark: string): boolean {
  const [where, pid, began] = mark.split('\n');
  if (!(Number(pid) > 0) || where !== machine()) return false;
  try {
    // A later process may have the number of one that has ended.
    return !process.kill(Number(pid), 0) || (/^\d+$/.test(began) && began !== beganAt(Number(pid)));
  } catch (error) {
    return (error as { code?: unknown }).code === 'ESRCH';
  }
}

/** Clock ticks from the start of the machine to that of the process; empty where the system does not tell. */
function beganAt(pid: number): string {
  if (process.platform !== 'linux') return '';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(String((error as { code?: unknown }).code))) return '';
    throw error;
  }
}

function machine(): string {
  if (process.platform !== 'linux') return hostname();
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** Where programs of this user keep what they can download again; undefined for a user without a home folder. */
export function cacheHome(): string | undefined {
  const { XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local = '' } = process.env;
  // The XDG specification has relative paths ignored.
  if (isAbsolute(xdg)) return xdg;
  if (process.platform === 'win32' && isAbsolute(local)) return local;
  const home = homeFolder();
  // `HOME` may be empty, and what is relative would lie in the working directory.
  if (!isAbsolute(home)) return undefined;
  if (process.platform === 'win32') return join(home, 'AppData', 'Local');
  return process.platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
}

/** Empty for a user that neither the environment nor the system has a home folder of, as in some containers. */
function homeFolder(): string {
  try {
    return homedir();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SYSTEM_ERROR') return '';
    throw error;
  }
}
