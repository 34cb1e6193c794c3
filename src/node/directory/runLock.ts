/** One process at a time writes to a run directory. */
import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGone, lockMark } from '#io';
import { cleanupOnError } from '../../core/cleanup.js';
import { errorCode, ifThere } from '../../core/wholeFile.js';

export interface RunLock {
  release(): Promise<void>;
}

/** Who holds a lock, as its file says. */
export interface Holder {
  readonly host: string;
  readonly pid: string;
  /** Whether it is a process of this machine since its start, which can be asked for. */
  readonly here: boolean;
}

const holderOf = (mark: string): Holder => {
  const [machine, pid] = mark.split('\n');
  return { host: machine.split(' ')[0], pid, here: machine === lockMark().split('\n')[0] };
};

/**
 * Takes the lock, or tells who has it. That of a process that has ended is taken over, and with `force` any.
 *
 * It is made whole by a link(2), so that nobody ever reads half of it. Of several that take one over, one gets the name that it is
 * set aside under, which belongs to that lock alone: no other lock is ever removed by mistake.
 */
export async function takeRunLock(directory: string, force: boolean): Promise<RunLock | Holder> {
  const path = join(directory, 'lock');
  const id = randomUUID();
  const own = join(directory, `lock.${id}`);
  const sign = () => writeFile(own, `${lockMark()}\n${id}\n`);
  await sign();
  try {
    for (let tries = 0; ; tries++) {
      if (await linked(own, path)) {
        const lock = { release: () => removeIf(path, id) };
        await cleanupOnError(() => removeRests(directory), lock.release);
        return lock;
      }
      const mark = await textAt(path);
      if (mark === undefined) {
        // The owner has released it, and may have removed our file as one that was left behind.
        await sign();
        continue;
      }
      if (!force && !isGone(mark)) return holderOf(mark);
      const [dead] = mark.trim().split('\n').slice(-1);
      const aside = join(directory, `lock.${dead}.gone`);
      if (!(await linked(path, aside))) {
        // Who set it aside may have been killed, too.
        if (tries > 50) await rm(aside, { force: true });
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      if (idOf(await textAt(aside)) === dead) await removeIf(path, dead);
      await rm(aside, { force: true });
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** Lines of a whole mark: machine, process, its start, id of the lock, and an empty one at the end. */
const LINES = 5;

/** Of processes that were killed while they took the lock. */
async function removeRests(directory: string): Promise<void> {
  for (const name of (await readdir(directory)).filter((each) => each.startsWith('lock.'))) {
    const path = join(directory, name);
    const mark = (await textAt(path)) ?? '';
    if (isGone(mark) || mark.split('\n').length < LINES) await rm(path, { force: true });
  }
}

const textAt = (path: string) => ifThere(() => readFile(path, 'utf8'), undefined);
const idOf = (mark: string | undefined) => mark?.trim().split('\n').at(-1);

async function removeIf(path: string, id: string): Promise<void> {
  if (idOf(await textAt(path)) === id) await ifThere(() => unlink(path), undefined);
}

/** Whether the new name was made; not where it is taken, or the old one is gone. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(errorCode(error))) return false;
    throw error;
  }
}
