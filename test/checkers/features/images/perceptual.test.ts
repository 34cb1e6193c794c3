import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  COEFFICIENTS,
  differingBits,
  lowFrequencies,
  upright,
} from '../../../../src/checkers/features/images/perceptual.js';

// scipy.fft.dctn of images averaged by area: see lowFrequencies.py.
interface Case {
  readonly height: number;
  readonly width: number;
  readonly pixels: number[];
  readonly expected: number[];
}
const { cases }: { cases: Case[] } = JSON.parse(
  readFileSync(new URL('../../../reference/lowFrequencies.json', import.meta.url), 'utf8'),
);

function coefficients(pixels: ArrayLike<number>, height: number, width: number): Float32Array {
  const out = new Float32Array(COEFFICIENTS);
  lowFrequencies(height, width)(Float64Array.from(pixels), 0, out, 0);
  return out;
}

describe('lowFrequencies', () => {
  it.each(cases)('equals scipy for $height x $width', ({ height, width, pixels, expected }) => {
    // Kept as 32-bit floats: 24 bits, of numbers below 1.
    const found = coefficients(pixels, height, width);
    expected.forEach((value: number, at: number) => {
      expect(Math.abs(found[at] - value)).toBeLessThan(2 ** -24);
    });
  });

  it('does not see brightness and contrast', () => {
    const { pixels, height, width } = cases[2];
    const other = coefficients(
      pixels.map((value: number) => 3 * value + 50),
      height,
      width,
    );
    coefficients(pixels, height, width).forEach((value, at) => {
      expect(other[at]).toBeCloseTo(value, 6);
    });
  });

  it('says how far one pixel moves the coefficients of a mask', () => {
    const lowOf = (mask: Float64Array) => {
      const out = new Float32Array(COEFFICIENTS);
      return { grain: lowFrequencies(32, 32)(mask, 1, out, 0), out };
    };
    const disc = Float64Array.from({ length: 1024 }, (_, at) =>
      Math.hypot((at >> 5) - 12, (at % 32) - 18) < 6 ? 1 : 0,
    );
    const { grain, out } = lowOf(disc);
    let squares = 0;
    for (let at = 0; at < 1024; at++) {
      const flipped = disc.map((value, place) => (place === at ? 1 - value : value));
      lowOf(flipped).out.forEach((value, k) => {
        squares += (value - out[k]) ** 2 / 1024;
      });
    }
    // The length of the coefficients, over which they are taken, changes a little, too.
    expect(Math.sqrt(squares) / grain).toBeGreaterThan(0.9);
    expect(Math.sqrt(squares) / grain).toBeLessThan(1.1);
    expect(lowOf(new Float64Array(1024)).grain).toBe(0);
  });

  it('gives zeros for an image of one value, and for one without low frequencies', () => {
    const zeros = new Float32Array(COEFFICIENTS);
    expect(coefficients(new Float64Array(1024).fill(7), 32, 32)).toEqual(zeros);
    const checkerboard = Float64Array.from({ length: 4096 }, (_, at) => (((at >> 6) + at) % 2 ? 1 : -1));
    expect(coefficients(checkerboard, 64, 64)).toEqual(zeros);
  });
});

describe('differingBits', () => {
  it('are few when an image is blurred, and many for another image', () => {
    const { pixels, height, width } = cases[3];
    const blurred = pixels.map((value: number, at: number) => (value + (pixels[at + 1] ?? value)) / 2);
    const own = coefficients(pixels, height, width);
    expect(differingBits(own, own)).toBe(0);
    expect(differingBits(own, coefficients(blurred, height, width))).toBeLessThan(10);
    const other = coefficients(cases[2].pixels, cases[2].height, cases[2].width);
    expect(differingBits(own, other)).toBeGreaterThan(10);
  });
});

describe('upright', () => {
  const { pixels } = cases[2];
  const side = Math.min(cases[2].height, cases[2].width);
  const square = Array.from(
    { length: side * side },
    (_, at) => pixels[Math.floor(at / side) * cases[2].width + (at % side)],
  );
  const turn = (from: (y: number, x: number) => number) =>
    square.map((_, at) => square[from(Math.floor(at / side), at % side)]);
  const last = side - 1;
  const copies = {
    'mirrored left to right': turn((y, x) => y * side + last - x),
    'mirrored top to bottom': turn((y, x) => (last - y) * side + x),
    'turned by 90 degrees': turn((y, x) => (last - x) * side + y),
    'turned by 180 degrees': turn((y, x) => (last - y) * side + last - x),
    transposed: turn((y, x) => x * side + y),
    inverted: square.map((value) => 255 - value),
  };

  it.each(Object.entries(copies))('is the same for an image that is %s', (_, copy) => {
    const [a, b] = [square, copy].map((each) => coefficients(each, side, side));
    upright(a).forEach((value, at) => {
      expect(upright(b)[at]).toBeCloseTo(value, 5);
    });
    expect(differingBits(a, b)).toBe(0);
  });

  it('changes signs and places alone', () => {
    const a = coefficients(square, side, side);
    const sizes = (values: Float32Array) => [...values].map(Math.abs).sort();
    expect(sizes(upright(a))).toEqual(sizes(a));
  });
});
