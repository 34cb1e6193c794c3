/** One file of images: what is known of it before its pixels are read, and how a row of it is read. */
import { closeSync, read as readAt } from 'node:fs';
import { promisify } from 'node:util';
import { openedFile } from '#io';
import { InvalidDataError, messageOf, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import type { OptionsOf } from '../../core/options.js';
import { tally } from '../../core/tally.js';
import type { UnpackLimits } from '../unpackLimits.js';
import type { ImageFormat, readImagesOptions } from './readImagesOptions.js';

export type ImageOptions = OptionsOf<typeof readImagesOptions>;

/** Ids that a file names itself. Without empty ones. */
export interface ImageTags {
  readonly site?: string;
  readonly patient?: string;
  /** Who gave the id of the patient. */
  readonly issuer?: string;
  readonly study?: string;
  readonly series?: string;
}

/** A file whose header was read. It holds no pixels and no open handle. */
export interface ImageFile {
  readonly format: ImageFormat;
  /** Of one row: `[height, width, channels]`, or `[depth, height, width, channels]` for volumes. */
  readonly shape: readonly number[];
  readonly count: number;
  readonly tags?: ImageTags;
  /** PNG and JPEG: 8 or 16 bits for a value, which is up to 255 or 65535. */
  readonly bits?: number;
  /** DICOM whose numbers are as they are stored: bits of each, 12 for 4096 different values. */
  readonly storedBits?: number;
  /** DICOM: kind of device, as `CT`. */
  readonly modality?: string;
  /** What the user should know of it; summed over files in warnings. */
  readonly notes?: readonly ImageNote[];
  /** NIfTI: from voxel (i, j, k) to millimetres, 4 x 4. */
  readonly affine?: readonly (readonly number[])[];
  /** What stays in memory for the next row of the same file; files of one row have none. */
  load?(): Promise<LoadedFile>;
  /** Reads one row into `out`, which has as many numbers as `shape` says. `loaded` comes from `load`. */
  read(row: number, out: Float32Array, loaded: LoadedFile | undefined, scratch: Scratch): Promise<void>;
}

export interface LoadedFile {
  readonly bytes: Uint8Array;
}

/** Where a file is. Its content is no part of this: what is known of a file stays in memory as long as its rows. */
export interface FilePlace {
  readonly path: string;
  /** As messages name it: below the folder that was read. */
  readonly name: string;
  readonly size: number;
  readonly limits: UnpackLimits;
}

/** Memory that is used for one file after the other: what is freed by the garbage collector is freed too late. */
export interface Scratch {
  bytes?: ArrayBuffer;
}

/** So many bytes of a file are read to recognise it. Most headers of DICOM files are shorter than this. */
export const HEAD_BYTES = 1 << 15;

/** How messages speak of a file, whose name is in the error alone: see `file` of {@link InvalidDataError}. */
export const AN_IMAGE = 'An image file (`file` of this error)';

/** In our words and without a cause: what a decoder throws could quote the file, and that of DICOM holds all of it. */
export function unreadable(file: string, must: string, why: string): InvalidDataError {
  return new InvalidDataError(sentence(AN_IMAGE, must, phrase(why)), { code: 'unreadable_image', file });
}

export type Refuse = (must: string, why: string) => InvalidDataError;

const filled = promisify(readAt);

const openedImage = (path: string, name: string) =>
  openedFile(path).catch((error) => {
    throw unreadable(name, 'be a file that can be read', messageOf(error));
  });

/** As many bytes from `at` on as there are. `scratch`: where they are put, if they need not stay. */
export async function bytesAt(
  { path, name }: Pick<FilePlace, 'path' | 'name'>,
  at: number,
  length: number,
  scratch?: Scratch,
): Promise<Uint8Array> {
  const { handle } = await openedImage(path, name);
  try {
    return await bytesOf(handle, at, length, scratch);
  } finally {
    closeSync(handle);
  }
}

/** The size of a file, and its first bytes, which stay until the next file is read into `scratch`. */
export async function headAt(
  path: string,
  name: string,
  scratch: Scratch,
): Promise<{ size: number; head: Uint8Array }> {
  const { handle, size } = await openedImage(path, name);
  try {
    return { size, head: await bytesOf(handle, 0, Math.min(size, HEAD_BYTES), scratch) };
  } finally {
    closeSync(handle);
  }
}

async function bytesOf(handle: number, at: number, length: number, scratch?: Scratch): Promise<Uint8Array> {
  // Memory of its own: typed arrays of 16 bit must begin at an even place, and decoders want a whole ArrayBuffer.
  const bytes = scratch ? Buffer.from(roomFor(length, scratch), 0, length) : Buffer.allocUnsafeSlow(length);
  let have = 0;
  while (have < length) {
    const { bytesRead } = await filled(handle, bytes, have, length - have, at + have);
    if (bytesRead === 0) break;
    have += bytesRead;
  }
  return new Uint8Array(bytes.buffer as ArrayBuffer, 0, have);
}

function roomFor(length: number, scratch: Scratch): ArrayBuffer {
  if (!scratch.bytes || scratch.bytes.byteLength < length) scratch.bytes = new ArrayBuffer(length);
  return scratch.bytes;
}

export async function allBytes(file: FilePlace): Promise<Uint8Array> {
  const { name, size, limits } = file;
  if (size > limits.maxBytes)
    throw unreadable(name, `have at most ${limits.maxBytes} bytes, as \`maxBytes\` says`, `${size}`);
  const bytes = await bytesAt(file, 0, size);
  if (bytes.length < size) throw shrunk(name, size, bytes.length);
  return bytes;
}

export const shrunk = (name: string, size: number, got: number) =>
  unreadable(name, `have the ${size} bytes that it had when it was listed`, String(got));

// Warnings about files that are read as they are, although they say more.

const NOTES = {
  padding:
    'a value is named for pixels outside of what was taken (pixel padding), which stays a number like the others',
  burned: 'text is burned into the pixels, which may name the patient or the label',
  excess: 'there are more bytes than the header asks for; what is left over is not read',
  turned: 'EXIF says that the picture is turned or mirrored; it is read as it is stored',
  transparent: 'a colour is named as transparent; it is read as it is stored',
  unplaced: 'there is neither sform nor qform, so that the affine holds the sizes of voxels alone',
} as const;
export type ImageNote = keyof typeof NOTES;

interface NotedFile {
  readonly name: string;
  readonly image: {
    readonly notes?: readonly ImageNote[];
    readonly modality?: string;
    readonly storedBits?: number;
    readonly affine?: readonly (readonly number[])[];
  };
}

export function noteTexts(files: readonly NotedFile[]): string[] {
  return (Object.keys(NOTES) as ImageNote[]).flatMap((note) => {
    const some = files.filter(({ image }) => image.notes?.includes(note));
    if (some.length === 0) return [];
    // No name of a file, which is often that of a patient: warnings go into reports.
    const place = `first in file ${files.indexOf(some[0]) + 1}`;
    return [`In ${counted(some.length, 'image file')} of ${files.length}, ${NOTES[note]} (${place}).`];
  });
}

/** NIfTI files whose axes point in several ways: by their voxels alone, one is the mirror image of another. */
export function axesTexts(files: readonly NotedFile[]): string[] {
  const words = several(
    files.flatMap(({ image: { affine, notes } }) => (affine && !notes?.includes('unplaced') ? [axesOf(affine)] : [])),
  );
  return words
    ? [`The axes of the volumes point in several ways: ${words}. They are read as stored, so bring them to one.`]
    : [];
}

/** DICOM of several kinds of devices: their numbers have different units, or none. */
export function modalityTexts(files: readonly NotedFile[]): string[] {
  const words = several(files.flatMap(({ image: { modality } }) => modality ?? []));
  return words ? [`The images are of several modalities, whose numbers mean different things: ${words}.`] : [];
}

/** DICOM of several depths: 255 is the largest number of one, and a dark grey of another. */
export function bitsTexts(files: readonly NotedFile[]): string[] {
  const words = several(
    files.flatMap(({ image: { storedBits } }) =>
      storedBits === undefined ? [] : `${storedBits} bits, ${2 ** storedBits} values`,
    ),
  );
  return words
    ? [
        `The images store their pixels in several ranges: ${words}. They are read as stored, so bring them to one, or pass \`window: 'file'\`.`,
      ]
    : [];
}

/** The most frequent first, with counts; undefined where all are the same. */
function several(all: readonly string[]): string | undefined {
  const { values, counts } = tally(all);
  if (values.length < 2) return undefined;
  const sorted = values.map((each, at) => [each, counts[at]] as const).sort((a, b) => b[1] - a[1]);
  return sorted.map(([each, n]) => `${each} (${counted(n, 'file')})`).join(', ');
}

/** Where each axis of the file points, as `RAS`: right or left, anterior or posterior, superior or inferior. */
function axesOf(affine: readonly (readonly number[])[]): string {
  return [0, 1, 2]
    .map((axis) => {
      const column = [0, 1, 2].map((row) => affine[row][axis]);
      const most = column.reduce((best, each, row) => (Math.abs(each) > Math.abs(column[best]) ? row : best), 0);
      return (column[most] < 0 ? 'LPI' : 'RAS')[most];
    })
    .join('');
}
