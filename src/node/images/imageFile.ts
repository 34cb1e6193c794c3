import { closeSync, read as readAt } from 'node:fs';
import { promisify } from 'node:util';
import { openedFile } from '#io';
import { InvalidDataError, messageOf, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import type { OptionsOf } from '../../core/options.js';
import { countValues } from '../../core/tally.js';
import type { UnpackLimits } from '../../core/unpackLimits.js';
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
  readonly shape: readonly number[];
  readonly count: number;
  readonly tags?: ImageTags;
  /** PNG and JPEG: 8 or 16 bits for a value, which is up to 255 or 65535. */
  readonly bits?: number;
  /** DICOM whose numbers are as they are stored: bits of each, 12 for 4096 different values. */
  readonly storedBits?: number;
  /** DICOM of one frame: millimetres of its first pixel, and the direction that its rows and columns stand on. */
  readonly slice?: { readonly position: readonly number[]; readonly normal: readonly number[] } | undefined;
  /** DICOM: kind of device, as `CT`. */
  readonly modality?: string;
  readonly notes?: readonly ImageNote[];
  /** NIfTI: from voxel (i, j, k) to millimetres, 4 x 4. */
  readonly affine?: readonly (readonly number[])[];
  /** What stays in memory for the next row of the same file; files of one row have none. */
  load?(): Promise<Uint8Array>;
  /** Reads one row into `out`. `loaded` comes from `load`. */
  read(row: number, out: Float32Array, loaded: Uint8Array | undefined, scratch: Scratch): Promise<void>;
}

export interface FilePlace {
  readonly path: string;
  /** As messages name it: below the folder that was read. */
  readonly name: string;
  readonly size: number;
  readonly limits: UnpackLimits;
}

/** Memory that is used for one file after the other: what is freed by the garbage collector is freed too late. */
export interface Scratch {
  bytes: ArrayBuffer;
}

/**
 * Does `work` for each of 0 ... count-1, with `readAhead` of them under way. All end before an error is thrown: no handle stays
 * open behind the caller's back. `spare`: memory of earlier calls.
 */
export async function inParallel(
  count: number,
  readAhead: number,
  work: (at: number, scratch: Scratch) => Promise<void>,
  spare: Scratch[] = [],
): Promise<void> {
  let next = 0;
  const worker = async () => {
    const scratch = spare.pop() ?? { bytes: new ArrayBuffer(0) };
    while (next < count) {
      await work(next++, scratch).catch((error) => {
        next = count;
        throw error;
      });
    }
    spare.push(scratch);
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(readAhead, count) }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** How messages speak of a file, whose name is in the error alone: see `file` of {@link InvalidDataError}. */
export const AN_IMAGE = 'An image file (`file` of this error)';

/** In our words and without a cause: what a decoder throws could quote the file, and that of DICOM holds all of it. */
export const unreadable = (file: string, must: string, why: string): InvalidDataError =>
  new InvalidDataError(sentence(AN_IMAGE, must, phrase(why)), { code: 'unreadable_image', file });

export type Refuse = (must: string, why: string) => InvalidDataError;

const filled = promisify(readAt);

/** The size of a file, and as many bytes from `at` on as there are. `scratch`: where they are put, if they need not stay. */
export async function readPart(
  { path, name }: Pick<FilePlace, 'path' | 'name'>,
  at: number,
  length: number,
  scratch?: Scratch,
): Promise<{ size: number; bytes: Uint8Array }> {
  const { handle, size } = await openedFile(path).catch((error) => {
    throw unreadable(name, 'be a file that can be read', messageOf(error));
  });
  try {
    return { size, bytes: await bytesOf(handle, at, Math.min(length, Math.max(0, size - at)), scratch) };
  } finally {
    closeSync(handle);
  }
}

export const bytesAt = async (...part: Parameters<typeof readPart>): Promise<Uint8Array> =>
  (await readPart(...part)).bytes;

async function bytesOf(handle: number, at: number, length: number, scratch?: Scratch): Promise<Uint8Array> {
  // Memory of its own: typed arrays of 16 bit must begin at an even place, and decoders want a whole ArrayBuffer.
  if (scratch && scratch.bytes.byteLength < length) scratch.bytes = new ArrayBuffer(length);
  const bytes = scratch ? Buffer.from(scratch.bytes, 0, length) : Buffer.allocUnsafeSlow(length);
  let have = 0;
  while (have < length) {
    const { bytesRead } = await filled(handle, bytes, have, length - have, at + have);
    if (bytesRead === 0) break;
    have += bytesRead;
  }
  return new Uint8Array(bytes.buffer as ArrayBuffer, 0, have);
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
  readonly image: Pick<ImageFile, 'notes' | 'modality' | 'storedBits' | 'affine'>;
}

/** In what files may differ although their shapes are one: the word of a file, and the warning. */
const DIFFERENCES: readonly (readonly [wordOf: (image: NotedFile['image']) => string | undefined, text: string])[] = [
  [
    // By their voxels alone, one is the mirror image of another.
    ({ affine, notes }) => (affine && !notes?.includes('unplaced') ? axesOf(affine) : undefined),
    'The axes of the volumes point in several ways: *. They are read as stored, so bring them to one.',
  ],
  [({ modality }) => modality, 'The images are of several modalities, whose numbers mean different things: *.'],
  [
    // 255 is the largest number of one depth, and a dark grey of another.
    ({ storedBits: bits }) => (bits === undefined ? undefined : `${bits} bits, ${2 ** bits} values`),
    "The images store their pixels in several ranges: *. They are read as stored, so bring them to one, or pass `window: 'file'`.",
  ],
];

/** Warnings about files that are read as they are, although they say more, or differ. */
export function imageWarnings(files: readonly NotedFile[]): string[] {
  const noted = (Object.keys(NOTES) as ImageNote[]).flatMap((note) => {
    const some = files.filter(({ image }) => image.notes?.includes(note));
    if (some.length === 0) return [];
    // No name of a file, which is often that of a patient: warnings go into reports.
    const place = `first in file ${files.indexOf(some[0]) + 1}`;
    return [`In ${counted(some.length, 'image file')} of ${files.length}, ${NOTES[note]} (${place}).`];
  });
  const different = DIFFERENCES.flatMap(([wordOf, text]) => {
    const kinds = kindsOf(files.flatMap(({ image }) => wordOf(image) ?? []));
    return kinds.length < 2 ? [] : [text.replace('*', () => kinds.map((kind) => kind.text).join(', '))];
  });
  return [...noted, ...different];
}

/** The different words of files, with counts, the most frequent first. */
export function kindsOf(words: readonly string[], noun = 'file'): { readonly word: string; readonly text: string }[] {
  const { values, counts } = countValues(words);
  const kinds = values.map((word, at) => ({
    word,
    count: counts[at],
    text: `${word} (${counted(counts[at], noun)})`,
  }));
  return kinds.sort((a, b) => b.count - a.count);
}

/** A file with its name, as the error of it has it. */
export interface KnownImage {
  readonly name: string;
  readonly image: ImageFile;
}

/** @throws {InvalidDataError} for files of several kinds, with their counts */
export function refuseSeveral(
  code: string,
  must: string,
  known: readonly KnownImage[],
  words: readonly string[],
  way: string,
  noun?: string,
): void {
  const all = kindsOf(words, noun);
  if (all.length === 1) return;
  const got = phrase(`${kindsText(all)} (of the last, \`file\` of this error is one)`);
  const { name: file } = known[words.indexOf(all[all.length - 1].word)];
  throw new InvalidDataError(sentence('The images', must, got, way), { code, file });
}

export function kindsText(all: ReturnType<typeof kindsOf>): string {
  const more = all.length > 8 ? `, and ${all.length - 8} more sizes` : '';
  return `${all
    .slice(0, 8)
    .map(({ text }) => text)
    .join(', ')}${more}`;
}

/** Where each axis of the file points, as `RAS`: right or left, anterior or posterior, superior or inferior. */
function axesOf(affine: readonly (readonly number[])[]): string {
  const ways = [0, 1, 2].map((axis) => {
    const column = [0, 1, 2].map((row) => affine[row][axis]);
    const most = column.reduce((best, each, row) => (Math.abs(each) > Math.abs(column[best]) ? row : best), 0);
    return (column[most] < 0 ? 'LPI' : 'RAS')[most];
  });
  return ways.join('');
}
