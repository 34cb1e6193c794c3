import fs, { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Files, OpenFile } from '../../src/core/io.js';
import { PartFile } from '../../src/datasets/download.js';

const URL = 'https://example.org/data.csv';
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (of: Uint8Array) => new TextDecoder().decode(of);

let root: string;
let folder: string;
let target: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cvkit-part-'));
});
afterAll(() => rm(root, { recursive: true }));
beforeEach(async () => {
  folder = join(root, String(count++));
  await fs.mkdir(folder);
  target = join(folder, 'data.csv');
});

const claim = (url = URL) => PartFile.claim(fs, target, url);

describe('PartFile', () => {
  it('begins empty, and leaves what came with its version', async () => {
    const part = await claim();
    expect([part.bytes.length, part.validator]).toEqual([0, undefined]);
    await part.restart('"v1"');
    await part.append(bytes('ab'));
    await part.append(bytes('c'));
    await part.keep();
    expect(await readdir(folder)).toEqual(['data.csv.part']);
    expect(await readFile(`${target}.part`, 'utf8')).toBe(`${URL}\n"v1"\nabc`);
    const next = await claim();
    expect([text(next.bytes), next.validator]).toEqual(['abc', '"v1"']);
    await next.append(bytes('de'));
    await next.keep();
    expect(await readFile(`${target}.part`, 'utf8')).toBe(`${URL}\n"v1"\nabcde`);
  });

  it('without a version', async () => {
    const part = await claim();
    await part.restart(undefined);
    await part.append(bytes('\na\n'));
    await part.keep();
    const next = await claim();
    expect([text(next.bytes), next.validator]).toEqual(['\na\n', undefined]);
    await next.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes its place as a whole', async () => {
    const part = await claim();
    await part.restart('"v1"');
    await part.append(bytes('half'));
    await writeFile(target, 'old');
    await part.finish(bytes('whole'));
    expect(await readdir(folder)).toEqual(['data.csv']);
    expect(await readFile(target, 'utf8')).toBe('whole');
  });

  it.each(['truncate', 'appendFile', 'sync', 'rename'])(
    'leaves nothing, also nothing open, after %s fails',
    async (fails) => {
      const failure = new Error('disk full');
      const opened: { isOpen: boolean }[] = [];
      let isBroken = false;
      const on = async <T>(call: string, work: () => Promise<T>): Promise<T> => {
        if (isBroken && call === fails) throw failure;
        return work();
      };
      /** The disk, with an error from the given call once it breaks. */
      const disk: Files = {
        ...fs,
        rename: (from, to) => on('rename', () => fs.rename(from, to)),
        async open(path, flags) {
          const file = await fs.open(path, flags);
          const state = { isOpen: true };
          opened.push(state);
          const wrapped: Partial<OpenFile> = {
            truncate: (size) => on('truncate', () => file.truncate(size)),
            appendFile: (data) => on('appendFile', () => file.appendFile(data)),
            sync: () => on('sync', () => file.sync()),
            async close() {
              state.isOpen = false;
              await file.close();
            },
          };
          return wrapped as OpenFile;
        },
      };
      await writeFile(target, 'old');
      const part = await PartFile.claim(disk, target, URL);
      await part.restart('"v1"');
      isBroken = true;
      await expect(part.finish(bytes('whole'))).rejects.toBe(failure);
      expect(opened).toEqual([{ isOpen: false }]);
      expect(await readdir(folder)).toEqual(['data.csv']);
      expect(await readFile(target, 'utf8')).toBe('old');
    },
  );

  it('that cannot be read is left, and nothing open', async () => {
    await writeFile(`${target}.part`, `${URL}\n\nabc`);
    const failure = new Error('bad sector');
    const open = vi.fn();
    await expect(PartFile.claim({ ...fs, readFile: () => Promise.reject(failure), open }, target, URL)).rejects.toBe(
      failure,
    );
    expect(open).not.toHaveBeenCalled();
  });

  it('that is a link to another file is not followed, and that file stays as it is', async () => {
    const other = join(folder, 'notes.txt');
    await writeFile(other, `${URL}\n\nmine`);
    await fs.symlink(other, `${target}.part`);
    const part = await claim();
    expect(text(part.bytes)).toBe('');
    await part.append(bytes('abc'));
    await part.discard();
    expect(await readFile(other, 'utf8')).toBe(`${URL}\n\nmine`);
    expect(await readdir(folder)).toEqual(['notes.txt']);
  });

  it('leaves nothing where nothing came', async () => {
    const part = await claim();
    await part.keep();
    const begun = await claim();
    await begun.restart('"v1"');
    await begun.keep();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken by one alone of several that want it', async () => {
    const part = await claim();
    await part.restart('"v1"');
    await part.append(bytes('abc'));
    await part.keep();
    const all = await Promise.all(Array.from({ length: 6 }, () => claim()));
    expect(all.map((each) => text(each.bytes)).sort()).toEqual(['', '', '', '', '', 'abc']);
    for (const each of all) await each.discard();
  });

  it('of programs that ended: one is taken, and the others go once they are older than a day', async () => {
    const hours = async (id: number, old: number) => {
      await writeFile(`${target}.${id}.part`, `${URL}\n"v${id}"\nabc`);
      await utimes(`${target}.${id}.part`, new Date(), new Date(Date.now() - old * 3_600_000));
    };
    await hours(1, 0);
    await hours(2, 23);
    await hours(3, 25);
    await hours(4, 1000);
    await writeFile(`${target}.part`, `${URL}\n"v0"\nabc`);
    const part = await claim();
    expect(part.validator).toBe('"v0"');
    await part.discard();
    expect((await readdir(folder)).sort()).toEqual(['data.csv.1.part', 'data.csv.2.part']);
    const next = await claim();
    expect(next.validator).toBe('"v2"');
    await next.discard();
    expect(await readdir(folder)).toEqual(['data.csv.1.part']);
  });

  it('of yesterday is not taken again from the program that took it', async () => {
    await writeFile(`${target}.part`, `${URL}\n"v1"\nabc`);
    await utimes(`${target}.part`, new Date(), new Date(Date.now() - 86_400_000));
    const first = await claim();
    const second = await claim();
    expect([text(first.bytes), text(second.bytes)]).toEqual(['abc', '']);
    await first.append(bytes('d'));
    await second.discard();
    await first.keep();
    expect(await readFile(`${target}.part`, 'utf8')).toBe(`${URL}\n"v1"\nabcd`);
  });

  it.each(['', 'no lines', 'https://example.org/other.csv\n"v1"\nabc', `${URL}\n"v1" without an end`])(
    'is of no use as %o',
    async (held) => {
      await writeFile(`${target}.part`, held);
      const part = await claim();
      expect([part.bytes.length, part.validator]).toEqual([0, undefined]);
      await part.restart('"v2"');
      await part.append(bytes('new'));
      await part.keep();
      expect(await readFile(`${target}.part`, 'utf8')).toBe(`${URL}\n"v2"\nnew`);
    },
  );

  it('of another file in the folder is left alone', async () => {
    await writeFile(join(folder, 'data.csv2.part'), `${URL}\n\nabc`);
    await (await claim()).discard();
    expect(await readdir(folder)).toEqual(['data.csv2.part']);
  });
});
