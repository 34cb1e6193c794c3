import { describe, expect, it } from 'vitest';
import type { Files } from '../../src/core/io.js';
import { inNewFolder } from '../../src/core/wholeFile.js';

/** A disk with the folders `there`; tells which were made. */
function disk(there: readonly string[]) {
  const folders = new Set(there);
  const files = {
    async lstat(path: string) {
      if (folders.has(path)) return {};
      throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
    },
    async mkdir(path: string) {
      folders.add(path);
    },
    open: async () => ({ sync: async () => undefined, close: async () => undefined }),
  };
  return { files: files as unknown as Files, made: () => [...folders].slice(there.length) };
}

describe('inNewFolder', () => {
  it.each([
    ['saved', ['.'], ['saved']],
    ['saved/models', ['.'], ['saved', 'saved/models']],
    ['saved\\models', ['.'], ['saved', 'saved\\models']],
    ['/saved', ['/'], ['/saved']],
    ['./saved', ['.'], ['./saved']],
    ['saved', ['saved'], []],
  ])('makes the folders of %s that are missing, and no other', async (folder, there, made) => {
    const { files, made: created } = disk(there);
    await inNewFolder(files, folder, async () => undefined);
    expect(created()).toEqual(made);
  });
});
