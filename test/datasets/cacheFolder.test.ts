import fs, { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Files } from '../../src/core/io.js';
import { cacheFolder, inTime, makeFolder, noFile, unusable } from '../../src/datasets/download.js';
import { failure, rejection } from '../helpers/failure.js';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cvkit-cache-'));
});
afterAll(() => rm(root, { recursive: true }));

describe('cacheFolder', () => {
  it('is the folder that is named, by path or URL, else one in the cache folder of the user', () => {
    expect(cacheFolder('a/b c')).toBe('a/b c');
    const folder = join(root, 'with blank µ');
    expect(cacheFolder(pathToFileURL(folder))).toBe(folder.replaceAll('\\', '/'));
    expect(cacheFolder(pathToFileURL(folder).href)).toBe(folder.replaceAll('\\', '/'));
    vi.stubEnv('XDG_CACHE_HOME', root);
    expect(cacheFolder(undefined)).toBe(`${root}/cvkit`);
    vi.unstubAllEnvs();
  });

  it('refuses a URL that does not decode', () => {
    expect(failure(() => cacheFolder('file:///a%ff'))).toMatch(
      /^cache_unusable: The cache folder file:\/\/\/a%ff must /,
    );
  });
});

describe('makeFolder', () => {
  it('makes what is missing, and takes what is there', async () => {
    const folder = `${root}/a/b//c/`;
    await makeFolder(fs, folder);
    await makeFolder(fs, folder);
    expect(await readdir(join(root, 'a/b'))).toEqual(['c']);
    await Promise.all([1, 2, 3, 4].map(() => makeFolder(fs, `${root}/d/e/f`)));
    expect(await readdir(join(root, 'd/e'))).toEqual(['f']);
  });

  it('takes a path that is relative', async () => {
    const made: string[] = [];
    const missing = Object.assign(new Error('none'), { code: 'ENOENT' });
    const mkdir: Files['mkdir'] = async (path) => {
      if (path === 'x/y' && made.length === 0) throw missing;
      made.push(String(path));
    };
    await makeFolder({ ...fs, mkdir }, 'x/y');
    expect(made).toEqual(['x', 'x/y']);
  });

  it('ends where new folders are refused as if the one above were missing, as in /proc', async () => {
    const missing = Object.assign(new Error('none'), { code: 'ENOENT' });
    const there = Object.assign(new Error('there'), { code: 'EEXIST' });
    const mkdir = vi.fn(async (path: string | URL) => {
      throw path === '/proc' ? there : missing;
    });
    await expect(makeFolder({ ...fs, mkdir }, '/proc/nope/deeper')).rejects.toBe(missing);
    await expect(makeFolder({ ...fs, mkdir: () => Promise.reject(missing) }, '/a/b')).rejects.toBe(missing);
    expect(mkdir.mock.calls.length).toBeLessThan(6);
  });
});

describe('inTime', () => {
  const limits = { timeout: 20, signal: undefined };
  const late = async () => undefined;

  it('gives what the work gives, or throws what it throws', async () => {
    expect(await inTime(Promise.resolve(3), 'F', limits, late)).toBe(3);
    const failed = new Error('no');
    await expect(inTime(Promise.reject(failed), 'F', limits, late)).rejects.toBe(failed);
  });

  it('ends at the time limit and at the signal; what comes later is handed to `late`', async () => {
    let answer: (result: number) => void = () => undefined;
    const work = new Promise<number>((resolve) => {
      answer = resolve;
    });
    const came = vi.fn(async () => undefined);
    expect(await rejection(inTime(work, 'F', { ...limits, timeout: 0.02 }, came))).toBe(
      'cache_unusable: The cache folder F must be a folder that can be read and written. Got no answer within 0.02 s. ' +
        'Name another folder in `cacheDir`, or give the file as `path`.',
    );
    const reason = new Error('closed');
    const controller = new AbortController();
    const waiting = inTime(work, 'F', { timeout: 20, signal: controller.signal }, came);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(came).not.toHaveBeenCalled();
    answer(7);
    await vi.waitFor(() => expect(came.mock.calls).toEqual([[7], [7]]));
  });

  it('has a reader for an error that comes too late', async () => {
    const unread = vi.fn();
    process.on('unhandledRejection', unread);
    const fails = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('late')), 40));
    const failsAfter = new Promise<void>((resolve) => setTimeout(resolve, 40));
    const soon = { ...limits, timeout: 0.01 };
    await rejection(inTime(fails, 'F', soon, late));
    await rejection(inTime(failsAfter, 'F', soon, () => Promise.reject(new Error('late'))));
    await new Promise((resolve) => setTimeout(resolve, 80));
    process.off('unhandledRejection', unread);
    expect(unread).not.toHaveBeenCalled();
  });
});

describe('errors', () => {
  it('name the folder, or the entry in it', () => {
    const cause = new Error('EISDIR');
    expect(unusable('F', cause)).toMatchObject({ code: 'cache_unusable', cause });
    expect(noFile('F/data.csv', cause).message).toBe(
      'The entry F/data.csv of the cache must be a file. Got EISDIR. Remove it, or name another folder in `cacheDir`.',
    );
  });
});
