import { isUtf8 } from 'node:buffer';
import type { DataSet, Element } from 'dicom-parser';
import { mostUnpacked } from '../../core/unpackLimits.js';
import {
  type Curve,
  frameBytes,
  type PixelFormat,
  type Rescale,
  SYNTAXES,
  type Syntax,
  storedPixels,
  type ValueWindow,
  writeValues,
} from './dicomFrames.js';
import { checkFragments, deflatedAt, dicomParser, inflated, withKnownKinds } from './dicomParser.js';
import {
  allBytes,
  bytesAt,
  type FilePlace,
  type ImageFile,
  type ImageNote,
  type ImageOptions,
  type ImageTags,
  type Refuse,
  type Scratch,
  shrunk,
  unreadable,
} from './imageFile.js';

type Parser = Awaited<ReturnType<typeof dicomParser>>;

export const isDicom = (head: Uint8Array) => String.fromCharCode(...head.subarray(128, 132)) === 'DICM';

const PIXELS = 'x7fe00010';
const DIRECTORY = '1.2.840.10008.1.3.10';
const PLAIN = '1.2.840.10008.1.2';

/** Classes without pixels: waveforms, presentation states, registrations, reports, documents, plans and records (PS3.4 B.5). */
const NO_IMAGES =
  /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.((9|11|67|78|79|80|88|104)(\..+)?|66(\.[12356])?|481\.([3-9]|1\d|2[0-2]))$/;

/** Null for a DICOMDIR, which lists files, and what has no pixels by its class. */
export async function dicomFile(
  file: FilePlace,
  head: Uint8Array,
  options: ImageOptions,
): Promise<ImageFile | null | 'no pixels'> {
  const { header, pixels, deflated } = await headerOf(file, head);
  if (header.string('x00020002') === DIRECTORY) return null;
  const refuse = (must: string, why: string) => unreadable(file.name, must, why);
  if (!pixels && NO_IMAGES.test(textOf(header, 'x00080016'))) return 'no pixels';
  if (!pixels) throw refuse('have pixel data', 'a DICOM without any');
  const syntax = syntaxOf(header, refuse);
  const format = formatOf(header, syntax, options.invertMonochrome1, refuse);
  const frames = framesOf(header, refuse);
  const length = (format.height * format.width * format.channels * format.allocated) / 8;
  const whole = syntax.codec !== undefined || deflated;
  if (syntax.codec) checkFragments(header, pixels, frames, refuse);
  else checkLength(pixels, frames, length, deflated ? header.byteArray.length : file.size, refuse);
  const windows = windowsOf(header, frames, options, refuse);
  if (windows.length > 0 && format.channels === 3) throw refuse('be grey where `window` is set', 'colour');
  const rescales = rescalesOf(header, frames, options, refuse);
  const swapped = syntax.bigEndian && (format.allocated === 16 || pixels.vr === 'OW');
  if (swapped && length % 2 === 1) throw refuse('have an even number of bytes in a frame', 'big-endian words');
  const { height, width, channels } = format;
  const volume = options.rows === 'volume';
  const modality = textOf(header, 'x00080060').replace(/[^A-Z0-9_]/g, '?');
  // No function below may use `header` or `pixels`: they would stay in memory as long as the rows.
  const pixelsAt = pixels.dataOffset;
  const size = height * width * channels;

  async function frame(number: number, out: Float32Array, loaded: Uint8Array | undefined, scratch: Scratch) {
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
    slice: frames === 1 ? sliceOf(header) : undefined,
    ...(modality ? { modality } : {}),
    // A window or a rescale brings numbers of any range to one scale.
    ...(windows.length > 0 || !rescales.every(changesNothing) ? {} : { storedBits: format.stored }),
    notes: notesOf(header, syntax.codec ? 0 : pixels.length - frames * length),
    // Unpacked once, not for each frame.
    ...(whole && frames > 1 ? { load: async () => unpacked(await allBytes(file), file) } : {}),
    async read(row, out, loaded, scratch) {
      if (!volume) return frame(row, out, loaded, scratch);
      const bytes = whole ? (loaded ?? (await allBytes(file))) : undefined;
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

/** Of an uncompressed file only the beginning is read; fragments of others must be read. */
async function headerOf(file: FilePlace, head: Uint8Array) {
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
    return ifWhole(file, () => parser.parseDicom(withKnownKinds(plain)));
  }
}

const unpacked = (bytes: Uint8Array, file: FilePlace): Uint8Array =>
  ifWhole(file, () => inflated(bytes, mostUnpacked(bytes.length, file.limits).most));

function ifWhole<T>({ name, size }: FilePlace, read: () => T): T {
  try {
    return read();
  } catch {
    throw unreadable(name, 'be a whole DICOM file', `${size} bytes that end early or are damaged`);
  }
}

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

const GREY = ['MONOCHROME1', 'MONOCHROME2'];
const COLOUR = ['RGB', 'YBR_FULL', 'YBR_FULL_422', 'YBR_ICT', 'YBR_RCT'];

/** Those of colour that a codec may have (PS3.5 section 8.2), where more than RGB and YBR_FULL. */
const COLOUR_OF: Readonly<Partial<Record<NonNullable<Syntax['codec']>, readonly string[]>>> = {
  jpeg: ['RGB', 'YBR_FULL', 'YBR_FULL_422'],
  jpeg2000: ['RGB', 'YBR_FULL', 'YBR_ICT', 'YBR_RCT'],
  htj2k: ['RGB', 'YBR_FULL', 'YBR_ICT', 'YBR_RCT'],
};

function formatOf(header: DataSet, syntax: Syntax, invert: boolean, refuse: Refuse): PixelFormat {
  const [height, width] = [header.uint16('x00280010'), header.uint16('x00280011')];
  const channels = header.uint16('x00280002');
  const allocated = header.uint16('x00280100');
  const stored = header.uint16('x00280101');
  const highBit = header.uint16('x00280102') ?? (stored ?? 0) - 1;
  const sign = header.uint16('x00280103');
  const planar = header.uint16('x00280006');
  const photometric = header.string('x00280004')?.trim();
  if (!height || !width) throw refuse('have rows and columns', 'a header without them');
  if (channels === undefined || !photometric) {
    throw refuse('say how many channels it has and what they mean', 'no SamplesPerPixel or PhotometricInterpretation');
  }
  const known = channels === 1 ? GREY.includes(photometric) : channels === 3 && COLOUR.includes(photometric);
  const what = photometric.replace(/[^A-Z0-9_ ]/g, '?');
  if (!known) {
    throw refuse(`be grey (${GREY.join(', ')}) or colour (${COLOUR.join(', ')})`, `${what} with ${channels} channels`);
  }
  if (allocated !== 8 && allocated !== 16) throw refuse('have 8 or 16 bits per pixel', `${allocated}`);
  if (!stored || stored > allocated || highBit >= allocated || highBit < stored - 1) {
    const got = stored ? `${stored} bits up to bit ${highBit}` : 'no BitsStored';
    throw refuse(`store its pixels in ${allocated} bits`, got);
  }
  if (channels === 3 && planar !== 0 && planar !== 1) {
    throw refuse('say how its channels are laid down', 'no PlanarConfiguration of 0 or 1');
  }
  if (sign !== 0 && sign !== 1) throw refuse('say whether its pixels have a sign', 'no PixelRepresentation of 0 or 1');
  if (channels === 3 && sign === 1) throw refuse('have colours without a sign', 'colours with one');
  const { codec } = syntax;
  if (channels === 3 && allocated === 16 && codec === 'lossless')
    throw refuse('have colours of 8 bits in lossless JPEG', '16');
  if (codec && codec !== 'rle' && highBit !== stored - 1) {
    throw refuse('have its lowest bit at place 0 where it is compressed', `${stored} bits up to bit ${highBit}`);
  }
  const colours = (codec && COLOUR_OF[codec]) ?? ['RGB', 'YBR_FULL'];
  if (channels === 3 && !colours.includes(photometric)) {
    throw refuse(`have colours as ${colours.join(', ')} ${codec ? `in ${codec}` : 'without compression'}`, what);
  }
  return {
    height,
    width,
    channels: channels as 1 | 3,
    allocated,
    stored,
    highBit,
    signed: sign === 1,
    inverted: invert && photometric === 'MONOCHROME1',
    // The decoder of JPEG turns colour into red, green and blue itself; that of JPEG 2000 where the stream says so.
    ybr: photometric === 'YBR_FULL' && codec !== 'jpeg',
    colourTransform: photometric === 'YBR_ICT' || photometric === 'YBR_RCT',
    planar: planar === 1 && !codec,
  };
}

const CURVES: readonly Curve[] = ['LINEAR', 'LINEAR_EXACT', 'SIGMOID'];

function windowsOf(header: DataSet, frames: number, { window }: ImageOptions, refuse: Refuse): readonly ValueWindow[] {
  if (window === undefined) return [];
  if (window !== 'file') return [{ ...window, curve: 'LINEAR' }];
  const own = windowIn(header, refuse);
  if (own) return [own];
  const found = byFrame(header, frames, 'x00289132', (item) => windowIn(item, refuse));
  if (found.every((one) => one !== undefined)) return found as ValueWindow[];
  throw refuse('name its window, or be read with `window: { center, width }`', 'none');
}

function windowIn(data: DataSet | undefined, refuse: Refuse): ValueWindow | undefined {
  const center = decimal(data, 'x00281050', refuse);
  const width = decimal(data, 'x00281051', refuse);
  if (center === undefined || width === undefined) return undefined;
  const named = data?.string('x00281056')?.trim() || 'LINEAR';
  const curve = CURVES.find((each) => each === named);
  if (!curve) throw refuse(`have a window of ${CURVES.join(', ')}`, 'another function');
  if (!(width > (curve === 'LINEAR' ? 1 : 0))) throw refuse('have a window wider than 1', String(width));
  return { center, width, curve };
}

/** Of all frames, or one for each: an enhanced DICOM has them by frame. */
function rescalesOf(header: DataSet, frames: number, { values }: ImageOptions, refuse: Refuse): readonly Rescale[] {
  if (values === 'stored') return [AS_STORED];
  if (header.elements.x00283000?.items?.length) {
    throw refuse("have a rescale slope, or be read with values: 'stored'", 'a table of values (Modality LUT)');
  }
  const own = rescaleIn(header, refuse);
  if (own) return [own];
  const found = byFrame(header, frames, 'x00289145', (item) => rescaleIn(item, refuse));
  if (found.every((one) => one === undefined)) return [AS_STORED];
  if (found.every((one) => one !== undefined)) return found as Rescale[];
  const without = found.indexOf(undefined);
  throw refuse('have a rescale slope for every frame, or for none', `none for frame ${without}`);
}

const AS_STORED: Rescale = { slope: 1, intercept: 0 };

const changesNothing = ({ slope, intercept }: Rescale): boolean => slope === 1 && intercept === 0;

function rescaleIn(data: DataSet | undefined, refuse: Refuse): Rescale | undefined {
  const slope = decimal(data, 'x00281053', refuse);
  const intercept = decimal(data, 'x00281052', refuse);
  if (slope === undefined && intercept === undefined) return undefined;
  if (slope !== undefined && intercept !== undefined && slope !== 0) return { slope, intercept };
  const got = slope === 0 ? 'a slope of 0' : slope === undefined ? 'an intercept alone' : 'a slope alone';
  throw refuse("have both rescale slope and intercept, or be read with values: 'stored'", got);
}

/** What the functional groups of each frame say, or those that all share (PS3.3 C.7.6.16). */
function byFrame<T>(header: DataSet, frames: number, tag: string, of: (item: DataSet | undefined) => T | undefined) {
  const inGroup = (group: DataSet | undefined) => of(group?.elements[tag]?.items?.[0]?.dataSet);
  const shared = inGroup(header.elements.x52009229?.items?.[0]?.dataSet);
  const each = header.elements.x52009230?.items ?? [];
  return Array.from({ length: frames }, (_, at) => inGroup(each[at]?.dataSet) ?? shared);
}

/** The first number of a text of decimals (VR DS): dicom-parser would read `1,5` as 1. */
function decimal(data: DataSet | undefined, tag: string, refuse: Refuse): number | undefined {
  const text = data?.string(tag, 0)?.trim();
  if (!text) return undefined;
  const value = /^[+-]?(\d+(\.\d*)?|\.\d+)(E[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw refuse('have numbers in its window and rescale', 'another text');
}

function tagsOf(header: DataSet): ImageTags {
  const ids = {
    site: textOf(header, 'x00080080'),
    patient: textOf(header, 'x00100020'),
    issuer: textOf(header, 'x00100021'),
    study: textOf(header, 'x0020000d'),
    series: textOf(header, 'x0020000e'),
  };
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id));
}

/** Undefined where the header does not say both. */
function sliceOf(header: DataSet): ImageFile['slice'] {
  const [position, axes] = ['x00200032', 'x00200037'].map((tag) => (header.string(tag) ?? '').split('\\').map(Number));
  if (position.length !== 3 || axes.length !== 6 || ![...position, ...axes].every(Number.isFinite)) return undefined;
  const [a, b, c, d, e, f] = axes;
  return { position, normal: [b * f - c * e, c * d - a * f, a * e - b * d] };
}

/** dicom-parser reads Latin 1. Where bytes are no UTF-8 although the header says so, Latin 1 keeps two patients apart. */
function textOf(header: DataSet, tag: string): string {
  const element = header.elements[tag];
  if (!element) return '';
  const bytes = header.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
  const asUtf8 = /UTF|_IR 192/.test(header.string('x00080005') ?? '') && isUtf8(Buffer.from(bytes));
  const text = new TextDecoder(asUtf8 ? 'utf-8' : 'latin1').decode(bytes);
  let end = text.length;
  while (text[end - 1] === '\0' || text[end - 1] === ' ') end--;
  return text.slice(0, end).trim();
}

/** @param excess bytes of pixels beyond those of the frames; one may be there to make their number even */
function notesOf(header: DataSet, excess: number): ImageNote[] {
  const notes: ImageNote[] = [];
  if (header.elements.x00280120) notes.push('padding');
  if (header.string('x00280301')?.trim() === 'YES') notes.push('burned');
  if (excess > 1) notes.push('excess');
  return notes;
}
