/** DICOM files: what their header says, and their frames. */
import type { DataSet, Element } from 'dicom-parser';
import { frameBytes, SYNTAXES, type Syntax } from './dicomFrames.js';
import { deflatedAt, dicomParser, inflated } from './dicomParser.js';
import {
  allBytes,
  bytesAt,
  type FilePlace,
  type ImageFile,
  type ImageOptions,
  type ImageTags,
  type Scratch,
  shrunk,
  unreadable,
} from './imageFile.js';
import { type PixelFormat, type Rescale, storedPixels, writeValues } from './pixelValues.js';
import type { ImageWindow } from './readImagesOptions.js';

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
  const frames = Number(header.intString('x00280008') ?? 1);
  const window = windowOf(header, options, refuse);
  const rescales = rescalesOf(header, frames, options, refuse);
  const length = (format.height * format.width * format.channels * format.allocated) / 8;
  const whole = syntax.codec !== undefined || deflated;
  if (whole) checkFragments(pixels, syntax, frames, length, refuse);
  else if (pixels.length < frames * length || pixels.dataOffset + frames * length > file.size) {
    const there = Math.min(pixels.length, file.size - pixels.dataOffset);
    throw refuse(`have ${frames * length} bytes of pixels`, `${there}: it is truncated`);
  }
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
    const stored = storedPixels(bytes, format.allocated, syntax.bigEndian);
    if (stored.length < size) throw refuse(`have ${size} values in a frame`, String(stored.length));
    writeValues(stored, format, rescales[number] ?? rescales[0], window, out);
  }

  async function plain(at: number, scratch: Scratch): Promise<Uint8Array> {
    const bytes = await bytesAt(file.path, at, length, scratch);
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
    ...(whole && frames > 1 ? { load: async () => ({ bytes: await allBytes(file) }) } : {}),
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
  } catch (error) {
    // The header may be longer than what was read of it.
    if (all) throw notDicom(file, error);
  }
  const pixels = header?.elements[PIXELS];
  const syntax = SYNTAXES[header?.string('x00020010') ?? PLAIN];
  if (header && (pixels || all) && !syntax?.codec) return { header, pixels, deflated };
  header = parsed(parser, all ? head : await allBytes(file), file);
  return { header, pixels: header.elements[PIXELS], deflated };
}

function parsed(parser: Parser, bytes: Uint8Array, file: FilePlace): DataSet {
  try {
    return parser.parseDicom(inflated(bytes));
  } catch (error) {
    throw notDicom(file, error);
  }
}

const notDicom = ({ name, size }: FilePlace, cause: unknown) =>
  unreadable(name, 'be a whole DICOM file', `${size} bytes that end early or are damaged`, cause);

type Refuse = (must: string, why: string) => Error;

function checkFragments(
  { fragments, length }: Element,
  { codec }: Syntax,
  frames: number,
  plain: number,
  refuse: Refuse,
) {
  if (!codec) {
    if (length < frames * plain) throw refuse(`have ${frames * plain} bytes of pixels`, `${length}: it is truncated`);
    return;
  }
  const there = fragments?.length ?? 0;
  if (there === 0 || there < frames) throw refuse(`have ${frames} compressed frames`, `${there}: it is truncated`);
}

/** Photometric interpretations by what is done about them. */
const GREY = ['MONOCHROME1', 'MONOCHROME2'];
const COLOUR = ['RGB', 'YBR_FULL', 'YBR_FULL_422', 'YBR_ICT', 'YBR_RCT'];

function formatOf(header: DataSet, syntax: Syntax, invert: boolean, refuse: Refuse): PixelFormat {
  const [height, width] = [header.uint16('x00280010'), header.uint16('x00280011')];
  const channels = header.uint16('x00280002') ?? 1;
  const allocated = header.uint16('x00280100');
  const stored = header.uint16('x00280101') ?? allocated;
  const highBit = header.uint16('x00280102') ?? (stored ?? 0) - 1;
  const photometric = (header.string('x00280004') ?? 'MONOCHROME2').trim();
  if (!height || !width) throw refuse('have rows and columns', 'a header without them');
  const known = channels === 1 ? GREY.includes(photometric) : channels === 3 && COLOUR.includes(photometric);
  if (!known) {
    const what = photometric.replace(/[^A-Z0-9_ ]/g, '?');
    throw refuse(`be grey (${GREY.join(', ')}) or colour (${COLOUR.join(', ')})`, `${what} with ${channels} channels`);
  }
  if (allocated !== 8 && allocated !== 16) throw refuse('have 8 or 16 bits per pixel', `${allocated}`);
  if (!stored || stored > allocated || highBit >= allocated || highBit < stored - 1) {
    throw refuse(`store its pixels in ${allocated} bits`, `${stored} bits up to bit ${highBit}`);
  }
  if (!syntax.codec && photometric === 'YBR_FULL_422') {
    throw refuse('store colour without leaving out pixels', 'YBR_FULL_422 without compression');
  }
  return {
    height,
    width,
    channels: channels as 1 | 3,
    allocated,
    stored,
    highBit,
    signed: header.uint16('x00280103') === 1,
    inverted: invert && photometric === 'MONOCHROME1',
    // Other decoders turn colour into red, green and blue themselves.
    ybr: photometric === 'YBR_FULL' && (!syntax.codec || syntax.codec === 'rle'),
    planar: header.uint16('x00280006') === 1 && !syntax.codec,
  };
}

function windowOf(header: DataSet, options: ImageOptions, refuse: Refuse): ImageWindow | undefined {
  if (options.window !== 'file') return options.window;
  const [center, width] = [header.floatString('x00281050'), header.floatString('x00281051')];
  if (center === undefined || width === undefined || !(width > 1)) throw refuse('name its window', 'none');
  return { center, width };
}

/** Of all frames, or one for each: an enhanced DICOM has them by frame. */
function rescalesOf(header: DataSet, frames: number, { values }: ImageOptions, refuse: Refuse): readonly Rescale[] {
  if (values === 'stored') return [{ slope: 1, intercept: 0 }];
  if (header.elements.x00283000 && !header.elements.x00281053) {
    throw refuse("have a rescale slope, or be read with values: 'stored'", 'a table of values (Modality LUT)');
  }
  const own = rescaleOf(header);
  if (own) return [own];
  const shared = rescaleOf(inSequence(header.elements.x52009229?.items?.[0]?.dataSet));
  const each = header.elements.x52009230?.items ?? [];
  const found = Array.from({ length: frames }, (_, at) => rescaleOf(inSequence(each[at]?.dataSet)) ?? shared);
  return found.some(Boolean) ? found.map((one) => one ?? AS_STORED) : [AS_STORED];
}

const AS_STORED: Rescale = { slope: 1, intercept: 0 };

/** PixelValueTransformationSequence of a frame, or of all. */
const inSequence = (group: DataSet | undefined) => group?.elements.x00289145?.items?.[0]?.dataSet;

function rescaleOf(data: DataSet | undefined): Rescale | undefined {
  const slope = data?.floatString('x00281053');
  if (slope === undefined || !Number.isFinite(slope)) return undefined;
  return { slope, intercept: data?.floatString('x00281052') ?? 0 };
}

/** What names patient, study, series and institution. */
function tagsOf(header: DataSet): ImageTags {
  const ids = {
    site: textOf(header, 'x00080080'),
    patient: textOf(header, 'x00100020'),
    study: textOf(header, 'x0020000d'),
    series: textOf(header, 'x0020000e'),
  };
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id));
}

/** Bytes as text: a name of an institution may be in UTF-8, which dicom-parser reads as Latin 1. */
function textOf(header: DataSet, tag: string): string {
  const element = header.elements[tag];
  if (!element) return '';
  const bytes = header.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
  return new TextDecoder(/UTF|_IR 192/.test(header.string('x00080005') ?? '') ? 'utf-8' : 'latin1')
    .decode(bytes)
    .replace(/[\0 ]+$/, '')
    .trim();
}
