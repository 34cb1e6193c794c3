/** A text file that grows at its end alone, read and written under its lock: a journal, a trail. */

import { isGone, lockMark } from '#io';
import { cleanupOnError, withCleanup } from './cleanup.js';
import { CVKitError, messageOf, phrase, sentence } from './errors.js';
import type { Files, OpenFile } from './io.js';
import { freshSeed } from './random.js';
import { errorCode, ifThere, NO_LINKS } from './wholeFile.js';

interface Owner {
  /** Begins sentences, such as "The journal 'search.log'". */
  readonly title: string;
  readonly optuna?: boolean;
  /** Whoever writes holds a lock of the folder, so that the file needs none of its own. */
  readonly alone?: boolean;
  invalid(must: string, got: string): CVKitError;
}

export class AppendOnlyFile {
  /** Where that which was read and is whole, or was written, ends: in bytes. */
  end = 0;
  readonly #files: Files;
  readonly #path: string;
  readonly #owner: Owner;
  readonly #gracePeriod: number;

  constructor(files: Files, path: string, owner: Owner, gracePeriod = GRACE_PERIOD) {
    this.#files = files;
    this.#path = path;
    this.#owner = owner;
    this.#gracePeriod = gracePeriod;
  }

  /** Opens the file, or makes it, and does `work` under its lock. `code`: of the error where the file system refuses. */
  async locked<T>(work: (file: OpenFile) => Promise<T>, code: string): Promise<T> {
    try {
      const opened = async () => {
        const file = await this.#files.open(this.#path, 'a+');
        return withCleanup(
          () => work(file),
          () => file.close(),
        );
      };
      if (this.#owner.alone) return await opened();
      const unsigned = this.#owner.optuna ? UNSIGNED.optuna : UNSIGNED.ours;
      return await withLock(this.#files, this.#path, this.#gracePeriod, opened, unsigned);
    } catch (cause) {
      if (cause instanceof CVKitError) throw cause;
      const must = 'be a file that can be read and written, in a folder where files can be made';
      throw new CVKitError(sentence(this.#owner.title, must, phrase(messageOf(cause))), { code, cause });
    }
  }

  async read(file: OpenFile, start: number, size: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(size - start);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at);
      if (bytesRead === 0) throw this.#owner.invalid('be as long as it says', 'less');
      at += bytesRead;
    }
    return bytes;
  }

  /** Adds text, all of it or none, and waits until it is on the disk. What stands behind `end`, up to `size`, is cut. */
  async append(file: OpenFile, size: number, text: string): Promise<void> {
    if ((await file.stat()).size !== size) throw this.#owner.invalid('grow under its lock alone', 'lines without it');
    const append = async () => {
      if (size > this.end) await file.truncate(this.end);
      await file.appendFile(text);
      await file.sync();
    };
    await cleanupOnError(append, () => file.truncate(this.end));
    this.end += new TextEncoder().encode(text).length;
  }
}

// The lock is as Optuna keeps that of a journal (`JournalFileSymlinkLock` and `JournalFileOpenLock` of
// `optuna/storages/journal/_file.py`): who makes `<file>.lock` may write; the others wait until it is gone.

export const GRACE_PERIOD = 30;

/** The same of an unsigned one, also of a process that was killed before it signed. Optuna signs none. */
export const UNSIGNED = { ours: 0.25, optuna: 5 };

const MOST_WAIT = 50;

/** Does `work` while nobody else holds the lock. That of a process of this machine that has ended is taken over at once. */
export async function withLock<T>(
  files: Files,
  file: string,
  gracePeriod: number,
  work: () => Promise<T>,
  unsigned: number = UNSIGNED.optuna,
): Promise<T> {
  const path = `${file}.lock`;
  const held = await acquire(files, path, gracePeriod, unsigned);
  return withCleanup(work, async () => {
    // Another process has taken it over where this one slept for longer than the grace period.
    if ((await markOf(files, path)) === held) await files.rm(path, { force: true });
  });
}

async function acquire(files: Files, path: string, gracePeriod: number, unsigned: number): Promise<string> {
  let wait = 1;
  let previous: string | undefined;
  let since = 0;
  for (;;) {
    const created = await make(files, path);
    if (created !== undefined) return created;
    const now = performance.now();
    const mark = await markOf(files, path);
    const owner = mark === undefined ? '' : await ownerOf(files, path);
    if (mark !== previous) [previous, since] = [mark, now];
    const patience = owner.includes('\n') ? gracePeriod : Math.min(gracePeriod, unsigned);
    if (mark !== undefined && (isGone(owner) || now - since > patience * 1000)) {
      await takeAway(files, path, mark);
      previous = undefined;
      continue;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(2 * wait, MOST_WAIT);
  }
}

/** Makes the lock, as a link to who made it, so that it is signed as soon as it is there; undefined where there is one. */
async function make(files: Files, path: string): Promise<string | undefined> {
  try {
    let own: number | undefined;
    await files.symlink(lockMark(), path).catch(async (error) => {
      // Without the right to make links, as on Windows, or on file systems without them.
      if (!NO_LINKS.includes(errorCode(error))) throw error;
      const file = await files.open(path, 'wx');
      const sign = async () => {
        await file.appendFile(lockMark());
        own = (await file.stat()).ino;
      };
      await withCleanup(sign, () => file.close());
    });
    const mark = await markOf(files, path);
    // Before it was signed, another process may have taken it for one that was left behind: then this is its lock.
    return own === undefined || mark?.startsWith(`${own} `) ? mark : undefined;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** Who made a lock: '' or the path of a file for Optuna, and '' for a process that was killed while it signed. */
const ownerOf = (files: Files, path: string) =>
  ifThere(async () => {
    if (!(await files.lstat(path)).isFile()) return files.readlink(path);
    return new TextDecoder().decode(await files.readFile(path));
  }, '');

/**
 * An abandoned lock is renamed first: of several that try, one succeeds. What no file system lets us close: until a new lock that
 * was renamed by mistake is back, a third process may make its own. Both then write, and the one that finds the file longer
 * than it read it refuses to go on.
 */
async function takeAway(files: Files, path: string, mark: string): Promise<void> {
  const renamed = `${path}${freshSeed()}.rename`;
  if (!(await ifThere(() => files.rename(path, renamed).then(() => true), false))) return;
  // Somebody else was faster, and this is the new lock.
  if ((await markOf(files, renamed)) !== mark) await files.rename(renamed, path);
  else await files.rm(renamed, { force: true });
}

const markOf = (files: Files, path: string) =>
  ifThere(async () => {
    const { ino, mtimeMs } = await files.lstat(path);
    return `${ino} ${mtimeMs}`;
  }, undefined);
