/** PS3.5 Annex G; whole files stand in readImages.test.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRle } from '../../../src/node/images/dicomFrames.js';

/** Literals alone, which is one way to encode. */
function encoded(segments: readonly (readonly number[])[]): Uint8Array {
  const bodies = segments.map((bytes) => {
    const body: number[] = [];
    for (let at = 0; at < bytes.length; at += 128) {
      const part = bytes.slice(at, at + 128);
      body.push(part.length - 1, ...part);
    }
    return body;
  });
  const header = new Uint8Array(64);
  const view = new DataView(header.buffer);
  view.setUint32(0, segments.length, true);
  let at = 64;
  bodies.forEach((body, i) => {
    view.setUint32(4 + 4 * i, at, true);
    at += body.length;
  });
  return Uint8Array.from([...header, ...bodies.flat()]);
}

const withBody = (...body: number[]) => {
  const bytes = encoded([[0]]);
  return Uint8Array.from([...bytes.subarray(0, 64), ...body]);
};

describe('decodeRle', () => {
  it('reads the example of PackBits: runs, literals, and 128, which means nothing', () => {
    // Apple Technical Note TN1023.
    const packed = [0xfe, 0xaa, 0x02, 0x80, 0x00, 0x2a, 0xfd, 0xaa, 0x80, 0x03, 0x80, 0x00, 0x2a, 0x22, 0xf7, 0xaa];
    const unpacked = 'aa aa aa 80 00 2a aa aa aa aa 80 00 2a 22 aa aa aa aa aa aa aa aa aa aa';
    const read = decodeRle(withBody(...packed), 24, 1, 1);
    expect(Buffer.from(read).toString('hex')).toBe(unpacked.replaceAll(' ', ''));
  });

  it('puts the bytes of any frame together', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 3),
        fc.constantFrom(1, 2),
        fc.integer({ min: 1, max: 300 }),
        fc.nat(),
        (channels, each, pixels, seed) => {
          const bytes = Uint8Array.from({ length: channels * each * pixels }, (_, i) => (i * 31 + seed) % 256);
          const segments = Array.from({ length: channels * each }, (_, segment) => {
            const place = Math.floor(segment / each) * each + (each - 1 - (segment % each));
            return Array.from({ length: pixels }, (_, pixel) => bytes[pixel * channels * each + place]);
          });
          expect(decodeRle(encoded(segments), pixels, channels, each)).toEqual(bytes);
        },
      ),
    );
  });

  it.each([
    ['a segment that ends early', () => decodeRle(withBody(0xfe, 1), 4, 1, 1), 'ends early'],
    ['a literal that ends early', () => decodeRle(withBody(3, 1, 2), 4, 1, 1), 'ends early'],
    ['other segments than the header says', () => decodeRle(withBody(0xfe, 1), 2, 3, 1), 'number of RLE segments'],
    ['no header', () => decodeRle(new Uint8Array(10), 2, 1, 1), 'number of RLE segments'],
  ])('refuses %s', (_, work, why) => expect(work).toThrow(why));
});
