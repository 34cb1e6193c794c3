import { createHash } from 'node:crypto';
import fs, { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CVKitError } from '../../src/core/errors.js';
import type { Files } from '../../src/core/io.js';
import { type DownloadOptions, download } from '../../src/datasets/download.js';
import { rejection } from '../helpers/failure.js';
import { cutOff, fileServer, honest, stalled } from '../helpers/fileServer.js';
import { published } from '../helpers/published.js';
import { tempFolder } from '../helpers/tempFolder.js';

const BYTES = new TextEncoder().encode(Array.from({ length: 3000 }, (_, at) => `line ${at}\n`).join(''));
const HASH = createHash('sha256').update(BYTES).digest('hex');

const server = fileServer();
const { folder: root } = tempFolder();
let folder: string;
let count = 0;
beforeEach(() => {
  server.asked.splice(0);
  server.answer = honest(BYTES);
  folder = join(root, String(count++));
});

const file = (content = BYTES) => published(`${server.address}/data.csv`, content);
const options = (more: Partial<DownloadOptions> = {}): DownloadOptions => ({
  ...{ cacheDir: folder, timeout: 20, stallTimeout: 20, signal: undefined },
  ...more,
});
const get = (more: Partial<DownloadOptions> = {}, content = BYTES) => download(file(content), options(more));
const said = async (work: Promise<unknown>) =>
  (await rejection(work))
    .replaceAll(server.address, 'http://host')
    .replaceAll(folder, 'FOLDER')
    .replaceAll(HASH, 'HASH');

/** A download on a disk of which one call is another. */
const onDisk = async (changed: Partial<Files>, more: Partial<DownloadOptions> = {}) => {
  vi.resetModules();
  vi.doMock('#io', async () => {
    const io = await import('../../src/core/io.node.js');
    return { ...io, files: { ...io.files, ...changed } };
  });
  try {
    const { download: changedDownload } = await import('../../src/datasets/download.js');
    return await changedDownload(file(), options(more)).catch((thrown: CVKitError) => thrown);
  } finally {
    vi.doUnmock('#io');
    vi.resetModules();
  }
};

describe('the cache', () => {
  it('is made, holds the file alone, and spares the second download', async () => {
    expect(await get()).toEqual({ content: BYTES, sha256: HASH, warnings: [] });
    expect(await readdir(folder)).toEqual(['data.csv']);
    expect(new Uint8Array(await readFile(join(folder, 'data.csv')))).toEqual(BYTES);
    server.answer = (_, response) => void response.writeHead(503).end();
    const again = await get();
    expect([again.sha256, again.warnings, again.content.length]).toEqual([HASH, [], BYTES.length]);
    expect(server.asked.length).toBe(1);
  });

  it('with a broken file: that is downloaded again, and said', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'data.csv'), BYTES.subarray(0, 100));
    expect(await get()).toEqual({
      ...{ content: BYTES, sha256: HASH },
      warnings: [
        'The file data.csv in the cache was not the published one (changed, or cut off), and was downloaded again.',
      ],
    });
    expect((await get()).warnings).toEqual([]);
  });

  it('with a link in its place, which is not followed', async () => {
    await mkdir(folder);
    const other = `${folder}-other.csv`;
    await writeFile(other, BYTES);
    await symlink(other, join(folder, 'data.csv'));
    expect((await get()).warnings).toHaveLength(1);
    expect((await lstat(join(folder, 'data.csv'))).isFile()).toBe(true);
    expect((await get()).warnings).toEqual([]);
  });

  it('with a broken file and no connection: an error, and the file stays', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'data.csv'), 'broken');
    server.answer = (_, response) => void response.writeHead(503).end();
    expect(await rejection(get())).toMatch(/^download_failed: /);
    expect(await readdir(folder)).toEqual(['data.csv']);
  });

  it('that cannot be used: the folder and the option are named, and nothing is downloaded', async () => {
    await writeFile(folder, 'a file in the place of the folder');
    expect(await said(get())).toMatch(
      /^cache_unusable: The cache folder FOLDER must be a folder that can be read and written\. Got ENOTDIR: .* Name another folder in `cacheDir`, or give the file as `path`\.$/,
    );
    folder = join(root, String(count++));
    await mkdir(join(folder, 'data.csv'), { recursive: true });
    expect(await said(get())).toMatch(
      /^cache_unusable: The entry FOLDER\/data\.csv of the cache must be a file\. Got EISDIR.* Remove it, or name another folder in `cacheDir`\.$/,
    );
    expect(server.asked).toEqual([]);
  });

  it('may be named by a URL, or by a relative path, of which folders are missing', async () => {
    const deep = join(folder, 'with blank µ', 'deep');
    await get({ cacheDir: pathToFileURL(deep) });
    await get({ cacheDir: pathToFileURL(deep).href });
    await get({ cacheDir: `${relative(process.cwd(), folder)}/with blank µ//deep/` });
    expect([await readdir(deep), server.asked.length]).toEqual([['data.csv'], 1]);
    expect(await rejection(get({ cacheDir: 'file:///a%ff' }))).toMatch(
      /^cache_unusable: The cache folder file:\/\/\/a%ff must /,
    );
  });

  it('that never answers: ends at `timeout` and at the signal, and nothing is downloaded', async () => {
    const silent = { lstat: () => new Promise<never>(() => undefined) };
    expect(await onDisk(silent, { timeout: 0.05 })).toMatchObject({
      code: 'cache_unusable',
      message: expect.stringContaining('Got no answer within 0.05 s.'),
    });
    const signal = AbortSignal.timeout(50);
    expect(await onDisk(silent, { signal })).toBe(signal.reason);
    expect(server.asked).toEqual([]);
  });

  it('that answers too late: an error has a reader, and nothing is downloaded', async () => {
    const unread = vi.fn();
    process.on('unhandledRejection', unread);
    const later = <T>(work: () => Promise<T>) => new Promise((resolve) => setTimeout(resolve, 80)).then(work);
    const fails = () => later<never>(() => Promise.reject(new Error('late')));
    expect(await onDisk({ lstat: fails }, { timeout: 0.02 })).toMatchObject({ code: 'cache_unusable' });
    const open: Files['open'] = (path, flags) => later(() => fs.open(path, flags));
    expect(await onDisk({ open }, { timeout: 0.02 })).toMatchObject({ code: 'cache_unusable' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    process.off('unhandledRejection', unread);
    expect(unread).not.toHaveBeenCalled();
    expect(server.asked).toEqual([]);
  });

  it('that cannot be written: nothing is downloaded, and nothing left', async () => {
    const full = new Error('ENOSPC: no space left on device');
    const open: Files['open'] = async (path, flags) => {
      const opened = await fs.open(path, flags);
      return Object.assign(opened, { appendFile: () => Promise.reject(full) });
    };
    expect(await onDisk({ open })).toMatchObject({ code: 'cache_unusable', cause: full });
    expect([server.asked, await readdir(root)]).toEqual([[], expect.not.arrayContaining([basename(folder)])]);
  });

  it.skipIf(process.platform !== 'linux')('in /proc, where no folder can be made: an error, and an end', async () => {
    const error = await rejection(get({ cacheDir: '/proc/cvkit/cache' }));
    expect(error).toMatch(/^cache_unusable: The cache folder \/proc\/cvkit\/cache must .* Got ENOENT/);
  });

  it('with files that are too large: they are not read', async () => {
    await mkdir(folder);
    const large = new Uint8Array(2 * BYTES.length + 100_001);
    await writeFile(join(folder, 'data.csv'), large);
    await writeFile(join(folder, 'data.csv.part'), large);
    const readFile = () => Promise.reject(new Error('read'));
    expect(await onDisk({ readFile })).toMatchObject({ sha256: HASH, warnings: [expect.stringContaining('cut off')] });
    expect(await readdir(folder)).toEqual(['data.csv']);
  });

  it.each(['appendFile', 'sync', 'rename'] as const)(
    'that cannot keep the whole file after all, by %s: the data come with a warning, and the old file stays',
    async (fails) => {
      await mkdir(folder);
      await writeFile(join(folder, 'data.csv'), 'old');
      const full = () => Promise.reject(new Error('disk full'));
      const isWhole = (path: string | URL) => /data\.csv\.\w+\.tmp$/.test(String(path));
      const open: Files['open'] = async (path, flags) => {
        const opened = await fs.open(path, flags);
        return isWhole(path) && fails !== 'rename' ? Object.assign(opened, { [fails]: full }) : opened;
      };
      const rename: Files['rename'] = (from, to) =>
        isWhole(from) && fails === 'rename' ? full() : fs.rename(from, to);
      expect(await onDisk({ open, rename })).toEqual({
        ...{ content: BYTES, sha256: HASH },
        warnings: [
          'The file data.csv in the cache was not the published one (changed, or cut off), and was downloaded again.',
          `The file data.csv was downloaded, but the cache folder ${folder} could not keep it: disk full.`,
        ],
      });
      expect(await readdir(folder)).toEqual(['data.csv']);
      expect(await readFile(join(folder, 'data.csv'), 'utf8')).toBe('old');
    },
  );

  it('lies in the folder of the user where none is named', async () => {
    vi.stubEnv('XDG_CACHE_HOME', folder);
    await get({ cacheDir: undefined });
    expect(await readdir(join(folder, 'cvkit'))).toEqual(['data.csv']);
    vi.unstubAllEnvs();
  });

  it('serves many loads at once, each of which sees the whole file', async () => {
    const slow = honest(BYTES);
    server.answer = (request, response, place) => setTimeout(() => slow(request, response, place), 20 * (place % 3));
    const all = await Promise.all(Array.from({ length: 8 }, () => get()));
    expect(all.map(({ sha256, warnings }) => [sha256, warnings.length])).toEqual(Array(8).fill([HASH, 0]));
    expect(await readdir(folder)).toEqual(['data.csv']);
  });
});

describe('a download that broke off', () => {
  it('goes on where it stopped', async () => {
    server.answer = cutOff(BYTES, 1000);
    expect(await said(get())).toMatch(
      /^download_failed: The file data\.csv must come from http:\/\/host\/data\.csv\. Got no connection, or one .*`path`\.$/,
    );
    expect(await readdir(folder)).toEqual(['data.csv.part']);
    server.answer = honest(BYTES);
    expect((await get()).sha256).toBe(HASH);
    expect(server.asked.map(({ range, 'if-range': version }) => [range, version])).toEqual([
      [undefined, undefined],
      ['bytes=1000-', '"v1"'],
    ]);
    expect(await readdir(folder)).toEqual(['data.csv']);
  });

  it('after a stall and after an abort, too', async () => {
    server.answer = stalled(BYTES, 700);
    expect(await said(get({ stallTimeout: 0.2 }))).toMatch(/^download_timeout: /);
    const reason = new Error('closed');
    server.answer = ({ headers }, response) => {
      expect(headers.range).toBe('bytes=700-');
      const range = `bytes 700-${BYTES.length - 1}/${BYTES.length}`;
      response.writeHead(206, { etag: '"v1"', 'content-range': range }).write(BYTES.subarray(700, 900));
    };
    await expect(get({ signal: AbortSignal.timeout(300) })).rejects.toThrow(/abort|timeout/i);
    server.answer = honest(BYTES);
    expect((await get()).sha256).toBe(HASH);
    expect(server.asked.at(-1)?.range).toBe('bytes=900-');
    await expect(get({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  /** A half file of this address, by name. */
  const half = async (name: string, version: string) => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), `${server.address}/data.csv\n${version}\nline 0\n`);
  };
  const versions = () => server.asked.map(({ 'if-range': version }) => version);

  it.each([
    '',
    'no lines',
    'https://example.org/other.csv\n"v1"\nabc',
    'ADDRESS\n"v1" without an end',
    'ADDRESS\n"v1"\n',
  ])('is of no use as %o', async (held) => {
    await mkdir(folder);
    await writeFile(join(folder, 'data.csv.part'), held.replace('ADDRESS', `${server.address}/data.csv`));
    await get();
    expect([versions(), await readdir(folder)]).toEqual([[undefined], ['data.csv']]);
  });

  it('is not followed where it is a link, and nothing is open where it cannot be read', async () => {
    await half('notes.txt', '"v1"');
    const notes = await readFile(join(folder, 'notes.txt'), 'utf8');
    await symlink(join(folder, 'notes.txt'), join(folder, 'data.csv.part'));
    await get();
    expect([versions(), await readFile(join(folder, 'notes.txt'), 'utf8')]).toEqual([[undefined], notes]);
    await rm(join(folder, 'data.csv'));
    await half('data.csv.part', '"v1"');
    const [cause, open] = [new Error('bad sector'), vi.fn()];
    expect(await onDisk({ readFile: () => Promise.reject(cause), open })).toMatchObject({ cause });
    expect(open).not.toHaveBeenCalled();
  });

  it('of another version, where the server tells no versions: begun anew once its hash is wrong', async () => {
    server.answer = cutOff(new Uint8Array(BYTES.length), 1000, {});
    await rejection(get());
    server.answer = ({ headers }, response) => {
      expect(headers['if-range']).toBeUndefined();
      const from = headers.range ? 1000 : 0;
      const range = { 'content-range': `bytes ${from}-${BYTES.length - 1}/${BYTES.length}` };
      response.writeHead(from ? 206 : 200, from ? range : {}).end(BYTES.subarray(from));
    };
    expect((await get()).sha256).toBe(HASH);
    expect(server.asked.map(({ range }) => range)).toEqual([undefined, 'bytes=1000-', undefined]);
  });

  it('once more after it was begun anew: goes on with the version of the second beginning', async () => {
    server.answer = cutOff(new Uint8Array(BYTES.length), 1000, {});
    await rejection(get());
    const rest = { 'content-range': `bytes 1000-${BYTES.length - 1}/${BYTES.length}` };
    server.answer = (request, response, place) =>
      place === 1
        ? response.writeHead(206, rest).end(BYTES.subarray(1000))
        : cutOff(BYTES, 500, { etag: '"v2"' })(request, response, place);
    await rejection(get());
    server.answer = honest(BYTES, '"v2"');
    expect((await get()).sha256).toBe(HASH);
    expect(server.asked.map(({ range, 'if-range': version }) => [range, version])).toEqual([
      [undefined, undefined],
      ['bytes=1000-', undefined],
      [undefined, undefined],
      ['bytes=500-', '"v2"'],
    ]);
  });

  it('and begun anew has `timeout` for both tries together', async () => {
    server.answer = cutOff(new Uint8Array(BYTES.length), 1000, {});
    await rejection(get());
    const rest = { 'content-range': `bytes 1000-${BYTES.length - 1}/${BYTES.length}` };
    // Each of the two answers is in time, and both together never.
    server.answer = ({ headers }, response) =>
      void setTimeout(() => {
        if (headers.range) response.writeHead(206, rest).end(BYTES.subarray(1000));
        else response.end(BYTES);
      }, 700);
    expect(await said(get({ timeout: 1.2 }))).toMatch(
      /^download_timeout: The file data\.csv must be there within 1\.2 s\. Got a download that takes longer\./,
    );
  });
});

it('a user without a home folder is told to name a folder, and nothing is downloaded', async () => {
  vi.resetModules();
  vi.doMock('#io', async () => ({ ...(await import('../../src/core/io.node.js')), cacheHome: () => undefined }));
  try {
    const { download: homeless } = await import('../../src/datasets/download.js');
    const error = await homeless(file(), options({ cacheDir: undefined })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'cache_unusable',
      message:
        'The cache folder must be in the home folder of the user. Got no home folder. Name another folder in ' +
        '`cacheDir`, or give the file as `path`.',
    });
    expect(server.asked).toEqual([]);
    expect((await homeless(file(), options())).sha256).toBe(HASH);
  } finally {
    vi.doUnmock('#io');
    vi.resetModules();
  }
});

describe('what is not the file', () => {
  const OTHER = new TextEncoder().encode('something else');

  it('another hash: both are named, and nothing is kept', async () => {
    server.answer = honest(OTHER);
    expect(await said(get())).toBe(
      'checksum: data.csv from http://host/data.csv must have the SHA-256 HASH. Got ' +
        `${createHash('sha256').update(OTHER).digest('hex')}, only 14 bytes where there are 28,890. The publisher may have ` +
        'changed the file, or something between here and there did; a file that you trust can be given as `path`.',
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('a page of a network that asks for a log-in', async () => {
    server.answer = (_, response) => void response.end('\n<!DOCTYPE html><html><body>Please log in</body></html>');
    expect(await said(get())).toBe(
      'checksum: data.csv from http://host/data.csv must have the SHA-256 HASH. Got a web page (HTML) in its place. ' +
        'Networks that ask for a log-in answer so: open any page in a browser, log in, and call again.',
    );
  });

  it('half a file from a server that tells no length', async () => {
    server.answer = (_, response) => void response.end(BYTES.subarray(0, 2000));
    expect(await said(get())).toContain('only 2,000 bytes where there are 28,890');
  });

  it('more than the file can have: nothing is kept', async () => {
    server.answer = (_, response) => void response.end(new Uint8Array(200_000));
    expect(await said(get())).toContain('must have at most 157,780 bytes. Got more.');
    expect(await readdir(folder)).toEqual([]);
  });

  it('a part that nobody wanted, with another hash: an end', async () => {
    server.answer = (_, response) => void response.writeHead(206, { 'content-range': 'bytes 0-13/14' }).end(OTHER);
    expect(await said(get())).toMatch(/^checksum: /);
    expect(server.asked.length).toBe(1);
  });

  it('nothing at all', async () => {
    server.answer = (_, response) => void response.end();
    expect(await said(get())).toContain('only 0 bytes where there are 28,890');
  });
});

it('without a file system there is no cache, and none may be named', async () => {
  vi.resetModules();
  vi.doMock('#io', () => import('../../src/core/io.default.js'));
  try {
    const { download: inPage } = await import('../../src/datasets/download.js');
    const gone = options({ cacheDir: undefined });
    expect((await inPage(file(), gone)).sha256).toBe(HASH);
    expect((await inPage(file(), gone)).sha256).toBe(HASH);
    expect(server.asked.length).toBe(2);
    const error = await inPage(file(), options()).catch((thrown: unknown) => thrown as CVKitError);
    expect((error as CVKitError).message.replace(folder, 'FOLDER')).toBe(
      "The `cacheDir` option must be left out where there is no file system. Got 'FOLDER'. Browsers keep no cache.",
    );
  } finally {
    vi.doUnmock('#io');
    vi.resetModules();
  }
});
