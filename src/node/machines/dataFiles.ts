/** Plain data as files that are named by what is in them: JSON, and `.npy` for arrays of numbers. */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { files as nodeFiles } from '#io';
import { invalidData } from '../../core/errors.js';
import type { Files } from '../../core/io.js';
import { isPlainObject } from '../../core/options.js';
import { ifThere, isThere, writeWhole } from '../../core/wholeFile.js';
import { exactJSON, fromExactJSON } from '../directory/exactJSON.js';

const files = nodeFiles as Files;

/** numpy.lib.format: the types of cells, by array. */
const TYPES = {
  ...{ '<f8': Float64Array, '<f4': Float32Array, '<i4': Int32Array, '<u4': Uint32Array },
  ...{ '<i2': Int16Array, '<u2': Uint16Array, '|i1': Int8Array, '|u1': Uint8Array, '|b1': Uint8ClampedArray },
} as const;
type Type = keyof typeof TYPES;
type Numbers = InstanceType<(typeof TYPES)[Type]>;

/** Writes a value; gives the name of its file, in which `{ "$npy": name }` stands for an array. Their owner alone can read them. */
export async function toDataFiles(value: unknown, folder: string): Promise<string> {
  const rest = await changed(value, async (each) =>
    ArrayBuffer.isView(each) ? { $npy: await npyFile(each as Numbers, folder) } : undefined,
  );
  return written([Buffer.from(exactJSON(rest))], folder, 'json');
}

export async function fromDataFiles(name: string, folder: string): Promise<unknown> {
  const rest = fromExactJSON((await read(folder, name)).toString());
  return changed(rest, async (each) => {
    const array = (each as { readonly $npy?: unknown } | null)?.$npy;
    return typeof array === 'string' ? numbersIn(await read(folder, array)) : undefined;
  });
}

/** What `change` gives in place of a value, anywhere within; one after the other, since each may be large. */
async function changed(value: unknown, change: (value: unknown) => Promise<unknown>): Promise<unknown> {
  if (Array.isArray(value) && value.every(isCell)) return value;
  const own = await change(value);
  if (own !== undefined || !(Array.isArray(value) || isPlainObject(value))) return own ?? value;
  const fields: [string, unknown][] = [];
  for (const [name, each] of Object.entries(value)) {
    fields.push([name, await changed(Array.isArray(value) && isPlainObject(each) ? whole(each) : each, change)]);
  }
  return Array.isArray(value) ? fields.map(([, each]) => each) : Object.fromEntries(fields);
}

/** A cell of a record that is undefined is missing; JSON would lose its column. */
const whole = (record: object): object =>
  Object.fromEntries(Object.entries(record).map(([column, cell]) => [column, cell ?? null]));

const isCell = (value: unknown): boolean => typeof value !== 'object' || value === null || value instanceof Date;

function npyFile(numbers: Numbers, folder: string): Promise<string> {
  const [type] = Object.entries(TYPES).find(([, Type]) => numbers instanceof Type) as [Type, unknown];
  const dictionary = `{'descr': '${type}', 'fortran_order': False, 'shape': (${numbers.length},), }`;
  const header = `${dictionary.padEnd(Math.ceil((dictionary.length + 11) / 64) * 64 - 11)}\n`;
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length % 256, header.length >> 8]);
  return written([start, Buffer.from(header), bytesOf(numbers)], folder, 'npy');
}

/** A file that is named by what is in it. */
async function written(content: Uint8Array[], folder: string, kind: 'npy' | 'json'): Promise<string> {
  const hash = createHash('sha256');
  for (const part of content) hash.update(part);
  const name = `${hash.digest('hex')}.${kind}`;
  const path = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!(await isThere(files, path))) await writeWhole(files, path, content, { overwrite: true, mode: 0o600 });
  return name;
}

/** Shared memory is not written as it is everywhere. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers): Uint8Array =>
  buffer instanceof SharedArrayBuffer
    ? Uint8Array.from(new Uint8Array(buffer, byteOffset, byteLength))
    : new Uint8Array(buffer, byteOffset, byteLength);

async function read(folder: string, name: string): Promise<Buffer> {
  const bytes = await ifThere(() => readFile(join(folder, name)), undefined);
  const sha256 = bytes && createHash('sha256').update(bytes).digest('hex');
  if (bytes && name.startsWith(`${sha256}.`)) return bytes;
  const way = 'Make the call again with `copyData`, which writes it.';
  const got = bytes ? 'one that was changed' : 'none';
  throw invalidData('missing_data', `The file ${name} of the run directory`, 'be as it was written', got, way);
}

function numbersIn(bytes: Buffer): Numbers {
  const start = 10 + bytes.readUInt16LE(8);
  const type = /'descr': '(..\d)'/.exec(bytes.toString('latin1', 0, start))?.[1] as Type;
  const Type = TYPES[type];
  // Its own memory, since the numbers must lie at a multiple of their size.
  const shared = new SharedArrayBuffer(bytes.length - start);
  new Uint8Array(shared).set(bytes.subarray(start));
  return new (Type as new (memory: ArrayBufferLike) => Numbers)(shared);
}
