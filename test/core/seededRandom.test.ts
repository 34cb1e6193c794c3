import { afterEach, describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { withSeededRandom } from '../../src/core/seededRandom.js';

describe('withSeededRandom', () => {
  const real = Math.random;
  afterEach(() => expect(Math.random).toBe(real));
  const expected = (seed: number, count: number) => {
    const stream = randomSource(seed);
    return Array.from({ length: count }, () => stream.random());
  };

  it('replaces Math.random during synchronous work', () => {
    expect(withSeededRandom(7, () => [Math.random(), Math.random()])).toEqual(expected(7, 2));
  });

  it('replaces it until asynchronous work is done', async () => {
    const work = withSeededRandom(7, async () => {
      const first = Math.random();
      await Promise.resolve();
      return [first, Math.random()];
    });
    expect(Math.random).not.toBe(real);
    expect(await work).toEqual(expected(7, 2));
    expect(Math.random).toBe(real);
  });

  it('puts it back after an error, thrown or rejected', async () => {
    const failure = new Error('stop');
    const fail = () => {
      throw failure;
    };
    expect(() => withSeededRandom(7, fail)).toThrow(failure);
    expect(Math.random).toBe(real);
    await expect(withSeededRandom(7, async () => fail())).rejects.toBe(failure);
  });

  it('takes the innermost stream, and continues the outer one after it', () => {
    const drawn = withSeededRandom(1, () => [Math.random(), withSeededRandom(2, () => Math.random()), Math.random()]);
    const [first, second] = expected(1, 2);
    expect(drawn).toEqual([first, expected(2, 1)[0], second]);
  });

  it('puts it back once, also when the outer work ends before the inner', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const outer = withSeededRandom(1, async () => Math.random());
    const inner = withSeededRandom(2, async () => gate);
    await outer;
    expect(Math.random).not.toBe(real);
    release();
    await inner;
  });

  it('restores a Math.random that somebody else had replaced', () => {
    const other = () => 0.25;
    Math.random = other;
    try {
      withSeededRandom(1, () => Math.random());
      expect(Math.random).toBe(other);
    } finally {
      Math.random = real;
    }
  });
});
