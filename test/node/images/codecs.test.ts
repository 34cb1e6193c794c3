import { describe, expect, it } from 'vitest';
import { MissingPackageError } from '../../../src/core/errors.js';
import { decodeBy, jpegHeader } from '../../../src/node/images/codecs.js';
import { optionalPackage } from '../../../src/node/optionalPackage.js';

const gone = () => Promise.reject(new Error("Cannot find package 'x'"));

describe('optionalPackage', () => {
  it.each([
    ['dicom-parser', 'npm install dicom-parser'],
    ['@cornerstonejs/codec-openjpeg/decodewasmjs', 'npm install @cornerstonejs/codec-openjpeg'],
  ])('names the command when %s is missing', async (name, command) => {
    const error = (await optionalPackage(name, 'Reading it', gone).catch((thrown) => thrown)) as MissingPackageError;
    expect(error).toBeInstanceOf(MissingPackageError);
    expect(error.message).toBe(
      `Reading it needs the package '${error.packageName}', which could not be loaded. Run: ${command}`,
    );
  });

  it('gives the default export, or all where there is none', async () => {
    expect(await optionalPackage('a', 'b', async () => ({ default: 1 }))).toBe(1);
    expect(await optionalPackage('a', 'b', async () => ({ decode: 1 }))).toEqual({ decode: 1 });
  });
});

it.each(['jpeg', 'jpegLs', 'jpeg2000', 'htj2k'] as const)(
  'decodeBy gives no pixels of bytes that are no %s',
  async (codec) => {
    const pixels = await decodeBy(codec, new Uint8Array(100)).then(
      ({ bytes }) => bytes.length,
      () => 0,
    );
    expect(pixels).toBe(0);
  },
);

// ITU-T T.81 B.2.

const frame = (names: string, marker = 0xc0, bits = 8) => [
  ...[0xff, marker, 0, 8 + 3 * names.length, bits, 0, 10, 1, 4, names.length],
  ...[...names].flatMap((name) => [name.charCodeAt(0), 0x11, 0]),
];
const adobe = (transform: number) => [0xff, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform];
const file = (...parts: number[][]) => Uint8Array.from([0xff, 0xd8, ...parts.flat(), ...Array(20).fill(0)]);

describe('jpegHeader', () => {
  it('finds size, bits and channels behind tables and fill bytes', () => {
    const table = [0xff, 0xc4, 0, 5, 1, 2, 3];
    expect(jpegHeader(file(table, [0xff], frame('\x01', 0xc1, 12)))).toEqual({
      height: 10,
      width: 260,
      bits: 12,
      channels: 1,
      isRgb: false,
      orientation: 1,
      at: 10,
    });
  });

  it.each([
    ['II', 6],
    ['MM', 3],
  ])('reads the orientation of EXIF, byte order %s', (order, orientation) => {
    const little = order === 'II';
    const view = new DataView(new ArrayBuffer(34));
    view.setUint16(0, little ? 0x4949 : 0x4d4d);
    view.setUint16(2, 42, little);
    view.setUint32(4, 8, little);
    view.setUint16(8, 2, little);
    // ImageWidth, then Orientation.
    view.setUint16(10, 0x0100, little);
    view.setUint16(22, 0x0112, little);
    view.setUint16(30, orientation, little);
    const exif = [0xff, 0xe1, 0, 42, ...Buffer.from('Exif\0\0'), ...new Uint8Array(view.buffer)];
    expect(jpegHeader(file(exif, frame('\x01'))).orientation).toBe(orientation);
    expect(jpegHeader(file(exif.slice(0, 2), [0, 12], exif.slice(4, 14), frame('\x01'))).orientation).toBe(1);
  });

  it.each([
    [[frame('RGB')], true],
    [[frame('\x01\x02\x03')], false],
    [[adobe(0), frame('\x01\x02\x03')], true],
    [[adobe(1), frame('RGB')], false],
  ])('knows whether colours are RGB (%#)', (parts, isRgb) => expect(jpegHeader(file(...parts)).isRgb).toBe(isRgb));

  it.each([[new Uint8Array(40)], [file()], [Uint8Array.of(0xff, 0xd8)]])('throws where there is none (%#)', (bytes) =>
    expect(() => jpegHeader(bytes)).toThrow('no frame header'),
  );
});
