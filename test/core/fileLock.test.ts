import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UNSIGNED, withLock } from '../../src/core/appendOnlyFile.js';
import type { Files } from '../../src/core/io.js';
import { lockMark } from '../../src/core/io.node.js';
import { JournalStorage } from '../../src/tuning/journal/journalStorage.js';
import { temporaryFiles } from '../helpers/journals.js';

const fileOf = temporaryFiles();
let made = 0;
const newPath = () => fileOf(`${++made}.jsonl`);
const textOf = (path: string) => readFileSync(path, 'utf8');

describe('the lock of a file', () => {
  it('is given back when the work fails', async () => {
    const path = newPath();
    const fails = () => Promise.reject(new Error('no'));
    await expect(withLock(fs as Files, path, 30, fails)).rejects.toThrow('no');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('of another process, which took it over meanwhile, stays', async () => {
    const path = newPath();
    await withLock(fs as Files, path, 30, async () => {
      renameSync(`${path}.lock`, `${path}.old`);
      writeFileSync(`${path}.lock`, '');
    });
    expect(existsSync(`${path}.lock`)).toBe(true);
  });

  it('is not waited for where none can be made', async () => {
    const work = () => Promise.resolve('done');
    await expect(withLock(fs as Files, `${newPath()}/no/folder`, 30, work)).rejects.toThrow('ENOENT');
  });

  it('is put back where it is another one than the one that was left behind', async () => {
    const path = newPath();
    const lock = `${path}.lock`;
    writeFileSync(lock, '');
    const seen: string[] = [];
    const early: Files = {
      ...(fs as Files),
      rename: async (from, to) => {
        // Somebody else took it over first, and gives it back once it is there again.
        if (from === lock && seen.length === 0) {
          renameSync(lock, `${path}.old`);
          writeFileSync(lock, 'live');
        }
        await fs.rename(from, to);
        seen.push(readFileSync(to, 'utf8'));
        if (to === lock) rmSync(lock);
      },
    };
    await withLock(early, path, 0.03, async () => expect(readlinkSync(lock)).toBe(lockMark()));
    expect(seen).toEqual(['live', 'live']);
  });

  it("without links is nobody else's: one that was taken away before it was signed is waited for", async () => {
    const path = newPath();
    const lock = `${path}.lock`;
    let taken = 0;
    const slow: Files = {
      ...(fs as Files),
      symlink: () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' })),
      open: async (...given) => {
        const file = await fs.open(...given);
        // The process sleeps here for so long that another one takes the lock over.
        if (taken++ === 0) {
          renameSync(lock, `${lock}.rename`);
          writeFileSync(lock, `elsewhere\n1`);
        }
        return file;
      },
    };
    let isDone = false;
    const done = withLock(slow, path, 30, async () => {
      isDone = true;
      expect(textOf(lock)).toBe(lockMark());
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect([isDone, textOf(lock)]).toEqual([false, 'elsewhere\n1']);
    rmSync(lock);
    await done;
    expect([isDone, taken, existsSync(lock)]).toEqual([true, 2, false]);
  });

  it('lets one in at a time', async () => {
    const path = newPath();
    let inside = 0;
    const work = async () => {
      inside++;
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(inside).toBe(1);
      inside--;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(fs as Files, path, 30, work)));
  });

  it('of those who work in turn is never old', async () => {
    const path = newPath();
    let inside = 0;
    const work = async () => {
      expect(++inside).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside--;
    };
    // Each waits for longer than the grace period, and no lock stays for as long.
    await Promise.all(Array.from({ length: 30 }, () => withLock(fs as Files, path, 0.4, work)));
  });

  it.each(['link', 'file'])('of another process is waited for: a %s', async (kind) => {
    const path = newPath();
    const lock = `${path}.lock`;
    const record = await new JournalStorage(path).open('a', 'minimize');
    if (kind === 'link') symlinkSync(path, lock);
    else writeFileSync(lock, '');
    const before = textOf(path);
    record.write({ type: 'studyAttr', key: 'a', value: 1 });
    let isDone = false;
    const done = record.flush().then(() => {
      isDone = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(isDone).toBe(false);
    expect(textOf(path)).toBe(before);
    rmSync(lock);
    await done;
    expect(textOf(path).split('\n')).toHaveLength(3);
  });

  it.each(['link', 'broken link', 'file'])('is taken over when nobody gives it back: a %s', async (kind) => {
    const path = newPath();
    writeFileSync(path, '');
    const lock = `${path}.lock`;
    if (kind === 'file') writeFileSync(lock, '');
    else symlinkSync(kind === 'link' ? path : `${path}/nowhere`, lock);
    const storages = [1, 2, 3].map(() => new JournalStorage(path, { gracePeriod: 0.05 }));
    await Promise.all(storages.map((storage, at) => storage.open(`s${at}`, 'minimize')));
    expect(textOf(path).split('\n')).toHaveLength(4);
    expect(existsSync(lock)).toBe(false);
    expect((await fs.readdir(dirname(path))).filter((name) => name.startsWith(`${basename(path)}.`))).toEqual([]);
  });

  it('of a process that was killed is taken over at once; one of a live process or of another machine is not', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const [machine] = lockMark().split('\n');
    const taken = async (mark: string) => {
      const path = newPath();
      writeFileSync(`${path}.lock`, mark);
      const work = withLock(fs as Files, path, 0.6, async () => performance.now());
      const began = performance.now();
      return (await work) - began;
    };
    expect(await taken(`${machine}\n${pid}`)).toBeLessThan(400);
    expect(await taken(`${machine}\n${process.pid}`)).toBeGreaterThan(500);
    expect(await taken(`elsewhere\n${pid}`)).toBeGreaterThan(500);
  });

  it('that is empty is taken over at once where Optuna does not write, and ours never is', async () => {
    const path = newPath();
    writeFileSync(`${path}.lock`, '');
    const began = performance.now();
    const work = async () => readlinkSync(`${path}.lock`);
    expect(await withLock(fs as Files, path, 30, work, UNSIGNED.ours)).toBe(lockMark());
    expect(performance.now() - began).toBeLessThan(3000);
  });

  it('refuses a grace period that is none', () => {
    expect(() => new JournalStorage('a', { gracePeriod: 0 })).toThrow(
      'The `gracePeriod` option of JournalStorage must be a number > 0. Got 0.',
    );
  });
});
