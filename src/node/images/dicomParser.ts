/** dicom-parser, loaded on first use, and what it must be helped with. */
import { inflateRawSync } from 'node:zlib';
import { optionalPackage } from './codecs.js';

/** @throws {MissingPackageError} where it is not installed */
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

/**
 * A deflated file as one that is not. dicom-parser 1.8 would take the first compressed bytes for an element, and fails
 * when they look like a sequence.
 */
export function inflated(bytes: Uint8Array, most: number): Uint8Array {
  const end = deflatedAt(bytes);
  if (end === undefined) return bytes;
  const out = Buffer.concat([bytes.subarray(0, end), inflateRawSync(bytes.subarray(end), { maxOutputLength: most })]);
  out.fill(0, uidAt(bytes, end) + DEFLATED.length - 3, uidAt(bytes, end) + DEFLATED.length);
  return new Uint8Array(out);
}

/**
 * The bytes with kinds of values that dicom-parser 1.8 knows: it takes `OV`, of an extended offset table, for a kind with a
 * short length, and fails. Changes the bytes, which are those of no other reader.
 */
export function withKnownKinds(bytes: Uint8Array): Uint8Array {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const number of [1, 2]) {
    // (7FE0,000n) in little endian, `OV`, and two bytes that are kept free.
    const at = all.indexOf(Buffer.from([0xe0, 0x7f, number, 0, 0x4f, 0x56, 0, 0]));
    if (at >= 0) all.write('OB', at + 4, 'latin1');
  }
  return bytes;
}
