/** The header of a JPEG: ITU-T T.81 B.2. */

/** What a decoder must know before it begins. */
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

/** @throws {RangeError} when no frame header is found */
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
