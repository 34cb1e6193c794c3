/** Stable identity of folds and data: MurmurHash3 (x86, 128 bit; Appleby 2011) over 32-bit words; no cryptographic seal. */

import { InvalidDataError, sentence } from './errors.js';

const C = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93];
const ROTATE_IN = [15, 16, 17, 18];
const ROTATE_OUT = [19, 17, 15, 13];
const ADD = [0x561ccd1b, 0x0bcaa747, 0x96cd1c35, 0x32ac3b17];
const rotate = (x: number, by: number) => (x << by) | (x >>> (32 - by));

export class Hasher {
  readonly #h = new Int32Array(4);
  #lane = 0;
  #words = 0;

  word(value: number): this {
    const h = this.#h;
    const lane = this.#lane;
    const k = Math.imul(rotate(Math.imul(value | 0, C[lane]), ROTATE_IN[lane]), C[(lane + 1) & 3]);
    h[lane] = Math.imul(rotate(h[lane] ^ k, ROTATE_OUT[lane]) + h[(lane + 1) & 3], 5) + ADD[lane];
    this.#lane = (lane + 1) & 3;
    this.#words++;
    return this;
  }

  words(values: Int32Array | Uint32Array): this {
    this.word(values.length);
    for (let i = 0; i < values.length; i++) this.word(values[i]);
    return this;
  }

  /** Doubles by their bits; -0 counts as 0, and every NaN as the same NaN. */
  doubles(values: ArrayLike<number>): this {
    const one = new Float64Array(1);
    const bits = new Int32Array(one.buffer);
    this.word(values.length);
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      // Assigned as constants: a copied NaN may keep bits of its own, and -0 has another bit than 0.
      one[0] = value === 0 ? 0 : Number.isNaN(value) ? Number.NaN : value;
      this.word(bits[0]).word(bits[1]);
    }
    return this;
  }

  text(value: string): this {
    this.word(value.length);
    for (let i = 0; i < value.length; i++) this.word(value.charCodeAt(i));
    return this;
  }

  digest(): string {
    const h = this.#h;
    for (let lane = 0; lane < 4; lane++) h[lane] ^= this.#words;
    const gather = () => {
      h[0] += h[1] + h[2] + h[3];
      for (let lane = 1; lane < 4; lane++) h[lane] += h[0];
    };
    gather();
    for (let lane = 0; lane < 4; lane++) {
      let x = h[lane];
      x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
      x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
      h[lane] = x ^ (x >>> 16);
    }
    gather();
    return Array.from(h, (x) => (x >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

const isRows = (value: unknown): boolean => Array.isArray(value) || ArrayBuffer.isView(value);
const noFolds = (folds: unknown) =>
  new InvalidDataError(sentence('The folds of `fingerprint`', 'be a list of { train, test } with row numbers', folds));

/** The part of a fold that its fingerprint covers. */
export interface FoldIndices {
  readonly train: ArrayLike<number>;
  readonly test: ArrayLike<number>;
}

/**
 * Hashes the indices of folds: the same folds give the same 32 hexadecimal digits everywhere, one moved row another.
 * Ids and repeats do not count. Throws {@link InvalidDataError} for what are no folds.
 *
 * @example
 * console.log(fingerprint([...new KFold({ nSplits: 3 }).split(9)]));
 */
export function fingerprint(folds: Iterable<FoldIndices>): string {
  const hasher = new Hasher();
  if (typeof (folds as Iterable<FoldIndices> | null)?.[Symbol.iterator] !== 'function') throw noFolds(folds);
  for (const fold of folds) {
    const { train, test } = fold ?? {};
    if (!isRows(train) || !isRows(test)) throw noFolds(folds);
    hasher.words(Int32Array.from(train)).words(Int32Array.from(test));
  }
  return hasher.digest();
}
