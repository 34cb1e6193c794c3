/**
 * The half file of a download, on the disk: `<file>.<id>.part`. Its first two lines are the address and what the server
 * calls this version; the bytes follow. Each download writes to a file of its own, so that two at once cannot mix; who goes
 * on with what another left takes it by renaming it, which succeeds for one alone.
 */
import type { Files, OpenFile } from '../core/io.js';
import { freshSeed } from '../core/random.js';
import type { Half } from './fetchBytes.js';
import { MOST_STALL, MOST_TIME } from './sourceOptions.js';

/** A half file that nobody has written to for this time, in milliseconds, was left by a program that ended: none waits so long. */
const LEFT_BEHIND = 2000 * MOST_STALL;
/** One of this age, in milliseconds, is of no use either: no download lasts so long. */
const FORGOTTEN = 1000 * MOST_TIME;

export class PartFile implements Half {
  readonly #files: Files;
  /** The whole file, in the end. */
  readonly #target: string;
  readonly #url: string;
  readonly #own: string;
  #file: OpenFile | undefined;
  /** Bytes of the file that are on the disk. */
  #length = 0;
  bytes: Uint8Array = new Uint8Array(0);
  validator: string | undefined;

  private constructor(files: Files, target: string, url: string) {
    this.#files = files;
    this.#target = target;
    this.#url = url;
    this.#own = `${target}.${freshSeed()}.part`;
  }

  /** Takes what an earlier try left of this address, if there is something, and removes what was left long ago beside it. */
  static async claim(files: Files, target: string, url: string): Promise<PartFile> {
    const part = new PartFile(files, target, url);
    const old = `${target}.${freshSeed()}.part`;
    let isTaken = false;
    for (const left of await leftOf(files, target)) {
      if (!isTaken) isTaken = await taken(files, left.path, old);
      else if (left.age > FORGOTTEN) await files.rm(left.path, { force: true });
    }
    const bytes = isTaken ? await part.#leftIn(old) : undefined;
    // A new file: one of that name, or a link, may have been put there to write through it. It is of now, so that nobody takes it as left.
    part.#file = await files.open(part.#own, 'ax+');
    // Tried now: what cannot be written is better known before a download than after it.
    try {
      if (bytes) await part.#file.appendFile(bytes);
      else await part.restart(undefined);
      if (isTaken) await files.rm(old, { force: true });
      return part;
    } catch (error) {
      await part.discard();
      throw error;
    }
  }

  /** What another try left; undefined where it is of no use, as of another address, or a link. */
  async #leftIn(old: string): Promise<Uint8Array | undefined> {
    if (!(await this.#files.lstat(old)).isFile()) return undefined;
    const bytes = await this.#files.readFile(old);
    const first = bytes.indexOf(NEW_LINE);
    const second = bytes.indexOf(NEW_LINE, first + 1);
    if (first < 0 || second < 0) return undefined;
    const text = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
    if (text(0, first) !== this.#url) return undefined;
    this.validator = text(first + 1, second) || undefined;
    this.bytes = bytes.subarray(second + 1);
    this.#length = this.bytes.length;
    return this.#length > 0 ? bytes : undefined;
  }

  async restart(validator: string | undefined): Promise<void> {
    await this.#open.truncate(0);
    await this.#open.appendFile(`${this.#url}\n${validator ?? ''}\n`);
    this.#length = 0;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#open.appendFile(bytes);
    this.#length += bytes.length;
  }

  /** Leaves what came, if something came, for a later try. */
  async keep(): Promise<void> {
    if (this.#length === 0) return this.discard();
    await this.#close();
    await this.#files.rename(this.#own, `${this.#target}.part`);
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    await this.#close();
    await this.#files.rm(this.#own, { force: true });
  }

  /** The whole file takes its place at once: who reads sees the old one or the new one. Leaves nothing where that fails. */
  async finish(bytes: Uint8Array): Promise<void> {
    try {
      await this.#open.truncate(0);
      await this.#open.appendFile(bytes);
      await this.#open.sync();
      await this.#close();
      await this.#files.rename(this.#own, this.#target);
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  get #open(): OpenFile {
    return this.#file as OpenFile;
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

const NEW_LINE = 10;

/** Half files that nobody writes to, the one that a download left on purpose first; ages in milliseconds. */
async function leftOf(files: Files, target: string): Promise<{ path: string; age: number }[]> {
  const at = Math.max(target.lastIndexOf('/'), target.lastIndexOf('\\'));
  const [folder, name] = [target.slice(0, at), target.slice(at + 1)];
  const left: { path: string; age: number }[] = [];
  for (const other of await files.readdir(folder)) {
    if (!other.startsWith(`${name}.`) || !other.endsWith('.part')) continue;
    const found = { path: `${folder}/${other}`, age: await ageOf(files, `${folder}/${other}`) };
    if (other === `${name}.part`) left.unshift(found);
    else if (found.age > LEFT_BEHIND) left.push(found);
  }
  return left;
}

const isGone = (error: unknown) => (error as { code?: unknown }).code === 'ENOENT';

/** Milliseconds since a file was changed; 0 for one that is gone. */
async function ageOf(files: Files, path: string): Promise<number> {
  try {
    return Date.now() - (await files.lstat(path)).mtimeMs;
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}

/** False where somebody else took it first. */
async function taken(files: Files, from: string, to: string): Promise<boolean> {
  try {
    await files.rename(from, to);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
