/** What every loader of a data set does alike, whatever it loads. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'fflate';
import { describe, expect, it, vi } from 'vitest';
import { InvalidOptionError } from '../../src/core/errors.js';
import type { Dataset } from '../../src/datasets/dataset.js';
import { rejection } from './failure.js';
import { tempFolder } from './tempFolder.js';

export interface LoaderCase {
  readonly name: string;
  load(options: object): Promise<Dataset<unknown[]>>;
  /** A few rows that it takes at `path`, invented or cut from the whole. */
  readonly text: string;
  readonly rows: number;
  /** Its header, if it has one. */
  readonly header?: string;
  /** What its description calls the published data. */
  readonly content: string;
  /** What is downloaded, and from where; left out for bundled data. */
  readonly remote?: { readonly file: string; readonly url: string };
  /** Options of this loader alone that are refused, and the message. */
  readonly refused?: readonly (readonly [object, string])[];
}

export function loaderSuite({ name, load, text, rows, header, content, remote, refused = [] }: LoaderCase): void {
  describe(`${name}, as every loader`, () => {
    const { folder, write } = tempFolder();
    const file = (written: string | Uint8Array) => write('given.csv', written);

    it('says of a file at `path` that its rows are not the published ones, and gives the hash of its bytes', async () => {
      const data = await load({ path: file(text) });
      expect([data.X.length, data.y.length]).toEqual([rows, rows]);
      expect(data.description).toMatch(
        new RegExp(`\\. These rows are not the published ${content.replaceAll('.', '\\.')}, or not all of it\\.$`),
      );
      expect(data.sha256).toBe(createHash('sha256').update(text).digest('hex'));
      expect(data.license).toBe('CC BY 4.0');
      expect('warnings' in data).toBe(false);
    });

    it('reads a URL, either line end, and a mark at the beginning, of which the hash is, too', async () => {
      const plain = await load({ path: file(text) });
      const other = `\uFEFF${text.replace(/\r?\n/g, '\r\n')}`;
      const data = await load({ path: pathToFileURL(file(other)) });
      expect([data.X, data.y]).toEqual([plain.X, plain.y]);
      expect(data.sha256).toBe(createHash('sha256').update(other).digest('hex'));
    });

    it('refuses what is no table in one sentence (reviewed)', async () => {
      const said = async (written: string | Uint8Array) =>
        (await rejection(load({ path: file(written) }))).replaceAll(join(folder, 'given.csv'), 'given.csv');
      const empty = 'empty_table: given.csv must have rows. Got an empty file.';
      expect(await said('')).toBe(empty);
      expect(await said('\uFEFF\n\n')).toBe(empty);
      expect(await said('<!doctype html><title>Log in</title>')).toBe(
        'not_a_table: given.csv must be a file of data. Got a web page (HTML).',
      );
      const packed = gzipSync(new TextEncoder().encode(text));
      expect(await said(packed)).toBe(
        'not_a_table: given.csv must be a file of data. Got a gzip file. Unpack it, and give the file that was in it.',
      );
      expect(await said(`"a"\n${text}`)).toMatch(/^quoted_cells: given\.csv must have cells without quotes\./);
      if (header === undefined) return;
      const none = 'empty_table: given.csv must have rows below its header. Got none.';
      expect(await said(header)).toBe(none);
      expect(await said(`${header}\n\n`)).toBe(none);
    });

    it('names a file that is not there', async () => {
      const path = join(folder, 'none.csv');
      expect(await rejection(load({ path }))).toBe(
        `unreadable_file: \`path\` must name a file that can be read. Got ENOENT: no such file or directory.`,
      );
    });

    it('gives up at the signal', async () => {
      const reason = new Error('closed');
      await expect(load({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    it('takes `cacheDir` beside `path`, and makes no folder', async () => {
      const cacheDir = join(folder, 'cache');
      expect((await load({ path: file(text), cacheDir })).y.length).toBe(rows);
      await expect(readdir(cacheDir)).rejects.toThrow('ENOENT');
    });

    it('reads a URL that is a string, and refuses an address on the web where there are files', async () => {
      const url = pathToFileURL(file(text));
      expect(await load({ path: url.href })).toEqual(await load({ path: url }));
      for (const path of ['https://example.org/a.csv', new URL('http://example.org/a.csv')]) {
        const scheme = String(path).split(':')[0];
        expect(await rejection(load({ path }))).toBe(
          `unreadable_file: \`path\` must name a file that can be read. Got an address on the web (${scheme}:). ` +
            'Download it, and give the place of the file.',
        );
      }
    });

    it('takes `cacheDir` as path or URL, and refuses what would make a folder of that name', async () => {
      const path = file(text);
      for (const cacheDir of ['./cache', '~cache/~', 'C:\\cache', 'file:///tmp/x', new URL('file:///tmp/x')]) {
        expect((await load({ path, cacheDir })).y.length).toBe(rows);
      }
      const must = 'must be a folder of this machine as a path or `file:` URL, with the home folder (`~`) written out.';
      const wrong = ['', '~', '~/c', '~\\c', 'file:c', 'file://host/c', 'https://example.org/c', 's3://bucket'];
      for (const cacheDir of [...wrong, ...['https://example.org/', 'file://host/c'].map((each) => new URL(each))]) {
        expect(await rejection(load({ path, cacheDir }))).toContain(
          `invalid_option: The \`cacheDir\` option of ${name} ${must} Got`,
        );
      }
    });

    const of = (option: string) => `The \`${option}\` option of ${name}`;
    it.each<readonly [object, string]>([
      [{ path: '' }, `invalid_option: ${of('path')} must be a non-empty string or a URL. Got ''.`],
      [{ signal: 1 }, `invalid_option: ${of('signal')} must be an AbortSignal. Got 1.`],
      [{ cachedir: 'x' }, `unknown_option: ${name} has no option \`cachedir\`. Did you mean \`cacheDir\`?`],
      ...refused,
    ])('refuses %o', async (options, message) => {
      expect(await rejection(load(options))).toBe(message);
      await expect(load(options)).rejects.toBeInstanceOf(InvalidOptionError);
    });

    if (!remote) return;

    it('refuses time limits of a download beside `path`, unless they are the defaults', async () => {
      const path = file(text);
      const why = 'has no effect: with `path` nothing is downloaded. Leave it out.';
      expect(await rejection(load({ path, timeout: 20 }))).toBe(`idle_option: ${of('timeout')} ${why}`);
      expect(await rejection(load({ path, stallTimeout: 20 }))).toBe(`idle_option: ${of('stallTimeout')} ${why}`);
      expect((await load({ path, timeout: 300, stallTimeout: 30 })).y.length).toBe(rows);
    });

    it.each<readonly [object, string]>([
      [{ timeout: 0 }, `invalid_option: ${of('timeout')} must be a number > 0 and <= 86400. Got 0.`],
      [{ stallTimeout: 61 }, `invalid_option: ${of('stallTimeout')} must be a number > 0 and <= 60. Got 61.`],
    ])('refuses %o', async (options, message) => expect(await rejection(load(options))).toBe(message));

    it('says without a connection what to fetch from where, and what to do with it', async () => {
      const fetched = vi
        .fn()
        .mockRejectedValue(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') }));
      vi.stubGlobal('fetch', fetched);
      try {
        expect(await rejection(load({ cacheDir: join(folder, 'empty') }))).toBe(
          `download_failed: The file ${remote.file} must come from ${remote.url}. ` +
            'Got no connection, or one that ended too early: getaddrinfo ENOTFOUND. Call again, or download ' +
            `${remote.file} from ${remote.url} by other means and give its place as \`path\`.`,
        );
        expect(fetched).toHaveBeenCalledOnce();
      } finally {
        vi.unstubAllGlobals();
      }
    });
  });
}
