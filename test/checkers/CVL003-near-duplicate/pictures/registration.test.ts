import { describe, expect, it } from 'vitest';
import { warp } from '../../../../src/checkers/CVL003-near-duplicate/pictures/alignment.js';
import {
  oriented,
  pictureOf,
  register,
  registerCoarsely,
  target,
} from '../../../../src/checkers/CVL003-near-duplicate/pictures/registeredPairs.js';
import { flat, moved, scenery, shot } from './scenes.js';

const picture = (at: (y: number, x: number) => number) => pictureOf(flat(shot(at)), 32, 32);
const likeness = (a: ReturnType<typeof picture>, b: ReturnType<typeof picture>) => {
  const still = target(a);
  return register(still, b, registerCoarsely(still, b).transform);
};

describe('register', () => {
  it.each([
    ['shifted by 2 pixels', { dy: 2, dx: -1 }],
    ['turned by 5 degrees', { turn: 5 }],
    ['cropped by 8 % of each side', { zoom: 1.19 }],
    ['all of it', { turn: -4, zoom: 1.1, dx: 1.5 }],
  ])('moves a copy onto its original, and that onto the copy: %s', (_, made) => {
    const at = scenery(11);
    const [original, copy] = [picture(at), picture(moved(at, made))];
    expect(likeness(original, copy)).toBeGreaterThan(0.98);
    expect(likeness(copy, original)).toBeGreaterThan(0.98);
  });

  it.each([1.06, 1.1, 1.14])('knows exactly where a crop of its pixels lies: magnified %f times', (zoom) => {
    const original = picture(scenery(11));
    const values = new Float32Array(32 * 32);
    warp(original.grey, { a: 1 / zoom, b: 0, dy: 0.3, dx: -0.4 }, values);
    const crop = pictureOf(values, 32, 32);
    expect(likeness(original, crop)).toBeGreaterThan(0.9995);
    expect(likeness(crop, original)).toBeGreaterThan(0.9995);
  });

  it('does not take other pictures for copies', () => {
    for (let seed = 20; seed < 30; seed++) {
      expect(likeness(picture(scenery(seed)), picture(scenery(seed + 100)))).toBeLessThan(0.8);
    }
  });

  it('a black square counts as its area alone, and light from one side not at all', () => {
    const at = scenery(11);
    const covered = picture((y, x) => (y > 4 && y < 13 && x > 15 && x < 24 ? -3 : at(y, x)));
    expect(likeness(picture(at), covered)).toBeGreaterThan(0.8);
    expect(
      likeness(
        picture(at),
        picture((y, x) => at(y, x) + 0.3 * x),
      ),
    ).toBeGreaterThan(0.98);
  });

  it('what all pictures have in common does not hide their own details', () => {
    const common = (y: number, x: number) => 4 * Math.sin(y / 3) * Math.cos(x / 4);
    const own = (seed: number, made = {}) => {
      const at = scenery(seed);
      return picture(moved((y, x) => common(y, x) + 0.3 * at(y, x), made));
    };
    const [other, copy] = [likeness(own(41), own(42)), likeness(own(41), own(41, { dy: 1, turn: 3 }))];
    expect(1 - copy).toBeLessThan((1 - other) / 10);
  });

  it('takes mirrored, small and blank pictures', () => {
    const at = scenery(7);
    const mirrored = oriented(
      picture((y, x) => at(y, 31 - x)),
      1,
    );
    expect(mirrored.grey.values).toEqual(picture(at).grey.values);
    const small = pictureOf(
      new Float32Array(64).map((_, k) => k % 7),
      8,
      8,
    );
    expect(likeness(small, small)).toBeCloseTo(1, 5);
    const blank = pictureOf(new Float32Array(64), 8, 8);
    expect(likeness(blank, small)).toBe(0);
  });
});
