/** Compressed frames of DICOM files, by transfer syntax. */
import type { DataSet, Element } from 'dicom-parser';
import { CVKitError } from '../../core/errors.js';
import { type CodecName, type Decoded, decodeBy, decodeLosslessJpeg } from './codecs.js';
import { dicomParser } from './dicomParser.js';
import { unreadable } from './imageFile.js';
import { jpegHeader } from './jpegHeader.js';
import type { PixelFormat } from './pixelValues.js';
import { decodeRle } from './rle.js';

/** How pixels are laid down. */
export interface Syntax {
  /** Left out when they are not compressed. */
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

/** What is needed to decode one frame. */
export interface FrameRequest {
  readonly data: DataSet;
  readonly pixels: Element;
  readonly number: number;
  readonly frames: number;
  readonly format: PixelFormat;
  readonly syntax: Syntax;
  readonly name: string;
}

/**
 * Bytes of one frame, channels side by side, the lower byte of a pixel first.
 *
 * @throws {InvalidDataError} with code `unreadable_image` for what the codec cannot read
 */
export async function frameBytes(request: FrameRequest): Promise<Uint8Array> {
  const { data, pixels, number, format, syntax, name } = request;
  const length = (format.height * format.width * format.channels * format.allocated) / 8;
  if (!syntax.codec) {
    const from = pixels.dataOffset + number * length;
    return data.byteArray.slice(from, from + length) as Uint8Array;
  }
  let bytes: Uint8Array;
  try {
    const encoded = await encodedFrame(request);
    bytes = await decoded(encoded, request);
  } catch (error) {
    if (error instanceof CVKitError) throw error;
    throw unreadable(
      name,
      'hold frames that can be decoded',
      `frame ${number} of ${syntax.codec}, which is damaged`,
      error,
    );
  }
  if (bytes.length !== length) {
    throw unreadable(name, `have ${length} bytes in a frame, as its header says`, String(bytes.length));
  }
  return bytes;
}

/** The fragments of one frame, joined. */
async function encodedFrame({ data, pixels, number, frames, syntax, name }: FrameRequest): Promise<Uint8Array> {
  const parser = await dicomParser();
  const fragments = pixels.fragments?.length ?? 0;
  const joined = () => {
    if (frames === 1) return parser.readEncapsulatedPixelDataFromFragments(data, pixels, 0, fragments);
    if (fragments === frames) return parser.readEncapsulatedPixelDataFromFragments(data, pixels, number, 1);
    if (pixels.basicOffsetTable?.length) return parser.readEncapsulatedImageFrame(data, pixels, number);
    if (syntax.codec !== 'jpeg' && syntax.codec !== 'lossless') {
      const why = `${fragments} fragments of ${frames} frames without a table`;
      throw unreadable(name, 'say which fragments belong to a frame', why);
    }
    const table = parser.createJPEGBasicOffsetTable(data, pixels);
    return parser.readEncapsulatedImageFrame(data, pixels, number, table);
  };
  // A copy: decoders want an ArrayBuffer that begins where the frame does.
  return Uint8Array.from(joined() as Uint8Array);
}

async function decoded(encoded: Uint8Array, { format, syntax, name, data }: FrameRequest): Promise<Uint8Array> {
  const { height, width, channels, allocated } = format;
  if (syntax.codec === 'rle') return decodeRle(encoded, height * width, channels, allocated / 8);
  if (syntax.codec === 'lossless') return inAllocated(await decodeLosslessJpeg(encoded), format);
  if (syntax.codec === 'jpeg') checkJpeg(encoded, data, name);
  const image = await decodeBy(syntax.codec as CodecName, encoded);
  const [got, want] = [image, format].map((each) => `${each.height} x ${each.width} x ${each.channels}`);
  if (got !== want) throw unreadable(name, `have frames of ${want}, as its header says`, got);
  return inAllocated(sideBySide(image), format);
}

/** What the baseline codec would not refuse by a sentence, or would read as other colours. */
function checkJpeg(encoded: Uint8Array, data: DataSet, name: string): void {
  const { bits, channels, isRgb } = jpegHeader(encoded);
  if (bits !== 8)
    throw unreadable(name, 'be JPEG of 8 bits', `JPEG of ${bits} bits, for which there is no decoder here`);
  if (channels === 3 && data.string('x00280004')?.trim() === 'RGB' && !isRgb) {
    throw unreadable(name, 'have a JPEG that says that its colours are RGB', 'RGB in the header alone');
  }
}

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

/** Codecs give bytes where 8 bits are enough, also when the file has two bytes for each pixel; and the other way round. */
function inAllocated(bytes: Uint8Array, { height, width, channels, allocated }: PixelFormat): Uint8Array {
  const n = height * width * channels;
  const given = bytes.length / n;
  if (given === allocated / 8) return bytes;
  if (given === 1) return new Uint8Array(Uint16Array.from(bytes).buffer);
  return given === 2 ? bytes.filter((_, at) => at % 2 === 0) : bytes;
}
