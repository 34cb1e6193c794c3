/** Numbers of a decoder in the bits that the header of a DICOM asks for. */
import type { Decoded } from './codecs.js';
import { unreadable } from './imageFile.js';
import type { PixelFormat } from './pixelValues.js';

/**
 * Decoders give bytes where 8 bits are enough, also when the file has two for each pixel, and the other way round. A
 * number that does not fit is refused: cut off, it would be another one.
 *
 * @returns bytes of the frame, pairs of them with the lower one first where the header allocates 16 bits
 * @throws {InvalidDataError} with code `unreadable_image`
 */
export function fitted(
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
  const given = each === 1 ? bytes : new Uint16Array(bytes.slice().buffer);
  const out = format.allocated === 8 ? new Uint8Array(n) : new Uint16Array(n);
  // A stream without signs holds the bits of negative numbers as they are.
  const free = signed ? 32 - 8 * each : 32 - bits;
  const [least, most] = format.signed
    ? [-(2 ** (format.stored - 1)), 2 ** (format.stored - 1) - 1]
    : [0, 2 ** format.stored - 1];
  for (let i = 0; i < n; i++) {
    const value = format.signed ? (given[i] << free) >> free : given[i];
    if (value < least || value > most || (value < 0 && !signed && bits < format.stored)) {
      throw unreadable(
        name,
        `have pixels of ${format.stored} bits, as its header says`,
        `one beyond them in ${bits} bits`,
      );
    }
    out[i] = value;
  }
  return new Uint8Array(out.buffer);
}
