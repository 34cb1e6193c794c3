import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { AppendOnlyFile } from '../../src/core/appendOnlyFile.js';
import { CVKitError } from '../../src/core/errors.js';
import type { Files, OpenFile } from '../../src/core/io.js';
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
