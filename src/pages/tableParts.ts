/** What `#table` is where there is no Node: in pages. */
import { InvalidOptionError, invalidData, phrase, sentence } from '../core/errors.js';
import type { TableReader } from '../table/tableFile.js';
import type { OpenedFile } from '../table/tableParts.js';

/** Those that are read. */
export const FORMATS = 'CSV, TSV, JSON lines or .npy in browsers';

/** The parser for pages takes text, or bytes of its own kind. */
export const parsesBytes = false;

/** With the stream of Node that csv-parse needs. */
export const csvParser = async () => (await import('csv-parse/browser/esm')).parse;

export async function openedPath(): Promise<OpenedFile> {
  const way = 'Take one of an <input type="file">, or `await response.blob()` with `format`.';
  throw new InvalidOptionError(
    sentence('The path of readTable', 'be a File or Blob in browsers', phrase('a path'), way),
  );
}

/** What gzip has packed, unpacked. A file of several members, as bgzip writes, is an error in most browsers. */
export async function* unpacked(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const { readable, writable } = new DecompressionStream('gzip');
  const fed = feed(blocks, writable.getWriter());
  const reader = readable.getReader();
  // Streams cannot be iterated over in every browser.
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    await fed;
  } finally {
    // Who stops earlier lets go of what is still to be unpacked.
    await reader.cancel();
  }
}

async function feed(blocks: AsyncIterable<Uint8Array>, writer: WritableStreamDefaultWriter<BufferSource>) {
  try {
    for await (const block of blocks) await writer.write(block as Uint8Array<ArrayBuffer>);
    await writer.close();
  } catch (error) {
    // Who reads gets it.
    await writer.abort(error);
  }
}

const needsNode: TableReader = async ({ name, format }) => {
  const way = 'Save the table as CSV, or read it in Node.';
  throw invalidData('unknown_format', `The file ${name}`, `be ${FORMATS}`, format, way);
};

export const tableReaders = { parquet: needsNode, xlsx: needsNode };
