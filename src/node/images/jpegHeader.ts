/** The header of a JPEG: ITU-T T.81 B.2. */

/** What a decoder must know before it begins. */
export interface JpegHeader {
  readonly height: number;
  readonly width: number;
  readonly bits: number;
  readonly channels: number;
  /** The file says that its channels are red, green and blue: by Adobe's mark, or by the names of the components. */
  readonly isRgb: boolean;
}

/** @throws {RangeError} when no frame header is found */
export function jpegHeader(bytes: Uint8Array): JpegHeader {
  let at = 2;
  let adobe: number | undefined;
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
    if (isFrame(marker)) {
      const channels = bytes[at + 9];
      const names = String.fromCharCode(...Array.from({ length: channels }, (_, i) => bytes[at + 10 + 3 * i]));
      return {
        height: bytes[at + 5] * 256 + bytes[at + 6],
        width: bytes[at + 7] * 256 + bytes[at + 8],
        bits: bytes[at + 4],
        channels,
        isRgb: adobe === 0 || (adobe === undefined && names === 'RGB'),
      };
    }
    at += 2 + length;
  }
  throw new RangeError('no frame header');
}

/** SOF0 to SOF15; C4, C8 and CC among them are tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
