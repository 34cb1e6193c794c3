/** What `#table` is in pages, run here. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as inPages from '../../src/pages/tableParts.js';
import { rejection } from '../helpers/failure.js';

async function* blocksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function textOf(blocks: AsyncIterable<Uint8Array>) {
  const all: Uint8Array[] = [];
  for await (const block of blocks) all.push(block);
  return Buffer.concat(all).toString();
}

describe('gzip', () => {
  const lines = Array.from({ length: 20_000 }, (_, row) => `${row},${(row * 7919) % 104_729}\n`).join('');

  it.each([7, 1000, 1 << 16])('is unpacked in blocks of %d bytes', async (size) => {
    expect(await textOf(inPages.unpacked(blocksOf(gzipSync(lines), size)))).toBe(lines);
  });

  it('that is cut off is an error, not a shorter table', async () => {
    await expect(textOf(inPages.unpacked(blocksOf(gzipSync(lines).subarray(0, 900), 100)))).rejects.toThrow();
  });

  it('that is no gzip is an error', async () => {
    await expect(textOf(inPages.unpacked(blocksOf(Buffer.from('no gzip at all, but text'), 5)))).rejects.toThrow();
  });
});

it('a page has no paths, and no Parquet', async () => {
  expect(await rejection(inPages.openedPath())).toBe(
    'invalid_option: The path of readTable must be a File or Blob in browsers. Got a path. Take one of an <input type="file">, or `await response.blob()` with `format`.',
  );
  const file = { name: 'a.parquet', format: 'parquet' } as never;
  expect(await rejection(inPages.tableReaders.parquet(file, undefined as never))).toBe(
    'unknown_format: The file a.parquet must be CSV, TSV, JSON lines or .npy in browsers. Got parquet. Save the table as CSV, or read it in Node.',
  );
});
