import { inflateSync } from 'node:zlib';
import { optionalPackage } from '../optionalPackage.js';
import { decodeBy, type JpegHeader, jpegHeader } from './codecs.js';
import { allBytes, bytesAt, type FilePlace, type ImageFile, type Refuse, unreadable } from './imageFile.js';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
export const isPng = (head: Uint8Array) => PNG.every((byte, at) => head[at] === byte);
export const isJpeg = (head: Uint8Array) => head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff;

/** Channels by the colour type of a PNG; 3 is a palette, which becomes RGB. */
const PNG_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/** Grey, RGB or palette (as RGB); an alpha channel is kept. Values are those of the file. */
export async function pngFile(file: FilePlace): Promise<ImageFile> {
  const refuse = (must: string, why: string) => unreadable(file.name, must, why);
  const whole = await allBytes(file);
  const end = Buffer.from(whole.buffer).lastIndexOf('IEND', undefined, 'latin1');
  if (whole.length < 33 || end < 0) throw refuse('be a whole PNG', 'one that is truncated');
  const view = new DataView(whole.buffer);
  const [width, height, depth, colour] = [view.getUint32(16), view.getUint32(20), whole[24], whole[25]];
  const clear = Array.from(chunksOf(Buffer.from(whole.buffer)), ({ kind }) => kind).includes('tRNS');
  // A palette may have an alpha for each of its colours.
  const channels = colour === 3 && clear ? 4 : PNG_CHANNELS[colour];
  if (!width || !height) throw refuse('have a width and a height', 'none in its header');
  if (!channels || (depth < 8 && colour !== 3)) throw refuse('have 8 or 16 bits per value', `${depth}`);
  // Deflate packs 1032 bytes into one at best, and a palette makes 4 values of one.
  if ((width * height * channels * depth) / 8 > 4 * 1032 * whole.length) {
    throw refuse('have the size of its header', `${whole.length} bytes for ${width} x ${height}: it is damaged`);
  }
  return {
    format: 'png',
    shape: [height, width, channels],
    count: 1,
    bits: depth === 16 ? 16 : 8,
    notes: clear && colour !== 3 ? ['transparent'] : [],
    async read(_, out) {
      const png = await optionalPackage<typeof import('fast-png')>('fast-png', 'Reading PNG');
      const bytes = await allBytes(file);
      try {
        const image = png.decode(pixelsAlone(bytes, 16 * (out.length + height) + 65536), { checkCrc: true });
        const data = image.palette ? png.convertIndexedToRgb(image) : image.data;
        if (data.length !== out.length) throw new RangeError(`${data.length} values`);
        out.set(data);
      } catch {
        throw refuse('be a PNG that can be decoded', 'one that is damaged');
      }
    },
  };
}

/** Without texts, profiles and further frames, which the decoder would unpack whatever their size. Throws for more than `most` bytes. */
function pixelsAlone(bytes: Uint8Array, most: number): Uint8Array {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const kept = [all.subarray(0, 8)];
  const packed: Buffer[] = [];
  for (const { kind, chunk } of chunksOf(all)) {
    if (['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'].includes(kind)) kept.push(chunk);
    if (kind === 'IDAT') packed.push(chunk.subarray(8, -4));
  }
  inflateSync(Buffer.concat(packed), { maxOutputLength: most });
  return Uint8Array.from(Buffer.concat(kept));
}

function* chunksOf(all: Buffer) {
  for (let at = 8; at + 12 <= all.length; ) {
    const next = at + 12 + all.readUInt32BE(at);
    yield { kind: all.toString('latin1', at + 4, at + 8), chunk: all.subarray(at, next) };
    at = next;
  }
}

/** Grey or colour (as RGB). The orientation that a camera may have noted is not applied. */
export async function jpegFile(file: FilePlace, head: Uint8Array): Promise<ImageFile> {
  const refuse = (must: string, why: string) => unreadable(file.name, must, why);
  const { bits, channels, height, width, orientation } = await headerOf(file, head, refuse);
  if (bits !== 8) throw refuse('be JPEG of 8 bits', `JPEG of ${bits} bits, for which there is no decoder here`);
  if (!width || !height) throw refuse('have a width and a height', 'none in its header');
  if (channels !== 1 && channels !== 3) throw refuse('be grey or RGB', `JPEG of ${channels} channels`);
  return {
    format: 'jpeg',
    shape: [height, width, channels],
    count: 1,
    bits,
    notes: orientation === 1 ? [] : ['turned'],
    async read(_, out) {
      const bytes = await allBytes(file);
      const image = await decodeBy('jpeg', bytes).catch((error) => {
        if (error?.code === 'missing_package') throw error;
        throw refuse('be a JPEG that can be decoded', 'one that is damaged');
      });
      if (image.bytes.length !== out.length) throw refuse(`have ${out.length} values`, String(image.bytes.length));
      out.set(image.bytes);
    },
  };
}

/** Marks of the end may be followed by anything, but not be missing. */
async function headerOf(file: FilePlace, head: Uint8Array, refuse: Refuse): Promise<JpegHeader> {
  const tail = await bytesAt(file, Math.max(0, file.size - 4096), 4096);
  const end = Buffer.from(tail.buffer, 0, tail.length).lastIndexOf(Buffer.from([0xff, 0xd9]));
  const cut = () => refuse('be a whole JPEG', 'one that is truncated');
  if (end < 0) throw cut();
  let header: JpegHeader;
  try {
    // Pictures in its header may be longer than the beginning that was read.
    header = jpegHeader(head.length === file.size ? head : await allBytes(file));
  } catch {
    throw refuse('have a header', 'a damaged one');
  }
  // The end of a small picture within the header is not the end of this one.
  if (file.size - tail.length + end < header.at) throw cut();
  return header;
}
