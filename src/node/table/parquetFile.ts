/** Parquet, by hyparquet; gzip, brotli and zstd by Node. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as zlib from 'node:zlib';
import { absent, CVKitError, invalidData, MissingPackageError, messageOf, show } from '../../core/errors.js';
import { power } from '../../core/numbers.js';
import { mostUnpacked } from '../../core/unpackLimits.js';
import { valueTable } from '../../table/cellColumn.js';
import { checkedNames, type RawTable, type ReadPlan } from '../../table/rawTable.js';
import { emptyFile, type TableFile, tooLarge, unpackedBytes } from '../../table/tableFile.js';

type Hyparquet = typeof import('hyparquet');

/** Replaceable in tests. */
export const hyparquet = {
  async load(): Promise<Hyparquet> {
    try {
      return await import('hyparquet');
    } catch (error) {
      return absent(error);
    }
  },
};

const UNPACK = { GZIP: 'gunzipSync', BROTLI: 'brotliDecompressSync', ZSTD: 'zstdDecompressSync' } as const;

/** After so many ms a column counts as damaged; for each megabyte of the file come some more, ten times what an old machine takes. */
const PATIENCE = { any: 10_000, megabyte: 200 };

/** A thread, since a damaged file can keep hyparquet at work for hours; as text, which every bundler takes along. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const zlib = require('node:zlib');
const { hyparquet, file, metadata, unpack, most } = workerData;
// A damaged run writes behind the end of its array, up to 2^31 times; the limit on the memory of a thread would end the process.
Object.defineProperty(Array.prototype, Number(metadata.num_rows) + 65536, {
  set() {
    throw new RangeError('a page with more values than there are rows');
  },
});
const source = { byteLength: file.byteLength, slice: (from, to) => file.slice(from, to) };
const checked = (n) => {
  if (!(n >= 0 && n <= most)) throw new RangeError('a page of ' + n + ' bytes');
  return n;
};
parentPort.on('message', async ({ name, length }) => {
  try {
    const { parquetRead, snappyUncompress } = await import(hyparquet);
    const compressors = {
      SNAPPY(bytes, n) {
        const out = new Uint8Array(checked(n));
        snappyUncompress(bytes, out);
        return out;
      },
    };
    for (const [codec, by] of Object.entries(unpack)) {
      compressors[codec] = (bytes, n) => zlib[by](bytes, { maxOutputLength: Math.max(1, checked(n)) });
    }
    const values = new Array(length);
    let filled = 0;
    const onChunk = ({ columnData, rowStart }) => {
      filled += columnData.length;
      if (filled > length) throw new RangeError('more values than the ' + length + ' rows');
      for (let at = 0; at < columnData.length; at++) values[rowStart + at] = columnData[at];
    };
    await parquetRead({ file: source, metadata, compressors, columns: [name], onChunk });
    // What was not filled would be read as missing.
    if (filled !== length) throw new RangeError(filled + ' values in a column of ' + length + ' rows');
    parentPort.postMessage({ values: values.every((each) => typeof each === 'number') ? Float64Array.from(values) : values });
  } catch (error) {
    // What JSON.parse throws quotes the cell.
    parentPort.postMessage({ error: error.name === 'SyntaxError' ? 'a cell that is no JSON' : String(error.message) });
  }
});
`;

export async function readParquet(file: TableFile, plan: ReadPlan): Promise<{ table: RawTable; sha256: string }> {
  const { parquetMetadataAsync } = await hyparquet.load().catch((error: unknown): never => {
    throw new MissingPackageError('hyparquet', 'readTable of a Parquet file', 'npm install hyparquet', error);
  });
  const { bytes, sha256 } = await unpackedBytes(file);
  const source = {
    byteLength: bytes.length,
    slice: (from: number, to?: number) => Uint8Array.from(bytes.subarray(from, to)).buffer,
  };
  let thread: Worker | undefined;
  try {
    checkFooter(bytes);
    const metadata = await parquetMetadataAsync(source);
    const length = Number(metadata.num_rows);
    const { num_children: width = 0 } = metadata.schema[0];
    if (metadata.schema.length !== width + 1) {
      throw invalidData('not_a_table', `The file ${file.name}`, 'hold a flat table', 'lists or records in cells');
    }
    if (metadata.schema.some(({ name }) => typeof name !== 'string')) throw new TypeError('a column without a name');
    const written = metadata.schema.slice(1).map(({ name }) => name);
    const { names, notes } = checkedNames(written, file.name, plan);
    if (length === 0) throw emptyFile(file.name, 'none');
    const placeOf = (row: number) => `Row ${row}`;
    checkSizes(file, metadata);
    thread = columnThread(bytes, metadata, file);
    const patience = Math.ceil(PATIENCE.any + (PATIENCE.megabyte * unpackedSize(metadata)) / 2 ** 20);
    const valuesOf = async (at: number) => {
      const values = await columnBy(thread as Worker, { name: names[at], length }, patience);
      const { converted_type: kind, scale = 0 } = metadata.schema[at + 1];
      if (kind === 'DECIMAL') checkDecimals(values, scale, (row) => `${placeOf(row)}, column ${show(names[at])}`);
      return values;
    };
    // One column after the other: all values at once would take several times the memory.
    const table = await valueTable(names, valuesOf, plan, { length, placeOf });
    return { sha256, table: { ...table, format: 'parquet', dialect: [], notes } };
  } catch (cause) {
    if (cause instanceof CVKitError) throw cause;
    const got = messageOf(cause);
    throw invalidData('broken_file', `The file ${file.name}`, 'be a whole Parquet file that hyparquet can read', got);
  } finally {
    await thread?.terminate();
  }
}

type Metadata = Awaited<ReturnType<Hyparquet['parquetMetadataAsync']>>;

const chunksOf = ({ row_groups }: Metadata) =>
  row_groups.flatMap(({ columns }) => columns.map((each) => each.meta_data));

const unpackedSize = (metadata: Metadata) =>
  chunksOf(metadata).reduce((sum, chunk) => sum + Math.max(0, Number(chunk?.total_uncompressed_size ?? 0)), 0);

/** A number goes on while its bytes are above 127, and hyparquet takes the square of their count: no footer has one so long. */
function checkFooter(bytes: Uint8Array): void {
  let run = 0;
  const size = bytes.length < 8 ? 0 : new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
  for (const byte of bytes.length < 8 ? [] : bytes.subarray(-8 - size)) {
    run = byte > 127 ? run + 1 : 0;
    if (run > 4096) throw new RangeError('a number of thousands of bytes in its footer');
  }
}

/** Before anything is unpacked. A cell takes 8 bytes here, however few it takes in the file. */
function checkSizes(file: TableFile, metadata: Metadata): void {
  const cells = Number(metadata.num_rows) * (metadata.schema.length - 1);
  const { most, must } = mostUnpacked(file.size, file.limits);
  const wanted = Math.max(8 * cells, unpackedSize(metadata));
  if (!(wanted <= most)) throw tooLarge(file.name, must, `${wanted} for ${cells} cells, as its footer says`);
  for (const chunk of chunksOf(metadata)) {
    const by = UNPACK[chunk?.codec as keyof typeof UNPACK];
    if (by === undefined || by in zlib) continue;
    const message = `This Node has no zlib.${by}. Write the file with snappy compression.`;
    throw new CVKitError(message, { code: 'unknown_format' });
  }
}

function columnThread(bytes: Uint8Array, metadata: Metadata, file: TableFile): Worker {
  const { most } = mostUnpacked(file.size, file.limits);
  const { buffer } = Uint8Array.from(bytes);
  const hyparquet = pathToFileURL(createRequire(import.meta.url).resolve('hyparquet')).href;
  return new Worker(THREAD, {
    eval: true,
    workerData: { hyparquet, file: buffer, metadata, unpack: UNPACK, most },
    transferList: [buffer],
  });
}

async function columnBy(thread: Worker, message: { name: string; length: number }, patience: number) {
  thread.postMessage(message);
  // An error of the thread itself, as that its memory is full, rejects.
  const [answer] = await once(thread, 'message', { signal: AbortSignal.timeout(patience) }).catch((error) => {
    throw error.name === 'AbortError' ? new RangeError(`a column that takes more than ${patience} ms`) : error;
  });
  if ('values' in answer) return answer.values as ArrayLike<unknown>;
  throw new RangeError(answer.error);
}

/** Decimals come as numbers. Beyond 2^53 steps of their last digit they are rounded, and two ids would become one. */
function checkDecimals(values: ArrayLike<unknown>, scale: number, where: (row: number) => string): void {
  const row = Array.prototype.findIndex.call(
    values,
    (value) => typeof value === 'number' && Math.abs(value) * power(10, scale) > Number.MAX_SAFE_INTEGER,
  );
  if (row < 0) return;
  const must = 'hold decimals of up to 15 digits';
  throw invalidData('not_numeric', where(row), must, 'a longer one', 'Save them as text, or as floats.');
}
