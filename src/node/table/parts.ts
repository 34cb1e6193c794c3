/** What `#table` is in Node. */
import { closeSync, createReadStream, readSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import { openedFile } from '#io';
import type { TableReader } from '../../table/tableFile.js';
import { HEAD, type OpenedFile } from '../../table/tableParts.js';

/** Those that are read. */
export const FORMATS = 'CSV, TSV, JSON lines, Parquet, .npy or .xlsx';

export const tableReaders: Record<'parquet' | 'xlsx', TableReader> = {
  parquet: async (...file) => (await import('./parquetFile.js')).readParquet(...file),
  xlsx: async (...file) => (await import('./xlsxFile.js')).readXlsx(...file),
};

/** As they are in the file: to make them anew from text takes time. */
export const parsesBytes = true;

export const csvParser = async () => (await import('csv-parse')).parse;

const BLOCK = 1 << 16;

export async function openedPath(place: string | URL): Promise<OpenedFile> {
  const path = place instanceof URL ? fileURLToPath(place) : place;
  const { handle, size } = await openedFile(path);
  try {
    const head = new Uint8Array(HEAD);
    const blocks = () => createReadStream(path, { highWaterMark: BLOCK });
    return { name: basename(path), size, head: head.subarray(0, readSync(handle, head, 0, HEAD, 0)), blocks };
  } finally {
    closeSync(handle);
  }
}

/** What gzip has packed, unpacked. */
export const unpacked = (blocks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  // Errors of the file reach who reads the last stream.
  pipeline(blocks, createGunzip(), () => undefined);
