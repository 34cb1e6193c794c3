/** dicom-parser, loaded on first use, and what it must be helped with. */
import { inflateRawSync } from 'node:zlib';
import type { DataSet, Element } from 'dicom-parser';
import { optionalPackage } from '../optionalPackage.js';
import { type Refuse, unreadable } from './imageFile.js';

export const dicomParser = () => optionalPackage<typeof import('dicom-parser')>('dicom-parser', 'Reading DICOM');

const DEFLATED = '1.2.840.10008.1.2.1.99';
const META_AT = 132;

/** Where the compressed part of a deflated file begins, or undefined: PS3.5 A.5. */
export function deflatedAt(bytes: Uint8Array): number | undefined {
  if (bytes.length < META_AT + 12) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // (0002,0000), the length of the first group, must stand first.
  if (view.getUint32(META_AT, true) !== 0x00000002) return undefined;
  const end = META_AT + 12 + view.getUint32(META_AT + 8, true);
  return uidAt(bytes, end) < 0 ? undefined : end;
}

const uidAt = (bytes: Uint8Array, end: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(end, bytes.length)).indexOf(DEFLATED, META_AT, 'latin1');

/** dicom-parser 1.8 would take the first compressed bytes of a deflated file for an element. */
export function inflated(bytes: Uint8Array, most: number): Uint8Array {
  const end = deflatedAt(bytes);
  if (end === undefined) return bytes;
  const out = Buffer.concat([bytes.subarray(0, end), inflateRawSync(bytes.subarray(end), { maxOutputLength: most })]);
  out.fill(0, uidAt(bytes, end) + DEFLATED.length - 3, uidAt(bytes, end) + DEFLATED.length);
  return new Uint8Array(out);
}

/** dicom-parser 1.8 takes `OV`, of an extended offset table, for a kind with a short length, and fails. Changes the bytes. */
export function withKnownKinds(bytes: Uint8Array): Uint8Array {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const number of [1, 2]) {
    // (7FE0,000n) in little endian, `OV`, and two bytes that are kept free.
    const at = all.indexOf(Buffer.from([0xe0, 0x7f, number, 0, 0x4f, 0x56, 0, 0]));
    if (at >= 0) all.write('OB', at + 4, 'latin1');
  }
  return bytes;
}

export function checkFragments(header: DataSet, pixels: Element, frames: number, refuse: Refuse): void {
  const fragments = pixels.fragments ?? [];
  if (fragments.length < frames) {
    throw refuse(`have ${frames} compressed frames`, `${fragments.length}: it is truncated`);
  }
  const inTable = pixels.basicOffsetTable?.length || offsetsOf(header)?.length || frames;
  const must = `have ${frames} compressed frames, as its header says`;
  if (inTable !== frames) throw refuse(must, `a table of ${inTable}`);
  if (frames > 1) return;
  const begins = fragments.filter(({ position, length }) =>
    isStart(header.byteArray.subarray(position, position + length)),
  );
  if (begins.length > 1) throw refuse(must, `${begins.length}`);
}

/** The beginning of a JPEG or of a codestream of JPEG 2000. */
const isStart = (bytes: Uint8Array) =>
  bytes[0] === 0xff &&
  ((bytes[1] === 0xd8 && bytes[2] === 0xff) || (bytes[1] === 0x4f && bytes[2] === 0xff && bytes[3] === 0x51));

/** Extended offset table: where the only fragment of each frame begins, beyond the first item. */
function offsetsOf(data: DataSet): number[] | undefined {
  const element = data.elements.x7fe00001;
  if (!element?.length) return undefined;
  const { byteArray } = data;
  const view = new DataView(byteArray.buffer, byteArray.byteOffset + element.dataOffset, element.length);
  return Array.from({ length: element.length >> 3 }, (_, at) => Number(view.getBigUint64(8 * at, true)));
}

export interface FrameOfFile {
  readonly data: DataSet;
  readonly pixels: Element;
  readonly number: number;
  readonly frames: number;
  readonly name: string;
}

/**
 * The fragments of one frame, joined, in an ArrayBuffer of their own. `isJpeg`: each frame ends as a JPEG does, which shows its
 * fragments also without a table.
 */
export async function fragmentsOf(
  { data, pixels, number, frames, name }: FrameOfFile,
  isJpeg: boolean,
): Promise<Uint8Array> {
  const parser = await dicomParser();
  const fragments = pixels.fragments ?? [];
  const joined = () => {
    const take = (from: number, n: number) => parser.readEncapsulatedPixelDataFromFragments(data, pixels, from, n);
    if (frames === 1) return take(0, fragments.length);
    const offsets = offsetsOf(data);
    if (offsets) {
      const at = fragments.findIndex(({ offset }) => offset === offsets[number]);
      if (at >= 0) return take(at, 1);
      throw unreadable(name, 'have an extended offset table that fits its frames', `another place for frame ${number}`);
    }
    if (fragments.length === frames) return take(number, 1);
    if (pixels.basicOffsetTable?.length) return parser.readEncapsulatedImageFrame(data, pixels, number);
    const without = `${fragments.length} fragments of ${frames} frames without a table`;
    if (!isJpeg) throw unreadable(name, 'say which fragments belong to a frame', without);
    const table = parser.createJPEGBasicOffsetTable(data, pixels);
    if (table.length !== frames) throw unreadable(name, `hold ${frames} whole frames`, `${table.length} in ${without}`);
    return parser.readEncapsulatedImageFrame(data, pixels, number, table);
  };
  // A copy: decoders want an ArrayBuffer that begins where the frame does.
  return Uint8Array.from(joined() as Uint8Array);
}
