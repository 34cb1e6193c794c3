/** Parquet, by hyparquet; gzip, brotli and zstd by Node. */
import * as zlib from 'node:zlib';
import {
  CVKitError,
  InvalidDataError,
  MissingPackageError,
  messageOf,
  phrase,
  sentence,
  show,
} from '../../core/errors.js';
import type { ReadPlan } from './csvFile.js';
import { allBytes, type TableFile } from './openFile.js';
import { checkedNames, type RawTable } from './rawTable.js';
import { valueColumn } from './valueColumn.js';

type Hyparquet = typeof import('hyparquet');

/** Replaceable in tests. */
export const hyparquet = { load: (): Promise<Hyparquet> => import('hyparquet') };

const unpack = (name: string) => (bytes: Uint8Array) => {
  const by = (zlib as unknown as Record<string, ((bytes: Uint8Array) => Uint8Array) | undefined>)[name];
  if (by) return by(bytes);
  throw new CVKitError(`This Node has no zlib.${name}. Write the file with snappy compression.`, {
    code: 'unknown_format',
  });
};
const compressors = {
  GZIP: unpack('gunzipSync'),
  BROTLI: unpack('brotliDecompressSync'),
  ZSTD: unpack('zstdDecompressSync'),
};

export async function readParquet(file: TableFile, plan: ReadPlan): Promise<{ table: RawTable; sha256: string }> {
  const { parquetMetadataAsync, parquetRead } = await hyparquet.load().catch((error: unknown): never => {
    throw new MissingPackageError('hyparquet', 'readTable of a Parquet file', 'npm install hyparquet', error);
  });
  const { bytes, sha256 } = await allBytes(file);
  const source = {
    byteLength: bytes.length,
    slice: (from: number, to?: number) => Uint8Array.from(bytes.subarray(from, to)).buffer,
  };
  try {
    const metadata = await parquetMetadataAsync(source);
    const length = Number(metadata.num_rows);
    const { num_children: width = 0 } = metadata.schema[0];
    if (metadata.schema.length !== width + 1) throw nested(file.name);
    if (metadata.schema.some(({ name }) => typeof name !== 'string')) throw new TypeError('a column without a name');
    const { names, notes } = checkedNames(
      metadata.schema.slice(1).map(({ name }) => name),
      file.name,
    );
    if (length === 0) throw noRows(file.name);
    const placeOf = (row: number) => `Row ${row}`;
    const missing = new Set(plan.missing);
    const columns: RawTable['columns'][number][] = [];
    // One column after the other: all values at once would take several times the memory.
    for (const name of names) {
      if (plan.drop.has(name)) continue;
      const values = new Array<unknown>(length);
      let filled = 0;
      const onChunk = ({ columnData, rowStart }: { columnData: ArrayLike<unknown>; rowStart: number }) => {
        filled += columnData.length;
        for (let at = 0; at < columnData.length; at++) values[rowStart + at] = columnData[at];
      };
      await parquetRead({ file: source, metadata, compressors, columns: [name], onChunk });
      // What was not filled would be read as missing.
      if (filled !== length) throw new RangeError(`${filled} values in a column of ${length} rows`);
      const { converted_type: kind, scale = 0 } = metadata.schema.find((each) => each.name === name) ?? {};
      if (kind === 'DECIMAL') checkDecimals(values, scale, (row) => `${placeOf(row)}, column ${show(name)}`);
      columns.push(valueColumn(name, values, { missing, must: plan.known.get(name), placeOf }));
    }
    return {
      sha256,
      table: {
        length,
        columns,
        dropped: names.filter((name) => plan.drop.has(name)),
        placeOf,
        format: 'parquet',
        dialect: [],
        notes,
      },
    };
  } catch (cause) {
    if (cause instanceof CVKitError) throw cause;
    throw new InvalidDataError(
      sentence(`The file ${file.name}`, 'be a whole Parquet file that hyparquet can read', phrase(messageOf(cause))),
      { code: 'broken_file', cause },
    );
  }
}

/** Decimals come as numbers. Beyond 2^53 steps of their last digit they are rounded, and two ids would become one. */
function checkDecimals(values: readonly unknown[], scale: number, where: (row: number) => string): void {
  const row = values.findIndex(
    (value) => typeof value === 'number' && Math.abs(value) * 10 ** scale > Number.MAX_SAFE_INTEGER,
  );
  if (row < 0) return;
  const way = 'Save them as text, or as floats.';
  throw new InvalidDataError(sentence(where(row), 'hold decimals of up to 15 digits', phrase('a longer one'), way), {
    code: 'not_numeric',
  });
}

const nested = (name: string) =>
  new InvalidDataError(sentence(`The file ${name}`, 'hold a flat table', phrase('lists or records in cells')), {
    code: 'not_a_table',
  });

const noRows = (name: string) =>
  new InvalidDataError(sentence(`The file ${name}`, 'have rows', phrase('none')), { code: 'empty_table' });
