import { describe, expect, it } from 'vitest';
import { orientationOf, turnedTo } from '../../../../src/checkers/CVL003-near-duplicate/pictures/registeredPairs.js';
import { COEFFICIENTS, lowFrequencies } from '../../../../src/checkers/features/images/perceptual.js';
import { flat, scenery, shot } from './scenes.js';

const coefficients = (grey: ArrayLike<number>) => {
  const out = new Float32Array(COEFFICIENTS);
  lowFrequencies(32, 32)(Float64Array.from(grey), 0, out, 0);
  return out;
};

describe('orientationOf', () => {
  it('is the one that turns the second picture to the first, in all eight positions', () => {
    const picture = flat(shot(scenery(2)));
    for (let orientation = 0; orientation < 8; orientation++) {
      const first = turnedTo(picture, 32, 32, orientation);
      expect(orientationOf(coefficients(first), coefficients(picture))).toBe(orientation);
      expect(orientationOf(coefficients(first.map((value) => -value)), coefficients(picture))).toBe(orientation);
    }
  });
});

describe('turnedTo', () => {
  it('does not turn a picture that is not square', () => {
    const wide = Float32Array.of(1, 2, 3, 4, 5, 6);
    expect(turnedTo(wide, 2, 3, 4)).toBe(wide);
    expect([...turnedTo(wide, 2, 3, 1)]).toEqual([3, 2, 1, 6, 5, 4]);
  });
});
