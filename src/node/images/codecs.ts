/** Packages that decode images: optional, loaded on first use, and silent. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { optionalPackage } from '../optionalPackage.js';

interface Codec {
  readonly [decoder: string]: new () => WasmDecoder;
}

interface WasmDecoder {
  getEncodedBuffer(length: number): Uint8Array;
  getDecodedBuffer(): Uint8Array;
  decode(): void;
  getFrameInfo(): {
    width: number;
    height: number;
    bitsPerSample: number;
    componentCount: number;
    isSigned?: boolean;
  };
  /** JPEG-LS: 0 stores one channel after the other. */
  getInterleaveMode?(): number;
  delete(): void;
}

type Factory = (settings: object) => Promise<Codec>;

const CODECS = {
  jpeg: { name: 'codec-libjpeg-turbo-8bit', decoder: 'JPEGDecoder', build: 'decodewasm', format: 'JPEG' },
  jpegLs: { name: 'codec-charls', decoder: 'JpegLSDecoder', build: 'decodewasm', format: 'JPEG-LS' },
  jpeg2000: { name: 'codec-openjpeg', decoder: 'J2KDecoder', build: 'decodewasm', format: 'JPEG 2000' },
  htj2k: { name: 'codec-openjph', decoder: 'HTJ2KDecoder', build: 'wasm', format: 'HTJ2K' },
} as const;
export type CodecName = keyof typeof CODECS;

const loaded = new Map<CodecName, Promise<Codec>>();

async function start(codec: CodecName): Promise<Codec> {
  const { name, build, format } = CODECS[codec];
  const binary = `@cornerstonejs/${name}/${build}`;
  const factory = await optionalPackage<Factory>(`${binary}js`, `Reading ${format}`);
  const wasmBinary = await readFile(createRequire(import.meta.url).resolve(binary));
  // openjpeg prints to stdout what it decodes.
  const print = () => undefined;
  return factory({ wasmBinary, print, printErr: print });
}

export interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly channels: number;
  /** The stream says that its numbers have a sign. */
  readonly signed: boolean;
  readonly planar: boolean;
  /** Bytes, or pairs of them with the lower one first where `bits` is above 8. */
  readonly bytes: Uint8Array;
}

export async function decodeBy(codec: CodecName, encoded: Uint8Array): Promise<Decoded> {
  let module = loaded.get(codec);
  if (!module) {
    module = start(codec);
    loaded.set(codec, module);
    // The next call tries again: the package may have been installed since.
    module.catch(() => loaded.delete(codec));
  }
  const decoder = new (await module)[CODECS[codec].decoder]();
  try {
    decoder.getEncodedBuffer(encoded.length).set(encoded);
    decoder.decode();
    const { width, height, bitsPerSample, componentCount, isSigned } = decoder.getFrameInfo();
    const planar = componentCount > 1 && decoder.getInterleaveMode?.() === 0;
    // A copy: the memory of the codec is used again.
    return {
      width,
      height,
      bits: bitsPerSample,
      channels: componentCount,
      signed: isSigned ?? false,
      planar,
      bytes: decoder.getDecodedBuffer().slice(),
    };
  } finally {
    decoder.delete();
  }
}

interface LosslessModule {
  readonly Decoder: new () => { decompress(buffer: ArrayBufferLike, offset: number, length: number): ArrayBuffer };
}

/** Decodes lossless JPEG (processes 14 and 14 SV1). Gives its bytes as {@link Decoded} does. */
export async function decodeLosslessJpeg(encoded: Uint8Array): Promise<Uint8Array> {
  const { Decoder } = await optionalPackage<LosslessModule>('jpeg-lossless-decoder-js', 'Reading lossless JPEG');
  return new Uint8Array(new Decoder().decompress(encoded.buffer, encoded.byteOffset, encoded.length));
}

export interface JpegHeader {
  readonly height: number;
  readonly width: number;
  readonly bits: number;
  readonly channels: number;
  /** The file says that its channels are red, green and blue: by Adobe's mark, or by the names of the components. */
  readonly isRgb: boolean;
  /** EXIF: 1 is upright, 2 to 8 are turned or mirrored. 1 where the file does not say it. */
  readonly orientation: number;
  /** Where the frame header stands, behind everything that may hold another picture. */
  readonly at: number;
}

/** ITU-T T.81 B.2. @throws {RangeError} when no frame header is found */
export function jpegHeader(bytes: Uint8Array): JpegHeader {
  let at = 2;
  let adobe: number | undefined;
  let orientation = 1;
  while (bytes[0] === 0xff && bytes[1] === 0xd8 && at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) break;
    const marker = bytes[at + 1];
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = bytes[at + 2] * 256 + bytes[at + 3];
    if (marker === 0xee && length >= 14 && String.fromCharCode(...bytes.subarray(at + 4, at + 9)) === 'Adobe') {
      adobe = bytes[at + 15];
    }
    if (marker === 0xe1) orientation = exifOrientation(bytes.subarray(at + 4, at + 2 + length)) ?? orientation;
    if (isFrame(marker)) {
      const channels = bytes[at + 9];
      const names = String.fromCharCode(...Array.from({ length: channels }, (_, i) => bytes[at + 10 + 3 * i]));
      return {
        height: bytes[at + 5] * 256 + bytes[at + 6],
        width: bytes[at + 7] * 256 + bytes[at + 8],
        bits: bytes[at + 4],
        channels,
        isRgb: adobe === 0 || (adobe === undefined && names === 'RGB'),
        orientation,
        at,
      };
    }
    at += 2 + length;
  }
  throw new RangeError('no frame header');
}

/** SOF0 to SOF15; C4, C8 and CC among them are tables. SOF55 is that of JPEG-LS. */
const isFrame = (marker: number) =>
  marker === 0xf7 || (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker));

/** Tag 0x0112 of the first directory of an EXIF segment (CIPA DC-008 4.6.2), or undefined. */
function exifOrientation(segment: Uint8Array): number | undefined {
  if (segment.length < 14 || String.fromCharCode(...segment.subarray(0, 4)) !== 'Exif') return undefined;
  const view = new DataView(segment.buffer, segment.byteOffset + 6, segment.length - 6);
  const little = view.getUint16(0) === 0x4949;
  const from = view.getUint32(4, little);
  if (from + 2 > view.byteLength) return undefined;
  for (let entry = 0; entry < view.getUint16(from, little); entry++) {
    const at = from + 2 + 12 * entry;
    if (at + 12 > view.byteLength) return undefined;
    if (view.getUint16(at, little) === 0x0112) return view.getUint16(at + 8, little);
  }
  return undefined;
}
