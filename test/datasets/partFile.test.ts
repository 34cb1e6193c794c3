import fs, { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PartFile } from '../../src/datasets/partFile.js';

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
