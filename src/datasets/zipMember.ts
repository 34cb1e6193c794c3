import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { wholeNumber } from '../core/format.js';

export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** With the size and CRC-32 of the directory. Source: APPNOTE.TXT of PKWARE, 4.3.12 (directory), 4.4.7 (CRC-32). */
export async function zipMember(bytes: Uint8Array, name: string, most: number, from: string): Promise<Uint8Array> {
  const { unzipSync } = await import('fflate');
  const refuse = (must: string, got: string, cause?: unknown) =>
    new InvalidDataError(sentence(`The archive ${from}`, must, phrase(got)), { code: 'broken_archive', cause });
  const isWanted = (path: string) => path === name || path.endsWith(`/${name}`);
  const sizes: number[] = [];
  let place = -1;
  let crc: number | undefined;
  let found: Uint8Array | undefined;
  try {
    const filter = (file: { name: string; originalSize: number }) => {
      place++;
      if (!isWanted(file.name)) return false;
      sizes.push(file.originalSize);
      crc = crcInDirectory(bytes, place);
      return sizes.length === 1 && file.originalSize <= most;
    };
    [found] = Object.values(unzipSync(bytes, { filter }));
  } catch (cause) {
    throw refuse('be a whole zip archive', `${wholeNumber(bytes.length)} bytes that do not unpack`, cause);
  }
  const [size] = sizes;
  if (sizes.length > 1) throw refuse(`hold the file ${name} once`, `${sizes.length} of that name`);
  if (size > most) throw refuse(`hold ${name} with at most ${wholeNumber(most)} bytes`, wholeNumber(size));
  if (!found) throw refuse(`hold the file ${name}`, 'others');
  if (found.length !== size || crc32(found) !== crc) {
    throw refuse(`hold ${name} as its directory tells`, 'another size or CRC-32: the archive was changed or damaged');
  }
  return found;
}

/** The CRC-32 in the directory entry of a place; fflate tells all of an entry but this, in this order. */
function crcInDirectory(bytes: Uint8Array, place: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (view.getUint32(end, true) !== 0x06054b50) end--;
  let at = view.getUint32(end + 16, true);
  // ZIP64: where the directory begins stands in a record of its own.
  if (end >= 20 && view.getUint32(end - 20, true) === 0x07064b50) {
    at = view.getUint32(view.getUint32(end - 12, true) + 48, true);
  }
  for (let entry = 0; entry < place; entry++) {
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return view.getUint32(at + 16, true);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) rest = (rest >>> 8) ^ CRC_TABLE[(rest ^ bytes[at]) & 255];
  return ~rest >>> 0;
}
