import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import type * as fallback from '../../src/core/io.default.js';
import type * as node from '../../src/core/io.node.js';
import { cacheHome, readBytes, readText, terminal } from '../../src/core/io.node.js';
import { tempFolder } from '../helpers/tempFolder.js';

vi.mock('node:os', async (original) => {
  const os = await original<typeof import('node:os')>();
  return { ...os, homedir: vi.fn(os.homedir) };
});

const { folder, write } = tempFolder();

it('#io has the same signatures on every platform', () => {
  expectTypeOf<typeof node>().toEqualTypeOf<typeof fallback>();
});

describe('readText in Node', () => {
  it('reads a file as UTF-8', async () => {
    const path = write('text.csv', 'age,µg\r\n61,3\n');
    expect(await readText(path)).toBe('age,µg\r\n61,3\n');
  });

  it('names the file that cannot be read, and keeps the cause', async () => {
    const path = join(folder, 'missing.csv');
    const error = await readText(path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CVKitError);
    expect(error).toMatchObject({
      ...{ code: 'unreadable_file', cause: { code: 'ENOENT' } },
      message: '`path` must name a file that can be read. Got ENOENT: no such file or directory.',
    });
  });

  it("throws the signal's reason once aborted", async () => {
    const path = join(folder, 'text.csv');
    const reason = new Error('closed');
    await expect(readText(path, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('readBytes in Node', () => {
  it('reads a file as it is, also by URL, with the errors of readText', async () => {
    const path = write('bytes.bin', Uint8Array.of(0xef, 0xbb, 0xbf, 0, 255));
    expect([...(await readBytes(path))]).toEqual([0xef, 0xbb, 0xbf, 0, 255]);
    expect([...(await readBytes(pathToFileURL(path)))]).toEqual([0xef, 0xbb, 0xbf, 0, 255]);
    await expect(readBytes(join(folder, 'none'))).rejects.toMatchObject({ code: 'unreadable_file' });
    await expect(readBytes(new URL('https://example.org/x'))).rejects.toThrow('must name a file that can be read');
  });

  it('takes a `file:` URL as a string, and refuses addresses on the web', async () => {
    const path = write('by url µ.bin', 'x');
    expect([...(await readBytes(pathToFileURL(path).href))]).toEqual([120]);
    const got = (where: string | URL) =>
      readBytes(where).catch((thrown: CVKitError) => `${thrown.code}: ${thrown.message}`);
    const web =
      'unreadable_file: `path` must name a file that can be read. Got an address on the web (https:). ' +
      'Download it, and give the place of the file.';
    expect(await got('HTTPS://example.org/a')).toBe(web);
    expect(await got(new URL('https://example.org/a'))).toBe(web);
    expect(await got('https:a')).toContain('ENOENT');
  });
});

describe('cacheHome in Node', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  const on = (platform: string) => vi.spyOn(process, 'platform', 'get').mockReturnValue(platform as 'linux');

  it('is what XDG_CACHE_HOME says, unless that is relative', () => {
    vi.stubEnv('XDG_CACHE_HOME', folder);
    expect(cacheHome()).toBe(folder);
    on('linux');
    vi.stubEnv('XDG_CACHE_HOME', 'cache');
    expect(cacheHome()).toBe(join(homedir(), '.cache'));
  });

  it('is the folder of the platform otherwise', () => {
    vi.stubEnv('XDG_CACHE_HOME', undefined);
    on('darwin');
    expect(cacheHome()).toBe(join(homedir(), 'Library', 'Caches'));
    on('win32');
    vi.stubEnv('LOCALAPPDATA', folder);
    expect(cacheHome()).toBe(folder);
    vi.stubEnv('LOCALAPPDATA', undefined);
    expect(cacheHome()).toBe(join(homedir(), 'AppData', 'Local'));
  });
});

describe('cacheHome in Node without a home folder', () => {
  beforeEach(() => {
    vi.stubEnv('XDG_CACHE_HOME', undefined);
    vi.stubEnv('LOCALAPPDATA', undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.mocked(homedir).mockReset();
  });

  const throwing = (error: Error) => () => {
    throw error;
  };

  it('is nowhere: no folder of the working directory is taken, and no other error is hidden', () => {
    for (const home of ['', 'home']) {
      vi.mocked(homedir).mockReturnValue(home);
      expect(cacheHome()).toBeUndefined();
    }
    const none = Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
    vi.mocked(homedir).mockImplementation(throwing(none));
    expect(cacheHome()).toBeUndefined();
    vi.mocked(homedir).mockImplementation(throwing(new Error('another')));
    expect(() => cacheHome()).toThrow('another');
  });
});

it('the terminal in Node writes to standard error as it is, and has a width', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    terminal.write('\rfold 1');
    expect(write).toHaveBeenCalledExactlyOnceWith('\rfold 1');
  } finally {
    write.mockRestore();
  }
  expect(terminal.columns).toBeGreaterThan(0);
  expect(terminal.isTTY).toBe(process.stderr.isTTY === true);
});

it('sha256 is that of FIPS 180-4 for `abc`, in Node and elsewhere', async () => {
  for (const io of [await import('../../src/core/io.node.js'), await import('../../src/core/io.default.js')]) {
    const hash = await io.sha256();
    for (const letter of 'abc') hash.update(new TextEncoder().encode(letter));
    expect(hash.digest()).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  }
});
