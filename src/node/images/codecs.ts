/** Packages that decode images: optional, loaded on first use, and silent. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { MissingPackageError } from '../../core/errors.js';

/** Imports by a name that is known when it runs: the package may be missing. */
const importNamed = (name: string): Promise<unknown> => import(/* @vite-ignore */ /* webpackIgnore: true */ name);

/** Imports an optional package, or throws {@link MissingPackageError} with the command that installs it. */
export async function optionalPackage<T>(name: string, purpose: string, load = importNamed): Promise<T> {
  const module = (await load(name).catch((error) => {
    throw missing(name, purpose, error);
  })) as { default?: unknown };
  return (module.default ?? module) as T;
}

function missing(name: string, purpose: string, cause: unknown): MissingPackageError {
  const install = name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : name;
  return new MissingPackageError(install, purpose, `npm install ${install}`, cause);
}

/** A codec that was compiled to WebAssembly: these of cornerstone share one interface. */
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
    /** Where the format knows signs. */
    isSigned?: boolean;
  };
  /** JPEG-LS: 0 stores one channel after the other. */
  getInterleaveMode?(): number;
  delete(): void;
}

type Factory = (settings: object) => Promise<Codec>;

/** Each codec: its package, its decoder, the build that decodes alone where there is one, and what it is for. */
const CODECS = {
  jpeg: {
    name: '@cornerstonejs/codec-libjpeg-turbo-8bit',
    decoder: 'JPEGDecoder',
    build: 'decodewasm',
    purpose: 'Reading JPEG',
  },
  jpegLs: {
    name: '@cornerstonejs/codec-charls',
    decoder: 'JpegLSDecoder',
    build: 'decodewasm',
    purpose: 'Reading JPEG-LS',
  },
  jpeg2000: {
    name: '@cornerstonejs/codec-openjpeg',
    decoder: 'J2KDecoder',
    build: 'decodewasm',
    purpose: 'Reading JPEG 2000',
  },
  htj2k: { name: '@cornerstonejs/codec-openjph', decoder: 'HTJ2KDecoder', build: 'wasm', purpose: 'Reading HTJ2K' },
} as const;
export type CodecName = keyof typeof CODECS;

const loaded = new Map<CodecName, Promise<Codec>>();

const nothing = () => undefined;

async function start(codec: CodecName): Promise<Codec> {
  const { name, build, purpose } = CODECS[codec];
  const factory = await optionalPackage<Factory>(`${name}/${build}js`, purpose);
  const wasmBinary = await readFile(createRequire(import.meta.url).resolve(`${name}/${build}`));
  // openjpeg prints to stdout what it decodes.
  return factory({ wasmBinary, print: nothing, printErr: nothing });
}

/** Pixels of one compressed image. */
export interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly channels: number;
  /** The stream says that its numbers have a sign. */
  readonly signed: boolean;
  /** One channel after the other. */
  readonly planar: boolean;
  /** Bytes, or pairs of them with the lower one first where `bits` is above 8. */
  readonly bytes: Uint8Array;
}

/** Decodes by a WebAssembly codec, which is loaded once. Throws what the codec throws. */
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
