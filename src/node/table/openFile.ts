import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, readSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import { openedFile } from '#io';
import { CVKitError, invalidData, messageOf, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { mostUnpacked, type UnpackLimits } from '../unpackLimits.js';
import type { RawTable } from './rawTable.js';

export type Format = RawTable['format'];

export interface TableFile {
  readonly path: string;
  /** Name for messages, without folders. */
  readonly name: string;
  readonly format: Format;
  readonly gzip: boolean;
  readonly size: number;
  /** The mark at the beginning of a text in UTF-16. */
  readonly isUtf16: boolean;
  readonly limits: UnpackLimits;
}

const MAGIC: Readonly<Record<string, Format>> = { PAR1: 'parquet', '\x93NUMPY': 'npy' };
const ENDINGS: Readonly<Record<string, Format | undefined>> = {
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  txt: 'csv',
  data: 'csv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  parquet: 'parquet',
  npy: 'npy',
  xlsx: 'xlsx',
};
const BLOCK = 1 << 16;
/** Bytes of one line of a text file, or of one record with line ends in quotes. */
export const MOST_RECORD = 2 ** 26;

export async function tableFile(
  place: string | URL,
  limits: UnpackLimits & { readonly format?: Format | undefined },
): Promise<TableFile> {
  const path = place instanceof URL ? fileURLToPath(place) : place;
  const name = nameText(basename(path));
  const { head, size } = await firstBytes(path, name);
  if (head.length === 0) throw emptyFile(name);
  const gzip = head[0] === 0x1f && head[1] === 0x8b;
  const magic = head.toString('latin1', 0, 6);
  const ending = name.toLowerCase().replace(/\.gz$/, '').split('.').at(-1) ?? '';
  const known = Object.entries(MAGIC).find(([start]) => magic.startsWith(start))?.[1];
  const format = limits.format ?? known ?? ENDINGS[ending];
  if (magic.startsWith('PK') && format !== 'xlsx') throw unknownFile(name, 'a zip archive', 'Unpack it first.');
  if (!format) throw unknownFile(name, 'another ending', "Pass `format`, for example 'csv'.");
  if (gzip && (format === 'parquet' || format === 'xlsx'))
    throw unknownFile(name, `${format} within gzip`, 'Unpack it first.');
  return { path, name, format, gzip, size, isUtf16: head[0] === 0xff && head[1] === 0xfe, limits };
}

async function firstBytes(path: string, name: string): Promise<{ head: Buffer; size: number }> {
  try {
    const { handle, size } = await openedFile(path);
    try {
      const head = Buffer.alloc(16);
      return { head: head.subarray(0, readSync(handle, head, 0, 16, 0)), size };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw unreadable(name, error);
  }
}

const unreadable = (name: string, cause: unknown) =>
  new CVKitError(sentence(`The file ${name}`, 'be a file that can be read', phrase(messageOf(cause))), {
    code: 'unreadable_file',
    cause,
  });

export const emptyFile = (name: string, got = 'an empty file', way?: string) =>
  invalidData('empty_table', `The file ${name}`, 'have rows', got, way);

const unknownFile = (name: string, got: string, way: string) =>
  invalidData('unknown_format', `The file ${name}`, 'be CSV, TSV, JSON lines, Parquet, .npy or .xlsx', got, way);

export const tooLarge = (name: string, must: string, got: string, way = 'Raise the limit if you trust the file.') =>
  invalidData('too_large', `The file ${name}`, must, got, way);

/** All bytes, unpacked, block by block; `hash` is fed with the bytes on the disk. */
export async function* unpackedBlocks(
  { path, name, gzip, size, limits }: TableFile,
  hash: Hash,
): AsyncGenerator<Buffer, void, undefined> {
  const source = createReadStream(path, { highWaterMark: BLOCK });
  async function* hashed(): AsyncGenerator<Buffer, void, undefined> {
    for await (const block of source) {
      hash.update(block);
      yield block;
    }
  }
  // Errors of the file reach who reads the last stream.
  const blocks = gzip ? pipeline(hashed(), createGunzip(), () => undefined) : hashed();
  const { most, must } = mostUnpacked(gzip ? size : Number.POSITIVE_INFINITY, limits);
  let unpacked = 0;
  try {
    for await (const block of blocks) {
      unpacked += block.length;
      if (unpacked > most) throw tooLarge(name, must, 'more');
      yield block;
    }
  } catch (error) {
    throw error instanceof CVKitError ? error : unreadable(name, error);
  }
}

export async function unpackedBytes(file: TableFile): Promise<{ bytes: Buffer; sha256: string }> {
  const hash = createHash('sha256');
  const blocks: Buffer[] = [];
  for await (const block of unpackedBlocks(file, hash)) blocks.push(block);
  return { bytes: Buffer.concat(blocks), sha256: hash.digest('hex') };
}

/** Blocks of bytes as text; what is not valid in the encoding is an error. */
export function textDecoder(encoding: string, name: string): (block?: Buffer) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (block) => {
    try {
      return decoder.decode(block, { stream: block !== undefined });
    } catch {
      const way = "Older programs write `encoding: 'windows-1252'`; Excel's Unicode text is 'utf-16le'.";
      throw invalidData('wrong_encoding', `The file ${name}`, `be text in ${encoding}`, 'bytes that are none', way);
    }
  };
}
