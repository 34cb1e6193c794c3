import { lstat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, gunzip } from 'node:zlib';
import type { NIFTI1, NIFTI2 } from 'nifti-reader-js';
import { mostUnpacked } from '../../core/unpackLimits.js';
import { product } from '../../data/dense.js';
import { optionalPackage } from '../optionalPackage.js';
import {
  allBytes,
  bytesAt,
  type FilePlace,
  type ImageFile,
  type ImageOptions,
  readPart,
  shrunk,
  unreadable,
} from './imageFile.js';

const unpacked = promisify(gunzip);

const isGzip = (head: Uint8Array) => head[0] === 0x1f && head[1] === 0x8b;

/** A NIfTI header begins with its own size; a packed file must be named .nii.gz, since anything may be packed. */
export function isNifti({ name }: FilePlace, head: Uint8Array): boolean {
  if (isGzip(head)) return /\.nii\.gz$/i.test(name);
  if (head.length < 4 || !(/\.nii$/i.test(name) || (/\.hdr$/i.test(name) && isPair(head)))) return false;
  const view = new DataView(head.buffer, head.byteOffset, 4);
  return [348, 540].some((size) => view.getInt32(0, true) === size || view.getInt32(0) === size);
}

/** A header whose voxels are in a file beside it; those of Analyze, from which it comes, say nothing of orientation. */
const isPair = (head: Uint8Array) =>
  [344, 4].some((at) => /^ni[12]$/.test(Buffer.from(head.subarray(at, at + 3)).toString('latin1')));

/** The file of the voxels of a header. */
export const voxelsOf = (path: string) => path.replace(/\.hdr$/, '.img').replace(/\.HDR$/, '.IMG');

/** Never a link, which could lead out of the folder that was named. */
async function voxelFile(header: FilePlace): Promise<FilePlace> {
  const place = { ...header, path: voxelsOf(header.path), name: voxelsOf(header.name) };
  const { size } = await readPart(place, 0, 0);
  if (!(await lstat(place.path)).isSymbolicLink()) return { ...place, size };
  throw unreadable(place.name, 'be a file beside its header', 'a link');
}

const TYPES: Readonly<Record<number, readonly [bytes: number, get: keyof DataView] | undefined>> = {
  2: [1, 'getUint8'],
  4: [2, 'getInt16'],
  8: [4, 'getInt32'],
  16: [4, 'getFloat32'],
  64: [8, 'getFloat64'],
  256: [1, 'getInt8'],
  512: [2, 'getUint16'],
  768: [4, 'getUint32'],
  1024: [8, 'getBigInt64'],
  1280: [8, 'getBigUint64'],
};

/** A row is a slice `[y, x, 1]` or a volume `[z, y, x, 1]`, the axes of the file reversed; further axes (time) make further rows. */
export async function niftiFile(file: FilePlace, head: Uint8Array, options: ImageOptions): Promise<ImageFile> {
  const nifti = await optionalPackage<typeof import('nifti-reader-js')>('nifti-reader-js', 'Reading NIfTI');
  const packed = isGzip(head);
  const refuse = (must: string, why: string) => unreadable(file.name, must, why);
  let header: NIFTI1 | NIFTI2;
  let plain: Uint8Array;
  try {
    plain = packed ? await unpacked(head, { finishFlush: constants.Z_SYNC_FLUSH }) : head;
    header = nifti.readHeader(Uint8Array.from(plain).buffer, true);
  } catch {
    throw refuse('begin with a NIfTI header', 'one that is damaged');
  }
  const type = TYPES[header.datatypeCode];
  if (!type) throw refuse('hold whole numbers of 8 to 64 bits or floats', `the NIfTI data type ${header.datatypeCode}`);
  const [, width, height = 1, depth = 1, ...more] = header.dims.slice(0, header.dims[0] + 1);
  const [size, volumes] = [width * height, product(more)];
  const [voxelBytes, get] = type;
  const offset = header.vox_offset;
  const length = size * depth * volumes * voxelBytes;
  if (![width, height, depth, ...more].every((each) => each > 0)) throw refuse('have a size', 'none in its header');
  // A header, and the four bytes that say whether more of it follows.
  const [voxels, least] = isPair(plain)
    ? [await voxelFile(file), 0]
    : [file, header instanceof nifti.NIFTI2 ? 544 : 352];
  if (!(Number.isInteger(offset) && offset >= least))
    throw refuse('have its voxels behind its header', `byte ${offset}`);
  const there = packed ? await unpackedSize(file, offset + length) : voxels.size;
  if (there < offset + length) throw refuse(`have ${offset + length} bytes`, `${there}: it is truncated or damaged`);
  // A slope of 0 says that there is none.
  const scaled = options.values === 'rescaled' && header.scl_slope !== 0 && Number.isFinite(header.scl_slope);
  const [slope, intercept] = scaled ? [header.scl_slope, header.scl_inter] : [1, 0];
  if (!Number.isFinite(intercept)) throw refuse('have an intercept where it has a slope', 'one that is no number');
  const volume = options.rows === 'volume';
  const values = volume ? size * depth : size;
  const count = volume ? volumes : depth * volumes;
  const rowBytes = values * voxelBytes;

  return {
    format: 'nifti',
    shape: volume ? [depth, height, width, 1] : [height, width, 1],
    count,
    affine: niftiAffine(header, plain),
    notes: [
      ...(header.sform_code > 0 || header.qform_code > 0 ? [] : (['unplaced'] as const)),
      ...(there > offset + length ? (['excess'] as const) : []),
    ],
    // An unpacked file is read where the row is.
    ...(packed ? { load: () => whole(file) } : {}),
    async read(row, out, loaded, scratch) {
      const from = offset + row * rowBytes;
      const bytes = packed
        ? (loaded ?? (await whole(file))).subarray(from, from + rowBytes)
        : await bytesAt(voxels, from, rowBytes, scratch);
      if (bytes.length < rowBytes) throw shrunk(voxels.name, voxels.size, from + bytes.length);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      const read = (view[get] as (at: number, little: boolean) => number | bigint).bind(view);
      for (let i = 0; i < values; i++) out[i] = Number(read(i * voxelBytes, header.littleEndian)) * slope + intercept;
    },
  };
}

async function whole(file: FilePlace): Promise<Uint8Array> {
  const { most, must } = mostUnpacked(file.size, file.limits);
  const bytes = await allBytes(file);
  try {
    return await unpacked(bytes, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw unreadable(file.name, must, 'more');
    throw unreadable(file.name, 'be a whole packed file', 'one that is truncated or damaged');
  }
}

/** By its last four bytes (RFC 1952), modulo 2^32; where they say another size, by unpacking, as a file may have several parts. */
async function unpackedSize(file: FilePlace, wanted: number): Promise<number> {
  const tail = await bytesAt(file, Math.max(0, file.size - 4), 4);
  if (tail.length < 4) return 0;
  const last = new DataView(tail.buffer).getUint32(0, true);
  if (last === wanted % 2 ** 32) return wanted;
  return (await whole(file)).length;
}

/**
 * The sform where it has one, else the qform, else the sizes of voxels (NIfTI-1, nibabel). nifti-reader-js 0.8 takes the qform
 * where its code is larger, and gives NaN where the squares of a quaternion sum to a little more than 1.
 */
function niftiAffine(header: NIFTI1 | NIFTI2, bytes: Uint8Array): number[][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { littleEndian, pixDims } = header;
  const last = [0, 0, 0, 1];
  if (header.sform_code > 0) {
    const isFirst = view.getInt32(0, littleEndian) === 348;
    const at = (place: number) =>
      isFirst ? view.getFloat32(280 + 4 * place, littleEndian) : view.getFloat64(400 + 8 * place, littleEndian);
    return [...[0, 4, 8].map((row) => [0, 1, 2, 3].map((column) => at(row + column))), last];
  }
  const [x, y, z] = pixDims.slice(1, 4);
  if (header.qform_code > 0) {
    // The quaternion has length 1. Half a turn may be a little more, as its parts are rounded.
    const parts = [header.quatern_b, header.quatern_c, header.quatern_d];
    const sum = parts.reduce((total, part) => total + part * part, 0);
    const a = Math.sqrt(Math.max(0, 1 - sum));
    const [b, c, d] = parts.map((part) => part / Math.sqrt(Math.max(1, sum)));
    const depth = pixDims[0] < 0 ? -z : z;
    return [
      [(a * a + b * b - c * c - d * d) * x, 2 * (b * c - a * d) * y, 2 * (b * d + a * c) * depth, header.qoffset_x],
      [2 * (b * c + a * d) * x, (a * a + c * c - b * b - d * d) * y, 2 * (c * d - a * b) * depth, header.qoffset_y],
      [2 * (b * d - a * c) * x, 2 * (c * d + a * b) * y, (a * a + d * d - c * c - b * b) * depth, header.qoffset_z],
      last,
    ];
  }
  return [[x, 0, 0, 0], [0, y, 0, 0], [0, 0, z, 0], last];
}
