/**
 * The lock of a file as Optuna keeps that of a journal (`JournalFileSymlinkLock` and `JournalFileOpenLock` of
 * `optuna/storages/journal/_file.py`): who makes `<file>.lock` may write; the others wait until it is gone.
 */
import { isGone, lockMark } from '#io';
import { withCleanup } from './cleanup.js';
import type { FileFacts, Files } from './io.js';
import { freshSeed } from './random.js';
import { codeOf, NO_LINKS } from './wholeFile.js';

/** Seconds after which a lock counts as left behind, where nobody says another number. */
export const GRACE_PERIOD = 30;

/** Seconds after which one that does not say whose it is counts as left behind: what is done under it takes less. Optuna signs none. */
export const UNSIGNED = { ours: 0.25, optuna: 5 };

/** Longest wait until the lock is tried again, in milliseconds. */
const MOST_WAIT = 50;

/**
 * Does `work` while nobody else holds the lock.
 *
 * A lock of a process of this machine that has ended is taken over at once.
 *
 * @param gracePeriod seconds after which any lock that stays the same counts as left behind, and is taken over
 * @param unsigned the same of one that does not say whose it is
 */
export async function withLock<T>(
  files: Files,
  file: string,
  gracePeriod: number,
  work: () => Promise<T>,
  unsigned: number = UNSIGNED.optuna,
): Promise<T> {
  const path = `${file}.lock`;
  const held = await acquire(files, path, gracePeriod, unsigned);
  try {
    return await work();
  } finally {
    // Another process has taken it over where this one slept for longer than the grace period.
    if ((await markOf(files, path)) === held) await files.rm(path, { force: true });
  }
}

/** Waits until the lock is ours; gives its mark. */
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
    const patience = !owner.includes('\n') ? Math.min(gracePeriod, unsigned) : gracePeriod;
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
      if (!NO_LINKS.includes(codeOf(error))) throw error;
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
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** Who made a lock, as it says itself: '' or the path of a file for Optuna, and '' for a process that was killed while it signed. */
async function ownerOf(files: Files, path: string): Promise<string> {
  try {
    if (!(await files.lstat(path)).isFile()) return await files.readlink(path);
    return new TextDecoder().decode(await files.readFile(path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Removes a lock that was left behind. It is renamed first: of several that try, one succeeds. */
async function takeAway(files: Files, path: string, mark: string): Promise<void> {
  const renamed = `${path}${freshSeed()}.rename`;
  try {
    await files.rename(path, renamed);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  // Somebody else was faster, and this is the new lock.
  if ((await markOf(files, renamed)) !== mark) await files.rename(renamed, path);
  else await files.rm(renamed, { force: true });
}

/** What tells a lock from the next one of the same name; undefined where there is none. */
async function markOf(files: Files, path: string): Promise<string | undefined> {
  try {
    return textOf(await files.lstat(path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const textOf = ({ ino, mtimeMs }: FileFacts): string => `${ino} ${mtimeMs}`;
