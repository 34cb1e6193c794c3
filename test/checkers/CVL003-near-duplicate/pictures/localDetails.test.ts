import { describe, expect, it } from 'vitest';
import { detailsOf, inner } from '../../../../src/checkers/CVL003-near-duplicate/pictures/registeredPairs.js';
import { flat, scenery, shot } from './scenes.js';

const image = (at: (y: number, x: number) => number) => ({ height: 32, width: 32, values: flat(shot(at)) });

describe('detailsOf', () => {
  it('has no margin, and is the same whatever the brightness and the contrast are', () => {
    const details = detailsOf(image(scenery(1)));
    expect([details.height, details.width]).toEqual([28, 28]);
    const brighter = detailsOf(image((y, x) => 7 + 3 * scenery(1)(y, x)));
    for (const [at, value] of brighter.values.entries()) expect(value).toBeCloseTo(details.values[at], 3);
  });

  it('a bright corner changes the details around it alone', () => {
    const at = scenery(1);
    const [before, after] = [image(at), image((y, x) => at(y, x) + (y < 4 && x < 4 ? 9 : 0))].map(detailsOf);
    // As strong as before, but for the floor that rises with the mean energy.
    for (let k = 20 * 28; k < 28 * 28; k++) expect(Math.abs(after.values[k] - before.values[k])).toBeLessThan(0.35);
    expect(Math.abs(after.values[0] - before.values[0])).toBeGreaterThan(0.4);
  });

  it('of a picture of one value nothing is left', () => {
    expect(detailsOf(image(() => 3)).values.every((value) => Math.abs(value) < 1e-3)).toBe(true);
  });
});

describe('inner', () => {
  it('leaves out the same at each side', () => {
    const { height, width, values } = inner(image((y, x) => 100 * y + x));
    expect([height, width, values[0], values[28 * 28 - 1]]).toEqual([28, 28, 202, 2929]);
  });
});
