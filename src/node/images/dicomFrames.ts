import type { DataSet } from 'dicom-parser';
import { CVKitError } from '../../core/errors.js';
import { type CodecName, type Decoded, decodeBy, decodeLosslessJpeg, jpegHeader } from './codecs.js';
import { type FrameOfFile, fragmentsOf } from './dicomParser.js';
import { unreadable } from './imageFile.js';
import type { ImageWindow } from './readImagesOptions.js';

export interface Syntax {
  readonly codec?: CodecName | 'rle' | 'lossless';
  readonly bigEndian?: true;
}

const UID = '1.2.840.10008.1.2';

/** Transfer syntaxes that can be read (PS3.5 section 8, PS3.6 table A-1). */
export const SYNTAXES: Readonly<Record<string, Syntax | undefined>> = {
  [UID]: {},
  [`${UID}.1`]: {},
  [`${UID}.2`]: { bigEndian: true },
  [`${UID}.4.50`]: { codec: 'jpeg' },
  [`${UID}.4.51`]: { codec: 'jpeg' },
  [`${UID}.4.57`]: { codec: 'lossless' },
  [`${UID}.4.70`]: { codec: 'lossless' },
  [`${UID}.4.80`]: { codec: 'jpegLs' },
  [`${UID}.4.81`]: { codec: 'jpegLs' },
  [`${UID}.4.90`]: { codec: 'jpeg2000' },
  [`${UID}.4.91`]: { codec: 'jpeg2000' },
  [`${UID}.4.201`]: { codec: 'htj2k' },
  [`${UID}.4.202`]: { codec: 'htj2k' },
  [`${UID}.4.203`]: { codec: 'htj2k' },
  [`${UID}.5`]: { codec: 'rle' },
};

interface FrameRequest extends FrameOfFile {
  readonly format: PixelFormat;
  readonly syntax: Syntax;
}

/** Channels side by side, the lower byte of a pixel first. */
export async function frameBytes(request: FrameRequest): Promise<Uint8Array> {
  const { data, pixels, number, format, syntax, name } = request;
  const length = (format.height * format.width * format.channels * format.allocated) / 8;
  if (!syntax.codec) {
    const from = pixels.dataOffset + number * length;
    return data.byteArray.slice(from, from + length) as Uint8Array;
  }
  const bytes = await decoded(request).catch((error) => {
    if (error instanceof CVKitError) throw error;
    throw unreadable(name, 'hold frames that can be decoded', `frame ${number} of ${syntax.codec}, which is damaged`);
  });
  if (bytes.length === length) return bytes;
  throw unreadable(name, `have ${length} bytes in a frame, as its header says`, String(bytes.length));
}

async function decoded(request: FrameRequest): Promise<Uint8Array> {
  const { format, syntax, name, data } = request;
  const { height, width, channels, allocated } = format;
  const encoded = await fragmentsOf(request, syntax.codec === 'jpeg' || syntax.codec === 'lossless');
  if (syntax.codec === 'rle') return decodeRle(encoded, height * width, channels, allocated / 8);
  // Some decoders fill what is missing with grey, without a word. Within compressed data these bytes cannot stand.
  if (Buffer.from(encoded.buffer).lastIndexOf(END) < 0) {
    throw unreadable(name, 'hold whole frames', `a frame of ${syntax.codec} without its end`);
  }
  // Before the decoder makes room for whatever its stream asks for.
  const codec = syntax.codec as Exclude<typeof syntax.codec, 'rle' | undefined>;
  const [got, want] = [sizeIn(encoded, codec), format].map(
    (each) => `${each.height} x ${each.width} x ${each.channels}`,
  );
  if (got !== want) throw unreadable(name, `have frames of ${want}, as its header says`, got);
  if (codec === 'lossless') {
    const { bits } = jpegHeader(encoded);
    if (channels === 3 && bits > 8) throw unreadable(name, 'have colours of 8 bits in lossless JPEG', `${bits}`);
    return fitted({ bytes: await decodeLosslessJpeg(encoded), bits, signed: false }, format, name);
  }
  if (codec === 'jpeg') checkJpeg(encoded, data, name);
  else if (channels === 3 && codec !== 'jpegLs') checkTransform(encoded, format, name);
  const image = await decodeBy(codec, encoded);
  return fitted({ ...image, bytes: sideBySide(image) }, format, name);
}

/** Sizes that a stream names: SOF of JPEG and JPEG-LS, SIZ of JPEG 2000 (ITU-T T.800 A.5.1). */
function sizeIn(encoded: Uint8Array, codec: CodecName | 'lossless') {
  if (codec !== 'jpeg2000' && codec !== 'htj2k') return jpegHeader(encoded);
  const at = Buffer.from(encoded.buffer).indexOf(SIZ);
  if (at < 0) throw new RangeError('no sizes in the stream');
  const view = new DataView(encoded.buffer, at);
  const size = (place: number) => view.getUint32(place) - view.getUint32(place + 8);
  return { width: size(8), height: size(12), channels: view.getUint16(40) };
}

const SIZ = Buffer.from([0xff, 0x4f, 0xff, 0x51]);

/** End of image of JPEG and JPEG-LS, end of the codestream of JPEG 2000. */
const END = Buffer.from([0xff, 0xd9]);

/** What the baseline codec would not refuse by a sentence, or would read as other colours. */
function checkJpeg(encoded: Uint8Array, data: DataSet, name: string): void {
  const { bits, channels, isRgb } = jpegHeader(encoded);
  if (bits !== 8)
    throw unreadable(name, 'be JPEG of 8 bits', `JPEG of ${bits} bits, for which there is no decoder here`);
  if (channels === 3 && data.string('x00280004')?.trim() === 'RGB' && !isRgb) {
    throw unreadable(name, 'have a JPEG that says that its colours are RGB', 'RGB in the header alone');
  }
}

/** Colours of JPEG 2000: whether its stream turns them (COD, ITU-T T.800 A.6.1) must fit what the header calls them. */
function checkTransform(encoded: Uint8Array, { colourTransform, ybr }: PixelFormat, name: string): void {
  const cod = Buffer.from(encoded.buffer).indexOf(COD);
  const turns = cod >= 0 && encoded[cod + 8] === 1;
  if (colourTransform && !turns)
    throw unreadable(name, 'turn its colours, as its header says', 'a stream that does not');
  if (ybr && turns)
    throw unreadable(name, 'have colours as its header says, YBR_FULL', 'a stream that turns them to RGB');
}

const COD = Buffer.from([0xff, 0x52]);

function sideBySide({ planar, bytes, channels, width, height, bits }: Decoded): Uint8Array {
  if (!planar) return bytes;
  const each = bits > 8 ? 2 : 1;
  const n = width * height;
  const out = new Uint8Array(bytes.length);
  for (let channel = 0; channel < channels; channel++) {
    for (let i = 0; i < n * each; i++) {
      out[(Math.floor(i / each) * channels + channel) * each + (i % each)] = bytes[channel * n * each + i];
    }
  }
  return out;
}

/** Decoders give one byte or two for a pixel, whatever its bits. A number that does not fit is refused: cut off, it would be another. */
function fitted(
  { bytes, bits, signed }: Pick<Decoded, 'bytes' | 'bits' | 'signed'>,
  format: PixelFormat,
  name: string,
): Uint8Array {
  const n = format.height * format.width * format.channels;
  const each = bytes.length / n;
  if (each !== 1 && each !== 2) return bytes;
  if (signed && !format.signed) throw unreadable(name, 'have pixels without a sign, as its header says', 'signed ones');
  // This decoder gives 0 for every number below it.
  if (signed && bits <= 8) throw unreadable(name, 'have more than 8 bits where pixels have a sign', `${bits}`);
  if (each === format.allocated / 8 && bits === format.stored) return bytes;
  const samples = each === 1 ? bytes : new Uint16Array(bytes.slice().buffer);
  const out = format.allocated === 8 ? new Uint8Array(n) : new Uint16Array(n);
  // A stream without signs holds the bits of negative numbers as they are.
  const free = signed ? 32 - 8 * each : 32 - bits;
  const [least, most] = format.signed
    ? [-(2 ** (format.stored - 1)), 2 ** (format.stored - 1) - 1]
    : [0, 2 ** format.stored - 1];
  for (let i = 0; i < n; i++) {
    const value = format.signed ? (samples[i] << free) >> free : samples[i];
    out[i] = value;
    if (value >= least && value <= most && (value >= 0 || signed || bits >= format.stored)) continue;
    const must = `have pixels of ${format.stored} bits, as its header says`;
    throw unreadable(name, must, `one beyond them in ${bits} bits`);
  }
  return new Uint8Array(out.buffer);
}

/** RLE of DICOM (PS3.5 Annex G): a header of 64 bytes, then a segment for each byte of all pixels, the highest byte first. */
export function decodeRle(encoded: Uint8Array, pixels: number, channels: number, bytesEach: number): Uint8Array {
  const header = new DataView(encoded.buffer, encoded.byteOffset, encoded.length);
  if (encoded.length < 64 || header.getUint32(0, true) !== channels * bytesEach) {
    throw new RangeError('the number of RLE segments is not that of the bytes of a pixel');
  }
  const step = channels * bytesEach;
  const out = new Uint8Array(pixels * step);
  for (let segment = 0; segment < step; segment++) {
    const from = header.getUint32(4 + 4 * segment, true);
    const to = segment + 1 < step ? header.getUint32(8 + 4 * segment, true) : encoded.length;
    const channel = Math.floor(segment / bytesEach);
    const place = channel * bytesEach + (bytesEach - 1 - (segment % bytesEach));
    unpack(encoded.subarray(from, to), out, place, step, pixels);
  }
  return out;
}

/** One segment (PackBits) into every `step`-th byte of `out`. */
function unpack(segment: Uint8Array, out: Uint8Array, place: number, step: number, pixels: number): void {
  let [at, done] = [0, 0];
  while (done < pixels && at < segment.length) {
    const control = segment[at++];
    if (control === 128) continue;
    const run = control > 128;
    const length = Math.min(run ? 257 - control : control + 1, pixels - done);
    if (at + (run ? 1 : length) > segment.length) break;
    for (let i = 0; i < length; i++) out[(done + i) * step + place] = segment[run ? at : at + i];
    at += run ? 1 : control + 1;
    done += length;
  }
  if (done < pixels) throw new RangeError('an RLE segment ends early');
}

// From stored pixels to the numbers of a row: bits and sign, rescale, inversion, window, colour. DICOM PS3.3 C.7.6.3, C.11.

export interface PixelFormat {
  readonly height: number;
  readonly width: number;
  readonly channels: 1 | 3;
  readonly allocated: number;
  readonly stored: number;
  readonly highBit: number;
  readonly signed: boolean;
  /** Pixels are turned: MONOCHROME1. */
  readonly inverted: boolean;
  /** Colour as luminance and two differences, which no decoder turns: YBR_FULL. */
  readonly ybr: boolean;
  /** Colour that the stream of JPEG 2000 must turn: YBR_ICT, YBR_RCT. */
  readonly colourTransform: boolean;
  readonly planar: boolean;
}

export interface Rescale {
  readonly slope: number;
  readonly intercept: number;
}

/** How a window maps values: PS3.3 C.11.2.1.2 and C.11.2.1.3. */
export type Curve = 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID';

export interface ValueWindow extends ImageWindow {
  readonly curve: Curve;
}

type Stored = Uint8Array | Uint16Array;

/** Bytes of one frame as numbers without sign; pairs of bytes begin with the lower one, or are swapped in place. */
export function storedPixels(bytes: Uint8Array, allocated: number, swapped = false): Stored {
  if (swapped) Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).swap16();
  if (allocated === 8) return bytes;
  const even = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Uint16Array(even.buffer, even.byteOffset, Math.floor(even.length / 2));
}

export function writeValues(
  pixels: Stored,
  format: PixelFormat,
  { slope, intercept }: Rescale,
  window: ValueWindow | undefined,
  out: Float32Array,
): void {
  if (format.channels === 3) {
    writeColour(pixels, format, out);
    return;
  }
  const { stored, highBit, signed, inverted } = format;
  const [left, right] = [31 - highBit, 32 - stored];
  const [low, most] = [highBit + 1 - stored, 2 ** stored - 1];
  // A turned pixel is lowest + highest - pixel, which for stored bits with a sign is -1 - pixel. A window is turned after it.
  const turned = inverted && !window;
  const sum = signed ? -1 : 2 ** stored - 1;
  const factor = turned ? -slope : slope;
  const offset = turned ? slope * sum + intercept : intercept;
  if (signed) for (let i = 0; i < out.length; i++) out[i] = ((pixels[i] << left) >> right) * factor + offset;
  else for (let i = 0; i < out.length; i++) out[i] = ((pixels[i] >> low) & most) * factor + offset;
  if (window) applyWindow(out, window, inverted);
}

const LEVELS: Readonly<Record<Curve, (value: number, center: number, width: number) => number>> = {
  LINEAR: (value, center, width) => (value - (center - 0.5)) / (width - 1) + 0.5,
  LINEAR_EXACT: (value, center, width) => (value - center) / width + 0.5,
  SIGMOID: (value, center, width) => 1 / (1 + Math.exp((-4 * (value - center)) / width)),
};

function applyWindow(out: Float32Array, { center, width, curve }: ValueWindow, inverted: boolean): void {
  const level = LEVELS[curve];
  for (let i = 0; i < out.length; i++) {
    const share = Math.min(1, Math.max(0, level(out[i], center, width)));
    out[i] = inverted ? 1 - share : share;
  }
}

function writeColour(pixels: Stored, { ybr, planar, stored, highBit }: PixelFormat, out: Float32Array): void {
  const n = out.length / 3;
  const [next, step] = planar ? [n, 1] : [1, 3];
  const middle = 2 ** (stored - 1);
  const most = 2 ** stored - 1;
  const low = highBit + 1 - stored;
  const within = (value: number) => Math.min(most, Math.max(0, Math.round(value)));
  for (let i = 0; i < n; i++) {
    const at = i * step;
    const a = (pixels[at] >> low) & most;
    const b = (pixels[at + next] >> low) & most;
    const c = (pixels[at + 2 * next] >> low) & most;
    if (!ybr) {
      out[3 * i] = a;
      out[3 * i + 1] = b;
      out[3 * i + 2] = c;
    } else {
      // PS3.3 C.7.6.3.1.2, solved for red, green and blue.
      const [blue, red] = [b - middle, c - middle];
      out[3 * i] = within(a + 1.402 * red);
      out[3 * i + 1] = within(a - 0.344136 * blue - 0.714136 * red);
      out[3 * i + 2] = within(a + 1.772 * blue);
    }
  }
}
