import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import type * as fallback from '../../src/core/io.default.js';
import type * as node from '../../src/core/io.node.js';
import { readText, terminal } from '../../src/core/io.node.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cvkit-io-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('#io', () => {
  it('has the same signatures on every platform', () => {
    expectTypeOf<typeof node>().toEqualTypeOf<typeof fallback>();
  });
});

describe('readText in Node', () => {
  it('reads a file as UTF-8', async () => {
    const path = join(folder, 'text.csv');
    await writeFile(path, 'age,µg\r\n61,3\n');
    expect(await readText(path)).toBe('age,µg\r\n61,3\n');
  });

  it('names the file that cannot be read, and keeps the cause', async () => {
    const path = join(folder, 'missing.csv');
    const error = await readText(path).then(
      () => undefined,
      (thrown: unknown) => thrown as CVKitError,
    );
    expect(error).toBeInstanceOf(CVKitError);
    expect(error?.code).toBe('unreadable_file');
    expect(error?.message).toBe(
      `\`path\` must name a file that can be read. Got ENOENT: no such file or directory, open '${path}'.`,
    );
    expect(error).toHaveProperty('cause.code', 'ENOENT');
  });

  it("throws the signal's reason once aborted", async () => {
    const path = join(folder, 'text.csv');
    const reason = new Error('closed');
    await expect(readText(path, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('the terminal in Node', () => {
  it('writes to standard error as it is, and has a width', () => {
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
});

describe('sha256', () => {
  it('is that of FIPS 180-4 for `abc`, in Node and elsewhere', async () => {
    for (const io of [await import('../../src/core/io.node.js'), await import('../../src/core/io.default.js')]) {
      const hash = await io.sha256();
      for (const letter of 'abc') hash.update(new TextEncoder().encode(letter));
      expect(hash.digest()).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    }
  });
});
