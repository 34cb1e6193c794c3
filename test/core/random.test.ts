import alea from 'seedrandom/lib/alea.js';
import { describe, expect, it } from 'vitest';
import {
  deriveSeed,
  freshSeed,
  isRandomSource,
  permutation,
  randomInterval,
  randomSource,
  sample,
  shuffle,
} from '../../src/core/random.js';
import reference from '../reference/random.json' with { type: 'json' };

// Expected numbers: numpy.random.RandomState, written by test/reference/random_streams.py.
describe.each(reference.streams)('the integer seed $seed equals numpy.random.RandomState', (expected) => {
  const source = () => randomSource(expected.seed);

  it('word for word, over several twists', () => {
    const stream = source();
    const words = Array.from({ length: 1400 }, () => stream.uint32());
    const at = Object.keys(expected.words).map(Number);
    expect(at.map((i) => words[i])).toEqual(Object.values(expected.words));
  });

  it('random() as random_sample', () => {
    const stream = source();
    expect(expected.random.map(() => stream.random())).toEqual(expected.random);
  });

  it('shuffle in place', () => {
    const items = [...'abcdefghij'];
    expect(shuffle(source(), items)).toBe(items);
    expect(items).toEqual(expected.shuffle);
  });

  it.each(Object.entries(expected.permutation))('permutation(%s)', (n, order) => {
    expect(Array.from(permutation(source(), Number(n)))).toEqual(order);
  });

  it.each(Object.entries(expected.sample))('sample(%s) as choice without replacement', (sizes, chosen) => {
    const [n, size] = sizes.split(',').map(Number);
    expect(Array.from(sample(source(), n, size))).toEqual(chosen);
  });

  it('stands at the same place after a permutation', () => {
    const stream = source();
    permutation(stream, 10);
    expect(expected.randomAfterPermutation.map(() => stream.random())).toEqual(expected.randomAfterPermutation);
  });
});

describe('a string seed', () => {
  it('is the alea stream that the README of seedrandom prints for `hello.`', () => {
    const stream = randomSource('hello.');
    expect(stream.uint32()).toBe(Math.floor(0.4783254903741181 * 2 ** 32));
    expect(stream.random()).toBe(0.8297006866124559);
    expect(stream.uint32()).toBe(1076136327);
  });

  it('equals the package itself, with words read as unsigned', () => {
    const [stream, direct] = [randomSource('ward 7'), alea('ward 7')];
    for (let i = 0; i < 100; i++) expect(stream.uint32()).toBe(direct.int32() >>> 0);
    for (let i = 0; i < 100; i++) expect(stream.random()).toBe(direct.double());
  });
});

describe('randomSource', () => {
  it('continues the source that it is given', () => {
    const own = randomSource(1);
    own.random();
    expect(randomSource(own)).toBe(own);
  });

  it('is fresh for null', () => {
    expect(randomSource(null).uint32()).not.toBe(randomSource(null).uint32());
    expect(freshSeed()).not.toBe(freshSeed());
  });

  it('is recognised by its two methods', () => {
    expect(isRandomSource(randomSource(1))).toBe(true);
    for (const other of [1, 'a', null, {}, { uint32: () => 1 }]) expect(isRandomSource(other)).toBe(false);
  });
});

describe('randomInterval', () => {
  it('draws every value from 0 to max, and nothing else', () => {
    const stream = randomSource(5);
    for (const max of [0, 1, 2, 6, 7, 8]) {
      const drawn = new Set(Array.from({ length: 400 }, () => randomInterval(stream, max)));
      expect([...drawn].sort((a, b) => a - b)).toEqual(Array.from({ length: max + 1 }, (_, i) => i));
    }
  });

  it('reaches above 2^31', () => {
    const stream = randomSource(5);
    const drawn = Array.from({ length: 50 }, () => randomInterval(stream, 0xffffffff));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeGreaterThan(2 ** 31);
  });

  it('takes no number from the stream when there is nothing to choose', () => {
    const stream = randomSource(5);
    randomInterval(stream, 0);
    expect(stream.uint32()).toBe(randomSource(5).uint32());
  });
});

describe('deriveSeed', () => {
  it('depends on the base, every part of the path, its type and its order', () => {
    const seeds = [
      deriveSeed(42),
      deriveSeed(42, 0),
      deriveSeed(42, '0'),
      deriveSeed(42, 0, 1),
      deriveSeed(42, 1, 0),
      deriveSeed(43, 0, 1),
      deriveSeed('42', 0, 1),
      deriveSeed(42, 'rows', 0),
      deriveSeed(42, 'row', 's', 0),
    ];
    expect(new Set(seeds).size).toBe(seeds.length);
    expect(deriveSeed(42, 0, 1, 'rows')).toBe(deriveSeed(42, 0, 1, 'rows'));
  });

  it('gives 32 bits that do not cluster over neighbouring folds', () => {
    const seeds = Array.from({ length: 10_000 }, (_, fold) => deriveSeed(0, 0, fold));
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed <= 0xffffffff)).toBe(true);
    expect(new Set(seeds).size).toBeGreaterThan(9_990);
    // Mean of 10,000 uniform numbers: .5 with a standard error of .0029.
    const mean = seeds.reduce((sum, seed) => sum + seed / 2 ** 32, 0) / seeds.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.015);
  });
});
