import { describe, expect, it } from 'vitest';
import {
  align,
  fixed,
  IDENTITY,
  inverse,
  warp,
} from '../../../../src/checkers/CVL003-near-duplicate/pictures/alignment.js';
import { flat, moved, scenery, shot } from './scenes.js';

const image = (at: (y: number, x: number) => number) => ({ height: 32, width: 32, values: flat(shot(at)) });

describe('align', () => {
  it('finds the transform that was made: a turn of 4 degrees, a zoom of 5 %, a shift of 1 and -.5', () => {
    const seen = new Float32Array(1024);
    const still = scenery(3);
    // The moving picture at W(x) is the still one at x.
    const made = { turn: 4, zoom: 1.05, dy: 1, dx: -0.5 };
    const found = align(fixed(image(moved(still, made))), image(still), IDENTITY, 30, seen)!;
    expect(found.a).toBeCloseTo(Math.cos((4 * Math.PI) / 180) / 1.05, 2);
    expect(found.b).toBeCloseTo(Math.sin((4 * Math.PI) / 180) / 1.05, 2);
    expect(found.dy).toBeCloseTo(1, 1);
    expect(found.dx).toBeCloseTo(-0.5, 1);
  });

  it('is not led by brightness, contrast or sign', () => {
    const seen = new Float32Array(1024);
    const still = scenery(3);
    const negative = image((y, x) => 0.3 - 0.7 * still(y, x));
    const found = align(fixed(image(moved(still, { dy: 1 }))), negative, IDENTITY, 30, seen)!;
    expect(found.dy).toBeCloseTo(1, 1);
  });

  it('gives up where nothing can be told', () => {
    const blank = { height: 32, width: 32, values: new Float32Array(1024) };
    expect(align(fixed(blank), blank, IDENTITY, 5, new Float32Array(1024))).toBeUndefined();
  });
});

describe('warp', () => {
  it('is NaN outside, and undone by the inverse', () => {
    const picture = image(scenery(5));
    const [there, back] = [new Float32Array(1024), new Float32Array(1024)];
    const transform = { a: 1, b: 0, dy: 2, dx: 0 };
    warp(picture, transform, there);
    expect(there[31 * 32]).toBeNaN();
    expect(there[0]).toBe(picture.values[64]);
    warp({ ...picture, values: there }, inverse(transform), back);
    const [clamped, outside] = [new Float32Array(1024), new Uint8Array(1024)];
    warp(picture, transform, clamped, outside);
    expect([clamped[31 * 32], outside[31 * 32], outside[0]]).toEqual([picture.values[31 * 32], 1, 0]);
    expect(back[10 * 32 + 7]).toBe(picture.values[10 * 32 + 7]);
  });
});
