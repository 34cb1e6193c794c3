/**
 * Randomness is an argument. An integer seed gives NumPy's legacy MT19937 stream (`numpy.random.RandomState`), word
 * for word, so that shuffled folds equal scikit-learn's; a string seed gives seedrandom's `alea` stream.
 */
import alea from 'seedrandom/lib/alea.js';
import { InvalidOptionError, sentence } from './errors.js';

/** A stream of random numbers. The same seed gives the same stream on every platform. */
export interface RandomSource {
  /** The next 32 random bits, 0 <= v <= 4294967295. */
  uint32(): number;
  /** A double in [0, 1) with 53 random bits. */
  random(): number;
}

/** What options called `randomState` accept: integer seed, string seed, a source, or null for a fresh stream. */
export type RandomState = number | string | RandomSource | null;

export function isRandomSource(value: unknown): value is RandomSource {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as RandomSource).uint32 === 'function' &&
    typeof (value as RandomSource).random === 'function'
  );
}

export const isSeed = (value: unknown): value is number | string | null =>
  value === null ||
  (typeof value === 'string' && value.length > 0) ||
  (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffffffff);

const SEED = 'be an integer from 0 to 4294967295, a non-empty string, a RandomSource, or null';

/**
 * The stream behind a `randomState`. A source is passed through.
 *
 * @example
 * const random = randomSource(42);
 * console.log(random.random(), random.random());
 */
export function randomSource(state: RandomState): RandomSource {
  if (isRandomSource(state)) return state;
  if (state !== undefined && !isSeed(state))
    throw new InvalidOptionError(sentence('The state of `randomSource`', SEED, state));
  if (typeof state === 'string') {
    const stream = alea(state);
    return { uint32: () => stream.int32() >>> 0, random: () => stream.double() };
  }
  return new MersenneTwister(state ?? freshSeed());
}

export const freshSeed = (): number => globalThis.crypto.getRandomValues(new Uint32Array(1))[0];

const N = 624;
const M = 397;

/**
 * MT19937 with NumPy's legacy seeding: `new MersenneTwister(42)` is `numpy.random.RandomState(42)`.
 *
 * Source: Matsumoto & Nishimura 1998, ACM TOMACS 8:3 (`init_genrand`, `genrand_int32`, `genrand_res53`).
 */
class MersenneTwister implements RandomSource {
  /** Signed words: only the bits matter, and signed arithmetic stays in machine integers. */
  readonly #state = new Int32Array(N);
  #next = N;

  constructor(seed: number) {
    const state = this.#state;
    state[0] = seed;
    for (let i = 1; i < N; i++) {
      const previous = state[i - 1] ^ (state[i - 1] >>> 30);
      state[i] = Math.imul(1812433253, previous) + i;
    }
  }

  uint32(): number {
    if (this.#next === N) this.#twist();
    let y = this.#state[this.#next++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    y ^= y >>> 18;
    return y >>> 0;
  }

  random(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  #twist(): void {
    const state = this.#state;
    for (let i = 0; i < N; i++) {
      const y = (state[i] & 0x80000000) | (state[i + 1 < N ? i + 1 : 0] & 0x7fffffff);
      state[i] = state[i + M < N ? i + M : i + M - N] ^ (y >>> 1) ^ (-(y & 1) & 0x9908b0df);
    }
    this.#next = 0;
  }
}

/** A uniform integer 0 <= v <= max by masked rejection, as NumPy's legacy `random_interval`. `max` < 2^32. */
export function randomInterval(source: RandomSource, max: number): number {
  if (max === 0) return 0;
  if (!(max > 0)) throw new RangeError(`randomInterval: max is ${max}`);
  const mask = 0xffffffff >>> Math.clz32(max);
  for (;;) {
    const value = (source.uint32() & mask) >>> 0;
    if (value <= max) return value;
  }
}

/** Shuffles in place, Fisher-Yates from the top, as `numpy.random.RandomState.shuffle`. */
export function shuffle<T extends Int32Array | Float64Array | unknown[]>(source: RandomSource, items: T): T {
  for (let i = items.length - 1; i > 0; i--) {
    const j = randomInterval(source, i);
    const held = items[i];
    items[i] = items[j];
    items[j] = held;
  }
  return items;
}

/** A random order of 0 ... n-1, as `numpy.random.RandomState.permutation(n)`. */
export function permutation(source: RandomSource, n: number): Int32Array {
  const items = new Int32Array(n);
  for (let i = 0; i < n; i++) items[i] = i;
  return shuffle(source, items);
}

/** `size` different numbers of 0 ... n-1, as `numpy.random.RandomState.choice(n, size, replace=False)`. */
export function sample(source: RandomSource, n: number, size: number): Int32Array {
  return permutation(source, n).slice(0, size);
}

/**
 * A 32-bit seed of a base seed and a path, such as (randomState, repeat, fold, 'rows'): a fold run alone draws what it draws in a run.
 *
 * @param path parts that tell this use of the seed from others
 * @example
 * console.log(deriveSeed(42, 'fold', 0), deriveSeed(42, 'fold', 1));
 */
export function deriveSeed(base: number | string, ...path: (number | string)[]): number {
  let hash = 0x9747b28c;
  for (const part of [base, ...path]) {
    if (typeof part !== 'string' && typeof part !== 'number') {
      throw new InvalidOptionError(sentence('Every part of `deriveSeed`', 'be a number or a string', part));
    }
    const text = `${typeof part}:${part};`;
    for (let i = 0; i < text.length; i++) hash = mix(hash ^ text.charCodeAt(i));
  }
  return mix(hash);
}

function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
