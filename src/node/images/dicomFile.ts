/** DICOM files: what their header says, and their frames. */
import type { DataSet, Element } from 'dicom-parser';
import { mostUnpacked } from '../unpackLimits.js';
import { changesNothing, formatOf, rescalesOf, windowsOf } from './dicomFormat.js';
import { frameBytes, SYNTAXES, type Syntax } from './dicomFrames.js';
import { deflatedAt, dicomParser, inflated, withKnownKinds } from './dicomParser.js';
import { modalityOf, notesOf, tagsOf } from './dicomTags.js';
import { checkFragments } from './fragments.js';
import {
  allBytes,
  bytesAt,
  type FilePlace,
  type ImageFile,
  type ImageOptions,
  type Refuse,
  type Scratch,
  shrunk,
  unreadable,
} from './imageFile.js';
import { storedPixels, writeValues } from './pixelValues.js';

type Parser = Awaited<ReturnType<typeof dicomParser>>;

/** DICOM files say so after a preamble of 128 bytes. */
export const isDicom = (head: Uint8Array) =>
  head.length >= 132 && head[128] === 0x44 && head[129] === 0x49 && head[130] === 0x43 && head[131] === 0x4d;

const PIXELS = 'x7fe00010';
const DIRECTORY = '1.2.840.10008.1.3.10';
const PLAIN = '1.2.840.10008.1.2';

/**
 * Reads the header. Null for a DICOMDIR, which lists files and is no image.
 *
 * @throws {InvalidDataError} with code `unreadable_image` for what is truncated, has no pixels, or is stored in a way
 *   that cannot be read; it names the file
 * @throws {MissingPackageError} where dicom-parser is not installed
 */
export async function dicomFile(file: FilePlace, head: Uint8Array, options: ImageOptions): Promise<ImageFile | null> {
  const { header, pixels, deflated } = await headerOf(file, head);
  if (header.string('x00020002') === DIRECTORY) return null;
  const refuse = (must: string, why: string) => unreadable(file.name, must, why);
  if (!pixels) throw refuse('have pixel data', 'a DICOM without any');
  const syntax = syntaxOf(header, refuse);
  const format = formatOf(header, syntax, options.invertMonochrome1, refuse);
  const frames = framesOf(header, refuse);
  const length = (format.height * format.width * format.channels * format.allocated) / 8;
  const whole = syntax.codec !== undefined || deflated;
  if (syntax.codec) checkFragments(header, pixels, frames, refuse);
  else checkLength(pixels, frames, length, deflated ? header.byteArray.length : file.size, refuse);
  // Once it is sure that there are so many frames.
  const windows = windowsOf(header, frames, options, refuse);
  if (windows.length > 0 && format.channels === 3) throw refuse('be grey where `window` is asked for', 'colour');
  const rescales = rescalesOf(header, frames, options, refuse);
  const swapped = syntax.bigEndian && (format.allocated === 16 || pixels.vr === 'OW');
  if (swapped && length % 2 === 1) throw refuse('have an even number of bytes in a frame', 'odd big-endian words');
  const { height, width, channels } = format;
  const volume = options.rows === 'volume';
  // No function below may use `header` or `pixels`: they would stay in memory as long as the rows.
  const pixelsAt = pixels.dataOffset;
  const size = height * width * channels;

  async function frame(
    number: number,
    out: Float32Array,
    loaded: Uint8Array | undefined,
    scratch: Scratch,
  ): Promise<void> {
    const bytes = whole
      ? await compressed(number, loaded ?? (await allBytes(file)))
      : await plain(pixelsAt + number * length, scratch);
    const stored = storedPixels(bytes, format.allocated, swapped);
    if (stored.length < size) throw refuse(`have ${size} values in a frame`, String(stored.length));
    writeValues(stored, format, rescales[number] ?? rescales[0], windows[number] ?? windows[0], out);
  }

  async function plain(at: number, scratch: Scratch): Promise<Uint8Array> {
    const bytes = await bytesAt(file, at, length, scratch);
    if (bytes.length < length) throw shrunk(file.name, file.size, at + bytes.length);
    return bytes;
  }

  async function compressed(number: number, bytes: Uint8Array): Promise<Uint8Array> {
    const data = parsed(await dicomParser(), bytes, file);
    return frameBytes({ data, pixels: data.elements[PIXELS], number, frames, format, syntax, name: file.name });
  }

  return {
    format: 'dicom',
    shape: volume ? [frames, height, width, channels] : [height, width, channels],
    count: volume ? 1 : frames,
    tags: tagsOf(header),
    ...modalityOf(header),
    // A window or a rescale brings numbers of any range to one scale.
    ...(windows.length > 0 || !rescales.every(changesNothing) ? {} : { storedBits: format.stored }),
    notes: notesOf(header, syntax.codec ? 0 : pixels.length - frames * length),
    // Unpacked once, not for each frame.
    ...(whole && frames > 1 ? { load: async () => ({ bytes: unpacked(await allBytes(file), file) }) } : {}),
    async read(row, out, loaded, scratch) {
      if (!volume) return frame(row, out, loaded?.bytes, scratch);
      const bytes = whole ? (loaded?.bytes ?? (await allBytes(file))) : undefined;
      for (let at = 0; at < frames; at++) await frame(at, out.subarray(at * size, (at + 1) * size), bytes, scratch);
    },
  };
}

function syntaxOf(header: DataSet, refuse: Refuse): Syntax {
  const uid = header.string('x00020010') ?? PLAIN;
  const syntax = SYNTAXES[uid];
  if (syntax) return syntax;
  throw refuse('have a transfer syntax that can be read', `the transfer syntax ${uid.replace(/[^\d.]/g, '?')}`);
}

interface Header {
  readonly header: DataSet;
  readonly pixels: Element | undefined;
  readonly deflated: boolean;
}

/** Of an uncompressed file only the beginning is read; fragments of others must be looked at. */
async function headerOf(file: FilePlace, head: Uint8Array): Promise<Header> {
  const parser = await dicomParser();
  const all = head.length === file.size;
  const deflated = deflatedAt(head) !== undefined;
  let header: DataSet | undefined;
  try {
    if (!deflated) header = parser.parseDicom(head, { untilTag: PIXELS });
  } catch {
    // The header may be longer than what was read of it, or have kinds of values that the parser does not know.
    header = undefined;
  }
  const pixels = header?.elements[PIXELS];
  const syntax = SYNTAXES[header?.string('x00020010') ?? PLAIN];
  if (header && (pixels || all) && !syntax?.codec) return { header, pixels, deflated };
  header = parsed(parser, all ? head : await allBytes(file), file);
  return { header, pixels: header.elements[PIXELS], deflated };
}

function parsed(parser: Parser, bytes: Uint8Array, file: FilePlace): DataSet {
  const plain = unpacked(bytes, file);
  try {
    return parser.parseDicom(plain);
  } catch {
    try {
      return parser.parseDicom(withKnownKinds(plain));
    } catch {
      throw notDicom(file);
    }
  }
}

function unpacked(bytes: Uint8Array, file: FilePlace): Uint8Array {
  try {
    return inflated(bytes, mostUnpacked(bytes.length, file.limits).most);
  } catch {
    throw notDicom(file);
  }
}

const notDicom = ({ name, size }: FilePlace) =>
  unreadable(name, 'be a whole DICOM file', `${size} bytes that end early or are damaged`);

/** 1 where the header does not say it. */
function framesOf(header: DataSet, refuse: Refuse): number {
  const text = header.string('x00280008')?.trim();
  if (!text) return 1;
  const frames = /^\+?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(frames) && frames > 0) return frames;
  throw refuse('have one frame or more', 'another number of frames in its header');
}

/** Pixels that are not compressed: as many bytes as the header says. One more frame would be left out in silence. */
function checkLength(
  { length, dataOffset, hadUndefinedLength }: Element,
  frames: number,
  each: number,
  size: number,
  refuse: Refuse,
) {
  if (hadUndefinedLength || length === 0xffffffff) {
    throw refuse('have pixels without compression, as its header says', 'compressed ones');
  }
  const there = Math.min(length, size - dataOffset);
  if (there < frames * each) throw refuse(`have ${frames * each} bytes of pixels`, `${there}: it is truncated`);
  if (length >= (frames + 1) * each) {
    throw refuse(`have ${frames * each} bytes of pixels, as its header says`, `${length}, more than a frame above it`);
  }
}
