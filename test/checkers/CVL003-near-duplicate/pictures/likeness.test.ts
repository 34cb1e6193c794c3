import { describe, expect, it } from 'vitest';
import {
  lay,
  layRoughly,
  oriented,
  pictureOf,
  still,
} from '../../../../src/checkers/CVL003-near-duplicate/pictures/likeness.js';
import { flat, moved, scenery, shot } from './scenes.js';

const picture = (at: (y: number, x: number) => number) => pictureOf(flat(shot(at)), 32, 32);
const laid = (a: ReturnType<typeof picture>, b: ReturnType<typeof picture>) => {
  const first = still(a);
  return lay(first, b, layRoughly(first, b).motion).likeness;
};

describe('lay', () => {
  it.each([
    ['shifted by 2 pixels', { dy: 2, dx: -1 }],
    ['turned by 5 degrees', { turn: 5 }],
    ['cropped by 8 % of each side', { zoom: 1.19 }],
    ['all of it', { turn: -4, zoom: 1.1, dx: 1.5 }],
  ])('lays a copy upon its original: %s', (_, motion) => {
    const at = scenery(11);
    expect(laid(picture(at), picture(moved(at, motion)))).toBeGreaterThan(0.9);
  });

  it('does not lay other pictures upon each other', () => {
    for (let seed = 20; seed < 30; seed++) {
      expect(laid(picture(scenery(seed)), picture(scenery(seed + 100)))).toBeLessThan(0.8);
    }
  });

  it('a black square counts as its area alone', () => {
    const at = scenery(11);
    const covered = picture((y, x) => (y > 4 && y < 13 && x > 15 && x < 24 ? -3 : at(y, x)));
    expect(laid(picture(at), covered)).toBeGreaterThan(0.8);
  });

  it('what all pictures have in common does not count', () => {
    const template = (y: number, x: number) => 4 * Math.sin(y / 3) * Math.cos(x / 4);
    const common = picture(template);
    const own = (seed: number) => {
      const at = scenery(seed);
      return pictureOf(flat(shot((y, x) => template(y, x) + 0.3 * at(y, x))), 32, 32, common);
    };
    const [a, b] = [own(41), own(42)];
    expect(laid(a, b)).toBeLessThan(0.6);
    expect(laid(a, own(41))).toBeGreaterThan(0.99);
  });

  it('turns pictures, and takes small and blank ones', () => {
    const at = scenery(7);
    const mirrored = oriented(
      picture((y, x) => at(y, 31 - x)),
      1,
    );
    expect(mirrored.full.grey).toEqual(picture(at).full.grey);
    const small = pictureOf(
      new Float32Array(64).map((_, k) => k % 7),
      8,
      8,
    );
    expect(laid(small, small)).toBeCloseTo(1, 5);
    const blank = pictureOf(new Float32Array(64), 8, 8);
    expect(laid(blank, small)).toBe(0);
  });
});
