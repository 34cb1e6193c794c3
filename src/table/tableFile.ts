import { sha256 } from '#io';
import { FORMATS, openedPath, unpacked } from '#table';
import { CVKitError, invalidData, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Sha256 } from '../core/io.js';
import { mostUnpacked, type UnpackLimits } from '../core/unpackLimits.js';
import type { RawTable, ReadPlan } from './rawTable.js';
import { HEAD, type OpenedFile } from './tableParts.js';

export type Format = RawTable['format'];

export interface TableFile {
  /** Name for messages, without folders. */
  readonly name: string;
  readonly format: Format;
  readonly gzip: boolean;
  readonly size: number;
  /** The bytes as they are stored, anew with each call. */
  readonly blocks: () => AsyncIterable<Uint8Array>;
  /** The mark at the beginning of a text in UTF-16. */
  readonly isUtf16: boolean;
  readonly limits: UnpackLimits;
}

export type TableReader = (file: TableFile, plan: ReadPlan) => Promise<{ table: RawTable; sha256: string }>;

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
const BLOB_BLOCK = 1 << 20;
/** Bytes of one line of a text file, or of one record with line ends in quotes. */
export const MOST_RECORD = 2 ** 26;

export async function tableFile(
  place: string | URL | Blob,
  limits: UnpackLimits & { readonly format?: Format | undefined },
): Promise<TableFile> {
  const { name: written, size, head, blocks } = place instanceof Blob ? await openedBlob(place) : await opened(place);
  const name = nameText(written);
  if (head.length === 0) throw emptyFile(name);
  const gzip = head[0] === 0x1f && head[1] === 0x8b;
  const magic = String.fromCharCode(...head.subarray(0, 6));
  const ending = name.toLowerCase().replace(/\.gz$/, '').split('.').at(-1) ?? '';
  const known = Object.entries(MAGIC).find(([start]) => magic.startsWith(start))?.[1];
  const format = limits.format ?? known ?? ENDINGS[ending];
  if (magic.startsWith('PK') && format !== 'xlsx') throw unknownFile(name, 'a zip archive', 'Unpack it first.');
  if (!format) throw unknownFile(name, 'another ending', "Pass `format`, for example 'csv'.");
  if (gzip && (format === 'parquet' || format === 'xlsx'))
    throw unknownFile(name, `${format} within gzip`, 'Unpack it first.');
  return { name, format, gzip, size, blocks, isUtf16: head[0] === 0xff && head[1] === 0xfe, limits };
}

async function opened(place: string | URL): Promise<OpenedFile> {
  try {
    return await openedPath(place);
  } catch (error) {
    if (error instanceof CVKitError) throw error;
    const path = place instanceof URL ? place.pathname : place;
    throw unreadable(nameText(path.split(/[/\\]/).at(-1) ?? ''), error);
  }
}

async function openedBlob(blob: Blob): Promise<OpenedFile> {
  const { name = 'without a name' } = blob as Partial<File>;
  async function* blocks() {
    // Streams of a Blob cannot be iterated over in every browser.
    for (let at = 0; at < blob.size; at += BLOB_BLOCK) {
      yield new Uint8Array(await blob.slice(at, at + BLOB_BLOCK).arrayBuffer());
    }
  }
  return { name, size: blob.size, head: new Uint8Array(await blob.slice(0, HEAD).arrayBuffer()), blocks };
}

const unreadable = (name: string, cause: unknown) =>
  new CVKitError(sentence(`The file ${name}`, 'be a file that can be read', phrase(messageOf(cause))), {
    code: 'unreadable_file',
    cause,
  });

export const emptyFile = (name: string, got = 'an empty file', way?: string) =>
  invalidData('empty_table', `The file ${name}`, 'have rows', got, way);

const unknownFile = (name: string, got: string, way: string) =>
  invalidData('unknown_format', `The file ${name}`, `be ${FORMATS}`, got, way);

export const tooLarge = (name: string, must: string, got: string, way = 'Raise the limit if you trust the file.') =>
  invalidData('too_large', `The file ${name}`, must, got, way);

/** All bytes, unpacked, block by block; `hash` is fed with the bytes as they are stored. */
export async function* unpackedBlocks(
  { name, gzip, size, limits, blocks }: TableFile,
  hash: Sha256,
): AsyncGenerator<Uint8Array, void, undefined> {
  async function* hashed() {
    for await (const block of blocks()) {
      hash.update(block);
      yield block;
    }
  }
  const { most, must } = mostUnpacked(gzip ? size : Number.POSITIVE_INFINITY, limits);
  let length = 0;
  try {
    for await (const block of gzip ? unpacked(hashed()) : hashed()) {
      length += block.length;
      if (length > most) throw tooLarge(name, must, 'more');
      yield block;
    }
  } catch (error) {
    throw error instanceof CVKitError ? error : unreadable(name, error);
  }
}

export async function unpackedBytes(file: TableFile): Promise<{ bytes: Uint8Array; sha256: string }> {
  const hash = await sha256();
  const blocks: Uint8Array[] = [];
  for await (const block of unpackedBlocks(file, hash)) blocks.push(block);
  const bytes = new Uint8Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    bytes.set(block, at);
    at += block.length;
  }
  return { bytes, sha256: hash.digest() };
}

/** Blocks of bytes as text; what is not valid in the encoding is an error. */
export function textDecoder(encoding: string, name: string): (block?: Uint8Array) => string {
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
