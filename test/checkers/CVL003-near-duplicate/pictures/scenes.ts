import { randomSource } from '../../../../src/core/random.js';
import { normal } from '../normal.js';

const SIDE = 32;

/** Smooth shades with some grain, 32 x 32, as a function of places so that copies may be moved exactly. */
export function scenery(seed: number): (y: number, x: number) => number {
  const random = randomSource(seed);
  const waves = Array.from({ length: 24 }, () => {
    const [turn, speed] = [Math.PI * random.random(), 0.05 + 0.5 * random.random()];
    return [speed * Math.cos(turn), speed * Math.sin(turn), 6.28 * random.random(), normal(random) / (1 + 4 * speed)];
  });
  return (y, x) => waves.reduce((sum, [a, b, c, height]) => sum + height * Math.sin(a * y + b * x + c), 0);
}

export const shot = (at: (y: number, x: number) => number): number[][] =>
  Array.from({ length: SIDE }, (_, y) => Array.from({ length: SIDE }, (_, x) => at(y, x)));

/** Seen through a turn in degrees, a zoom and a shift. */
export const moved =
  (at: (y: number, x: number) => number, { turn = 0, zoom = 1, dy = 0, dx = 0 }) =>
  (y: number, x: number) => {
    const [c, s] = [Math.cos((turn * Math.PI) / 180) / zoom, Math.sin((turn * Math.PI) / 180) / zoom];
    const middle = (SIDE - 1) / 2;
    return at(middle + c * (y - middle) + s * (x - middle) + dy, middle + c * (x - middle) - s * (y - middle) + dx);
  };

export const flat = (picture: readonly (readonly number[])[]) => Float32Array.from(picture.flat());
