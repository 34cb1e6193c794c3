/** Plain data whose arrays of numbers are `.npy` files of their own, named by what is in them. */
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { files as nodeFiles } from '#io';
import { invalidData } from '../../core/errors.js';
import type { Files } from '../../core/io.js';
import { isPlainObject } from '../../core/options.js';
import { ifThere, isThere, writeWhole } from '../../core/wholeFile.js';

const files = nodeFiles as Files;

/** numpy.lib.format: the types of cells, by array. */
const TYPES = {
  ...{ '<f8': Float64Array, '<f4': Float32Array, '<i4': Int32Array, '<u4': Uint32Array },
  ...{ '<i2': Int16Array, '<u2': Uint16Array, '|i1': Int8Array, '|u1': Uint8Array, '|b1': Uint8ClampedArray },
} as const;
type Type = keyof typeof TYPES;
type Numbers = InstanceType<(typeof TYPES)[Type]>;

/** `{ "$npy": name }` stands for an array. The files can be read by their owner alone. */
export async function toNumberFiles(value: unknown, folder: string): Promise<unknown> {
  if (ArrayBuffer.isView(value)) return { $npy: await written(value as Numbers, folder) };
  if (Array.isArray(value) && !value.every(isCell)) return inTurn(value, (each) => toNumberFiles(each, folder));
  if (!isPlainObject(value)) return value;
  const names = Object.keys(value);
  const fields = await inTurn(Object.values(value), (each) => toNumberFiles(each, folder));
  return Object.fromEntries(names.map((name, at) => [name, fields[at]]));
}

export async function fromNumberFiles(value: unknown, folder: string): Promise<unknown> {
  if (Array.isArray(value)) {
    return value.every(isCell) ? value : inTurn(value, (each) => fromNumberFiles(each, folder));
  }
  if (!isPlainObject(value)) return value;
  if (typeof value.$npy === 'string') return read(folder, value.$npy);
  const names = Object.keys(value);
  const fields = await inTurn(Object.values(value), (each) => fromNumberFiles(each, folder));
  return Object.fromEntries(names.map((name, at) => [name, fields[at]]));
}

const isCell = (value: unknown): boolean => typeof value !== 'object' || value === null || value instanceof Date;

async function inTurn<T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const each of values) results.push(await work(each));
  return results;
}

async function written(numbers: Numbers, folder: string): Promise<string> {
  const [type] = Object.entries(TYPES).find(([, Type]) => numbers instanceof Type) as [Type, unknown];
  const dictionary = `{'descr': '${type}', 'fortran_order': False, 'shape': (${numbers.length},), }`;
  const header = `${dictionary.padEnd(Math.ceil((dictionary.length + 11) / 64) * 64 - 11)}\n`;
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length % 256, header.length >> 8]);
  const content = [start, Buffer.from(header), bytesOf(numbers)];
  const hash = createHash('sha256');
  for (const part of content) hash.update(part);
  const name = `${hash.digest('hex')}.npy`;
  const path = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!(await isThere(files, path))) await writeWhole(files, path, content, { overwrite: true });
  await chmod(path, 0o600);
  return name;
}

/** Shared memory is not written as it is everywhere. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers): Uint8Array =>
  buffer instanceof SharedArrayBuffer
    ? Uint8Array.from(new Uint8Array(buffer, byteOffset, byteLength))
    : new Uint8Array(buffer, byteOffset, byteLength);

async function read(folder: string, name: string): Promise<Numbers> {
  const bytes = await ifThere(() => readFile(join(folder, name)), undefined);
  const sha256 = bytes && createHash('sha256').update(bytes).digest('hex');
  if (!bytes || `${sha256}.npy` !== name) {
    const way = 'Make the call again with `copyData`, which writes it.';
    const got = bytes ? 'one that was changed' : 'none';
    throw invalidData('missing_data', `The file ${name} of the run directory`, 'be as it was written', got, way);
  }
  const start = 10 + bytes.readUInt16LE(8);
  const type = /'descr': '(..\d)'/.exec(bytes.toString('latin1', 0, start))?.[1] as Type;
  const Type = TYPES[type];
  // Its own memory, since the numbers must lie at a multiple of their size.
  const shared = new SharedArrayBuffer(bytes.length - start);
  new Uint8Array(shared).set(bytes.subarray(start));
  return new (Type as new (memory: ArrayBufferLike) => Numbers)(shared);
}
