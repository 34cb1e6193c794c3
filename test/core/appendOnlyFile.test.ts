import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppendOnlyFile, UNSIGNED, withLock } from '../../src/core/appendOnlyFile.js';
import { CVKitError } from '../../src/core/errors.js';
import type { Files, OpenFile } from '../../src/core/io.js';
import { lockMark } from '../../src/core/io.node.js';
import { JournalStorage } from '../../src/tuning/journal/journalStorage.js';
import { temporaryFiles } from '../helpers/journals.js';

const fileOf = temporaryFiles();
let made = 0;
const newPath = () => fileOf(`${++made}.txt`);
const textOf = (path: string) => readFileSync(path, 'utf8');

const owner = {
  title: 'The file',
  invalid: (must: string, got: string) => new CVKitError(`must ${must}. Got ${got}.`, { code: 'bad' }),
};
const open = (path: string, files: Files = fs as Files) => new AppendOnlyFile(files, path, owner);

/** Adds a line behind whatever stands there. */
const add = (file: AppendOnlyFile, line: string) =>
  file.locked(async (opened) => {
    const { size } = await opened.stat();
    file.end = size;
    await file.append(opened, size, line);
  }, 'refused');

/** Files whose open files have other methods. */
const withOpen = (change: (file: OpenFile) => Partial<OpenFile>): Files => ({
  ...(fs as Files),
  open: async (path, flags) => {
    const file: OpenFile = await fs.open(path, flags);
    const bound: OpenFile = {
      stat: () => file.stat(),
      read: (...given) => file.read(...given),
      appendFile: (data) => file.appendFile(data),
      truncate: (size) => file.truncate(size),
      sync: () => file.sync(),
      close: () => file.close(),
    };
    return flags === 'wx' ? bound : { ...bound, ...change(bound) };
  },
});

describe('AppendOnlyFile', () => {
  it('loses no line of many who write at once, and leaves no lock', async () => {
    const path = newPath();
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`);
    await Promise.all(lines.map((line) => add(open(path), line)));
    expect(
      textOf(path)
        .split(/(?<=\n)/)
        .sort(),
    ).toEqual([...lines].sort());
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('cuts what stands behind the end, and knows the end in bytes', async () => {
    const path = newPath();
    writeFileSync(path, 'µ\nbroken');
    const file = open(path);
    file.end = 3;
    await file.locked(async (opened) => file.append(opened, 9, 'µµ\n'), 'refused');
    expect(textOf(path)).toBe('µ\nµµ\n');
    expect(file.end).toBe(8);
    const read = await file.locked((opened) => file.read(opened, 3, 8), 'refused');
    expect(new TextDecoder().decode(read)).toBe('µµ\n');
  });

  it('adds all or nothing', async () => {
    const path = newPath();
    writeFileSync(path, 'a\n');
    const half = withOpen((file) => ({
      appendFile: async (data) => {
        await file.appendFile(String(data).slice(0, 2));
        throw new Error('ENOSPC');
      },
    }));
    await expect(add(open(path, half), 'later\n')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/^The file must be a file that can be read and written.* Got ENOSPC\.$/),
    });
    expect(textOf(path)).toBe('a\n');
  });

  it('is refused where it grows without the lock, or is shorter than it says', async () => {
    const path = newPath();
    const file = open(path);
    const grows = file.locked(async (opened) => {
      const { size } = await opened.stat();
      appendFileSync(path, 'x');
      await file.append(opened, size, 'y');
    }, 'refused');
    await expect(grows).rejects.toMatchObject({
      code: 'bad',
      message: 'must grow under its lock alone. Got lines without it.',
    });
    expect(textOf(path)).toBe('x');
    const short = file.locked((opened) => file.read(opened, 0, 5), 'refused');
    await expect(short).rejects.toThrow('must be as long as it says. Got less.');
  });
});

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

  it('lets one in at a time, and that of those who work in turn is never old', async () => {
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

  it('has a grace period above 0', () => {
    expect(() => new JournalStorage('a', { gracePeriod: 0 })).toThrow('must be a number > 0. Got 0.');
  });
});
