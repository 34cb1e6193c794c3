import { describe, expect, it } from 'vitest';
import { contentHash } from '../../../src/checkers/features/contentHash.js';

describe('contentHash', () => {
  it('tells two images of a row from the same two exchanged', () => {
    const image = (...words: number[]) => ({
      content: { high: Int32Array.from(words), low: Int32Array.from(words) },
      blank: new Uint8Array(2),
      perceptual: { data: new Float32Array(2), width: 1, pixelStep: new Float32Array(2) },
      thumbnails: { data: new Int16Array(2), height: 1, width: 1 },
    });
    const { high, low } = contentHash({ n: 2, columns: [], images: [image(11, 29), image(29, 11)] });
    expect([high[0] === high[1], low[0] === low[1]]).toEqual([false, false]);
  });
});
