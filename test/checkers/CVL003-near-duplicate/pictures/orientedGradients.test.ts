import { describe, expect, it } from 'vitest';
import {
  gradientsOf,
  nearest,
  orientedGradients,
} from '../../../../src/checkers/CVL003-near-duplicate/pictures/candidates.js';
import { flat, moved, scenery, shot } from './scenes.js';

const image = (at: (y: number, x: number) => number) => ({ height: 32, width: 32, values: flat(shot(at)) });

describe('gradientsOf', () => {
  it('puts stripes into one direction, whatever their sign', () => {
    const stripes = gradientsOf(image((_, x) => Math.sin(x)));
    expect(gradientsOf(image((_, x) => -Math.sin(x)))).toEqual(stripes);
    // Edges that run across lie in direction 0 of 6, in all cells.
    stripes.forEach((strength, at) => {
      expect(strength > 0).toBe(at % 6 === 0);
    });
  });
});

describe('nearest', () => {
  it('finds copies by the directions of their edges, moved and mirrored', () => {
    const all = Array.from({ length: 60 }, (_, seed) => scenery(seed));
    const copies = [
      moved(all[0], { turn: 5 }),
      moved(all[1], { dy: 2 }),
      moved(all[2], { zoom: 1.15 }),
      (y: number, x: number) => all[3](y, 31 - x),
    ];
    const images = [...all, ...copies].map(image);
    const { plain, zoomed, mirrored } = orientedGradients(64, (at) => images[at]);
    [plain, plain, zoomed, mirrored].forEach((from, at) => {
      expect(nearest(from, at, plain, 96, 5, (other) => other !== at)).toContain(60 + at);
    });
  });

  it('gives the largest products in order, of those that are wanted', () => {
    const points = Float32Array.of(1, 0, 0, 0, 0.5, 0, 0, 0, 0.9, 0, 0, 0, 0.7, 0, 0, 0);
    expect(nearest(points, 0, points, 4, 2, (other) => other !== 0)).toEqual([2, 3]);
    expect(nearest(points, 0, points, 4, 9, () => true)).toEqual([0, 2, 3, 1]);
  });
});
