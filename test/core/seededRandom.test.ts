import { afterEach, describe, expect, it, vi } from 'vitest';
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

  it('is a stream in asynchronous work, while other code sees the own function of the host', async () => {
    const work = withSeededRandom(7, async () => {
      const first = Math.random();
      await new Promise((done) => setTimeout(done, 1));
      return [first, Math.random()];
    });
    expect(Math.random).toBe(real);
    const inTimer = await new Promise((done) => setTimeout(() => done(Math.random), 0));
    expect(inTimer).toBe(real);
    expect(await work).toEqual(expected(7, 2));
  });

  it('draws from the seed, too, where the host has put a getter of its own over it', async () => {
    const before = Object.getOwnPropertyDescriptor(Math, 'random') as PropertyDescriptor;
    // A copy of the module, which is thrown away with what it keeps in mind.
    vi.resetModules();
    const own = (await import('../../src/core/seededRandom.js')).withSeededRandom;
    const work = own(1, () => new Promise((done) => setTimeout(done, 1)));
    Object.defineProperty(Math, 'random', { configurable: true, get: () => () => 0.5 });
    expect(own(7, () => [Math.random(), Math.random()])).toEqual(expected(7, 2));
    await work;
    Object.defineProperty(Math, 'random', before);
  });

  it('keeps pieces of work apart that overlap', async () => {
    const three = async () => {
      const drawn: number[] = [];
      for (let i = 0; i < 3; i++) {
        await Promise.resolve();
        drawn.push(Math.random());
      }
      return drawn;
    };
    const both = await Promise.all([withSeededRandom(1, three), withSeededRandom(2, three)]);
    expect(both).toEqual([expected(1, 3), expected(2, 3)]);
  });

  it('leaves what the host puts in its place meanwhile, and keeps to the work what the work puts there', async () => {
    const other = () => 0.25;
    let release: () => void = () => undefined;
    const work = withSeededRandom(1, async () => {
      Math.random = () => 0.75;
      await new Promise<void>((done) => {
        release = done;
      });
      return Math.random();
    });
    expect(Math.random).toBe(real);
    Math.random = other;
    try {
      release();
      expect(await work).toBe(0.75);
      expect(Math.random).toBe(other);
      expect(Object.getOwnPropertyDescriptor(Math, 'random')).toMatchObject({ value: other, writable: true });
    } finally {
      Math.random = real;
    }
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

  it('gives two copies of this module streams of their own', async () => {
    vi.resetModules();
    const copy = await import('../../src/core/seededRandom.js');
    expect(copy.withSeededRandom).not.toBe(withSeededRandom);
    const two = async () => {
      const first = Math.random();
      await Promise.resolve();
      return [first, Math.random()];
    };
    const slow = async () => {
      const drawn = await two();
      await new Promise((done) => setTimeout(done, 1));
      return [...drawn, Math.random()];
    };
    const all = [withSeededRandom(1, slow), copy.withSeededRandom(2, two), withSeededRandom(3, two)];
    expect(await Promise.all(all)).toEqual([expected(1, 3), expected(2, 2), expected(3, 2)]);
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

  it('holds for synchronous work, and for asynchronous work that does not overlap, without Node', async () => {
    vi.resetModules();
    vi.doMock('#io', () => import('../../src/core/io.default.js'));
    try {
      const page = await import('../../src/core/seededRandom.js');
      expect(page.withSeededRandom(7, () => [Math.random(), Math.random()])).toEqual(expected(7, 2));
      const work = page.withSeededRandom(7, async () => {
        const first = Math.random();
        await Promise.resolve();
        return [first, page.withSeededRandom(8, () => Math.random()), Math.random()];
      });
      const [first, second] = expected(7, 2);
      expect(await work).toEqual([first, expected(8, 1)[0], second]);
    } finally {
      vi.doUnmock('#io');
      vi.resetModules();
    }
  });
});
