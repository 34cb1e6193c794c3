/** ITU-T T.81 B.2. */
import { describe, expect, it } from 'vitest';
import { jpegHeader } from '../../../src/node/images/jpegHeader.js';

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
    });
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
